"""The win of one table counted three times: by reports, by a fold over the journal, by chips that people have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, time

from msgspec.structs import replace

from benchmarks.week.chips import Chips
from benchmarks.week.planted import CHIPS, COUNTED, Kind
from benchmarks.week.told import Told
from controller.games import find, step
from controller.house.game import HouseGame
from controller.journal.store import Journal
from controller.money import cents
from controller.poker.room.seats import room_of
from controller.service.retelling import rounds_and_asides
from controller.table import facts
from controller.table.effects import LinesSettled
from controller.table.state import Line, Table
from controller.views.float_form import FloatEntry, FloatReport
from controller.views.gaming_day import Calendar
from controller.views.numbers import numbers
from controller.views.numbers_form import BYS
from controller.views.record import RoundRecord
from controller.views.table_float import DROP, float_report

CALENDAR = Calendar(UTC, time(6), (time(6), time(14), time(22)))
DECIDED = ("win", "lose", "stand-off", "surrender")


@dataclass
class Counted:
    """What one table came to; amounts are cents."""

    reported: Counter[str] = field(default_factory=Counter)  # win by game
    handle: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)
    folded: Counter[str] = field(default_factory=Counter)
    folded_handle: Counter[str] = field(default_factory=Counter)
    cup: int = 0  # what the rounds of the tournament came to in the journal
    prizes: int = 0  # of the Jackpot's meter and of its fixed table
    racks: int = 0
    tray: int = 0
    floats: FloatReport | None = None
    wrong: list[str] = field(default_factory=list)  # whatever does not agree


def count(journal: Journal, told: Told, chips: Chips) -> Counted:
    """Counts everything, and says what does not agree."""
    out = Counted()
    _report(journal, out)
    _fold(journal, told, out)
    out.racks, out.tray = chips.won_by_racks, chips.won_by_tray
    layout = sum(each.cents for each in told.planted if each.kind in CHIPS)
    stolen = sum(each.cents for each in told.planted if each.kind in (Kind.TRAY, Kind.BOX))
    _same(out, "win of reports and journal", sum(out.reported.values()), sum(out.folded.values()))
    handle = sum(out.handle[game] for game in out.folded_handle)  # against the house
    _same(out, "handle of reports and journal", handle, sum(out.folded_handle.values()))
    won = sum(out.reported.values()) - out.prizes
    _same(out, "win of racks, and of reports with what was planted, less prizes", out.racks, won + layout)
    _same(out, "win of tray and box, and of racks less what was stolen", out.tray, out.racks + stolen)
    _count_floats(out, told)
    _same(out, "meter of the Jackpot by its wagers, and as it is", *told.meter)
    if told.cup is not None:
        _same(out, "banks of the tournament and its rounds", told.cup.banks, -out.cup)
        _same(out, "banks of the tournament and its tray", told.cup.banks, -told.cup.won)
    return out


def _report(journal: Journal, out: Counted) -> None:
    """Counts by the reports that people see; however the rounds are divided, the parts are the whole."""
    by_opening: dict[int, RoundRecord] = {}
    moved: list[FloatEntry] = []
    for each in rounds_and_asides(journal):
        if isinstance(each, FloatEntry):
            moved.append(each)
        elif isinstance(each, RoundRecord):
            by_opening[each.opened.seq] = replace(each, steps=())
    records = [by_opening[seq] for seq in sorted(by_opening)]
    for by in BYS:
        counted = numbers(records, by, CALENDAR)
        _same(out, f"win by {by} and in all", sum(cents(p.win) for p in counted.parts), cents(counted.total.win))
        if by == "game":
            out.reported.update({part.name: cents(part.win) for part in counted.parts})
            out.handle.update({part.name: cents(part.handle) for part in counted.parts})
            out.prizes = cents(counted.total.prizes)
            out.rounds.update({part.name: part.rounds for part in counted.parts})
    out.floats = float_report(moved, records)


def _fold(journal: Journal, told: Told, out: Counted) -> None:
    """Counts by the facts alone: what each wager came to, and in poker what players have no more."""
    cup = told.cup.rounds if told.cup is not None else range(0)
    table, held = Table(), Counter[str]()
    for record in journal.iterate(1):
        fact = facts.decode(record.payload)
        before = table
        table, effects = step(table, record.seq, record.at_us, fact)
        r, was = table.round, before.round
        house = isinstance(find(table.game), HouseGame) if table.game else True
        if not house and isinstance(fact, facts.Key) and fact.key in ("seat", "leave"):
            held["bought"] += _behind(table) - _behind(before)
        for effect in effects:  # prizes of the meter are decided when the round is over
            if isinstance(effect, LinesSettled) and was is not None and was.outcome:
                _add(out, table.game, effect.lines)
        if r is None or not r.outcome or (was is not None and was.opened == r.opened and was.outcome):
            continue
        if not house:
            paid = held["bought"] - _behind(table)
            held["bought"] -= paid
            out.folded[table.game] += paid
            continue
        newest = {line.at: line for line in r.lines}.values()
        if r.number in cup:
            out.cup -= sum(line.net for line in newest)
        else:
            _add(out, table.game, newest)


def _add(out: Counted, game: str, lines: Iterable[Line]) -> None:
    """Adds what these wagers have come to; a prize is the meter's."""
    bare = find(game).without_chips
    for line in lines:
        out.folded[game] += line.prize - line.net
        out.folded_handle[game] += line.stake if line.result in DECIDED and line.spot not in bare else 0


def _behind(table: Table) -> int:
    return sum(room_of(table).stakes.values()) if table.game and not isinstance(find(table.game), HouseGame) else 0


def _count_floats(out: Counted, told: Told) -> None:
    """Compares what was counted in each shift with what was planted in it, to the cent."""
    assert out.floats is not None
    for shift in out.floats.shifts:
        planted = [each for each in told.planted if each.shift == shift.opened.seq]
        box = sum(each.cents for each in planted if each.kind is Kind.BOX)
        rest = sum(each.cents for each in planted) - box
        found = {named.what: cents(named.amount) for named in shift.named}
        _same(out, f"drop box of shift {shift.opened.seq} and what was planted", found.pop(DROP, 0), box)
        _same(out, f"float of shift {shift.opened.seq} and what was planted", sum(found.values()), rest)
        for each in planted:
            unseen = each.cents and (each.kind in COUNTED or not each.within)
            if unseen and (box if each.kind is Kind.BOX else rest):
                each.by = "count of the float"
    if out.floats.alone and told.cup is None:
        out.wrong.append(f"{out.floats.alone} rounds belong to no shift")


def _same(out: Counted, what: str, one: int, other: int) -> None:
    if one != other:
        out.wrong.append(f"{what}: {one / 100:.2f} and {other / 100:.2f}")
