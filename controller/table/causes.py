"""Why somebody is told something: a prompt vanishes with its cause, and a cause has one prompt for each role."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from controller.places import Spot


class Cause(msgspec.Struct, frozen=True, tag=True):
    """A named reason for a prompt."""


class Fault(Cause, frozen=True):
    """A device that does not work; ends when it works again."""

    device: str
    code: str


class OnHold(Cause, frozen=True):
    """A hold of the table, by the name of its reason; ends with that reason."""

    name: str


class Chips(Cause, frozen=True):
    """Chips on a spot; ends when the sensor reads something else there, or cards are out."""

    spot: Spot


class Asked(Cause, frozen=True):
    """A question to one person; ends with the answer."""


class Dialogue(Cause, frozen=True):
    """Questions of a dialogue; ends when none of them is open."""


class Later(Cause, frozen=True):
    """A report while questions are open, which is ruled on after them; ends when its turn has come."""

    report: str  # its key, and the place that it is about


class Unread(Cause, frozen=True):
    """Cards that could not be read; ends when they were named."""


class Surplus(Cause, frozen=True):
    """A card that left the shoe although none was due; ends when it has its place."""


class Prizes(Cause, frozen=True):
    """Prizes of the meter; ends when they are paid."""


class OpenDispute(Cause, frozen=True):
    """A dispute, by its number; ends when it is decided."""

    number: int


class PatronWaits(Cause, frozen=True):
    """Somebody who is to hear of a prize or of a refused claim, by the fact; ends when they have heard of it."""

    claim: int


class Deciding(Cause, frozen=True):
    """Decisions of players; ends when everybody has decided."""


class Noted(Cause, frozen=True):
    """A key that did nothing; ends when something else happens."""


class KeyDue(Cause, frozen=True):
    """A key that is due; ends when one that is offered was taken, or the game has moved on."""


class OnSign(Cause, frozen=True):
    """An option that the sign announces and a key puts in force; ends when the sign announces it no more."""

    option: str
    value: str


AnyCause: TypeAlias = (
    Fault
    | OnHold
    | Chips
    | Asked
    | Dialogue
    | Later
    | Unread
    | Surplus
    | Prizes
    | OpenDispute
    | PatronWaits
    | Deciding
    | Noted
    | KeyDue
    | OnSign
)
