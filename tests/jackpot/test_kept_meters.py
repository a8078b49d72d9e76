"""Every script of a Jackpot once more with a prize meter system behind the table: it is told all, once, and agrees.

`own`: the table judges and the system must come to the same; `shared`: the system judges and the table waits for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
import structlog
from msgspec.structs import replace

from controller.jackpot import linking
from controller.jackpot.ledger import Note
from controller.jackpot.stores import migrations
from controller.jackpot.stores.books import Books
from controller.jackpot.stores.sqlite import _books, _run
from controller.jackpot.stores.store import Recorded, StoreError
from controller.script import Run, parse
from controller.script import play as plays
from controller.script.model import Line, TableLine
from controller.script.report import to_text
from controller.sim import floor as floors
from controller.sim.floor import FloorListener, SimFloor, SimulatedTable
from controller.table.facts import HouseChanged, MeterIs, MeterTold, Started

T = TypeVar("T")
RULES = Path(__file__).parent.parent / "rules"
BY_PEOPLE = "close-jackpot"  # two people do that to a system, not a key
BY = ("one", "other")


def with_a_meter(path: Path) -> list[Run]:
    """The runs of a script in which a table offers a Jackpot, but not those in which people close a system."""
    text = path.read_text(encoding="utf-8")
    if "jackpot=" not in text:
        return []
    offered = [run for run in parse(text, path.name).runs if any(offers_a_jackpot(line) for line in run.lines)]
    return [run for run in offered if not any(BY_PEOPLE in line.text for line in run.lines)]


def offers_a_jackpot(line: Line) -> bool:
    """Whether a table starts here with a prize meter."""
    return isinstance(line, TableLine) and any(o.name == "jackpot" and o.text != "none" for o in line.options)


SCRIPTS = {
    path.relative_to(RULES).as_posix(): runs for path in sorted(RULES.rglob("*.felt")) if (runs := with_a_meter(path))
}


class KeptFloor(SimFloor):
    """A floor whose meters are in the books of a real store."""

    def __init__(self, listener: FloorListener) -> None:
        super().__init__(listener)
        self.db = sqlite3.connect(":memory:", isolation_level=None)
        for sql in migrations.steps("sqlite").values():
            self.db.executescript(sql)

    def do(self, deed: Callable[[Books], Coroutine[Any, Any, T]]) -> T:
        return _run(deed(_books(self.db)))

    async def join(self, table: SimulatedTable) -> None:
        table.joined = table.group
        await self.tell_systems()

    def set_meter(self, by: SimulatedTable | None, value: int, group: str = "") -> None:
        """What a table did to its meter it tells itself; only a script's own word is an adjustment."""
        if by is None:
            meter = self.do(lambda b: b.meter(group))
            self.do(lambda b: b.adjust(group, value - meter.value, Note("a script says so", BY)))

    async def rest(self, at_least: float = 0.0) -> None:
        await super().rest(at_least)
        while [table for table in self.tables.values() if self.carry(table)]:
            await super().rest()

    def carry(self, table: SimulatedTable) -> bool:
        """As the meter synchronisation does; whether there was something to do."""
        state, group = table.state, table.group
        terms = state.options.typed.terms
        if terms is None or not group:
            return False
        if not state.jackpot.joined:
            self.tell(table, self.joined(table, group))
            return True
        if state.jackpot.outbox:
            self.tell(table, self.do(lambda b: b.record(group, table.name or "table", state.jackpot.outbox)))
            return True
        meter = self.do(lambda b: b.meter(group))
        if meter.terms != terms:
            table.service.engine.submit(HouseChanged("jackpot-option", str(meter.terms.option)))
            table.service.engine.submit(HouseChanged("jackpot-reset", str(meter.terms.reset)))
        elif meter.value != state.jackpot.meter:
            table.service.engine.submit(MeterIs(meter.value, state.options.typed.group))
        return meter.value != state.jackpot.meter

    def joined(self, table: SimulatedTable, group: str) -> Recorded:
        state, name = table.state, table.name or "table"
        terms = state.options.typed.terms
        assert terms is not None
        meters = self.do(lambda b: b.meters())
        for meter in meters if any(meter.group == group for meter in meters) else ():
            wanted = replace(terms, cost=terms.cost if meter.group == group else meter.terms.cost)
            if meter.terms != wanted:
                note = Note("set at a table", BY, terms=wanted)
                self.do(partial(Books.change_terms, group=meter.group, note=note))
        described = linking.described(terms, [], [state.game])
        self.do(lambda b: b.meet(group, terms, None, 0))
        recorded = self.do(lambda b: b.join(group, name, described, state.jackpot.recorded, ""))
        return self.do(lambda b: b.record(group, name, state.jackpot.outbox)) if state.jackpot.outbox else recorded

    def tell(self, table: SimulatedTable, said: Recorded) -> None:
        group = table.state.options.typed.group
        told = MeterTold(group, said.last, said.meter.value, said.meter.terms, tuple(said.awards.items()))
        for movement in table.state.jackpot.outbox:
            award = said.awards.get(movement.number)
            if award is not None and table.state.jackpot.keeper == "own":
                assert movement.ticks == award.after - award.at
        table.service.engine.submit(told)

    async def close(self) -> None:
        await self.rest()
        for meter in self.do(lambda b: b.meters()):
            assert meter.wrong() == ""
            for table in self.tables.values():
                if table.state.game and table.group == meter.group:
                    assert table.state.jackpot.meter == meter.value
                    assert table.state.jackpot.outbox == []
        self.db.close()
        await super().close()


@pytest.fixture(autouse=True)
def _no_logs() -> Iterator[None]:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
    yield
    structlog.reset_defaults()


@pytest.mark.parametrize("keeper", ["own", "shared"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_the_system_agrees_with_the_table(script: str, keeper: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floors, "Started", partial(Started, meter=keeper))
    monkeypatch.setattr(plays, "SimFloor", KeptFloor)
    for run in SCRIPTS[script]:
        try:
            played = plays.play(script, run)
        except StoreError as error:
            pytest.fail(f"{error.code}: {error.cause}")
        if played.failed:
            pytest.fail("\n".join(["", *to_text(played)]), pytrace=False)
