"""What can be asked about the table's own protection: which alerts wait, and to clear one."""

from __future__ import annotations

from typing import Annotated, Final, TypedDict

import msgspec

from controller.errors import FeltError
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
    # what came of it; the door itself looks at its length, so that who is refused hears why
    reason: Annotated[str, msgspec.Meta(extra_json_schema={"minLength": 1, "maxLength": LONGEST_REASON})]


def reason_kept(alert: int, text: str) -> str:
    """Returns the reason for which an alert is cleared; raises FeltError when it says nothing, or too much."""
    reason = text.strip()
    if not reason:
        raise unfit(f"alert {alert} is cleared with a reason, and none was given")
    if len(reason) > LONGEST_REASON:
        raise unfit(f"the reason has {len(reason)} characters: {LONGEST_REASON} at most")
    return reason


def unfit(why: str) -> FeltError:
    """Returns the error of a request to clear an alert that cannot be taken as it is."""
    return FeltError("protection.request", why)


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
