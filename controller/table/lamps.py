"""The lamps that every table may light; a game declares those that only it lights (`Rules.lights`).

A lamp of the whole table lies at no place; one of an area or a seat is lit there.  Which channel a lamp has is the
matter of its device (`drivers.lamps`).
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from controller.table.declare import AREA, SEAT, Form, optional

Lit: TypeAlias = dict[str, list[str]]  # name of a lamp -> where it is lit; "": the lamp of the whole table


class Lamp(msgspec.Struct, frozen=True):
    """One lamp by its name, and the place that its name needs."""

    name: str
    place: Form = ()


BETS: Final = Lamp("bets")  # wagers may be placed
JACKPOT: Final = Lamp("jackpot", (optional(AREA),))  # Jackpot wagers may be placed; there: one takes part
DECIDE: Final = Lamp("decide", (AREA,))  # somebody there has to decide
BUTTON: Final = Lamp("button", (SEAT,))  # where the deal begins
CUT: Final = Lamp("cut", (AREA,))  # who cuts
SHUFFLE: Final = Lamp("shuffle")  # the cards are to be shuffled
MARKER: Final = Lamp("marker", (AREA,))  # whoever plays there has limits of their own
BLIND: Final = Lamp("blind", (AREA,))  # an extra area, which is played unseen

EVERY_TABLE: Final = (BETS, JACKPOT, DECIDE, BUTTON, CUT, SHUFFLE, MARKER, BLIND)
