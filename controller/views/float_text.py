"""The float of a table in lines that people read, and as rows for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from controller.counts import many
from controller.money import cents
from controller.views.float_form import FloatReport, FloatShift
from controller.views.moments import day_and_time
from controller.views.record_text import fit
from controller.views.round_text import short, signed

APART: Final = ("named", "notes", "entries")  # what is no single value
COLUMNS: Final = tuple(name for name in FloatShift.__struct_fields__ if name not in APART)
INDENT: Final = 4


def lines(report: FloatReport) -> Iterator[str]:
    """Yields the shifts of a float, no line wider than a terminal."""
    for shift in report.shifts:
        yield from _shift(shift)
    if not report.shifts:
        yield "no float was counted"
    if cents(report.alone_vouchers):
        yield f"chips for vouchers while no float was counted: {short(report.alone_vouchers)}"
    if report.alone:
        yield f"rounds that were played while no float was counted: {report.alone}, win {signed(report.alone_win)}"


def _shift(shift: FloatShift) -> Iterator[str]:
    until = f"to {day_and_time(shift.closed.at)}" if shift.closed is not None else "not closed yet"
    yield f"float opened {day_and_time(shift.opened.at)} {until} UTC (fact {shift.opened.seq})"
    sums = (
        ("closing float", shift.closing, "+"),
        ("drop" if shift.drop is not None else "drop, as noted", shift.drop or shift.noted, "+"),
        ("credits", shift.credits, "+"),
        ("fills", shift.fills, "-"),
        ("opening float", shift.opening, "-"),
    )
    for name, amount, sign in sums:
        yield f"  {sign} {name:<22} {'-' if amount is None else short(amount):>14}"
    if shift.win is not None and shift.difference is not None:
        hold = "" if shift.hold is None else f"   {shift.hold:.2f} % of the drop"
        yield f"  = {'win':<22} {signed(shift.win):>14}{hold}"
        rounds = f"the {many(shift.rounds, 'round')}"
        yield f"    {rounds:<22} {signed(shift.rounds_win):>14}"
        yield f"    {'difference':<22} {signed(shift.difference):>14}"
    yield f"  bought: {short(shift.buy_ins)} with cash, {short(shift.markers)} on markers"
    if cents(shift.vouchers):
        yield f"  for vouchers, which are in the drop box: {short(shift.vouchers)}"
    for each in shift.named:
        yield from fit(f"  {signed(each.amount)}: {each.what}", INDENT)
    for note in shift.notes:
        yield from fit(f"  {note}", INDENT)


def rows(report: FloatReport) -> Iterator[tuple[str, ...]]:
    """Yields the cells of a spreadsheet, its heading first: one row for each shift."""
    yield COLUMNS
    for shift in report.shifts:
        values: dict[str, Any] = msgspec.to_builtins(shift)
        values["opened"] = shift.opened.at
        values["closed"] = None if shift.closed is None else shift.closed.at
        yield tuple("" if values[name] is None else str(values[name]) for name in COLUMNS)
