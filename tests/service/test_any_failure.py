"""Whatever fails, in whatever order, on every wire: nothing is acknowledged before it is stored, no gap is unseen."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.config.load import load_config
from controller.sim.addresses import simulated_table
from hw_sim.table import SimTable
from tests.searches import times
from tests.service.failing import Table, config_text, table, until
from tests.service.test_disk_fails import WIRES, Auditor

CARDS: Final = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
# A life of the daemon is what happens until it is started again; a run is some lives of it on the same devices.
STEP: Final = st.sampled_from(
    ["draw", "draw", "draw", "press", "fail", "drop", "reorder", "duplicate", "unplug", "wait"]
)
LOSSES: Final = ("drop", "reorder", "duplicate", "unplug")
VENDORS: Final = ("angel-eye",)  # no memory of their own: what is lost on their wire, or behind it, nobody brings back
LIVES: Final = st.lists(st.lists(STEP, min_size=8, max_size=14), min_size=1, max_size=3)


class Run:
    """One run: the devices outlive the daemons."""

    def __init__(self, path: Path, sim: SimTable, *, remembers: bool) -> None:
        self._path, self._sim, self._remembers = path, sim, remembers
        self._deck: Iterator[str] = iter(CARDS)
        self._refusals = 0
        self.drawn: list[str] = []
        self.beyond: list[tuple[str, int, int]] = []

    async def live(self, steps: list[str], *, last: bool) -> None:
        """Runs the daemon while these things happen; the last time until everything is there."""
        async with table(self._path, self._sim) as t:
            auditor = Auditor(t)
            t.disk.chance = self._refuses
            await until(t.ready)
            for step in steps:
                await self._happen(t, step)
            if last or not self._remembers:
                self._refusals = 0
                t.sim.device("shoe").clear()
                await until(lambda: len(t.cards()) >= len(self.drawn))
                await t.rest()
                self._check(t)
            self.beyond += auditor.beyond

    def _refuses(self) -> bool:
        """Tells whether the disk refuses a commit: the next one after each failure."""
        refuses = self._refusals > 0
        self._refusals -= refuses
        return refuses

    async def _happen(self, t: Table, step: str) -> None:
        shoe = t.sim.device("shoe")
        if step in LOSSES and not self._remembers:
            step = "wait"
        match step:
            case "draw":
                self.drawn.append(next(self._deck))
                shoe.do("draw", self.drawn[-1])
            case "fail":
                self._refusals += 1
            case "press":
                t.sim.device("console").do("press", "count", "7")
            case "drop" | "reorder" | "duplicate":
                shoe.fault(step)
            case "unplug":
                shoe.fault("unplug")
                await asyncio.sleep(0)
                shoe.clear()
            case _:
                await until(t.ready)

    def _check(self, t: Table) -> None:
        assert t.cards() == self.drawn
        assert not t.daemon.service.engine.table.holds
        for name, device in t.daemon.service.fleet.devices.items():
            assert device.state.identity is not None
            assert t.daemon.journal.seen(name, device.state.identity.epoch).gaps == ()


async def _run(wire: str, lives: list[list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = config_text(Path(folder), WIRES[wire])
        async with simulated_table(load_config(path)) as (sim, _):
            run = Run(path, sim, remembers=wire not in VENDORS)
            for number, steps in enumerate(lives, start=1):
                await run.live(steps, last=number == len(lives))
            assert run.beyond == []


@pytest.mark.parametrize("wire", WIRES)
def test_everything_arrives_once_in_order_and_nothing_is_acknowledged_before(wire: str) -> None:
    @settings(max_examples=times(4), deadline=None, derandomize=True, database=None)
    @given(LIVES)
    def search(lives: list[list[str]]) -> None:
        asyncio.run(_run(wire, lives))

    search()
