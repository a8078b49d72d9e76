"""The alerts of the tables that are watched from here: each stays until somebody with a name has acknowledged it.

Facts alone decide it, so that a restart changes nothing.  What is kept is shared by all copies of a table and never
changed in place.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from controller.rules import Rank, at_least, is_role, spoken_role
from controller.table.facts import AlertAcknowledged, AlertOver, AlertRaised
from controller.table.state import Alerts, KeptAlert
from controller.table.step import Refusal

ACKNOWLEDGES: Final[Rank] = "supervisor"  # the lowest role that may


def follow(alerts: Alerts, seq: int, at: int, fact: AlertRaised | AlertOver | AlertAcknowledged) -> Alerts:
    """Returns the alerts after this fact; raises Refusal when somebody may not acknowledge it, or it is not there."""
    match fact:
        case AlertRaised():
            return _raised(alerts, seq, fact)
        case AlertOver():
            return _over(alerts, at, fact)
        case _:
            return _acknowledged(alerts, at, fact)


def _raised(alerts: Alerts, seq: int, fact: AlertRaised) -> Alerts:
    """Counts an alert that nobody has acknowledged; one that was acknowledged before begins anew."""
    new = KeptAlert(fact.table, fact.kind, fact.about, fact.text, fact.since, fact.step)
    before = [(number, kept) for number, kept in alerts.items() if kept.subject == new.subject]
    others = {number: kept for number, kept in alerts.items() if kept.subject != new.subject}
    for number, kept in before:
        if not kept.by:
            return {**others, number: replace(new, times=kept.times + 1)}
    return {**others, seq: new}


def _over(alerts: Alerts, at: int, fact: AlertOver) -> Alerts:
    subject = fact.table, fact.kind, fact.about
    gone = {number: kept for number, kept in alerts.items() if kept.subject == subject and not kept.over}
    left = {number: kept for number, kept in alerts.items() if number not in gone or not kept.by}
    return {number: replace(kept, over=at) if number in gone else kept for number, kept in left.items()}


def _acknowledged(alerts: Alerts, at: int, fact: AlertAcknowledged) -> Alerts:
    if not (is_role(fact.role) and at_least(fact.role, ACKNOWLEDGES)):
        raise Refusal("", f"this needs the {spoken_role(ACKNOWLEDGES)}")
    kept = alerts.get(fact.alert)
    if kept is None or kept.by:
        who = f"{kept.by} has" if kept is not None else "somebody has"
        raise Refusal("", f"{who} acknowledged this alert already")
    if kept.over:
        return {number: other for number, other in alerts.items() if number != fact.alert}
    return {**alerts, fact.alert: replace(kept, by=fact.person, acknowledged=at)}
