"""Where a device is: `serial:///dev/...`, `can://can0/0x21`, ..., and the transport that goes there."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import unquote

from firmware_bridge.can import INTERFACES, LAST_NODE, CanTransport, Wiring
from firmware_bridge.can_frame import BITRATES
from firmware_bridge.errors import Coded
from firmware_bridge.gpio import FACTORIES
from firmware_bridge.serial import SerialTransport
from firmware_bridge.tcp import TcpTransport
from firmware_bridge.transport import Transport

EXAMPLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "serial": "serial:///dev/serial/by-id/usb-shoe-0042?baud=115200",
        "usb": "usb://1209:f317/SERIAL",
        "can": "can://can0/0x21",
        "socket": "socket://192.0.2.7:4001",
        "gpio": "gpio://lgpio",
        "sim": "sim://shoe",
    }
)
_SERIAL_OPTIONS: Final = ("baud", "parity", "bits", "rtscts")


class AddressError(Coded, ValueError):
    """An address that leads nowhere; `example` shows a good one."""

    def __init__(self, code: str, cause: str, example: str) -> None:
        super().__init__(code, cause, f"Correct its address in table.toml, for example {example}.")
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
    elif not address.host + address.path:
        raise AddressError("address.host", f"nothing stands after {address.scheme}://", example)
    elif address.scheme == "can":
        can_wiring(address)
    elif not address.host:
        raise AddressError("address.host", f"nothing stands after {address.scheme}://", example)
    elif address.scheme == "usb":
        usb_place(address)
    elif address.scheme == "socket":
        socket_place(address)
    elif address.scheme == "gpio" and (address.host not in FACTORIES or address.path.strip("/") or address.options):
        cause = f"the pins' address names one of the pin factories {', '.join(FACTORIES)}, and nothing else"
        raise AddressError("address.host", cause, example)


def _only(address: Address, what: str, *known: str) -> None:
    for name in address.options:
        if name not in known:
            has = f"has {', '.join(known)}" if known else "has no options"
            cause = f"unknown option {name!r}; {what} {has}"
            raise AddressError("address.option", cause, EXAMPLES[address.scheme])


def _serial_settings(address: Address) -> tuple[int, str, int, bool]:
    example = EXAMPLES["serial"]
    _only(address, "a serial port", *_SERIAL_OPTIONS)
    baud = address.options.get("baud", "115200")
    if not (baud.isascii() and baud.isdigit() and 50 <= int(baud) <= 4_000_000):
        raise AddressError("address.option", f"baud={baud} is not a speed between 50 and 4000000", example)
    parity = address.options.get("parity", "none")
    if parity not in ("none", "even", "odd"):
        raise AddressError("address.option", f"parity={parity} is not none, even or odd", example)
    bits = address.options.get("bits", "8")
    if bits not in ("7", "8"):
        raise AddressError("address.option", f"bits={bits} is not 7 or 8", example)
    rtscts = address.options.get("rtscts", "no")
    if rtscts not in ("yes", "no"):
        raise AddressError("address.option", f"rtscts={rtscts} is not yes or no", example)
    return int(baud), parity[0].upper(), int(bits), rtscts == "yes"


def _open_serial(address: Address) -> Transport:
    baud, parity, bits, rtscts = _serial_settings(address)
    return SerialTransport(address.path, baud, parity=parity, bits=bits, rtscts=rtscts)


def can_wiring(address: Address) -> tuple[Wiring, int]:
    """The bus, and the node on it; the bus of an SLCAN adapter is named by the adapter's device node."""

    def wrong(code: str, cause: str) -> AddressError:
        return AddressError(f"address.{code}", cause, EXAMPLES["can"])

    place = re.fullmatch(r"(.+)/(0x[0-9a-fA-F]{1,2}|[1-9][0-9]{0,2})", address.host + address.path)
    node = int(place[2], 0) if place else 0
    if place is None or not 1 <= node <= LAST_NODE:
        raise wrong("path", f"a CAN address has a bus and the number of a node on it, 1 to {LAST_NODE}")
    options = {"interface": "socketcan", "bitrate": "500000", "baud": "115200"} | dict(address.options)
    interface, bitrate, baud, *unknown = options.values()
    if unknown:
        raise wrong("option", f"unknown option {list(options)[3]!r}; a CAN bus has interface, bitrate, baud")
    if interface not in INTERFACES:
        raise wrong("option", f"interface={interface} is not one of {', '.join(INTERFACES)}")
    if interface != "slcan" and (not address.host or {"bitrate", "baud"} & address.options.keys()):
        raise wrong("option", "only interface=slcan has a device node, a bitrate and a baud")
    if bitrate not in map(str, BITRATES):
        raise wrong("option", f"bitrate={bitrate} is not one of {', '.join(map(str, BITRATES))}")
    if not (baud.isascii() and baud.isdigit() and 50 <= int(baud) <= 4_000_000):
        raise wrong("option", f"baud={baud} is not a speed between 50 and 4000000")
    channel = f"/dev/{place[1]}" if interface == "slcan" and address.host else place[1]
    return Wiring(channel, interface, int(bitrate), int(baud)), node


