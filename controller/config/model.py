"""The shape of table.toml: its sections, their keys, and what a single value may be."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf

from firmware_bridge.address import Address, AddressError, parse

Family: TypeAlias = Literal["shoe", "shuffler", "bet-sensor", "console", "lamps", "display"]

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


def _address(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError("must be text in quotes")
    try:
        return parse(value)
    except AddressError as error:
        raise ValueError(f"{error.cause}; for example {error.example}") from error


OptionText: TypeAlias = Annotated[str, BeforeValidator(exact_text)]
AbsolutePath: TypeAlias = Annotated[Path, BeforeValidator(_absolute)]
SocketPath: TypeAlias = Annotated[Path, AfterValidator(_fits_a_socket), BeforeValidator(_absolute)]
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


class Device(_Section):
    """One device on the table: what it is and where it is reached."""

    family: Family
    address: DeviceAddress
    serial: Annotated[str, Field(min_length=1)] | None = None  # refuse any other device at this address
    area: Annotated[int, Field(ge=1)] | None = None  # bet sensors only


class ApiSection(_Section):
    """Where people and tools reach the daemon."""

    socket: SocketPath = Path("/run/feltd/feltd.sock")


class TableConfig(_Section):
    """A whole table.toml, checked.  Options are handed on as the exact text that the game reads."""

    table: TableSection
    options: dict[str, OptionText] = {}
    devices: dict[DeviceName, Device] = Field(alias="device", default={})
    api: ApiSection = ApiSection()
