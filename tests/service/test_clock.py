"""A clock that is set: the table's time runs on, the record says what happened."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from controller.config.load import load_config
from controller.games import defaults, step
from controller.journal import Duplicate, Entry, InlineWriter, Journal, JournalError, Record
from controller.service.clock import LONGEST_ABSENCE, STEP, SystemClocks, TableClock
from controller.service.clock_trust import ClockTrust
from controller.service.engine import Engine
from controller.service.timekeeper import Timekeeper
from controller.table import facts
from controller.table.effects import Refused
from controller.table.facts import (
    SYNCHRONISED,
    UNKNOWN,
    UNSYNCHRONISED,
    Amend,
    Badge,
    Chips,
    ClockStepped,
    Key,
    Noted,
    Spot,
    Started,
    Tick,
    Trust,
)
from controller.table.state import Table, decode, encode
from controller.views.fact_text import tell
from tests.daemon.house import table_toml
from tests.service.clocks import Clocks, poker, table, until
from tests.table.telling import Telling

HOUR = 3600.0
MICROSECONDS = 1_000_000


# ---- in the whole daemon


async def test_a_clock_that_is_ahead_for_a_moment_neither_ends_nor_stops_a_time_to_act(tmp_path: Path) -> None:
    clocks = Clocks()
    async with table(poker(tmp_path, act_time="30s"), clocks.system()) as t:
        await t.dealt()
        clocks.set(HOUR)
        await t.press("reserved", "4")
        assert not t.facts(Tick) and t.told("6.15") == 0
        clocks.set(-HOUR)
        await t.press("reserved", "4", "off")
        before = t.engine.table.now
        clocks.passes(31)
        await until(lambda: t.told("6.15") == 1)
        assert before < t.engine.table.now < before + HOUR * MICROSECONDS
        ahead, back = t.facts(ClockStepped)
        assert round((ahead.after - ahead.before) / MICROSECONDS, 1) == HOUR
        assert round((back.after - back.before) / MICROSECONDS, 1) == -HOUR


@pytest.mark.parametrize("returns", ["before the stop", "while it is away", "after the start"])
async def test_a_clock_that_is_ahead_around_a_restart(tmp_path: Path, returns: str) -> None:
    clocks = Clocks()
    config = poker(tmp_path, act_time="30s")
    async with table(config, clocks.system()) as t:
        await t.dealt()
        clocks.set(HOUR)
        await t.press("reserved", "4")
        if returns == "before the stop":
            clocks.set(-HOUR)
    if returns == "while it is away":
        clocks.set(-HOUR)
    async with table(config, clocks.system()) as t:
        if returns == "after the start":
            clocks.set(-HOUR)
            await t.press("reserved", "4", "off")
        assert t.told("6.15") == 0
        clocks.passes(31)
        await until(lambda: t.told("6.15") == 1)
        assert abs(t.engine.table.ahead) < MICROSECONDS
        assert len(t.facts(ClockStepped)) == 2


async def test_a_notice_counts_the_minutes_that_passed(tmp_path: Path) -> None:
    clocks = Clocks()
    async with table(load_config(table_toml(tmp_path)), clocks.system()) as t:
        await t.engine.submit(Badge("area-manager"))
        await t.press("seat", "1")
        await t.press("notice", "min=25")
        clocks.set(HOUR)
        await t.press("set", "min=25")
        assert t.engine.table.options["min"] == "5"
        clocks.passes(20 * 60)
        clocks.set(-HOUR)
        await t.press("set", "min=25")
        assert t.engine.table.options["min"] == "25"


async def test_records_carry_the_time_of_day(tmp_path: Path) -> None:
    clocks = Clocks()
    async with table(load_config(table_toml(tmp_path)), clocks.system()) as t:
        for by in (HOUR, -2 * HOUR):
            clocks.set(by)
            await t.press("seat", "1")
            wall, _ = clocks.system().read()
            stepped, pressed = list(t.daemon.journal.iterate(t.engine.seq - 1))
            assert isinstance(facts.decode(stepped.payload), ClockStepped)
            assert abs(wall - pressed.at_us) < HOUR * MICROSECONDS / 2


async def test_a_journal_with_steps_is_replayed_to_the_same_table(tmp_path: Path) -> None:
    clocks = Clocks()
    async with table(poker(tmp_path, act_time="30s"), clocks.system()) as t:
        await t.dealt()
        clocks.set(HOUR)
        await t.press("act", "3", "call")
        clocks.set(-2 * HOUR)
        await t.press("act", "1", "call")
        replayed = Table()
        for record in t.daemon.journal.iterate(1):
            replayed, _ = step(replayed, record.seq, record.at_us, facts.decode(record.payload))
        assert encode(replayed) == encode(t.engine.table)


# ---- the clock


class Hands:
    """Clocks that stand still."""

    def __init__(self) -> None:
        self.wall, self.monotonic = 1_000 * MICROSECONDS, 7 * MICROSECONDS

    def system(self) -> SystemClocks:
        return SystemClocks(lambda: self.wall * 1000, lambda: self.monotonic * 1000)


def test_it_runs_by_the_monotonic_clock() -> None:
    hands, journal = Hands(), Journal.open(None, table="T1")
    clock, steps = TableClock(journal, hands.system()), list[ClockStepped]()
    clock.on_step = steps.append
    assert clock() == 1_000 * MICROSECONDS
    hands.monotonic += 5
    assert clock() == 1_000 * MICROSECONDS + 5
    hands.wall += STEP
    assert clock() == 1_000 * MICROSECONDS + 5 and not steps  # no step yet
    hands.wall += 10
    assert clock() == hands.wall
    assert steps == [ClockStepped(1_000 * MICROSECONDS + 5, hands.wall, hands.monotonic)]
    journal.close()


@pytest.mark.parametrize(
    ("latest", "trust", "steps"),
    [
        (0, SYNCHRONISED, 0),
        (LONGEST_ABSENCE, SYNCHRONISED, 0),
        (-1_000 * MICROSECONDS, SYNCHRONISED, 1),
        (LONGEST_ABSENCE + 1, SYNCHRONISED, 1),
        (0, UNSYNCHRONISED, 0),
        (MICROSECONDS, UNSYNCHRONISED, 1),
        (MICROSECONDS, UNKNOWN, 1),
    ],
)
def test_where_it_goes_on_after_another_start_of_the_computer(latest: int, trust: Trust, steps: int) -> None:
    """A wall clock that a time server keeps right has counted meanwhile, unless that cannot be."""
    hands, journal = Hands(), Journal.open(None, table="T1")
    hands.wall += LONGEST_ABSENCE
    journal.append([Entry(hands.wall - latest, b"a fact")])
    clock, told = TableClock(journal, replace(hands.system(), trust=lambda: ClockTrust(trust))), list[ClockStepped]()
    clock.on_step = told.append
    assert clock() == hands.wall
    assert told == [ClockStepped(hands.wall - latest, hands.wall, hands.monotonic, away=True)] * steps
    journal.close()


async def test_a_step_that_could_not_be_stored_is_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    hands, journal = Hands(), Journal.open(None, table="T1")
    clock = TableClock(journal, hands.system())
    engine = Engine(journal, InlineWriter(journal, on_failure=lambda _: clock.unrecorded()), clock)
    keeper = Timekeeper(engine, clock)
    await engine.start(Started("casino-war", defaults("casino-war")))
    began = engine.table.now

    def full(batch: Sequence[Entry]) -> list[Record | Duplicate]:
        raise JournalError("journal.full", "no space")

    with monkeypatch.context() as broken:
        broken.setattr(journal, "append", full)
        hands.wall += 3_600 * MICROSECONDS
        with pytest.raises(JournalError):
            await engine.submit(Key("seat", ("1",)))
        assert keeper.now() == began
        with pytest.raises(JournalError):
            await engine.submit(Key("seat", ("1",)))
    await engine.submit(Key("seat", ("1",)))
    assert (engine.table.now, engine.table.ahead, keeper.now()) == (began, 3_600 * MICROSECONDS, began)
    recorded = [facts.decode(record.payload) for record in journal.iterate(2)]
    assert [type(fact) for fact in recorded] == [ClockStepped, Key]
    journal.close()


async def test_a_tick_that_could_not_be_stored_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.service.timekeeper.PAUSE", 0.01)
    clocks = Clocks()
    async with table(poker(tmp_path, act_time="30s"), clocks.system()) as t:
        await t.dealt()
        append, failed = t.daemon.journal.append, asyncio.Event()

        def full(batch: Sequence[Entry]) -> list[Record | Duplicate]:
            failed.set()
            raise JournalError("journal.full", "no space")

        monkeypatch.setattr(t.daemon.journal, "append", full)
        clocks.passes(31)
        await until(failed.is_set)
        monkeypatch.setattr(t.daemon.journal, "append", append)
        await until(lambda: t.told("6.15") == 1)


# ---- the fact


def test_a_step_of_the_clock_in_a_round_is_no_part_of_the_game() -> None:
    t = Telling()
    t.bet(1, war=10)
    t.at = 5_000
    t.tell(ClockStepped(1_000, 5_000))
    assert (t.table.now, t.table.ahead) == (1_000, 4_000)
    target = t.seq
    t.at = 6_000
    t.tell(Chips(2, (Spot("war", 1, 1000),)))
    assert t.table.now == 2_000
    (no,) = t.tell(Amend(target, None))
    assert isinstance(no, Refused) and "clock" in no.why
    first = t.table.history[0].seq
    t.tell(Amend(first, Chips(1, (Spot("war", 1, 2000),))))
    assert (t.table.now, t.table.ahead) == (2_000, 4_000)


def test_another_start_keeps_the_time() -> None:
    t = Telling()
    t.at = 5_000
    t.tell(ClockStepped(1_000, 5_000))
    t.tell(Started("casino-war", defaults("casino-war") | {"min": "10"}))
    assert (t.table.now, t.table.ahead, t.table.options["min"]) == (1_000, 4_000, "10")


def test_time_never_goes_back() -> None:
    t = Telling()
    t.at = 5_000
    t.tell(Noted("shoe", "anything"))
    t.at = 4_000
    t.tell(Noted("shoe", "anything"))
    assert t.table.now == 5_000


@pytest.mark.parametrize("far", [(1 << 63) - 1, -(1 << 63)])
def test_no_step_is_so_large_that_the_table_could_not_be_kept(far: int) -> None:
    t = Telling()
    for _ in range(4):
        t.tell(ClockStepped(0, far))
        t.tell(Noted("shoe", "anything"))
    assert decode(encode(t.table)) == t.table


def test_the_record_says_it_in_words() -> None:
    told = tell(ClockStepped(0, 3_600 * MICROSECONDS))
    assert told == "the machine's clock was set: 1970-01-01T00:00:00.000+00:00 became 1970-01-01T01:00:00.000+00:00"
    assert "-9223372036855 s became" in tell(ClockStepped(-(1 << 63), 0))
    fact = ClockStepped(1, 2)
    assert facts.decode(facts.encode(fact)) == fact
