"""The shape of table.toml: its sections, their keys, and what a single value may be."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf, model_validator

from controller.config.errors import did_you_mean
from controller.config.pins import Inputs, Outputs
from drivers.families import FAMILIES
from drivers.vendors.alpha import Alpha
from drivers.vendors.angel_eye import AngelEye
from drivers.vendors.catalogue import GPIO, NATIVE, Settings
from drivers.vendors.cia401 import Cia401
from drivers.vendors.gpio import Gpio
from firmware_bridge.address import Address, AddressError, parse
from firmware_bridge.extensions import UNKNOWN, ExtensionError
from firmware_bridge.version import version_key

Protocol: TypeAlias = Literal["native", "angel-eye", "alpha", "cia401", "gpio"]

LONGEST_ROLL = 400  # ms; news of other tables take up to half a second: all in all the value stands there within one
_SOCKET_PATH_LIMIT = 107  # bytes; the kernel's sockaddr_un has room for no more


def exact_text(value: object) -> str:
    """An option as it was written.  A float is refused: 2.10 would arrive as 2.1, and some amounts not at all."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise ValueError(f'must be text: write "{"on" if value else "off"}"')
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        raise ValueError(f'must not be a floating-point number: write it in quotes, "{value}"')
    raise ValueError("must be text in quotes or a whole number; several values go into one text, separated by commas")


def _absolute(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError("must be a path in quotes")
    if not value.startswith("/") or "\0" in value:
        raise ValueError(f'must be an absolute path: write "/..." instead of "{value}"')
    return Path(value)


def _fits_a_socket(path: Path) -> Path:
    if len(os.fsencode(path)) > _SOCKET_PATH_LIMIT:
        raise ValueError(f"is too long for a socket: choose a path of at most {_SOCKET_PATH_LIMIT} bytes")
    return path


def _version(text: str) -> str:
    if version_key(text) is None:
        raise ValueError(f'"{text}" is no version: write it as "1.2.0"')
    return text


def _public_key(text: str) -> str:
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise ValueError("is no public key: it has 64 hexadecimal digits")
    return text


def _amount(text: str) -> str:
    if not re.fullmatch(r"\d+(\.\d{1,2})?", text):
        raise ValueError(f'"{text}" must be an amount of dollars, such as "250000" or "2.50"')
    return text


def _listen(text: str) -> str:
    host, _, port = text.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    try:
        address = ip_address(host[1:-1] if bracketed else host)
        fits = bracketed == (address.version == 6) and port.isascii() and port.isdigit() and int(port) < 1 << 16
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f'"{text}" is no address of this computer with a port: write "127.0.0.1:8080"')
    return text


def _at_most(most: int) -> Callable[[int], int]:
    def check(value: int) -> int:
        if value > most:
            raise ValueError(f"must be {most} or less")
        return value

    return check


def _address(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError("must be text in quotes")
    try:
        return parse(value)
    except AddressError as error:
        raise ValueError(f"{error.cause}; for example {error.example}") from error


def _family(value: object) -> str:
    try:
        return FAMILIES.find(value if isinstance(value, str) else str(value)).about.name
    except ExtensionError as error:
        if error.code != UNKNOWN:
            raise ValueError(f"{error.cause}; {error.next_step}") from error
        raise ValueError(f'unknown family "{value}": {did_you_mean(str(value), FAMILIES.names())}') from error


OptionText: TypeAlias = Annotated[str, BeforeValidator(exact_text)]
Amount: TypeAlias = Annotated[str, BeforeValidator(exact_text), AfterValidator(_amount)]
AbsolutePath: TypeAlias = Annotated[Path, BeforeValidator(_absolute)]
SocketPath: TypeAlias = Annotated[Path, AfterValidator(_fits_a_socket), BeforeValidator(_absolute)]
FamilyName: TypeAlias = Annotated[str, BeforeValidator(_family)]
DeviceAddress: TypeAlias = Annotated[InstanceOf[Address], BeforeValidator(_address)]
Word: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=32)]
DeviceName: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$", max_length=32)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_by_name=True, validate_by_alias=True)


class TableSection(_Section):
    """Which table this is, what is played on it, and where its journal lives."""

    name: Word
    game: str
    state: AbsolutePath = Path("/var/lib/feltd")


class _VendorSection(_Section):
    """What differs between sites that use a vendor's device."""

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        self.settings()
        return self

    def settings(self) -> Settings:
        """As the link takes them; ValueError says what is wrong."""
        raise NotImplementedError


class AngelEyeSection(_VendorSection):
    bcc: Literal["with-stx", "without-stx"] = "with-stx"
    sequence: str = "0-9"
    look: int = 5

    def settings(self) -> AngelEye:
        return AngelEye(self.bcc, self.sequence, self.look)


class AlphaSection(_VendorSection):
    sign: str = "Z00"
    decimals: int = 2
    look: int = 5

    def settings(self) -> Alpha:
        return Alpha(self.sign, self.decimals, self.look)


