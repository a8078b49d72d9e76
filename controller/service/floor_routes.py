"""What can be asked about the floor: what a table tells of itself, and at a daemon with `[floor]` all tables."""

from __future__ import annotations

from typing import Final, TypedDict

import msgspec

from controller.errors import FeltError
from controller.service.routes import Json, Route
from controller.views.floor import FloorShown
from controller.views.summary import TableSummary

MAY_ACKNOWLEDGE: Final = "a supervisor or somebody above, who is signed in"


class AlertWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to acknowledge an alert."""

    alert: int  # its number


class Acknowledged(TypedDict):
    """An alert that somebody has acknowledged."""

    alert: int
    table: str
    person: str
    seq: int  # the fact that says so


SUMMARY: Final = Route(
    "GET", "/summary", "Tells what a floor shows of this table; `If-None-Match` is answered with 304.", TableSummary
)
FLOOR: Final = Route(
    "GET", "/floor/tables", "Tells all tables of the floor and their alerts.", FloorShown, refuses=(404,)
)
PAGE: Final = Route("GET", "/floor", "Gives the page of all tables.", str, "text/html")
EVENTS: Final = Route("GET", "/floor/events", "Streams what that page shows.", Json, "text/event-stream")
ACKNOWLEDGE: Final = Route(
    "POST",
    "/floor/acknowledge",
    "Acknowledges an alert; that is on record.",
    Acknowledged,
    takes=AlertWish,
    who=MAY_ACKNOWLEDGE,
    refuses=(401, 404, 409),
)


def no_floor() -> FeltError:
    """Returns what a daemon without `[floor]` answers."""
    return FeltError("floor.none", "this daemon watches no other tables")
