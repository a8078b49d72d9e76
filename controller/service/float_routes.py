"""What people ask at every door of the float of a table."""

from __future__ import annotations

from typing import Final, TypedDict

import msgspec

from controller.service.routes import Json, Route


class FloatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to record what was done to the float."""

    deed: str
    amount: str  # dollars
    slip: str = ""
    note: str = ""
    about: int = 0  # a drop: the fact that opened its shift


class FloatConfirm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The witness's confirmation of it, by its code."""

    code: str


class FloatDone(TypedDict, total=False):
    """What is on record, or the code by which a witness confirms it."""

    deed: str
    amount: str
    seq: int
    person: str
    witness: str
    confirm: str
    minutes: int


FLOAT_MOVE: Final = Route(
    "POST",
    "/float",
    "Records what was done to the float: counted, filled, credited, a buy-in, a marker, the drop, a prize.",
    FloatDone,
    takes=FloatWish,
    who="who is signed in, by the role of the deed",
    refuses=(401, 403, 409),
)
FLOAT_CONFIRM: Final = Route(
    "POST",
    "/float/confirm",
    "Confirms it as a witness.",
    FloatDone,
    takes=FloatConfirm,
    who="somebody else who is signed in",
    refuses=(401, 404, 409),
)
PAGE: Final = Route("GET", "/chips", "Gives the page of the float.", str, "text/html")
EVENTS: Final = Route(
    "GET",
    "/chips/events",
    "Streams what can be done to the float; its numbers to supervisors, those above, and inspectors who are signed in.",
    Json,
    "text/event-stream",
)
