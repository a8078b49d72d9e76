"""Durations as options write them, and the moments at which something ends at a poker table."""

from __future__ import annotations

import re
from typing import Final

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
    """The table's times at which a time to act (6.15) or an hour that is paid for (7.2.2) may end; nothing, if not."""
    out: set[int] = set()
    hand = t.round.hand if t.round is not None and not t.round.outcome else None
    limit, extra = t.options.get("act-time", "none"), t.options.get("extra-time", "none")
    if hand is not None and hand.betting is not None and limit != "none":
        bought = len(hand.extensions) if extra != "none" else 0
        out |= {hand.since + microseconds(limit) + n * microseconds(extra) for n in range(bought + 1)}
    if t.room is not None and t.options["rake-method"] == "time" and not t.room.reminded and t.seats:
        paid = [*t.room.hours.values(), *([] if t.room.charged_at is None else [t.room.charged_at])]
        out |= {t.now, *(at + HOUR for at in paid)}  # somebody has not paid at all, or an hour is over
    return out
