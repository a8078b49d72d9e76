"""Where a device is: `serial:///dev/...`, `can://can0/0x21`, ..., and the transport that goes there."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar
from urllib.parse import quote, unquote

from firmware_bridge.errors import Coded
from firmware_bridge.extensions import THEIRS, UNKNOWN, ExtensionError, Register, failed
from firmware_bridge.transport import Transport

_EXAMPLE: Final = "serial:///dev/serial/by-id/usb-shoe-0042?baud=115200"


class AddressError(Coded, ValueError):
    """An address that leads nowhere; `example` shows a good one.  Without an example the address is not to blame."""

    def __init__(self, code: str, cause: str, example: str, next_step: str = "") -> None:
        super().__init__(code, cause, next_step or f"Correct its address in table.toml, for example {example}.")
        self.example = example

    @property
    def advice(self) -> str:
        """What helps, as the end of a sentence."""
        return f"for example {self.example}" if self.example else self.next_step


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed address; str() gives it back in its plain form."""

    scheme: str
    host: str = ""
    path: str = ""
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def __str__(self) -> str:
        query = "&".join(f"{name}={_escaped(value, '%&')}" for name, value in self.options.items())
        place = _escaped(self.host, "%/?") + _escaped(self.path, "%?")
        return f"{self.scheme}://{place}" + (f"?{query}" if query else "")


@dataclass(frozen=True, slots=True)
class Scheme:
    """A kind of address; `check` raises AddressError; `open` None: whoever runs the table provides such devices.

    `internal`: no wire leaves the controller's own process, so nobody can tap it.
    """

    example: str
    check: Callable[[Address], object]
    open: Callable[[Address], Transport] | None = None
    internal: bool = False


Open: TypeAlias = Callable[[Address], Transport]
R = TypeVar("R")
Made = TypeVar("Made", bound=Callable[..., Transport])
SCHEMES: Final[Register[Scheme]] = Register(
    "feltd.transports", "kind of address", "firmware_bridge.schemes", ("serial", "usb", "can", "socket", "gpio", "sim")
)


def declare(
    scheme: str,
    example: str,
    check: Callable[[Address], object],
    make: Open | None = None,
    *,
    internal: bool = False,
) -> None:
    """Adds a kind of address to the register."""
    SCHEMES.add(scheme, Scheme(example, check, make, internal), make)


def transport(scheme: str, *, example: str, check: Callable[[Address], object] | None = None) -> Callable[[Made], Made]:
    """Returns a decorator which declares what opens addresses of this scheme: a function, or a transport's class.

    What is decorated is handed the address and makes a transport that is not opened yet.  `check` None: making one is
    the check.
    """

    def declared(make: Made) -> Made:
        declare(scheme, example, check or make, make)
        return make

    return declared


def parse(text: str) -> Address:
    """Reads an address; AddressError says what is wrong with it.

    >>> parse("can://can0/0x21").path
    '/0x21'
    """
    name, separator, rest = text.partition("://")
    if not text.isprintable() or " " in text:
        raise AddressError("address.characters", "an address has no spaces or control characters", _example(name))
    if not separator:
        raise AddressError("address.form", f"{text!r} has no scheme followed by ://", _example(name))
    scheme = _scheme(name)
    place, _, query = rest.partition("?")
    host, slash, path = place.partition("/")
    options = MappingProxyType(_options(query, scheme.example))
    address = Address(name, unquote(host), unquote(slash + path), options)
    _theirs(scheme.check, address)
    return address


def _theirs(make: Callable[[Address], R], address: Address) -> R:
    """Returns what the maker of a kind of address makes of one; AddressError also when his code fails."""
    try:
        return make(address)
    except Coded:
        raise
    except THEIRS as error:
        theirs = failed(error)
        if theirs is None:
            raise
        raise AddressError(theirs.code, theirs.cause, "", theirs.next_step) from error


def can_be_tapped(address: Address) -> bool:
    """Tells whether somebody could sit on the wire to this address."""
    return not _scheme(address.scheme).internal


def _scheme(name: str) -> Scheme:
    try:
        return SCHEMES.find(name)
    except ExtensionError as error:
        if error.code != UNKNOWN:
            raise AddressError("address.scheme", error.cause, _EXAMPLE) from error
        close = difflib.get_close_matches(name, SCHEMES.names(), 1)
        hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(SCHEMES.names())}"
        raise AddressError("address.scheme", f"{name!r} is not a kind of address; {hint}", _EXAMPLE) from error


def _example(name: str) -> str:
    return SCHEMES.find(name).example if name in SCHEMES.names() else _EXAMPLE


def _escaped(text: str, reserved: str) -> str:
    """Returns a part of an address as `parse` reads it back.

    >>> _escaped("a/5 b", "%/?")
    'a%2F5%20b'
    """
    plain = (letter.isprintable() and letter != " " and letter not in reserved for letter in text)
    return "".join(letter if is_plain else quote(letter, safe="") for letter, is_plain in zip(text, plain, strict=True))


def _options(query: str, example: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for pair in query.split("&") if query else ():
        name, separator, value = pair.partition("=")
        if not separator or not name or not value:
            raise AddressError("address.option", f"option {pair!r} is not name=value", example)
        if name in options:
            raise AddressError("address.option", f"option {name!r} stands twice", example)
        options[name] = unquote(value)
    return options


# ---- what kinds of addresses share


def needs_host(address: Address, example: str) -> None:
    """Checks that something is named; AddressError when nothing stands after the scheme."""
    if not address.host:
        raise AddressError("address.host", f"nothing stands after {address.scheme}://", example)


def only_options(address: Address, what: str, example: str, *known: str) -> None:
    """Checks that the address has no other options than these; AddressError for any other."""
    for name in address.options:
        if name not in known:
            has = f"has {', '.join(known)}" if known else "has no options"
            raise AddressError("address.option", f"unknown option {name!r}; {what} {has}", example)


def open_transport(address: Address, extra_schemes: Mapping[str, Open] = MappingProxyType({})) -> Transport:
    """Returns the transport (not opened yet) for an address; `extra_schemes` adds kinds of wire that others provide."""
    make = extra_schemes.get(address.scheme) or _scheme(address.scheme).open
    if make is None:
        cause = f"{address.scheme}:// is not built yet"
        raise AddressError("address.not-yet", cause, _EXAMPLE)
    return _theirs(make, address)
