"""Durations as options write them, and the moments at which something ends at a poker table."""

from __future__ import annotations

import re
from typing import Final

from controller.poker.money.stacks import running
from controller.table.state import Table

HOUR: Final = 60 * 60 * 1_000_000
_UNITS: Final = {"ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000}


def microseconds(text: str) -> int:
    """How long that is.

    >>> microseconds("19m59s"), microseconds("500ms")
    (1199000000, 500000)
    """
    return sum(int(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+)(ms|s|m|h)", text))


def moments(t: Table) -> set[int]:
    """Returns the table's times at which a time to act (6.15) or an hour that is paid for (7.2.2) may end."""
    return _ends_of_turn(t) | _ends_of_hours(t)


def _ends_of_turn(t: Table) -> set[int]:
    limit, extra = t.options.get("act-time", "none"), t.options.get("extra-time", "none")
    hand = running(t)
    if hand is None or hand.betting is None:
        return set()
    if limit == "none":
        return set()
    bought = len(hand.extensions) if extra != "none" else 0
    return {hand.since + microseconds(limit) + n * microseconds(extra) for n in range(bought + 1)}


def _ends_of_hours(t: Table) -> set[int]:
    """Now, if somebody has not paid at all, and the end of every hour that was paid for."""
    room = t.room
    if room is None or room.reminded:
        return set()
    if t.options["rake-method"] != "time" or not t.seats:
        return set()
    paid = list(room.hours.values())
    if room.charged_at is not None:
        paid.append(room.charged_at)
    return {t.now, *(at + HOUR for at in paid)}
