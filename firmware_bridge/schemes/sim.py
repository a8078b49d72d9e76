"""`sim://shoe`: a device that whoever runs the table provides."""

from __future__ import annotations

from typing import Final

from firmware_bridge.address import Address, declare, needs_host

EXAMPLE: Final = "sim://shoe"


def provided(address: Address) -> None:
    """Checks that a device is named; AddressError when none is."""
    needs_host(address, EXAMPLE)


declare("sim", EXAMPLE, provided)
