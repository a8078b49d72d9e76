"""What a table tells the floor of itself: the same for the floor that watches it and for whoever else asks.

Only what may stand on a wall: no card, no name of a person, no code, no address.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Final

import msgspec

from controller.table.rules import Rules
from controller.table.state import Table
from controller.views.alerts import LONGEST, LONGEST_NAME, MOST, Alert, Count, Name, TableStanding, Text, alerts
from controller.views.meter_face import OFFERED, MeterFace
from controller.views.pages import CENT, limits
from controller.views.words import phase, waiting

LIMITS_SHOWN: Final = 12
PACE_ROUNDS: Final = 12  # of which the pace is taken
PAUSE: Final = 15 * 60 * 1000  # milliseconds without a round: what was before is no pace of now


class FaultShown(msgspec.Struct, frozen=True):
    """The first thing that broke and is broken still."""

    text: Text
    since: Count  # microseconds since 1970; 0: not known


class MeterSummary(msgspec.Struct, frozen=True):
    """The prize meter of a table that offers a Jackpot."""

    offer: Name
    cents: Count | None  # None: it cannot be said now
    fault: bool


class TableSummary(msgspec.Struct, frozen=True):
    """One table at one look."""

    table: Name
    game: Name
    title: Name
    document: Name
    open: bool
    limits: Annotated[tuple[tuple[Name, Name], ...], msgspec.Meta(max_length=LIMITS_SHOWN)]
    round: Count
    phase: Name
    waits: Text  # for what, the most urgent; "" for nothing
    pace: Count | None  # rounds an hour over the last rounds; None: too few of them
    ended: Count | None  # when the last round on record ended, in milliseconds since 1970
    alerts: Annotated[tuple[Alert, ...], msgspec.Meta(max_length=MOST)]
    meter: MeterSummary | None
    faults: Count  # that are open
    fault: FaultShown | None
    version: Name


def summary(
    name: str,
    at: TableStanding,
    rules: Rules | None,
    face: MeterFace,
    ended: Sequence[int],
    version: str,
    now: int,
) -> TableSummary:
    """Returns what a table tells of itself; `ended`: when its last rounds ended, the newest first.

    `now` is the table's own time, by which its sign counts down.
    """
    table, faults = at.table, [notice for notice in at.notices if notice.code and not notice.due]
    first = min(faults, key=lambda notice: (not notice.since, notice.since), default=None)
    sign = limits(table, rules, now)
    return TableSummary(
        table=name[:LONGEST_NAME],
        game=table.game[:LONGEST_NAME],
        title=rules.title[:LONGEST_NAME] if rules is not None else "",
        document=rules.document.number if rules is not None else "",
        open=table.open and not at.stopped,
        limits=_limits(sign["large"]) if not at.stopped else (),
        round=table.number,
        phase=_phase(table, rules, at.stopped),
        waits=_waits(table, rules, at.stopped),
        pace=pace(ended),
        ended=ended[0] if ended else None,
        alerts=tuple(alerts(at)),
        meter=_meter(face),
        faults=len(faults),
        fault=FaultShown(first.text[:LONGEST], first.since) if first is not None else None,
        version=version[:LONGEST_NAME],
    )


def pace(ended: Sequence[int]) -> int | None:
    """Returns rounds an hour, of rounds that ended at these times in milliseconds, the newest first.

    A long pause ends it: what was before says nothing of now.  Less than three rounds have no pace.

    >>> pace([240_000, 180_000, 120_000, 60_000]), pace([9_000_000, 8_940_000, 60_000]), pace([])
    (60, None, None)
    """
    run = list(ended[:1])
    for later, earlier in pairwise(ended):
        if later - earlier > PAUSE:
            break
        run.append(earlier)
    span = run[0] - run[-1] if run else 0
    return round((len(run) - 1) * 3_600_000 / span) if len(run) > 2 and span > 0 else None


def _limits(pairs: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((label[:LONGEST_NAME], value[:LONGEST_NAME]) for label, value in pairs[:LIMITS_SHOWN])


def _phase(table: Table, rules: Rules | None, stopped: str) -> str:
    return "out of service" if stopped or rules is None else phase(table, rules)


def _waits(table: Table, rules: Rules | None, stopped: str) -> str:
    due = waiting(table, rules) if rules is not None and not stopped else []
    return due[0].text[:LONGEST] if due else ""


def _meter(face: MeterFace) -> MeterSummary | None:
    if face.offer not in OFFERED:
        return None
    return MeterSummary(face.offer, face.amount // CENT if face.offer == "running" else None, face.fault)
