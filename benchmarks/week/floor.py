"""The floor of the week: eight tables, each lived through on its own, and what all of them came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from benchmarks.week.counts import Counted, count
from benchmarks.week.judge import judge
from benchmarks.week.planted import Kind, Planted
from benchmarks.week.table import WeekTable
from benchmarks.week.told import Alarm, Plan, Told
from controller.errors import FeltError
from hw_sim.loop import run

WATCH = {"takes": "watch", "seats": "7"}
HOLD = {"takes": "hold", "seats": "7"}
POKER = ("holdem", "omaha", "pineapple", "crazy-pineapple", "holdem-hi-lo", "omaha-hi-lo", "crazy-pineapple-hi-lo")
FLOOR = (  # the games of a table take turns, day by day
    Plan("T1", ("casino-war",), WATCH, cup=True, lucky="6"),
    Plan("T2", ("three-card-poker", "mississippi-stud"), {**WATCH, "shoe": "shuffler"}),
    Plan("T3", ("caribbean-stud", "three-card-poker"), WATCH),
    Plan("T4", ("mississippi-stud", "caribbean-stud"), {**HOLD, "shoe": "shuffler"}),
    Plan("T5", ("ultimate-texas-holdem-nsw", "caribbean-stud", "mississippi-stud"), {**WATCH, "jackpot": "nsw"}),
    Plan("T6", ("ultimate-texas-holdem-vic", "wsop-bonus-holdem"), {**HOLD, "shoe": "batch"}),
    Plan("T7", ("wsop-bonus-holdem", "ultimate-texas-holdem-vic"), {**WATCH, "jackpot": "vic"}),
    Plan("T8", POKER, {"rake": "5%", "cap": "10", "seats": "10"}, seats=8),
)


@dataclass
class TableWeek:
    """What one table came to."""

    told: Told
    counted: Counted
    failed: str = ""


@dataclass
class Week:
    """What the floor came to."""

    seed: int
    days: int
    tables: list[TableWeek] = field(default_factory=list)

    @property
    def planted(self) -> list[Planted]:
        """All deeds of all tables."""
        return [deed for each in self.tables for deed in each.told.planted]

    @property
    def alarms(self) -> list[Alarm]:
        """All alerts."""
        return [alarm for each in self.tables for alarm in each.told.alarms]

    @property
    def false_alarms(self) -> list[Alarm]:
        """Alerts of which nothing was planted."""
        return [alarm for alarm in self.alarms if alarm.why]

    @property
    def missed(self) -> list[Planted]:
        """Deeds that were to be found and were not."""
        return [deed for deed in self.planted if deed.within and deed.found is None and not deed.by]

    @property
    def wrong(self) -> list[str]:
        """Whatever does not agree, and whatever ended a table's week."""
        return [
            f"{each.told.plan.name}: {what}"
            for each in self.tables
            for what in (*each.counted.wrong, each.failed)
            if what
        ]


def live(
    plan: Plan, seed: int, days: int, rounds: int, show: Callable[[str], None], until: float = float("inf")
) -> TableWeek:
    """Lives through the week of one table, counts its money and judges its alerts; ends at `until` at the latest."""

    async def one() -> TableWeek:
        week, failed = WeekTable(plan, seed, days, rounds, show, until), ""
        try:
            try:
                await week.run()
            except FeltError as error:  # what came before is counted all the same
                failed = str(error)
            counted = count(week.table.journal, week.told, week.chips)
        finally:
            await week.floor.close()
        judge(week.told, 6 if plan.games == ("casino-war",) else 1)
        for deed in week.told.planted:
            deed.table = plan.name
        return TableWeek(week.told, counted, failed)

    return run(one())


def lines(week: Week) -> Iterator[str]:
    """Yields the results for people."""
    yield f"seed {week.seed}, {week.days} days, {len(week.tables)} tables\n"
    yield from _money(week)
    yield from _planted(week)
    yield from _false(week)
    yield from _life(week)
    yield f"\nwhat does not agree: {len(week.wrong)}"
    yield from week.wrong


