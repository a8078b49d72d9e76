"""What a person does about a trouble of the table or of a device, by its code."""

from __future__ import annotations

from typing import Final

from controller.errors import meaning

AT_THE_TABLE: Final = "Look at the device on the table and clear what it reports."
FREED: Final = "Check what lies on the felt; then a supervisor presses resume, or void for the round."


def next_step(code: str, bus: str = "", otherwise: str = AT_THE_TABLE) -> str:
    """Returns what to do about a code; `bus` is the CAN interface it is about.

    `otherwise` is said about a code that nobody has declared: a device may invent one.

    >>> next_step("serial.unheard-of")
    'Check the cable and the adapter; the daemon reconnects by itself.'
    >>> next_step("can.missing", "can1")
    'Plug the CAN adapter in; compare the name can1 with `ip link`.'
    >>> next_step("coffee.cold")
    'Look at the device on the table and clear what it reports.'
    """
    known = meaning(code)
    return known.step_on(bus) if known is not None else otherwise
