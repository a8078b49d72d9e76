"""What the report page draws: the numbers of a day, and how win and theory went along it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from controller.money import decimals, dollars
from controller.views.asides import Aside
from controller.views.entries import entries
from controller.views.float_form import FloatReport
from controller.views.gaming_day import Calendar
from controller.views.numbers import numbers
from controller.views.numbers_form import By, Numbers
from controller.views.record import Plain, RoundRecord, cash

MOST: Final = 200  # points of a line
MOST_PARTS: Final = 200  # rows of the table: a day may have a thousand rounds


class Point(Plain, frozen=True, omit_defaults=False):
    """After a round: what the house has won so far, and what theory says of the wagers whose edge is known."""

    round: int
    at: str
    win: str
    theory: str


class ReportPage(Plain, frozen=True, kw_only=True, omit_defaults=False):
    """The page of one gaming day."""

    table: str
    day: str
    today: str
    zone: str
    numbers: Numbers
    left_out: int  # parts that are not listed
    course: tuple[Point, ...]
    float: FloatReport
    older: bool
    behind: bool


def course(records: Iterable[RoundRecord]) -> tuple[Point, ...]:
    """Returns how win and theory went from round to round; of many rounds some are left out, never the last one."""
    points: list[Point] = []
    win, theory = 0, Fraction(0)
    for record in cash(records):
        for each in entries(record):
            win += each.win
            theory += each.theory or 0
        points.append(Point(record.number, record.opened.at, dollars(win), decimals(theory / 100, 2)))
    step = max(1, -(-len(points) // MOST))
    return tuple(reversed(points[::-1][::step]))


def listed(
    records: Sequence[RoundRecord], by: By, calendar: Calendar, asides: Iterable[Aside] = ()
) -> tuple[Numbers, int]:
    """Returns the numbers with as many parts as a page lists, the newest, and how many are left out."""
    made = numbers(records, by, calendar, asides)
    kept = made.parts[-MOST_PARTS:]
    return Numbers(made.by, made.total, kept, made.edges), len(made.parts) - len(kept)
