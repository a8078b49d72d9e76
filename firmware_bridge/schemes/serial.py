"""`serial:///dev/serial/by-id/...`: a serial port, by its device node."""

from __future__ import annotations

from typing import Final, NamedTuple

from firmware_bridge.address import Address, AddressError, only_options, transport
from firmware_bridge.serial import SerialTransport
from firmware_bridge.transport import Transport

EXAMPLE: Final = "serial:///dev/serial/by-id/usb-shoe-0042?baud=115200"
_OPTIONS: Final = ("baud", "parity", "bits", "rtscts", "fast")


class SerialSettings(NamedTuple):
    """What an address says of a serial port."""

    baud: int
    parity: str
    bits: int
    rtscts: bool
    fast: bool  # a device that can may get a higher speed


def serial_settings(address: Address) -> SerialSettings:
    """Returns what an address says of its port; AddressError for what no port has."""
    if address.host or not address.path.strip("/"):
        raise AddressError("address.path", "a serial address has three slashes and a device node", EXAMPLE)
    only_options(address, "a serial port", EXAMPLE, *_OPTIONS)
    baud = address.options.get("baud", "115200")
    if not (baud.isascii() and baud.isdigit() and 50 <= int(baud) <= 4_000_000):
        raise AddressError("address.option", f"baud={baud} is not a speed between 50 and 4000000", EXAMPLE)
    parity = address.options.get("parity", "none")
    if parity not in ("none", "even", "odd"):
        raise AddressError("address.option", f"parity={parity} is not none, even or odd", EXAMPLE)
    bits = address.options.get("bits", "8")
    if bits not in ("7", "8"):
        raise AddressError("address.option", f"bits={bits} is not 7 or 8", EXAMPLE)
    rtscts, fast = _switch(address, "rtscts", "no"), _switch(address, "fast", "yes")
    return SerialSettings(int(baud), parity[0].upper(), int(bits), rtscts, fast)


def _switch(address: Address, name: str, usual: str) -> bool:
    word = address.options.get(name, usual)
    if word not in ("yes", "no"):
        raise AddressError("address.option", f"{name}={word} is not yes or no", EXAMPLE)
    return word == "yes"


@transport("serial", example=EXAMPLE, check=serial_settings)
def open_serial(address: Address) -> Transport:
    """Returns the transport for the port at this address."""
    port = serial_settings(address)
    return SerialTransport(
        address.path, port.baud, parity=port.parity, bits=port.bits, rtscts=port.rtscts, fast=port.fast
    )
