"""`sim://shoe`: a device that whoever runs the table provides."""

from __future__ import annotations

from typing import Final

from firmware_bridge.address import Address, AddressError, declare, needs_host, only_options

EXAMPLE: Final = "sim://shoe"
WIRE: Final = "wire"  # the options of an address
REPLAY: Final = "replay"
WITHHELD: Final = "withheld"


def provided(address: Address) -> None:
    """Checks that a device is named, and nothing that it does not know; AddressError when not."""
    needs_host(address, EXAMPLE)
    only_options(address, "a simulated device", EXAMPLE, WIRE, REPLAY, WITHHELD)
    if address.path:
        cause = f"{address.path!r} stands after the name of a simulated device, which has no more than its name"
        raise AddressError("address.path", cause, EXAMPLE)
    if WITHHELD in address.options and REPLAY not in address.options:
        cause = "cards are withheld from a capture, and none is played"
        raise AddressError("address.option", cause, f"{EXAMPLE}?{REPLAY}=FILE&{WITHHELD}=Kh,2c")


declare("sim", EXAMPLE, provided, internal=True)
