"""A journal that went back is told, holds the table, and a person decides: its devices know better."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.config.load import load_config
from controller.sim.addresses import simulated_table
from controller.table.facts import Key, Missed
from controller.table.view import gate
from hw_sim.models.shoe import Shoe
from hw_sim.table import SimDevice, SimTable
from tests.people.everybody import sign_in
from tests.service.failing import Table, config_text, table, until

BEHIND, GAP = "journal.behind", "device.gap"


@asynccontextmanager
async def hardware(path: Path) -> AsyncIterator[SimTable]:
    """Devices that outlive the daemon."""
    async with simulated_table(load_config(path)) as (sim, _):
        yield sim


async def come_to_rest(t: Table) -> None:
    await until(t.ready)
    await t.rest()


async def a_round(t: Table, *cards: str) -> None:
    """A wager, and some cards of the round."""
    await come_to_rest(t)
    t.sim.device("sensor.1").do("bet", {("war", 1): 1000})
    await t.rest()
    t.sim.device("console").do("press", "no-more-bets")
    await t.rest()
    for card in cards:
        t.sim.device("shoe").do("draw", card)
        await t.rest()


def state(t: Table):  # type: ignore[no-untyped-def]
    return t.daemon.service.engine.table


def held(t: Table) -> set[tuple[str, str]]:
    return {(hold.code, hold.device) for hold in state(t).holds.values()}


async def ruled(t: Table, key: str) -> None:
    sign_in(t.sim.device("console").do, "supervisor")
    t.sim.device("console").do("press", key)
    await until(lambda: not state(t).holds)
    await t.rest()


async def keys(t: Table, *words: str) -> None:
    for word in words:
        t.sim.device("console").do("press", word)
        await t.rest()


async def lost_log(path: Path, sim: SimTable) -> None:
    """The power goes, and somebody deletes the write-ahead log: what was not copied from it yet is gone."""
    journal, early = path.parent / "state/journal.db", path.parent / "early.db"
    async with table(path, sim) as t:
        await come_to_rest(t)
        await a_round(t, "Kh")
        shutil.copy(journal, early)
    shutil.copy(early, journal)


async def older_copy(path: Path, sim: SimTable) -> None:
    """The whole state directory is put back as it was before the round."""
    async with table(path, sim) as t:
        await come_to_rest(t)
        await keys(t, "count 312")
    shutil.copytree(path.parent / "state", path.parent / "copy")
    async with table(path, sim) as t:
        await a_round(t, "Kh")
    shutil.rmtree(path.parent / "state")
    (path.parent / "copy").rename(path.parent / "state")


async def moved_away(path: Path, sim: SimTable) -> None:
    async with table(path, sim) as t:
        await a_round(t, "Kh")
    (path.parent / "state/journal.db").rename(path.parent / "elsewhere.db")


@pytest.mark.parametrize("happened", [lost_log, older_copy, moved_away])
async def test_a_table_in_the_past_says_so_and_waits_for_a_person(tmp_path: Path, happened) -> None:  # type: ignore[no-untyped-def]
    path = config_text(tmp_path)
    async with hardware(path) as sim:
        await happened(path, sim)
        async with table(path, sim) as t:
            await come_to_rest(t)
            await until(lambda: (BEHIND, "shoe") in held(t))
            assert {code for code, _ in held(t)} == {BEHIND}
            text = next(hold.text for hold in state(t).holds.values() if hold.device == "shoe")
            assert "up to 1 are stored" in text and "the journal has them up to 0" in text
            assert not gate(state(t), t.daemon.service.engine.game, "bets").open
            assert not gate(state(t), t.daemon.service.engine.game, "deal").open
            told = [prompt for prompt in state(t).prompts if "resume" in prompt.offers]
            assert [prompt.role for prompt in told] == ["supervisor"]  # one cause, however many devices say so
        async with table(path, sim) as t:  # a restart is no ruling
            await come_to_rest(t)
            assert (BEHIND, "shoe") in held(t)
            before = [fact for fact in t.told() if isinstance(fact, Missed)]
            await ruled(t, "resume")
            assert Key("resume") in t.told()
        async with table(path, sim) as t:  # and the ruling stands
            await come_to_rest(t)
            assert not held(t)
            assert [fact for fact in t.told() if isinstance(fact, Missed)] == before
            await a_round(t, "9d", "2c")
            assert t.cards()[-2:] == ["9d", "2c"]


async def test_nothing_is_said_of_an_honest_restart(tmp_path: Path) -> None:
    path = config_text(tmp_path)
    async with hardware(path) as sim:
        for cards in (("Kh",), ()):
            async with table(path, sim) as t:
                await (a_round(t, *cards) if cards else come_to_rest(t))
                assert not held(t)
                assert not any(isinstance(fact, Missed) for fact in t.told())


def swap(sim: SimTable, used: int) -> None:
    """Another shoe takes its place; so many of its events were acknowledged elsewhere."""
    old = sim.device("shoe")
    old.stop()
    new = SimDevice("shoe", Shoe(), sim.cabling.wire("pty", "spare"), seed=4711)
    new.board.end._last = used
    sim.devices["shoe"] = new
    new.start()


@pytest.mark.parametrize("used", [0, 500])
async def test_another_device_in_its_place_does_not_hold_the_table(tmp_path: Path, used: int) -> None:
    """Its memory is another one: what it told elsewhere is no gap of this table, but it is on record."""
    path = config_text(tmp_path)
    async with hardware(path) as sim:
        async with table(path, sim) as t:
            await a_round(t, "Kh")
        swap(sim, used)
        async with table(path, sim) as t:
            await come_to_rest(t)
            assert not held(t)
            identity = t.daemon.service.fleet.devices["shoe"].state.identity
            assert identity is not None
            missed = [fact for fact in t.told() if isinstance(fact, Missed)]
            expected = [(identity.epoch, 500, "")] if used else []
            assert [(fact.epoch, fact.counter, fact.code) for fact in missed] == expected
            t.sim.device("shoe").do("draw", "9d")
            await t.rest()
            assert t.cards() == ["Kh", "9d"]
            assert t.daemon.service.fleet.gaps.resume("shoe") == (identity.epoch, used + 1)


async def test_a_device_that_loses_an_event_while_the_table_runs_is_a_gap(tmp_path: Path) -> None:
    path = config_text(tmp_path)
    async with hardware(path) as sim, table(path, sim) as t:
        await a_round(t, "Kh")
        shoe = sim.device("shoe")
        shoe.fault("unplug")
        await until(lambda: t.daemon.service.fleet.devices["shoe"].state.phase != "ready")
        shoe.do("draw", "9d")
        shoe.do("draw", "2c")
        shoe.board.end._memory.popleft()
        shoe.clear()
        await until(lambda: (GAP, "shoe") in held(t))
        await t.rest()
        assert t.cards() == ["Kh", "2c"]  # what it still has is on record all the same
        assert "its events 2 were never stored" in next(iter(state(t).holds.values())).text
        await ruled(t, "void")
        assert state(t).round.outcome == "void"