def _open_can(address: Address) -> Transport:
    return CanTransport(*can_wiring(address))


def usb_place(address: Address) -> tuple[int, int, str, str, int | None]:
    """Vendor, product, serial number, position on the bus, interface."""
    example = EXAMPLES["usb"]
    _only(address, "a USB device", "interface")
    if not re.fullmatch(r"[0-9a-fA-F]{4}:[0-9a-fA-F]{4}", address.host):
        cause = f"{address.host!r} is not a vendor and a product, four hexadecimal digits each, as lsusb prints them"
        raise AddressError("address.host", cause, example)
    vendor, product = (int(part, 16) for part in address.host.split(":"))
    serial = address.path.removeprefix("/")
    port = serial[1:] if serial.startswith("@") else ""
    if port and not re.fullmatch(r"[0-9]+-[0-9]+(\.[0-9]+)*", port):
        raise AddressError("address.path", f"@{port} is not a position on the bus, such as @1-1.3", example)
    if not serial or serial == "@":
        cause = "the serial number is missing; a device without one is named by its position, such as /@1-1.3"
        raise AddressError("address.path", cause, example)
    interface = address.options.get("interface")
    if interface is not None and not re.fullmatch(r"[0-9]{1,2}", interface):
        raise AddressError("address.option", f"interface={interface} is not a number", example)
    return vendor, product, "" if port else serial, port, None if interface is None else int(interface)


def open_usb(address: Address, backend: Any = None, **settings: Any) -> Transport:
    """The device at a usb:// address; `backend` and `settings` are those of UsbTransport."""
    from firmware_bridge.usb import UsbTransport  # pyusb is loaded only where it is used

    vendor, product, serial, port, interface = usb_place(address)
    return UsbTransport(vendor, product, serial, port=port, interface=interface, backend=backend, **settings)


def socket_place(address: Address) -> tuple[str, int]:
    """Host and port of a serial server."""
    example = EXAMPLES["socket"]
    _only(address, "a serial server")
    match = re.fullmatch(r"(?:\[([^\]]+)\]|([^:\[\]]+)):([0-9]{1,5})", address.host)
    if match is None or not 0 < int(match[3]) < 65_536:
        cause = f"{address.host!r} is not host:port; an IPv6 address stands in brackets, as in socket://[fd00::7]:4001"
        raise AddressError("address.host", cause, example)
    if address.path.strip("/"):
        raise AddressError("address.path", "nothing follows the port of a serial server", example)
    return match[1] or match[2], int(match[3])


def _open_socket(address: Address) -> Transport:
    return TcpTransport(*socket_place(address))


_BUILT: Final[Mapping[str, Callable[[Address], Transport]]] = MappingProxyType(
    {"serial": _open_serial, "usb": open_usb, "can": _open_can, "socket": _open_socket}
)


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
