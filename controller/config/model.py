"""The shape of table.toml: its sections, their keys, and what a single value may be."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    PrivateAttr,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from controller.config.errors import did_you_mean
from controller.config.lines import Finding
from controller.config.settings import read_settings
from controller.journal.witnessing import cosigner_key, journal_key
from drivers.families import FAMILIES
from drivers.vendors.register import NATIVE, VENDORS
from firmware_bridge.address import Address, AddressError, can_be_tapped, parse
from firmware_bridge.extensions import UNKNOWN, ExtensionError, Register
from firmware_bridge.version import version_key

LONGEST_ROLL = 400  # ms; news of other tables take up to half a second: all in all the value stands there within one
MOST_TABLES = 100  # of a floor
MOST_WITNESSES = 16  # a few are enough: one honest one finds what was changed
_SOCKET_PATH_LIMIT = 107  # bytes; the kernel's sockaddr_un has room for no more


def exact_text(value: object) -> str:
    """Returns an option as it was written.  A float is refused: 2.10 would arrive as 2.1, some amounts not at all."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
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


def _usb_kind(text: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{4}:[0-9a-f]{4}(/.+)?", text) or not text.isprintable():
        raise ValueError(f'"{text}" is no USB device: write "046d:c31c" as lsusb prints it, or "046d:c31c/SERIAL"')
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


_SPAN = re.compile(r"(\d{1,6})(s|m|h)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def _span(text: str) -> str:
    if _SPAN.fullmatch(text) is None:
        raise ValueError(f'"{text}" is no length of time: write "90s", "10m" or "12h"')
    return text


def _seconds(span: str) -> int:
    return int(span[:-1]) * _SECONDS[span[-1]]


def _time_of_day(text: str) -> str:
    if re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text) is None:
        raise ValueError(f'"{text}" is no time of day: write it as "06:00"')
    return text


def _each_once(texts: list[str]) -> list[str]:
    if len(set(texts)) < len(texts):
        raise ValueError("has a time twice: each shift begins at a time of its own")
    return texts


def _zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(
            f'"{text}" is no time zone of this computer: write it as "Australia/Sydney"; `sudo apt install tzdata` '
            "brings all of them"
        ) from None
    return text


def _host(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*", text) or len(text) > 253:
        raise ValueError(f'"{text}" is no name of a computer: write it in small letters, without a port')
    return text


def _door(text: str) -> str:
    """Checks the address of a read-only door: a socket of this computer, or the pages' port of another one."""
    if text.startswith("/"):
        _fits_a_socket(Path(text))
        return text
    at = text.removeprefix("http://").removesuffix("/")
    try:
        _listen(at)
    except ValueError:
        at = ""
    if not text.startswith("http://") or not at or at.endswith(":0"):
        raise ValueError(
            f'"{text}" is no read-only door of a table: write its pages\' port in digits, "http://192.0.2.12:8080", or '
            'the path of its read-socket, "/run/feltd-read/feltd.sock"'
        )
    return f"http://{at}"


def _pages(text: str) -> str:
    at = _door(text)
    if at.startswith("/"):
        raise ValueError(f'"{text}" is no address of pages, such as "http://192.0.2.12:8080"')
    return at


def _journal(text: str) -> str:
    journal_key(text)
    return text.strip()


def _cosigner(text: str) -> str:
    cosigner_key(text)
    return text.strip()


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
        raise ValueError(f"{error.cause}; {error.advice}") from error


def _named(register: Register[Any], what: str, *more: str) -> Callable[[object], str]:
    """Returns a check that a word is a name in this register, or one of `more`.

    A package that cannot be used is named.
    """

    def check(value: object) -> str:
        word = str(value)
        if word in more:
            return word
        try:
            register.find(word)
        except ExtensionError as error:
            if error.code != UNKNOWN:
                raise ValueError(f"{error.cause}: {error.next_step}") from error
            known = (*more, *register.names())
            raise ValueError(f'unknown {what} "{word}": {did_you_mean(word, known)}') from error
        return word

    return check


TimeOfDay: TypeAlias = Annotated[str, AfterValidator(_time_of_day)]
OptionText: TypeAlias = Annotated[str, BeforeValidator(exact_text)]
Amount: TypeAlias = Annotated[str, BeforeValidator(exact_text), AfterValidator(_amount)]
AbsolutePath: TypeAlias = Annotated[Path, BeforeValidator(_absolute)]
SocketPath: TypeAlias = Annotated[Path, AfterValidator(_fits_a_socket), BeforeValidator(_absolute)]
FamilyName: TypeAlias = Annotated[str, BeforeValidator(_named(FAMILIES, "family"))]
ProtocolName: TypeAlias = Annotated[str, BeforeValidator(_named(VENDORS, "protocol", NATIVE))]
DeviceAddress: TypeAlias = Annotated[InstanceOf[Address], BeforeValidator(_address)]
Span: TypeAlias = Annotated[str, AfterValidator(_span)]  # with its unit
Word: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=32)]
DeviceName: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$", max_length=32)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_by_name=True, validate_by_alias=True)


