"""`gpio://lgpio`: the pins of the computer itself, by the library that drives them.

Which pins a device has is said in its settings, so its vendor's link opens them.
"""

from __future__ import annotations

from typing import Final

from firmware_bridge.address import Address, AddressError, declare, needs_host
from firmware_bridge.gpio import FACTORIES

EXAMPLE: Final = "gpio://lgpio"


def pin_factory(address: Address) -> str:
    """Returns the name of the pin factory; AddressError when there is no such one."""
    needs_host(address, EXAMPLE)
    if address.host not in FACTORIES or address.path.strip("/") or address.options:
        cause = f"the pins' address names one of the pin factories {', '.join(FACTORIES)}, and nothing else"
        raise AddressError("address.host", cause, EXAMPLE)
    return address.host


declare("gpio", EXAMPLE, pin_factory)
