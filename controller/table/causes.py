"""Why somebody is told something: a prompt vanishes with its cause, and a cause has one prompt for each role."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from controller.places import Spot


class Cause(msgspec.Struct, frozen=True, tag=True):
    """A named reason for a prompt."""


class Fault(Cause, frozen=True):
    """A device does not work: until it is well again."""

    device: str
    code: str


class OnHold(Cause, frozen=True):
    """The table is held, for the reason of this name."""

    name: str


class Chips(Cause, frozen=True):
    """What lies on a spot: until the sensor reads something else there, or cards are out."""

    spot: Spot


class Asked(Cause, frozen=True):
    """A question: until it is answered."""


class Dialogue(Cause, frozen=True):
    """Some question is open: until none is."""


class Unread(Cause, frozen=True):
    """Cards could not be read: until they were named."""


class Surplus(Cause, frozen=True):
    """A card left the shoe although none was due: until it has its place."""


class Prizes(Cause, frozen=True):
    """Prizes of the meter: until they are paid."""


class Deciding(Cause, frozen=True):
    """Somebody decides: until everybody has."""


class Noted(Cause, frozen=True):
    """A key did nothing: until something else happens."""


class KeyDue(Cause, frozen=True):
    """A key is due: until one that is offered was taken, or the game has moved on."""


AnyCause: TypeAlias = Fault | OnHold | Chips | Asked | Dialogue | Unread | Surplus | Prizes | Deciding | Noted | KeyDue
