"""felt devices --suggest: what is plugged in, as text for table.toml; it works without the daemon."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.api import routes
from controller.cli.client import Client
from controller.cli.reach import DEFAULT_CONFIG
from controller.errors import FeltError
from drivers.families import FAMILIES
from firmware_bridge.plugged import (
    Plugged,
    Roots,
    SerialPort,
    can_interfaces,
    leads_to,
    pins,
    serial_ports,
    usb_devices,
)


def look(roots: Roots, ports: list[SerialPort], usb_backend: Any) -> list[Plugged]:
    """Returns everything that a device may be behind."""
    return [
        *serial_ports(roots, ports),
        *usb_devices(usb_backend, ports),
        *can_interfaces(roots),
        *pins(roots),
    ]


def suggest(socket: str, config: Path | None, as_json: bool) -> None:
    """Looks at this computer and prints what could be written."""
    import usb.backend.libusb1
    from serial.tools import list_ports

    configured = from_file(config) if config is not None else from_daemon(socket) or from_usual_file()
    backend = usb.backend.libusb1.get_backend()
    plugged = look(Roots(), list(list_ports.comports()), backend)
    if backend is None and not as_json:
        print("# libusb is not installed: USB devices are not listed, only the serial ports among them.")
    if as_json:
        print(json.dumps({"plugged": [_plain(device, configured or {}) for device in plugged]}))
    else:
        print("\n".join(text(plugged, configured)))


def from_file(path: Path) -> dict[str, str]:
    """Returns addresses by the names of their devices, also from a file that has other mistakes."""
    try:
        devices = tomllib.loads(path.read_text()).get("device", {})
        return {name: str(section["address"]) for name, section in devices.items() if "address" in section}
    except OSError as error:
        cause, step = f"{path}: {error.strerror or error}", "Check the file's name."
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, TypeError, AttributeError):
        cause, step = f"{path} cannot be read", "See `felt config check`."
    raise FeltError("config.unreadable", cause, step)


def from_daemon(socket: str) -> dict[str, str] | None:
    """Returns the addresses of the running table by the names of their devices; None when there is none."""
    try:
        return {device["name"]: device["address"] for device in Client(socket).get(routes.DEVICES)["devices"]}
    except FeltError:
        return None


def from_usual_file() -> dict[str, str] | None:
    """Returns the addresses of the file that the daemon would read.

    None when there is none, or it cannot be read.
    """
    try:
        return from_file(DEFAULT_CONFIG)
    except FeltError:
        return None


def text(plugged: Iterable[Plugged], configured: Mapping[str, str] | None) -> Iterator[str]:
    """Yields what the table has as comments, the rest ready to be written."""
    if configured is None:
        yield "# No daemon answers: name a table's file with --config to see what it has already."
    number = used = 0
    for device in plugged:
        yield ""
        yield f"# {_line(device.what)}"
        if names := _users(device, configured or {}):
            yield f"# {device.address} is used by {', '.join(names)}"
            used += 1
            continue
        number += 1
        family = guess(device)
        yield f"[device.new-{number}]"
        yield f'family = "{family}"  # ' + ("by its name" if family else f"one of {', '.join(FAMILIES.names())}")
        yield f'address = "{device.address}"'
        if device.serial:
            yield f"# serial number on USB: {_line(device.serial)}"
    if not number:
        yield "\n# Nothing else is plugged in." if used else "# Nothing is plugged in that a device could be behind."


def _plain(device: Plugged, configured: Mapping[str, str]) -> dict[str, Any]:
    return {
        "address": device.address,
        "what": device.what,
        "serial": device.serial or None,
        "family": guess(device) or None,
        "used_by": _users(device, configured),
    }


def _users(device: Plugged, configured: Mapping[str, str]) -> list[str]:
    return [name for name, address in configured.items() if leads_to(address, device)]


def guess(device: Plugged) -> str:
    """Returns the family that a device most likely is, by what it calls itself; "" when nothing says so."""
    if device.address.startswith("gpio:"):
        return "lamps"  # what pins are most often
    words = f"{device.address} {device.what}".lower().replace("_", "-")
    return next((family for family in FAMILIES.names() if family in words), "")


def _line(words: str) -> str:
    """Returns a device's own words on one line: it names itself, and must not write our file."""
    return "".join(character if character.isprintable() else "?" for character in words)
