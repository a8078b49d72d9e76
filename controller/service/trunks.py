"""What the devices share on their way to the computer: hubs, buses and serial servers, found by their addresses.

Where a serial port or a USB device is plugged in is looked up while it is there: once it is lost, nothing tells it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from controller.views.together import Trunk
from firmware_bridge.address import AddressError, parse
from firmware_bridge.schemes.can import can_wiring
from firmware_bridge.schemes.socket import socket_place
from firmware_bridge.schemes.usb import usb_place
from firmware_bridge.usb_present import SYS, port_of_node


def trunks_of(address: str, sys: Path = SYS) -> tuple[Trunk, ...]:
    """Returns what is on the way to a device, the nearest first; nothing when nobody else can be on that way."""
    try:
        return tuple(_trunks(address, sys))
    except (AddressError, OSError):
        return ()


def _trunks(text: str, sys: Path) -> Iterator[Trunk]:
    address = parse(text)
    match address.scheme:
        case "serial":
            yield from hubs(port_of_node(Path(address.path), sys))
        case "can":
            wiring, _ = can_wiring(address)
            yield Trunk("bus", wiring.channel)
            if wiring.interface == "slcan":
                yield from hubs(port_of_node(Path(wiring.channel), sys))
        case "socket":
            yield Trunk("server", socket_place(address)[0])
        case "usb":
            vendor, product, serial, port, _ = usb_place(address)
            yield from hubs(port or _port_of_serial(vendor, product, serial, sys))


def hubs(port: str) -> Iterator[Trunk]:
    """Yields the hubs above a place on the USB, then the bus.

    >>> [trunk.in_words for trunk in hubs("1-1.4.2")]
    ['hub 1-1.4', 'hub 1-1', 'USB bus 1']
    """
    if not port:
        return
    while "." in port:
        port = port.rpartition(".")[0]
        yield Trunk("hub", port)
    yield Trunk("usb", port.partition("-")[0])


def _port_of_serial(vendor: int, product: int, serial: str, sys: Path) -> str:
    for device in (sys / "bus" / "usb" / "devices").glob("[0-9]*-*"):
        try:
            read = [(device / name).read_text().strip() for name in ("idVendor", "idProduct", "serial")]
        except OSError:
            continue  # an interface, a hub without a number, or gone
        if read == [f"{vendor:04x}", f"{product:04x}", serial]:
            return device.name
    return ""
