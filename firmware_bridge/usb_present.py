"""What is plugged into this computer's USB, as the kernel lists it, and the bell that it rings when that changes.

The kernel's news are only taken as a bell: what is there is read from its list each time, so that news which were lost
or came twice change nothing.
"""

from __future__ import annotations

import errno
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SYS: Final = Path("/sys")
LONGEST: Final = 40  # letters of what a device calls itself: it may say anything
_HUB: Final = "09"  # a class of USB devices
_PORT: Final = re.compile(r"[0-9]+-[0-9]+(\.[0-9]+)*")  # where a USB device is plugged in, as the kernel names it
_KERNEL_NEWS: Final = 15  # NETLINK_KOBJECT_UEVENT
_GROUP: Final = 1  # the kernel's own words, before udev has done anything


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """One device at a position of the bus; vendor and product are four hexadecimal digits each.

    `authorized`: the kernel lets it be used.
    """

    position: str
    vendor: str
    product: str
    serial: str = ""
    name: str = ""
    hub: bool = False
    authorized: bool = True

    @property
    def in_words(self) -> str:
        """What it is and where, for people.

        >>> UsbDevice("1-1.3", "046d", "c31c", "", "Keyboard", authorized=False).in_words
        '046d:c31c "Keyboard" at 1-1.3, refused'
        """
        name = f' "{self.name}"' if self.name else ""
        number = f" serial number {self.serial}" if self.serial else ""
        return f"{self.vendor}:{self.product}{name}{number} at {self.position}{'' if self.authorized else ', refused'}"


def usb_present(sys: Path = SYS) -> list[UsbDevice]:
    """Returns every USB device of this computer but its root hubs, in the order of their positions."""
    return sorted(_devices(sys), key=lambda device: device.position)


def _devices(sys: Path) -> Iterator[UsbDevice]:
    for folder in (sys / "bus" / "usb" / "devices").glob("[0-9]*-*"):
        vendor = _read(folder / "idVendor")
        if not vendor or not _PORT.fullmatch(folder.name):
            continue  # an interface, or unplugged meanwhile
        yield UsbDevice(
            folder.name,
            vendor,
            _read(folder / "idProduct"),
            _own_words(folder / "serial"),
            _own_words(folder / "product"),
            _read(folder / "bDeviceClass") == _HUB,
            _read(folder / "authorized") != "0",
        )


def _own_words(path: Path) -> str:
    """Returns a device's own words, short and on one line."""
    return "".join(letter if letter.isprintable() else "?" for letter in _read(path))[:LONGEST]


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def port_of_node(node: Path, sys: Path = SYS) -> str:
    """Returns where the adapter of a serial port is plugged in; "" when it is no adapter, or not there."""
    device = sys / "class" / "tty" / node.resolve().name / "device"
    parts = device.resolve().parts if device.exists() else ()
    return next((part for part in reversed(parts) if _PORT.fullmatch(part)), "")


def open_bell() -> socket.socket:
    """Returns a socket that can be read when a device came or went; OSError where the kernel has no such news."""
    bell = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK, _KERNEL_NEWS)
    try:
        bell.bind((0, _GROUP))
    except OSError:
        bell.close()
        raise
    return bell


def silence(bell: socket.socket) -> bool:
    """Takes all news that wait, and tells whether one of them was of the USB; news that were lost count as such."""
    rang = False
    while True:
        try:
            news = bell.recv(8192)
        except BlockingIOError:
            return rang
        except OSError as error:
            if error.errno != errno.ENOBUFS:
                raise
            rang = True
            continue
        rang = rang or b"\0SUBSYSTEM=usb\0" in news
