"""What happened beside the rounds and belongs into a report: alerts of game protection, devices that failed."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from controller.table.facts import AnyFact, DeviceFault, DeviceLost, ProtectionRaised
from controller.views.record import Moment, Plain
from controller.views.round_notes import Happened

AsideKind: TypeAlias = Literal["alert", "fault"]
ALERT: Final[AsideKind] = "alert"
FAULT: Final[AsideKind] = "fault"


class Aside(Plain, frozen=True, omit_defaults=False):
    """Something that happened at a table, in a round or between two: once for each fact that told it."""

    at: Moment
    kind: AsideKind
    about: str  # the kind of alert, or device and code
    game: str
    dealer: str  # who was signed in at the console as a dealer; "": nobody


def aside(happened: Happened) -> Aside | None:
    """Returns what a fact tells beside the rounds; None when it tells nothing of it."""
    named = _named(happened.fact)
    if named is None:
        return None
    kind, about = named
    table = happened.after
    return Aside(happened.moment, kind, about, table.game, table.name if table.role == "dealer" else "")


def _named(fact: AnyFact) -> tuple[AsideKind, str] | None:
    match fact:
        case ProtectionRaised(kind=kind):
            return ALERT, kind
        case DeviceFault(device=device, code=code) | DeviceLost(device=device, code=code):
            return FAULT, f"{device} {code}"
    return None
