"""`gpio://gpiod`: the pins of the computer itself, by the library that drives them.

With `gpio://gpiod/CHIP` they are those of another chip.  Which pins a device has is said in its settings, so its
vendor's link opens them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from firmware_bridge.address import Address, AddressError, declare, needs_host
from firmware_bridge.gpio import FACTORIES, GpioTransport
from firmware_bridge.gpio_lines import GPIOD, LineTransport
from firmware_bridge.transport import Transport

EXAMPLE: Final = "gpio://gpiod"
MakePins = Callable[[Mapping[int, int], Mapping[int, str]], Transport]


def pins(address: Address) -> MakePins:
    """Returns what makes a wire of pins: outputs with their resting level, inputs with what pulls them.

    AddressError when there is no such library.
    """
    needs_host(address, EXAMPLE)
    chip = address.path.strip("/")
    if address.host == GPIOD and "/" not in chip and not address.options:
        return partial(LineTransport, chip)
    if address.host not in FACTORIES or chip or address.options:
        names = ", ".join((GPIOD, *FACTORIES))
        cause = f"the pins' address names one of the libraries {names}, and with {GPIOD} a chip, and nothing else"
        raise AddressError("address.host", cause, EXAMPLE)
    return partial(GpioTransport, address.host)


declare("gpio", EXAMPLE, pins)
