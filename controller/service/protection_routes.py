"""What can be asked about the table's own protection: which alerts wait, and to clear one."""

from __future__ import annotations

from typing import Annotated, Final, TypedDict

import msgspec

from controller.service.routes import Route
from controller.views.protection import ProtectionShown

MAY_LOOK: Final = "whoever reaches the socket; on a page a supervisor or somebody above, who is signed in"
MAY_CLEAR: Final = "a supervisor or somebody above, who is signed in"
LONGEST_REASON: Final = 400


class ProtectionAlerts(msgspec.Struct, frozen=True):
    """The alerts of this table that wait, the oldest first."""

    alerts: list[ProtectionShown]


class ClearWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to clear an alert."""

    alert: int  # its number
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_REASON)]  # what came of it


class Cleared(TypedDict):
    """An alert that somebody has cleared."""

    alert: int
    person: str
    seq: int  # the fact that says so


ALERTS: Final = Route(
    "GET",
    "/protection",
    "Tells the alerts of game protection that wait.",
    ProtectionAlerts,
    who=MAY_LOOK,
    refuses=(401,),
)
CLEAR: Final = Route(
    "POST",
    "/protection/clear",
    "Clears an alert, with the reason; that is on record.",
    Cleared,
    takes=ClearWish,
    who=MAY_CLEAR,
    refuses=(401, 404, 409),
)