class Cia401Section(_VendorSection):
    outputs: dict[str, int] = {}
    inputs: dict[str, int] = {}
    heartbeat: int = 250

    def settings(self) -> Cia401:
        return Cia401(self.outputs, self.inputs, self.heartbeat)


class GpioSection(_VendorSection):
    outputs: Outputs = {}
    inputs: Inputs = {}

    def settings(self) -> Gpio:
        outputs = {name: pin.settings() for name, pin in self.outputs.items()}
        return Gpio(outputs, {name: pin.settings() for name, pin in self.inputs.items()})


class Device(_Section):
    """One device on the table: what it is and where it is reached."""

    family: FamilyName
    address: DeviceAddress
    serial: Annotated[str, Field(min_length=1)] | None = None  # refuse any other device at this address
    sealed: bool = False  # never spoken to without its key, whatever the state directory remembers
    area: Annotated[int, Field(ge=1)] | None = None  # of a bet sensor, or of a seat's card reader
    protocol: Protocol = NATIVE
    angel_eye: AngelEyeSection = Field(alias="angel-eye", default=AngelEyeSection())
    alpha: AlphaSection = AlphaSection()
    cia401: Cia401Section = Cia401Section()
    gpio: GpioSection = GpioSection()

    @model_validator(mode="before")
    @classmethod
    def _pins_need_no_protocol(cls, raw: object) -> object:
        """An address of pins says all about how they are spoken to."""
        if isinstance(raw, dict) and str(raw.get("address")).startswith(f"{GPIO}://"):
            return {"protocol": GPIO, **raw}
        return raw

    @model_validator(mode="after")
    def _can_be_sealed(self) -> Self:
        if self.sealed and self.protocol != NATIVE:
            raise ValueError(f"sealed: {self.protocol} cannot be sealed: only the native protocol can")
        if self.sealed and self.serial is None:
            raise ValueError('sealed: the key belongs to a serial number: add serial = "..."')
        return self

    @property
    def vendor(self) -> Settings | None:
        """The settings of its protocol; None: it speaks the native one."""
        sections = {"angel-eye": self.angel_eye, "alpha": self.alpha, "cia401": self.cia401, GPIO: self.gpio}
        return None if self.protocol == NATIVE else sections[self.protocol].settings()


class FamilySection(_Section):
    """What every device of a family must have."""

    min_firmware: Annotated[str, AfterValidator(_version)] = Field(alias="min-firmware", default="")


class FirmwareSection(_Section):
    """Whose firmware may be sent to devices: Ed25519 public keys, in hexadecimal digits."""

    keys: list[Annotated[str, AfterValidator(_public_key)]] = []

    @property
    def public_keys(self) -> list[bytes]:
        return [bytes.fromhex(key) for key in self.keys]


class JackpotSection(_Section):
    """Where the prize meter is kept, besides what the options say of the Jackpot."""

    store: Literal["sqlite", "postgres"] = "sqlite"
    dsn_file: AbsolutePath | None = Field(alias="dsn-file", default=None)  # how to reach PostgreSQL, password and all
    ceiling: Amount | None = None  # of a new meter, in dollars
    reserve: Amount = "0"


class SimulationSection(_Section):
    """What only a table may do whose devices are all simulated."""

    whole_captures: bool = Field(alias="whole-captures", default=False)  # with the cards: nothing is secret there


class ApiSection(_Section):
    """Where people and tools reach the daemon."""

    socket: SocketPath = Path("/run/feltd/feltd.sock")
    read_socket: SocketPath | None = Field(alias="read-socket", default=None)  # for scrapers: nothing can be done there
    technicians: Word = "feltd-technicians"  # the group whose members may pair, flash and clear devices
    supervisors: Word = "feltd-supervisors"  # the group whose members may correct a running round
    managers: Word = "feltd-managers"  # the group of area managers and those above


class WebSection(_Section):
    """Where screens find their pages; without an address nobody listens."""

    listen: Annotated[str, AfterValidator(_listen)] | None = None

    @property
    def place(self) -> tuple[str, int] | None:
        """Host and port."""
        if self.listen is None:
            return None
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]"), int(port)


class DisplaysSection(_Section):
    """How the displays of the prize meter move."""

    roll: Annotated[int, Field(ge=0), AfterValidator(_at_most(LONGEST_ROLL))] = LONGEST_ROLL  # milliseconds
    hit: Annotated[int, Field(ge=1), AfterValidator(_at_most(3600))] = 60  # seconds
    turn: Annotated[int, Field(ge=2), AfterValidator(_at_most(30))] = 4  # seconds


class TableConfig(_Section):
    """A whole table.toml, checked.  Options are handed on as the exact text that the game reads."""

    table: TableSection
    options: dict[str, OptionText] = {}
    devices: dict[DeviceName, Device] = Field(alias="device", default={})
    families: dict[FamilyName, FamilySection] = Field(alias="family", default={})
    firmware: FirmwareSection = FirmwareSection()
    jackpot: JackpotSection = JackpotSection()
    api: ApiSection = ApiSection()
    simulation: SimulationSection = SimulationSection()
    displays: DisplaysSection = DisplaysSection()
    web: WebSection = WebSection()