def _money(week: Week) -> Iterator[str]:
    row = "{:<27}{:>7}{:>14}{:>13}{:>13}{:>13}{:>12}  {}"
    yield row.format("table, game", "rounds", "handle", "win: report", "journal", "racks", "planted", "agree")
    total = Counter[str]()
    for each in week.tables:
        counted, name = each.counted, each.told.plan.name
        layout = counted.racks - sum(counted.reported.values()) + counted.prizes
        for game in counted.reported:
            racks = _dollars(counted.racks) if len(counted.reported) == 1 else ""
            cells = (_dollars(counted.handle[game]), _dollars(counted.reported[game]), _dollars(counted.folded[game]))
            agree = "yes" if counted.reported[game] == counted.folded[game] else "NO"
            yield row.format(f"{name} {game}", counted.rounds[game], *cells, racks, "", agree)
        total.update(rounds=sum(counted.rounds.values()), handle=sum(counted.handle.values()))
        total.update(win=sum(counted.reported.values()), folded=sum(counted.folded.values()))
        total.update(racks=counted.racks, layout=layout)
        good = "NO" if counted.wrong else "yes"
        yield row.format(f"{name} in all", "", "", "", "", _dollars(counted.racks), _dollars(layout), good)
    sums = (_dollars(total[name]) for name in ("handle", "win", "folded", "racks", "layout"))
    yield row.format("the floor", total["rounds"], *sums, "NO" if week.wrong else "yes")
    for each in week.tables:
        if (cup := each.told.cup) is not None:
            what = f"{len(cup.rounds)} rounds, banks {_dollars(cup.banks)}, apart from cash"
            yield f"tournament at {each.told.plan.name}: {what}"
        if (meter := each.told.meter)[1]:
            what = f"meter {_meter(meter[1])}, by its wagers {_meter(meter[0])}"
            yield f"Jackpot at {each.told.plan.name}: {what}; prizes {_dollars(each.counted.prizes)}"


def _planted(week: Week) -> Iterator[str]:
    yield f"\n{'planted':<72}{'planted':>8}{'found':>7}{'at the count':>14}{'rounds later':>14}"
    for kind in Kind:
        deeds = [deed for deed in week.planted if deed.kind is kind]
        found = [deed.found for deed in deeds if deed.found is not None]
        counted = sum(deed.found is None and bool(deed.by) for deed in deeds)
        later = f"{min(found)} to {max(found)}" if found else "-"
        yield f"{kind.value:<72}{len(deeds):>8}{len(found):>7}{counted:>14}{later:>14}"


def _false(week: Week) -> Iterator[str]:
    false, days = week.false_alarms, week.days * len(week.tables)
    yield f"\nalerts: {len(week.alarms)}; false: {len(false)}, {len(false) / days:.2f} a table and day"
    by_cause = Counter((alarm.kind, alarm.why) for alarm in false)
    for (kind, why), number in sorted(by_cause.items()):
        yield f"  {kind}: {number} of {why}"
    for alarm in false:
        if alarm.why == Alarm.why:
            yield f"  {alarm.table}: {alarm.text}"


def _life(week: Week) -> Iterator[str]:
    for title, of in (("people", "deeds"), ("habits", ""), ("faults", "troubles"), ("refused", "refused")):
        sums = Counter[str]()
        for each in week.tables:
            habits = Counter(one.kind.value for one in each.told.innocents)
            sums.update(getattr(each.told, of) if of else habits)
        yield f"\n{title}: " + ("; ".join(f"{what} {number}" for what, number in sorted(sums.items())) or "none")


def _meter(amount: int) -> str:
    return f"{amount / 10_000:,.4f}"


def _dollars(amount: int) -> str:
    return f"{amount / 100:,.2f}"
