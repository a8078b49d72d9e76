"""Where a device is: `serial:///dev/...`, `can://can0/0x21`, ..., and the transport that goes there."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote

from firmware_bridge.serial import SerialTransport
from firmware_bridge.transport import Transport

EXAMPLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "serial": "serial:///dev/serial/by-id/usb-shoe-0042?baud=115200",
        "usb": "usb://1209:f317/SERIAL",
        "can": "can://can0/0x21",
        "socket": "socket://192.0.2.7:4001",
        "gpio": "gpio://17",
        "sim": "sim://shoe",
    }
)
_SERIAL_OPTIONS: Final = ("baud", "parity", "rtscts")


class AddressError(ValueError):
    """An address that leads nowhere.  `code` is stable; `cause` says what is wrong; `example` shows a good one."""

    def __init__(self, code: str, cause: str, example: str) -> None:
        super().__init__(f"{code}: {cause} (example: {example})")
        self.code = code
        self.cause = cause
        self.example = example


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed address; str() gives it back in its plain form."""

    scheme: str
    host: str = ""
    path: str = ""
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def __str__(self) -> str:
        query = "&".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.scheme}://{self.host}{self.path}" + (f"?{query}" if query else "")


def parse(text: str) -> Address:
    """Read an address; AddressError says what is wrong with it.

    >>> parse("can://can0/0x21").path
    '/0x21'
    """
    scheme, separator, rest = text.partition("://")
    example = EXAMPLES.get(scheme, EXAMPLES["serial"])
    if not text.isprintable() or " " in text:
        raise AddressError("address.characters", "an address has no spaces or control characters", example)
    if not separator:
        raise AddressError("address.form", f"{text!r} has no scheme followed by ://", example)
    if scheme not in EXAMPLES:
        close = difflib.get_close_matches(scheme, EXAMPLES, 1)
        hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(EXAMPLES)}"
        raise AddressError("address.scheme", f"{scheme!r} is not a kind of address; {hint}", example)
    place, _, query = rest.partition("?")
    host, slash, path = place.partition("/")
    address = Address(scheme, unquote(host), unquote(slash + path), MappingProxyType(_options(query, example)))
    _check(address, example)
    return address


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


def _check(address: Address, example: str) -> None:
    if address.scheme == "serial":
        if address.host or not address.path.strip("/"):
            raise AddressError("address.path", "a serial address has three slashes and a device node", example)
        _serial_settings(address)
    elif not address.host:
        raise AddressError("address.host", f"nothing stands after {address.scheme}://", example)


def _serial_settings(address: Address) -> tuple[int, str, bool]:
    example = EXAMPLES["serial"]
    for name in address.options:
        if name not in _SERIAL_OPTIONS:
            known = ", ".join(_SERIAL_OPTIONS)
            raise AddressError("address.option", f"unknown option {name!r}; a serial port has {known}", example)
    baud = address.options.get("baud", "115200")
    if not (baud.isascii() and baud.isdigit() and 50 <= int(baud) <= 4_000_000):
        raise AddressError("address.option", f"baud={baud} is not a speed between 50 and 4000000", example)
    parity = address.options.get("parity", "none")
    if parity not in ("none", "even", "odd"):
        raise AddressError("address.option", f"parity={parity} is not none, even or odd", example)
    rtscts = address.options.get("rtscts", "no")
    if rtscts not in ("yes", "no"):
        raise AddressError("address.option", f"rtscts={rtscts} is not yes or no", example)
    return int(baud), parity[0].upper(), rtscts == "yes"


def _open_serial(address: Address) -> Transport:
    baud, parity, rtscts = _serial_settings(address)
    return SerialTransport(address.path, baud, parity=parity, rtscts=rtscts)


_BUILT: Final[Mapping[str, Callable[[Address], Transport]]] = MappingProxyType({"serial": _open_serial})


def open_transport(
    address: Address,
    extra_schemes: Mapping[str, Callable[[Address], Transport]] = MappingProxyType({}),
) -> Transport:
    """The transport (not opened yet) for an address; `extra_schemes` adds kinds of wire that others provide."""
    make = extra_schemes.get(address.scheme) or _BUILT.get(address.scheme)
    if make is None:
        cause = f"{address.scheme}:// is not built yet"
        raise AddressError("address.not-yet", cause, EXAMPLES["serial"])
    return make(address)