class TableSection(_Section):
    """Which table this is, what is played on it, and where its journal lives."""

    name: Word
    game: str
    state: AbsolutePath = Path("/var/lib/feltd")
    test: bool = False  # for technicians' tests: moves no live meter, and has a journal of its own


class Device(_Section):
    """One device on the table: what it is and where it is reached."""

    family: FamilyName
    address: DeviceAddress
    serial: Annotated[str, Field(min_length=1)] | None = None  # refuse any other device at this address
    sealed: bool | None = None  # false: used without a key too; None: only where nobody could tap the wire
    door: Literal["dealer", "two-people"] | None = None  # who opens it; None: two people, but the dealer a shoe
    area: Annotated[int, Field(ge=1)] | None = None  # of a bet sensor, or of a seat's card reader
    protocol: ProtocolName = NATIVE
    _settings: object = PrivateAttr(default=None)

    @model_validator(mode="wrap")
    @classmethod
    def _with_settings(cls, raw: object, whole: Callable[[object], Device]) -> Device:
        """Takes the sections of vendors' protocols out, and reads each into the settings that its vendor declares."""
        if not isinstance(raw, Mapping):
            return whole(raw)
        known = VENDORS.names()
        keys = {key: value for key, value in raw.items() if key not in known}
        sections = {key: value for key, value in raw.items() if key in known}
        scheme = str(raw.get("address")).partition("://")[0]
        if scheme in known and VENDORS.find(scheme).about.implied:
            keys = {"protocol": scheme, **keys}
        settings, findings = _settings_of(str(keys.get("protocol", NATIVE)), sections)
        try:
            device = whole(keys)
        except ValidationError as error:
            raise _all_wrong(findings, error.errors(include_url=False)) from None
        if findings:
            raise _all_wrong(findings)
        device._settings = settings
        return device

    @property
    def two_people(self) -> bool:
        """Whether its door may only be opened while two people have allowed it."""
        return self.door == "two-people" or (self.door is None and self.family != "shoe")

    @property
    def must_encrypt(self) -> bool:
        """Whether it may only be used over an encrypted link."""
        if self.sealed is not None:
            return self.sealed
        return self.protocol == NATIVE and can_be_tapped(self.address)

    @property
    def insecure(self) -> bool:
        """Whether somebody has written that its link may be plain, where it could be encrypted and tapped."""
        return self.sealed is False and self.protocol == NATIVE and can_be_tapped(self.address)

    @property
    def settings(self) -> object:
        """The settings of its protocol, as the vendor declares them; None for the native one."""
        return self._settings


def _settings_of(protocol: str, sections: Mapping[str, object]) -> tuple[object, list[Finding]]:
    """Returns the settings of this protocol, and all that is wrong with the sections."""
    settings: dict[str, object] = {}
    findings: list[Finding] = []
    for name in dict.fromkeys((*sections, protocol)):
        try:
            kind = VENDORS.find(name).about.settings
        except ExtensionError:
            continue  # told where the protocol is read
        settings[name], wrong = read_settings(kind, sections.get(name, {}), (name,))
        findings += wrong
    return settings.get(protocol), findings


def _all_wrong(findings: list[Finding], others: Sequence[ErrorDetails] = ()) -> ValidationError:
    """Returns findings of our own, and what pydantic found, as one error."""
    ours = [
        InitErrorDetails(type=PydanticCustomError("value_error", "{error}", {"error": text}), loc=path, input=None)
        for path, text in findings
    ]
    theirs = [
        InitErrorDetails(type=each["type"], loc=each["loc"], input=each["input"], ctx=each.get("ctx", {}))
        for each in others
    ]
    return ValidationError.from_exception_data("Device", [*ours, *theirs])


class UsbSection(_Section):
    """What else may be plugged into the USB of the table's computer, besides the devices of the table."""

    allow: list[Annotated[str, AfterValidator(_usb_kind)]] = []


class FamilySection(_Section):
    """What every device of a family must have."""

    min_firmware: Annotated[str, AfterValidator(_version)] = Field(alias="min-firmware", default="")


class FirmwareSection(_Section):
    """Whose firmware may be sent to devices: Ed25519 public keys, in hexadecimal digits."""

    keys: list[Annotated[str, AfterValidator(_public_key)]] = []

    @property
    def public_keys(self) -> list[bytes]:
        """The public keys as bytes."""
        return [bytes.fromhex(key) for key in self.keys]


class ProgramSection(_Section):
    """The signed manifest of the installed program, and whose signature counts."""

    manifest: AbsolutePath | None = None
    keys: list[Annotated[str, AfterValidator(_public_key)]] = []  # Ed25519 public keys, in hexadecimal digits


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
    names: list[Annotated[str, AfterValidator(_host)]] = []  # by which browsers may call it, besides its address

    @property
    def place(self) -> tuple[str, int] | None:
        """The host and the port; None without pages."""
        if self.listen is None:
            return None
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]"), int(port)


