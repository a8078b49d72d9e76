"""The place of each device: is it there, may the service use it, who has it.  Nothing is said to a device."""

from __future__ import annotations

import socket
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from controller.api.advice import next_step
from controller.cli.checkup.finding import Finding, bad, ok, warn
from controller.cli.checkup.person import READ, WRITE, ServiceUser, group_of, holders, owned
from controller.config import TableConfig
from controller.config.usb import RULES, udev_rules, uses_usb
from controller.config.wiring import SIMULATED
from firmware_bridge.address import Address
from firmware_bridge.schemes.can import can_wiring
from firmware_bridge.schemes.socket import socket_place
from firmware_bridge.schemes.usb import usb_place

PORTS: Final = "ports"
STRANGERS: Final = "USB"
DEV, USB, NETWORK = Path("/dev"), Path("/sys/bus/usb/devices"), Path("/sys/class/net")
NODES: Final = "bus/usb"  # of USB devices, in DEV
_UP: Final = 1  # of an interface's flags
_PATIENCE: Final = 1.0  # seconds for a serial server


def ports(config: TableConfig, user: ServiceUser, *, running: bool) -> Iterator[Finding]:
    """Yields one line for each port that is not well, and one for all others.

    `running`: a daemon may have them open.
    """
    well = []
    real = {name: device for name, device in config.devices.items() if device.address.scheme != SIMULATED}
    if not real:
        yield ok(PORTS, "all devices are simulated")
    for name, device in real.items():
        findings = list(_look(device.address, user, running=running))
        yield from (replace(each, text=f"{name}: {each.text}", device=name) for each in findings)
        if not findings:
            well.append(name)
    if well:
        presence = "is there" if len(well) == 1 else "are there"
        yield ok(PORTS, f"{', '.join(well)} {presence}, as far as can be seen without asking the device")


def usb_rules(config: TableConfig, rules: Path = RULES) -> Iterator[Finding]:
    """Yields whether the kernel refuses USB devices that the table does not know; nothing at a table without USB."""
    if not uses_usb(config):
        return
    try:
        made = rules.read_text().splitlines()
    except FileNotFoundError:
        text = (
            "devices that table.toml does not know are named, and not refused: `felt config udev` makes rules for that"
        )
        yield ok(STRANGERS, text)
        return
    except (OSError, UnicodeDecodeError) as error:
        yield warn(STRANGERS, "usb.rules", f"{rules}: {getattr(error, 'strerror', None) or error}")
        return
    if made == [*udev_rules(config)]:
        yield ok(STRANGERS, "devices that table.toml does not know are refused by the kernel")
    else:
        yield warn(STRANGERS, "usb.rules", f"{rules} is not what `felt config udev` makes of table.toml now")


def _look(address: Address, user: ServiceUser, *, running: bool) -> Iterator[Finding]:
    match address.scheme:
        case "serial":
            yield from _node(Path(address.path), "serial", user, running=running)
        case "can":
            wiring, _ = can_wiring(address)
            if wiring.interface == "slcan":
                yield from _node(Path(wiring.channel), "serial", user, running=running)
            elif wiring.interface == "socketcan":
                yield from _interface(wiring.channel)
        case "usb":
            yield from _usb(address, user)
        case "gpio" if address.host != "mock":
            yield from _pins(user)
        case "socket" if not running:  # a serial server has room for one
            yield from _server(address)


def _node(path: Path, family: str, user: ServiceUser, *, running: bool) -> Iterator[Finding]:
    try:
        node = path.stat()
    except OSError as error:
        text = f"{path} leads nowhere" if path.is_symlink() else f"{path}: {error.strerror}"
        yield bad(PORTS, f"{family}.missing", text, next_step(f"{family}.missing"))
        return
    if not stat.S_ISCHR(node.st_mode):
        yield bad(PORTS, f"{family}.settings", f"{path} is no device", next_step(f"{family}.settings"))
    elif not user.may(path, READ | WRITE):
        yield _refused(path, family, user)
    elif not running and (others := holders(str(path))):
        yield bad(PORTS, f"{family}.busy", f"{path} is open in {', '.join(others)}", f"Stop {others[0]}.")


def _refused(path: Path, family: str, user: ServiceUser) -> Finding:
    text = f"{path} ({owned(path)}) may not be used by the service's user {user.name}"
    group = group_of(path)
    step = f"Put it into the group: `usermod -aG {group} {user.name}`, then restart the service."
    shared = group != "root" and path.stat().st_mode & stat.S_IRGRP
    return bad(PORTS, f"{family}.denied", text, step if shared else next_step(f"{family}.denied"))


def _interface(name: str) -> Iterator[Finding]:
    flags = NETWORK / name / "flags"
    try:
        up = int(flags.read_text(), 0) & _UP
    except (OSError, ValueError):
        yield bad(PORTS, "can.missing", f"there is no interface {name}", next_step("can.missing", name))
        return
    if not up:
        yield bad(PORTS, "can.down", f"the interface {name} is down", next_step("can.down", name))


def _usb(address: Address, user: ServiceUser) -> Iterator[Finding]:
    vendor, product, serial, port, _ = usb_place(address)
    for device in sorted(USB.glob("[0-9]*-*")):
        if [_read(device / "idVendor"), _read(device / "idProduct")] != [f"{vendor:04x}", f"{product:04x}"]:
            continue
        if (port and device.name != port) or (serial and _read(device / "serial") != serial):
            continue
        bus, number = _read(device / "busnum"), _read(device / "devnum")
        node = DEV / NODES / f"{int(bus):03d}" / f"{int(number):03d}"
        if node.exists() and not user.may(node, READ | WRITE):
            yield _refused(node, "usb", user)
        return
    yield bad(PORTS, "usb.missing", f"{address} is not plugged in", next_step("usb.missing"))


def _pins(user: ServiceUser) -> Iterator[Finding]:
    chips = sorted(DEV.glob("gpiochip*"))
    if not chips:
        yield bad(PORTS, "gpio.missing", f"there is no {DEV}/gpiochip*", next_step("gpio.missing"))
    elif not any(user.may(chip, READ | WRITE) for chip in chips):
        yield _refused(chips[0], "gpio", user)


def _server(address: Address) -> Iterator[Finding]:
    host, port = socket_place(address)
    try:
        socket.create_connection((host, port), _PATIENCE).close()
    except ConnectionRefusedError:
        yield bad(PORTS, "tcp.refused", f"nobody listens at {host}:{port}", next_step("tcp.refused"))
    except OSError as error:
        why = error.strerror or str(error)
        yield warn(PORTS, "tcp.unreachable", f"{host}:{port}: {why}", next_step("tcp.unreachable"))


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
