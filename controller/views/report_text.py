"""A report on rounds in lines that people read, and as rows for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from controller.counts import many
from controller.views.moments import day_and_time, length
from controller.views.record_text import at_place, fit
from controller.views.report import Counted, GameReport, Takings
from controller.views.round_text import short, signed

CSV_HEADING: Final = ("game", "what", "name", "count", "staked", "house", "hold_percent")
HEADING: Final = ("wagers", "staked", "house", "hold")
NAMES: Final = 28  # characters for the name of a spot


def lines(report: GameReport) -> Iterator[str]:
    """Yields the report of a game, no line wider than a terminal."""
    yield f"{report.title}: {many(report.rounds, 'round')}, {_list(report.outcomes)}"
    yield f"  from {day_and_time(report.first)} to {day_and_time(report.last)} UTC"
    pace = "" if report.pace is None else f", {report.pace:g} rounds an hour"
    yield f"  played {report.played:g} h{pace}; a round lasts {length(report.median)}, at most {length(report.longest)}"
    yield _row("", HEADING)
    yield _held("all", report.total)
    for spot in report.spots:
        yield _held(spot.name, spot)
    for place in report.places:
        yield _held(at_place(place.name, report.called), place)
    if report.commission.strip("0."):
        yield f"  the house's commission: {short(report.commission)}"
    yield from _aside(report)


def _aside(report: GameReport) -> Iterator[str]:
    """Yields what was not plain."""
    if report.irregular:
        yield from fit(f"  irregular rounds, by kind: {_list(report.irregular)}")
    if report.unconfirmed:
        yield f"  times not confirmed: {many(report.unconfirmed, 'round')}, see docs/time.md"
    if report.rulings:
        yield from fit(f"  rulings: {_list(report.rulings)}")
    for failing in report.faults:
        yield from fit(f"  {failing.device or 'a device'} failed {_times(failing.times)}: {failing.code}")
    if report.corrected:
        yield f"  {many(report.corrected, 'correction')}:"
        yield from _noted((each.round, each.text) for each in report.corrections)
    if report.meter is not None:
        yield f"  meter: {report.meter[0]} before, {report.meter[1]} after"
    if report.won:
        yield f"  {many(report.won, 'prize')}, {short(report.prizes_paid)} together, paid by the meter:"
        yield from _noted((each.round, each.text) for each in report.prizes)


def _noted(notes: Iterable[tuple[int, str]]) -> Iterator[str]:
    for number, text in notes:
        yield from fit(f"    round {number}: {text}")


def rows(reports: Iterable[GameReport]) -> Iterator[tuple[str, ...]]:
    """Yields the cells of a spreadsheet, its heading first: what was counted, and what was wagered."""
    yield CSV_HEADING
    for each in reports:
        for what, counts in (
            ("outcome", each.outcomes),
            ("irregular", each.irregular),
            ("ruling", each.rulings),
        ):
            yield from ((each.game, what, one.name, str(one.times), "", "", "") for one in counts)
        yield from ((each.game, "fault", f"{one.device} {one.code}", str(one.times), "", "", "") for one in each.faults)
        yield each.game, "correction", "all", str(each.corrected), "", "", ""
        yield each.game, "prize", "all", str(each.won), "", each.prizes_paid if each.won else "", ""
        for what, held in (("total", (each.total,)), ("spot", each.spots), ("place", each.places)):
            for one in held:
                hold = "" if one.hold is None else f"{one.hold:.2f}"
                yield each.game, what, one.name, str(one.wagers), one.staked, one.house, hold


def _held(name: str, held: Takings) -> str:
    hold = "-" if held.hold is None else f"{held.hold:.2f} %"
    return _row(name, (str(held.wagers), short(held.staked), signed(held.house), hold))


def _row(name: str, cells: tuple[str, ...]) -> str:
    wagers, staked, house, hold = cells
    name = name if len(name) <= NAMES else f"{name[: NAMES - 2]}.."
    return f"  {name:<{NAMES}} {wagers:>8} {staked:>14} {house:>14} {hold:>9}"


def _list(counted: Iterable[Counted]) -> str:
    return ", ".join(f"{each.times} {each.name}" for each in counted)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