class PeopleSection(_Section):
    """Who can sign in, and how long they stay signed in without doing anything."""

    file: AbsolutePath = Path("/etc/feltd/people.toml")  # unless it is said, beside table.toml
    idle: Span = "10m"  # "0s": until they sign out
    longest: Span = "12h"  # a session on a page or over the socket

    @property
    def idle_seconds(self) -> int:
        """The seconds without a deed after which somebody is signed out; 0: never."""
        return _seconds(self.idle)

    @property
    def longest_seconds(self) -> int:
        """The seconds after which a session ends, whatever is done in it."""
        return _seconds(self.longest)


class DisplaysSection(_Section):
    """How the displays of the prize meter move."""

    roll: Annotated[int, Field(ge=0), AfterValidator(_at_most(LONGEST_ROLL))] = LONGEST_ROLL  # milliseconds
    hit: Annotated[int, Field(ge=1), AfterValidator(_at_most(3600))] = 60  # seconds
    turn: Annotated[int, Field(ge=2), AfterValidator(_at_most(30))] = 4  # seconds


class JournalSection(_Section):
    """Where else the journal is remembered, what signs its checkpoints, and where the keys of its cards are.

    Best on other disks; no key in the state directory.
    """

    head: AbsolutePath | None = None
    copy_to: AbsolutePath | None = Field(alias="copy", default=None)
    key: AbsolutePath | None = None  # None: what the service manager hands over; without that they are not signed
    cards_key: AbsolutePath | None = Field(alias="cards-key", default=None)  # made by `felt table init`
    day_keys: AbsolutePath | None = Field(alias="day-keys", default=None)  # None: beside the state directory
    retention: Annotated[int, Field(ge=1), AfterValidator(_at_most(3650))] = 90  # days
    archive: AbsolutePath | None = None  # a folder; None: every record stays in the journal
    archive_after: Annotated[int, Field(ge=1), AfterValidator(_at_most(36500))] = Field(
        alias="archive-after", default=400
    )  # days


class RoundsSection(_Section):
    """How many rounds are at hand at once; older ones are told from the journal, which takes longer."""

    keep: Annotated[int, Field(ge=100), AfterValidator(_at_most(1_000_000))] = 10_000


class ReportSection(_Section):
    """By whose days and shifts rounds are added up."""

    time_zone: Annotated[str, AfterValidator(_zone)] = Field(alias="time-zone", default="")  # "": of this computer
    day_starts: TimeOfDay = Field(alias="day-starts", default="00:00")
    shifts: Annotated[list[TimeOfDay], AfterValidator(_each_once)] = []


class FloatSection(_Section):
    """The chips that the table pays with: for what the house wants a witness, and where commission goes."""

    witness: list[Literal["opening", "closing", "fill", "credit", "buy-in", "marker", "drop", "prize", "promotion"]] = [
        "opening",
        "closing",
        "fill",
        "credit",
        "marker",
        "drop",
        "prize",
        "promotion",
    ]
    commission: Literal["box", "float"] = "box"


class FloorSection(_Section):
    """The tables that are watched from here besides this one: where each of them can be looked at."""

    tables: Annotated[dict[Word, Annotated[str, AfterValidator(_door)]], Field(max_length=MOST_TABLES)] = {}


class NeighbourSection(_Section):
    """A table that cosigns the checkpoints of this one: where its pages are, and the key it signs with."""

    at: Annotated[str, AfterValidator(_pages)]
    key: Annotated[str, AfterValidator(_cosigner)]


class WitnessSection(_Section):
    """Who remembers the checkpoints of this table's journal, and whose this table remembers."""

    key: AbsolutePath | None = None  # of this table as a witness; None: what the service manager hands over
    journals: list[Annotated[str, AfterValidator(_journal)]] = []  # verifier keys of those that are cosigned here
    neighbours: Annotated[dict[Word, NeighbourSection], Field(max_length=MOST_WITNESSES)] = {}
    devices: bool = False  # those that can keep the newest checkpoint as a note, over the native protocol
    store: bool = True  # the store of the prize meter keeps the checkpoints too, where the table uses one


class TableConfig(_Section):
    """A whole table.toml, checked.  Options are handed on as the exact text that the game reads."""

    table: TableSection
    options: dict[str, OptionText] = {}
    devices: dict[DeviceName, Device] = Field(alias="device", default={})
    families: dict[FamilyName, FamilySection] = Field(alias="family", default={})
    usb: UsbSection = UsbSection()
    firmware: FirmwareSection = FirmwareSection()
    program: ProgramSection = ProgramSection()
    jackpot: JackpotSection = JackpotSection()
    api: ApiSection = ApiSection()
    simulation: SimulationSection = SimulationSection()
    displays: DisplaysSection = DisplaysSection()
    web: WebSection = WebSection()
    journal: JournalSection = JournalSection()
    rounds: RoundsSection = RoundsSection()
    report: ReportSection = ReportSection()
    float_: FloatSection = Field(alias="float", default=FloatSection())
    people: PeopleSection = PeopleSection()
    floor: FloorSection | None = None  # None: this table watches no others
    witness: WitnessSection = WitnessSection()
