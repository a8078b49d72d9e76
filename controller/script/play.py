"""Plays a script: every line is done at the simulated devices, and the table answers for itself."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec

from controller.script import model
from controller.script.compare import Comparison
from controller.script.deeds import Deeds
from controller.script.expect import check
from controller.script.record import RunRecord
from controller.sim.floor import SimFloor, SimulatedTable
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table
from controller.tournament.record import Tournament
from hw_sim.loop import JumpLoop
from hw_sim.loop import run as run_virtually


class Failure(msgspec.Struct, frozen=True):
    """What did not go as it should: an expectation, a device that shows something else, a defect of the table."""

    line: int
    what: str
    instead: str


class Played(msgspec.Struct):
    """How one run of a script went."""

    script: str
    case: str | None
    game: str
    record: RunRecord
    tables: dict[str, Table]
    tournaments: list[Tournament] = []
    failed: list[Failure] = []
    seen: list[tuple[model.Line, int, int]] = []  # line, prompts and refusals before it


class Spectator:
    """Somebody who looks on while a script is played; this one looks away."""

    def follow(self, name: str, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        """Sees a fact, and the table after it."""

    def line_done(self, tables: Mapping[str, Table]) -> None:
        """Sees how the tables stand after a line."""


NOBODY: Final = Spectator()


def play(script: str, run: model.Run, spectator: Spectator = NOBODY) -> Played:
    """Plays one run on fresh tables."""
    return run_virtually(Player(script, run, spectator).play())


def virtual_runner() -> asyncio.Runner:
    """Returns what runs a player's lines one by one, on a clock that jumps."""
    return asyncio.Runner(loop_factory=JumpLoop)


class Player:
    """Plays the lines of one run in their order, and keeps what failed."""

    def __init__(self, script: str, run: model.Run, spectator: Spectator = NOBODY) -> None:
        self.run = run
        self.record = RunRecord()
        self._spectator = spectator
        self.floor = SimFloor(self._follow)
        first = run.lines[0] if run.lines else None
        game = first.game if isinstance(first, model.TableLine | model.TournamentLine) else ""
        self.played = Played(script, run.case, game, self.record, {})
        self.record.attend(self.floor.desks)
        self._deeds = Deeds(self.floor, self.record)
        self._comparisons: dict[str, Comparison] = {}  # by table

    async def play(self) -> Played:
        """Plays all lines, up to one that the table could not follow."""
        try:
            for line in self.run.lines:
                if not await self.do(line):
                    break
            self.look()
        finally:
            await self.floor.close()
        return self.played

    async def do(self, line: model.Line) -> bool:
        """Plays one line; False when the table could not follow it."""
        self.played.seen.append((line, len(self.record.prompts), len(self.record.refused)))
        if isinstance(line, model.ExpectLine):
            self._expect(line)
            return True
        self.record.begin(line.number, line.text)
        await self._deeds.do(line)
        if defect := self._defect():
            self._fail(line, defect)
            return False
        self._compare(line)
        self._spectator.line_done({name: table.state for name, table in self.floor.tables.items()})
        return True

    def look(self) -> None:
        """Keeps how the tables stand now."""
        refused = {name: Table() for name in self.floor.refused}
        self.played.tables = refused | {name: table.state for name, table in self.floor.tables.items()}
        self.played.tournaments = [desk.cup for desk in self.floor.desks.by_name.values() if desk.cup is not None]

    def _follow(self, table: SimulatedTable, seq: int, fact: AnyFact, after: Table, effects: list[AnyEffect]) -> None:
        self.record.follow(table.name, after, effects)
        self._spectator.follow(table.name, seq, fact, after, effects)

    def _fail(self, line: model.Line, what: str) -> None:
        self.played.failed.append(Failure(line.number, line.text, what))

    def _expect(self, line: model.ExpectLine) -> None:
        table = self.floor.tables.get(line.table)
        if instead := check(line, self.record, table.state if table is not None else Table()):
            self._fail(line, instead)

    def _defect(self) -> str:
        """Returns why a table could not follow a fact: it must not look as if nothing happened."""
        for table in self.floor.tables.values():
            if (defect := table.service.engine.defect) is not None:
                return f"{defect.code}: {defect.cause}"
            if table.service.engine.defects:
                return f"table.defect: {table.service.engine.defects[0]}"
        return ""

    def _compare(self, line: model.Line) -> None:
        """Compares every device that can be reached with what its table wants shown there."""
        for table in self.floor.tables.values():
            if table.name not in self._comparisons:
                self._comparisons[table.name] = Comparison(table)
            for difference in self._comparisons[table.name].new_differences():
                self._fail(line, difference)
