"""`usb://1209:f317/SERIAL`: a USB device by its serial number, or by its position on the bus."""

from __future__ import annotations

import re
from typing import Any, Final

from firmware_bridge.address import Address, AddressError, needs_host, only_options, transport
from firmware_bridge.transport import Transport

EXAMPLE: Final = "usb://1209:f317/SERIAL"


def usb_place(address: Address) -> tuple[int, int, str, str, int | None]:
    """Returns vendor, product, serial number, position on the bus and interface; AddressError for a wrong address."""
    needs_host(address, EXAMPLE)
    only_options(address, "a USB device", EXAMPLE, "interface")
    if not re.fullmatch(r"[0-9a-fA-F]{4}:[0-9a-fA-F]{4}", address.host):
        cause = f"{address.host!r} is not a vendor and a product, four hexadecimal digits each, as lsusb prints them"
        raise AddressError("address.host", cause, EXAMPLE)
    vendor, product = (int(part, 16) for part in address.host.split(":"))
    serial = address.path.removeprefix("/")
    port = serial[1:] if serial.startswith("@") else ""
    if port and not re.fullmatch(r"[0-9]+-[0-9]+(\.[0-9]+)*", port):
        raise AddressError("address.path", f"@{port} is not a position on the bus, such as @1-1.3", EXAMPLE)
    if not serial or serial == "@":
        cause = "the serial number is missing; a device without one is named by its position, such as /@1-1.3"
        raise AddressError("address.path", cause, EXAMPLE)
    interface = address.options.get("interface")
    if interface is not None and not re.fullmatch(r"[0-9]{1,2}", interface):
        raise AddressError("address.option", f"interface={interface} is not a number", EXAMPLE)
    return vendor, product, "" if port else serial, port, None if interface is None else int(interface)


@transport("usb", example=EXAMPLE, check=usb_place)
def open_usb(address: Address, backend: Any = None, **settings: Any) -> Transport:
    """Returns the transport for the device at this address; `backend` and `settings` are those of UsbTransport."""
    from firmware_bridge.usb import UsbTransport  # pyusb is loaded only where it is used

    vendor, product, serial, port, interface = usb_place(address)
    return UsbTransport(vendor, product, serial, port=port, interface=interface, backend=backend, **settings)
