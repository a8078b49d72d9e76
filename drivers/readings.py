"""What happened at the table, as its devices saw it: the same words whoever made the device.

A card never shows in the text of a reading: it may lie face down.
"""

from __future__ import annotations

from typing import Final

import msgspec

CARDS: Final = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


class Reading(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Anything a device can tell the table."""


class _Secret(Reading, frozen=True):
    """A reading with cards in it; every way of printing it leaves them out."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(withheld)"

    def __rich_repr__(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("withheld",)


class CardDrawn(_Secret, frozen=True):
    """One card left the shoe; None: it could not be read."""

    card: str | None
    face_up: bool = False  # it lay face up inside the shoe


class CardsTogether(_Secret, frozen=True):
    """Cards left at the same time; their order is not known."""

    cards: tuple[str | None, ...]


class SetDispensed(_Secret, frozen=True):
    """The shuffler dispensed a set."""

    cards: tuple[str | None, ...]


class CardsLaid(_Secret, frozen=True):
    """A card came to lie on a reader, or several together of which the first was due; None: it could not be read."""

    cards: tuple[str | None, ...]
    face_up: bool = False


class CardsLifted(Reading, frozen=True):
    """Cards were taken off a reader; so many still lie there."""

    left: int


class CuttingCard(Reading, frozen=True):
    """The cutting card left the shoe."""


class CardsLow(Reading, frozen=True):
    """Few cards are left."""


class ShoeEmpty(Reading, frozen=True):
    """No card is left."""


class DeckInserted(Reading, frozen=True):
    """A deck was put into the shuffler; the colour of its backs."""

    colour: str


class ShuffleStarted(Reading, frozen=True):
    """A shuffle began."""


class ShuffleComplete(Reading, frozen=True):
    """A shuffle ended with so many cards; verified: exactly the expected ones."""

    count: int
    verified: bool


class SpotBet(msgspec.Struct, frozen=True):
    """What lies on one spot for one bettor now."""

    spot: str
    bettor: int
    cents: int
    token: bool = False


class BetChanged(Reading, frozen=True):
    """What the sensor reads now on the spots that changed."""

    spots: tuple[SpotBet, ...]


class UnknownChip(Reading, frozen=True):
    """Something lies on the spot that is not a known chip."""

    spot: str
    bettor: int = 1


class ChipsPushed(Reading, frozen=True):
    """Chips that were pushed forward now: each in cents."""

    chips: tuple[int, ...]


class KeyPressed(Reading, frozen=True):
    """A key of the dealer's console, with what was entered with it."""

    key: str
    args: tuple[str, ...] = ()


class BadgeShown(Reading, frozen=True):
    """Somebody signed in at the console."""

    role: str
    name: str = ""


class DoorChanged(Reading, frozen=True):
    """The device's door was opened or shut."""

    open: bool


class Fault(Reading, frozen=True):
    """Something is wrong with the device."""

    code: str
    detail: str = ""


class FaultCleared(Reading, frozen=True):
    """That is over."""

    code: str
