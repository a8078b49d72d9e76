"""Which USB devices belong to a table: those that its addresses lead to, and those that [usb] allows besides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.config.model import TableConfig
from firmware_bridge.address import Address
from firmware_bridge.schemes.can import can_wiring
from firmware_bridge.schemes.usb import usb_place
from firmware_bridge.usb_present import SYS, UsbDevice, port_of_node, usb_present

BUILT_IN: Final = ("0424:ec00", "0424:7800")  # the network of a Raspberry Pi up to the 3 is behind its own USB
RULES: Final = Path("/etc/udev/rules.d/98-feltd-usb.rules")
WAY_OUT: Final = "feltd_usb"  # "open" on the kernel's command line: nothing is refused
_DEV: Final = "/dev/"
_END: Final = 'GOTO="feltd_usb_end"'
_LET_IN: Final = f'ATTR{{authorized}}="1", {_END}'
_BY_ID: Final = re.compile(r"/dev/serial/by-id/usb-(.+)-if[0-9a-f]{2}(-port\d+)?")
_BY_PATH: Final = re.compile(r"/dev/serial/by-path/(.+-usb-\d+:[\d.]+):\d+\.\d+(-port\d+)?")
_OURS: Final = re.compile(r"/dev/feltd/(.+?)(-if[0-9a-f]{2})?")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.:+@#/-]")


def uses_usb(config: TableConfig) -> bool:
    """Tells whether a device of the table may be on this computer's USB, or something is allowed there."""
    addresses = (device.address for device in config.devices.values())
    return bool(config.usb.allow) or any(
        address.scheme == "usb" or _port(address).startswith(_DEV) for address in addresses
    )


def is_configured(config: TableConfig, device: UsbDevice, sys: Path = SYS) -> bool:
    """Tells whether a device on the USB is one that table.toml knows; hubs and the computer's own parts always are."""
    kind = f"{device.vendor}:{device.product}"
    known = {kind, f"{kind}/{device.serial}"} & {*config.usb.allow, *BUILT_IN}
    if device.hub or known:
        return True
    return any(_leads_to(each.address, device, sys) for each in config.devices.values())


def _leads_to(address: Address, device: UsbDevice, sys: Path) -> bool:
    if address.scheme == "usb":
        vendor, product, serial, position, _ = usb_place(address)
        same = (f"{vendor:04x}", f"{product:04x}") == (device.vendor, device.product)
        return same and device.position == position if position else same and device.serial == serial
    port = _port(address)
    return bool(port) and port_of_node(Path(port), sys) == device.position


def _port(address: Address) -> str:
    """Returns the serial port of an address; "" when it has none."""
    if address.scheme == "serial":
        return address.path
    if address.scheme == "can":
        wiring, _ = can_wiring(address)
        return wiring.channel if wiring.interface == "slcan" else ""
    return ""


# ---- as rules of udev


def udev_rules(config: TableConfig) -> Iterator[str]:
    """Yields the lines of a file for /etc/udev/rules.d: USB devices that table.toml does not know are not used."""
    yield "# Made by `felt config udev`; make it again when table.toml has changed.  docs/wiring.md says the way out."
    yield f'SUBSYSTEM!="usb", {_END}'
    yield f'ACTION!="add", {_END}'
    yield f'ENV{{DEVTYPE}}!="usb_device", {_END}'
    yield ""
    yield f"# The way out when no keyboard and no network is left: {WAY_OUT}=open on the kernel's command line."
    yield f'IMPORT{{cmdline}}="{WAY_OUT}"'
    yield f'ENV{{{WAY_OUT}}}=="open", {_END}'
    yield ""
    yield "# What is plugged in from now on is not used before a line below lets it in."
    yield f'KERNEL=="usb[0-9]*", ATTR{{authorized_default}}="0", {_END}'
    yield ""
    yield "# Hubs, and the network of a Raspberry Pi up to the 3, which is behind its own USB."
    yield f'ATTR{{bDeviceClass}}=="09", {_LET_IN}'
    for kind in BUILT_IN:
        yield f"{_kind(kind)}, {_LET_IN}"
    for name, device in config.devices.items():
        yield from _device_rule(name, device.address)
    for allowed in config.usb.allow:
        yield from ("", "# [usb] allow")
        kind, _, serial = allowed.partition("/")
        yield f"{_kind(kind)}{_serial(serial)}, {_LET_IN}"
    yield from ("", "# Anything else.", 'ATTR{authorized}="0"', "", 'LABEL="feltd_usb_end"')


def strangers(config: TableConfig, sys: Path = SYS) -> list[UsbDevice]:
    """Returns what is plugged in now and would be refused by the rules."""
    return [each for each in usb_present(sys) if not is_configured(config, each, sys)]


def _device_rule(name: str, address: Address) -> Iterator[str]:
    """Yields what lets a device of the table in; a sentence where its address does not say which one it is."""
    port = _port(address)
    if address.scheme == "usb":
        vendor, product, serial, position, _ = usb_place(address)
        where = f'KERNEL=="{position}", ' if position else ""
        yield from ("", f"# {name}", f"{where}{_kind(f'{vendor:04x}:{product:04x}')}{_serial(serial)}, {_LET_IN}")
    elif by_id := _BY_ID.fullmatch(port):
        yield from ("", f"# {name}", f'ENV{{ID_SERIAL}}=="{_glob(by_id[1])}", {_LET_IN}')
    elif by_path := _BY_PATH.fullmatch(port):
        yield from ("", f"# {name}", 'IMPORT{builtin}="path_id"')
        yield f'ENV{{ID_PATH}}=="{_glob(by_path[1])}", {_LET_IN}'
    elif ours := _OURS.fullmatch(port):
        yield from ("", f"# {name}", f'ATTR{{serial}}=="{_glob(ours[1])}", {_LET_IN}')
    elif address.scheme == "can" or port.startswith((f"{_DEV}ttyUSB", f"{_DEV}ttyACM")):
        yield from ("", f"# {name}: {address.scheme}:// does not say which adapter it is: write its name under")
        yield "# /dev/serial/by-id, or its vendor and product to allow in [usb]."


def _kind(kind: str) -> str:
    vendor, _, product = kind.partition(":")
    return f'ATTR{{idVendor}}=="{vendor}", ATTR{{idProduct}}=="{product}"'


def _serial(serial: str) -> str:
    return f', ATTR{{serial}}=="{_glob(serial)}"' if serial else ""


def _glob(text: str) -> str:
    """Returns a pattern of udev that this text fits: a letter that might mean something there fits any.

    >>> _glob('SH-"0*1')
    'SH-?0?1'
    """
    return "".join(letter if _PLAIN.fullmatch(letter) else "?" for letter in text)
