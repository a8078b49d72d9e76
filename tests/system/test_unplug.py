"""Every device, unplugged and plugged in again at every phase of a round: nothing is lost, nothing comes twice."""

from __future__ import annotations

import asyncio

import pytest

from controller.sim.floor import SimFloor, SimulatedTable
from controller.table.facts import AnyFact, CardOut, Chips, CuttingCard, Key
from hw_sim.loop import run
from tests.system.a_round import DEEDS, LINES, OPTIONS

DEVICES = ("shoe", "sensor.1", "sensor.2", "console", "lamps")
PHASES = range(len(DEEDS))


class Watched:
    """A floor with one table that remembers the facts that acted on it."""

    def __init__(self) -> None:
        self.facts: list[AnyFact] = []
        self.floor = SimFloor(lambda table, seq, fact, state, effects: self.facts.append(fact))

    async def open(self) -> SimulatedTable:
        return await self.floor.open("T1", "casino-war", dict(OPTIONS))

    async def do(self, table: SimulatedTable, n: int) -> None:
        device, verb, args = DEEDS[n]
        table.sim.device(device).do(verb, *args)
        await self.floor.rest()

    def check(self, table: SimulatedTable) -> None:
        r = table.state.round
        assert r is not None and r.outcome == "settled"
        assert {(x.place, x.spot): (x.result, x.net, x.rule) for x in r.lines} == LINES
        happened = [f for f in self.facts if isinstance(f, CardOut | Chips | CuttingCard | Key)]
        assert len(happened) == len(DEEDS)
        assert not table.state.faults


async def back(watched: Watched, table: SimulatedTable, device: str) -> None:
    table.sim.device(device).clear()
    assert await table.service.all_ready()
    await watched.floor.rest()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("phase", PHASES)
def test_unplugged_before_a_deed_and_plugged_in_after_it(device: str, phase: int) -> None:
    async def scenario() -> None:
        watched = Watched()
        table = await watched.open()
        try:
            for n in PHASES:
                if n == phase:
                    table.sim.device(device).fault("unplug")
                    await asyncio.sleep(1)
                    assert device in table.state.faults
                await watched.do(table, n)
                if n == phase:
                    await back(watched, table, device)
            watched.check(table)
        finally:
            await watched.floor.close()

    run(scenario())


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("phase", PHASES)
def test_pulled_out_while_the_deed_is_on_the_wire(device: str, phase: int) -> None:
    async def scenario() -> None:
        watched = Watched()
        table = await watched.open()
        try:
            for n in PHASES:
                name, verb, args = DEEDS[n]
                table.sim.device(name).do(verb, *args)
                if n == phase:
                    for _ in range(n % 4):  # some callbacks later: before, within and after the acknowledgement
                        await asyncio.sleep(0)
                    table.sim.device(device).fault("unplug")
                    await asyncio.sleep(0.02)
                    await back(watched, table, device)
                await watched.floor.rest()
            watched.check(table)
        finally:
            await watched.floor.close()

    run(scenario())


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("steps", range(0, 24, 3))
def test_unplugged_during_start_up(device: str, steps: int) -> None:
    async def scenario() -> None:
        watched = Watched()
        opening = asyncio.ensure_future(watched.open())
        for _ in range(steps):
            await asyncio.sleep(0)
        table = watched.floor.tables["T1"] if watched.floor.tables else None
        if table is None:
            table = await opening
        table.sim.device(device).fault("unplug")
        await asyncio.sleep(0.5)
        table.sim.device(device).clear()
        await opening
        try:
            assert await table.service.all_ready()
            await watched.floor.rest()
            for n in PHASES:
                await watched.do(table, n)
            watched.check(table)
        finally:
            await watched.floor.close()

    run(scenario())


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("phase", range(0, len(DEEDS), 3))
@pytest.mark.parametrize("wait", [0.0, 0.05, 0.12, 0.25])
def test_unplugged_again_during_the_reconnect(device: str, phase: int, wait: float) -> None:
    async def scenario() -> None:
        watched = Watched()
        table = await watched.open()
        try:
            for n in PHASES:
                if n == phase:
                    table.sim.device(device).fault("unplug")
                await watched.do(table, n)
                if n == phase:
                    for _ in range(4):
                        table.sim.device(device).clear()
                        await asyncio.sleep(wait)
                        table.sim.device(device).fault("unplug")
                        await asyncio.sleep(0.03)
                    await back(watched, table, device)
            watched.check(table)
        finally:
            await watched.floor.close()

    run(scenario())


FAULTS = [
    ("split",),
    ("drop", "3"),
    ("corrupt", "3"),
    ("duplicate", "3"),
    ("reorder", "3"),
    ("delay", "40ms"),
    ("babble",),
    ("hang",),
    ("power",),
]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f[0])
def test_a_bad_wire_changes_nothing(device: str, fault: tuple[str, ...]) -> None:
    """From the first deed to the last the wire is bad; a device that hangs comes back before the next deed."""

    async def scenario() -> None:
        watched = Watched()
        table = await watched.open()
        try:
            for n in PHASES:
                table.sim.device(device).fault(*fault)
                await watched.do(table, n)
                await back(watched, table, device)
            watched.check(table)
        finally:
            await watched.floor.close()

    run(scenario())
