"""What people and programs can look up at a table besides its pictures: keys, receipts of decks, meters, reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC

from controller.games import GAMES, defaults, find
from controller.guard.watching import TableGuard
from controller.poker.state import room_in
from controller.rules import ROLES
from controller.table import view
from controller.table.facts import Started
from controller.table.new_configuration import announced_first
from controller.table.rules import Rules
from controller.table.state import Table
from controller.views import (
    deck_receipt,
    decks,
    float_text,
    floor,
    keys,
    ledger,
    meter_face,
    notices,
    pages,
    poker,
    protection,
    report_page,
    report_text,
    round_watch,
    rounds,
    summary,
)
from controller.views.alerts import standing
from controller.views.chips_page import chips_page
from controller.views.float_form import FloatEntry
from controller.views.gaming_day import Calendar
from controller.views.keys_now import keys_now
from controller.views.meter_face import MeterFace, MeterStyle
from controller.views.numbers_form import BYS
from controller.views.record import RoundRecord
from controller.views.report import plain, report
from controller.views.table_float import float_report

MOVING = MeterStyle(roll=2_000)
OTHERS = tuple(sorted(GAMES))
CHANGED: tuple[dict[str, str], ...] = (
    {"min": "20"},
    {"max": "200", "unit": "5"},
    {"jackpot": "nsw"},
    {"jackpot": "vic", "jackpot-option": "2"},
    {"jackpot": "none"},
    {"jackpot-group": "North"},
    {"seats": "3", "min": "15", "max": "1000"},
    {"blinds": "10,20", "rake": "5%"},
    {"limit": "pot"},
    {"limit": "fixed", "bets": "20,40"},
    {"decks": "8", "shoe": "csm"},
    {"pays": "B"},
)


class Looks:
    """Looks at one table from time to time."""

    def __init__(self, first: int) -> None:
        """Asks for the keys of another role each time, from the one behind `first` on."""
        self._face = MeterFace()
        self._guard = TableGuard()
        self._role = self._anew = first

    def at(self, table: Table) -> Iterator[object]:
        """Yields what is there to be looked up now."""
        rules = find(table.game)
        for what in ("bets", "deal", "jackpot"):
            yield [view.gate(table, rules, what, place) for place in ("", "1", "2")]
        yield view.lamps(table, rules)
        yield view.shuffle_wanted(table, rules)
        yield notices.notices(table, rules)
        yield protection.waiting(table)
        yield rounds.view(table, rules)
        yield [chips_page(table.chips, role, ("fill",)) for role in (None, "dealer", "supervisor", "inspector")]
        if room_in(table) is not None:
            yield poker.room(table, rules), poker.sign(table, table.now), poker.amounts(table), poker.names(table)
        now = table.now // 1000
        self._face = meter_face.follow(self._face, table, now, MOVING)
        yield self._face, meter_face.frame(self._face, now, MOVING), meter_face.next_frame(self._face, now, MOVING)
        yield pages.jackpot(self._face, now, MOVING)
        told = summary.summary("T1", standing(table, rules), rules, self._face, [now, now - 60_000], "1", table.now)
        yield told
        yield self._guard.look(table, rules)
        yield from self.on_the_floor(told, table)
        yield from self.set_up_anew(table, rules)

    def on_the_floor(self, told: summary.TableSummary, table: Table) -> Iterator[object]:
        """Yields the floor with this table, with one that is lost, and with one that was never heard."""
        lost = floor.Loss("no answer", "look at it", table.now - 7_000_000)
        watched = (
            floor.WatchedTable("T1", here=True, summary=told, at=table.now, ahead=2_000_000),
            floor.WatchedTable("T2", page="http://t2", summary=told, at=table.now, loss=lost),
            floor.WatchedTable("T3"),
        )
        yield floor.floor(watched, table.alerts, table.now), floor.changes(watched, table.alerts)

    def set_up_anew(self, table: Table, rules: Rules) -> Iterator[object]:
        """Yields how this table would begin with another configuration, now and later."""
        self._anew += 1
        own = {**defaults(table.game), **table.options}
        for n, later in enumerate((0, 1_300_000_000)):
            changed = CHANGED[(self._anew + n) % len(CHANGED)]
            known = {name: value for name, value in changed.items() if name in own}
            yield announced_first(rules, rules, table, Started(table.game, {**own, **known}), table.now + later)
        other = OTHERS[self._anew % len(OTHERS)]
        yield announced_first(rules, find(other), table, Started(other, defaults(other)), table.now)

    def seldom(self, table: Table) -> Iterator[object]:
        """Yields what takes longer to look up."""
        rules = find(table.game)
        self._role += 1
        yield keys_now(table, rules, ROLES[self._role % len(ROLES)])
        yield keys.keys(rules, table)
        for inspection in decks.shown(table, rules).inspections:
            found = deck_receipt.look_up(table.decks, inspection.number, "T1", rules.title, str)
            if found is not None:
                yield list(deck_receipt.lines(found))
                yield deck_receipt.page(found)


def told_at_the_end(records: Sequence[RoundRecord], moved: Sequence[FloatEntry]) -> Iterator[object]:
    """Yields what is reported of these rounds, and of what was done to the float."""
    reports = report(records)
    yield plain(reports)
    for each in reports:
        yield list(report_text.lines(each))
    yield list(report_text.rows(reports))
    yield report_page.course(records)
    yield [report_page.listed(records, by, Calendar(UTC)) for by in BYS]
    yield list(ledger.ledger(records))
    for record in records:
        yield list(round_watch.results(record)), dict(round_watch.longest(record)), round_watch.times(record)
    shifts = float_report(moved, records)
    yield shifts, list(float_text.lines(shifts)), list(float_text.rows(shifts))
