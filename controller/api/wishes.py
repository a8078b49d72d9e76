"""The shapes of what is sent to the API: a body with another field, or without one, is not understood."""

from __future__ import annotations

import msgspec

from controller.table.door_access import USUAL


class CodeGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code that a person has read from the device."""

    code: str


class JackpotWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every deed on the prize meter needs: who asks, and why."""

    by: str
    reason: str


class Adjust(JackpotWish, frozen=True, kw_only=True):
    """The request to correct the meter by an amount."""

    amount: str  # dollars, four decimals at most, with its sign


class Close(JackpotWish, frozen=True, kw_only=True):
    """The request to close the prize meter system."""

    to: tuple[str, ...]  # GROUP, or GROUP=AMOUNT for each of several


class Confirm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The second person's confirmation of a deed, by its code."""

    code: str
    by: str


class OpenDoor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to let the door of a device be opened."""

    by: str
    reason: str
    minutes: int = USUAL


class JackpotPress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to press a key of the console from elsewhere; whoever is signed in there answers for it."""

    by: str
    group: str = ""
    notice: str = ""


class ClaimTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to call this table the real one of two that run with its identity."""

    by: str
    reason: str


class Clear(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to clear a failed audit of the prize meter, after somebody has looked into it."""

    by: str
