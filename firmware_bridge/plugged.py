"""What is plugged into this computer, and the address that leads there: for whoever writes a table.toml.

Nothing is opened but USB devices' names: a port that somebody else uses is not disturbed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import quote

from firmware_bridge.address import Address, AddressError, parse
from firmware_bridge.schemes.can import can_wiring

_CAN: Final = "280"  # as the kernel numbers kinds of network interfaces
_HUB: Final = 9  # a class of USB devices
_PATH: Final = "/:,+@"  # need no quoting


@dataclass(frozen=True, slots=True)
class Plugged:
    """One thing that is there, in words, and the device's serial number where it has one."""

    address: str
    what: str
    serial: str = ""
    position: str = ""  # another address that leads there, whatever is plugged in


class SerialPort(Protocol):
    """What pyserial tells of a serial port."""

    device: str
    description: str
    serial_number: str | None
    vid: int | None
    pid: int | None


@dataclass(frozen=True, slots=True)
class Roots:
    """Where the system keeps its lists."""

    dev: Path = Path("/dev")
    net: Path = Path("/sys/class/net")


def serial_ports(roots: Roots, ports: Iterable[SerialPort]) -> Iterator[Plugged]:
    """Yields the serial ports, by names that stay.

    That is the name of the device, else of the socket that it is plugged into, else the port's own.
    """
    listed = {_real(Path(port.device)): port for port in ports}
    named: set[Path] = set()
    for folder in ("by-id", "by-path"):
        for link in _entries(roots.dev / "serial" / folder):
            if (port := _real(link)) not in named and port.exists():
                named.add(port)
                yield _serial(link, port, listed.get(port))
    for path, port_ in sorted(listed.items()):
        if path not in named and (path.name.startswith(("ttyAMA", "serial")) or port_.vid is not None):
            yield _serial(path, path, port_)


def _serial(name: Path, port: Path, listed: SerialPort | None) -> Plugged:
    words = listed.description if listed is not None and listed.description not in ("", "n/a") else "serial port"
    number = listed.serial_number if listed is not None else None
    return Plugged(f"serial://{quote(str(name), safe=_PATH)}", f"{words} ({port.name})", number or "")


def usb_devices(backend: Any, ports: Iterable[SerialPort]) -> Iterator[Plugged]:
    """Yields all USB devices but hubs and serial ports; `backend` is pyusb's, and None when there is no libusb."""
    import usb.core
    import usb.util

    from firmware_bridge.usb_device import position_of, serial_of

    if backend is None:
        return
    known = {(port.vid, port.pid) for port in ports}
    plugged: list[Plugged] = []
    for device in usb.core.find(find_all=True, backend=backend):
        try:
            if device.bDeviceClass != _HUB and (device.idVendor, device.idProduct) not in known:
                plugged.append(_usb(device, position_of(device), serial_of))
        finally:
            usb.util.dispose_resources(device)
    addresses = Counter(each.address for each in plugged)
    for each in plugged:
        twin = addresses[each.address] > 1
        what = f"{each.what}; another one has its serial number, so it is named by its position"
        yield replace(each, address=each.position, what=what) if twin else each


def _usb(device: Any, position: str, serial_of: Any) -> Plugged:
    import usb.core

    try:
        number, why = serial_of(device), ""
    except usb.core.USBError:
        number, why = "", "; its serial number may not be read"
    kind = f"usb://{device.idVendor:04x}:{device.idProduct:04x}"
    by_position = f"{kind}/@{position}"
    address = f"{kind}/{quote(number, safe='')}" if number else by_position
    return Plugged(address, f"USB device at {position}{why}", number, by_position)


def can_interfaces(roots: Roots) -> Iterator[Plugged]:
    """Yields the CAN interfaces, not the nodes: nobody asks a bus who is there."""
    for interface in _entries(roots.net):
        if _read(interface / "type") == _CAN:
            state = _read(interface / "operstate") or "unknown"
            yield Plugged(f"can://{interface.name}/1", f"CAN interface ({state}); put the device's node for the 1")


def pins(roots: Roots) -> Iterator[Plugged]:
    """Yields the pins of the computer itself, as one device."""
    chips = [chip.name for chip in _entries(roots.dev) if chip.name.startswith("gpiochip")]
    if chips:
        yield Plugged("gpio://gpiod", f"pins of this computer ({', '.join(chips)})")


def leads_to(configured: str, plugged: Plugged) -> bool:
    """Tells whether a device of table.toml with this address uses what is plugged in here."""
    try:
        wanted = parse(configured)
        addresses = [parse(address) for address in (plugged.address, plugged.position) if address]
    except AddressError:
        return False
    return _target(wanted) in [_target(address) for address in addresses]


def _target(address: Address) -> tuple[str, str]:
    """Returns what two addresses share that lead to the same thing, whatever else they say."""
    if address.scheme == "serial":
        return "port", str(_real(Path(address.path)))
    if address.scheme == "can":
        wiring, _ = can_wiring(address)
        if wiring.interface == "slcan":
            return "port", str(_real(Path(wiring.channel)))
        return "can", wiring.channel
    if address.scheme == "gpio":
        return "gpio", ""
    return address.scheme, (address.host + address.path).lower()


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _real(path: Path) -> Path:
    return path.resolve(strict=False)


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
