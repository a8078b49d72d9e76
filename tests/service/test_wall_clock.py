"""A clock that cannot be believed: named, on record, with a way out; and never a reason for time to be over."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.config.load import load_config
from controller.people.sessions import SignedInSession
from controller.service.clock_rate import ClockRate
from controller.service.clock_trust import BOOT_ID, KERNEL, ClockTrust, boot_id, system_trust
from controller.service.clock_watch import EVERY
from controller.table.facts import (
    SYNCHRONISED,
    UNKNOWN,
    UNSYNCHRONISED,
    Badge,
    ClockChecked,
    ClockConfirmed,
    ClockStepped,
    DeviceCleared,
    DeviceFault,
    Started,
)
from controller.table.wall_clock import CLOCK, DAY, EARLIEST, SECOND, WallClock, confirmed, doubted
from tests.daemon.house import table_toml
from tests.service.clocks import Clocks, Table, table, until

MINUTE = 60.0
HOUR = 3600.0


def doubts(t: Table) -> list[str]:
    return list(t.engine.table.faults.get(CLOCK, {}))


async def announced(t: Table) -> None:
    await t.engine.submit(Badge("area-manager"))
    await t.press("seat", "1")
    await t.press("notice", "min=25")


async def wishes(t: Table) -> str:
    """What the minimum is after somebody has tried to put the notice in force."""
    await t.engine.submit(Badge("area-manager"))
    await t.press("set", "min=25")
    return t.engine.table.options["min"]


# ---- through restarts


@pytest.mark.parametrize("trust", [SYNCHRONISED, UNSYNCHRONISED])
async def test_setting_the_clock_ahead_during_a_restart_shortens_no_notice(tmp_path: Path, trust: str) -> None:
    clocks, config = Clocks(), load_config(table_toml(tmp_path))
    clocks.trust = SYNCHRONISED if trust == SYNCHRONISED else UNSYNCHRONISED
    async with table(config, clocks.system()) as t:
        await announced(t)
    clocks.set(20 * MINUTE)
    async with table(config, clocks.system()) as t:
        assert await wishes(t) == "5"
        (step,) = t.facts(ClockStepped)
        assert round((step.after - step.before) / SECOND) == 20 * MINUTE and not step.away
    clocks.set(-20 * MINUTE)  # and put right while it is away once more
    clocks.passes(19 * MINUTE)
    async with table(config, clocks.system()) as t:
        assert await wishes(t) == "5"
    clocks.passes(2 * MINUTE)
    async with table(config, clocks.system()) as t:
        assert await wishes(t) == "25"
        assert abs(t.engine.table.ahead) < SECOND


async def test_a_restart_counts_what_passed_although_the_clock_went_back(tmp_path: Path) -> None:
    clocks, config = Clocks(), load_config(table_toml(tmp_path))
    async with table(config, clocks.system()) as t:
        await announced(t)
    clocks.set(-HOUR)
    clocks.passes(21 * MINUTE)
    async with table(config, clocks.system()) as t:
        assert await wishes(t) == "25"


async def test_a_step_is_judged_when_it_is_found(tmp_path: Path) -> None:
    """A start with a clock that was set is told what is wrong with it now, not what was wrong before."""
    clocks, config = Clocks(), load_config(table_toml(tmp_path))
    async with table(config, clocks.system()):
        pass
    clocks.set(-100 * 24 * HOUR)
    async with table(config, clocks.system()) as t:
        await until(lambda: doubts(t) != [])
    clocks.set(98 * 24 * HOUR)
    async with table(config, clocks.system()) as t:
        await t.do("sensor.1", "bet", {"war": 1000})
        assert t.facts(DeviceFault)[-1].detail.startswith("the clock went back by 2 days")
    clocks.set(10 * 24 * HOUR)
    async with table(config, clocks.system()) as t:
        await t.do("sensor.1", "bet", {"war": 0})
        assert doubts(t) == ["clock.ahead"]


@pytest.mark.parametrize(("trust", "minimum"), [(SYNCHRONISED, "25"), (UNSYNCHRONISED, "5")])
async def test_after_another_start_of_the_computer_only_a_confirmed_clock_counts(
    tmp_path: Path, trust: str, minimum: str
) -> None:
    clocks, config = Clocks(), load_config(table_toml(tmp_path))
    async with table(config, clocks.system()) as t:
        await announced(t)
    clocks.trust = SYNCHRONISED if trust == SYNCHRONISED else UNSYNCHRONISED
    clocks.starts_anew()
    clocks.set(21 * MINUTE)
    async with table(config, clocks.system()) as t:
        assert await wishes(t) == minimum
        assert [step.away for step in t.facts(ClockStepped)] == [True] * (minimum == "5")
        (checked,) = t.facts(ClockChecked)
        assert checked.reading.boot == clocks.boot and checked.reading.trust == trust
        clocks.passes(20 * MINUTE)
        assert await wishes(t) == "25"


@pytest.mark.parametrize(
    ("begins", "code"),
    [
        (lambda now: 0.0, "clock.wrong"),  # in 1970
        (lambda now: 1.75e9, "clock.wrong"),  # when its system was built, before there was a feltd
        (lambda now: now - 2 * HOUR, "clock.behind"),  # at the time that was saved last, before the newest record
    ],
    ids=["1970", "the build", "saved"],
)
async def test_a_computer_without_a_battery_learns_the_time(
    tmp_path: Path, begins: Callable[[float], float], code: str
) -> None:
    """It begins in the past, plays, is told the time, and goes on: nothing is dead, and its days are right then."""
    clocks, config = Clocks(), load_config(table_toml(tmp_path))
    now = clocks.system().wall() / 1e9
    async with table(config, clocks.system()) as t:
        await announced(t)
    clocks.starts_anew()
    clocks.set(begins(now) - now)
    async with table(config, clocks.system()) as t:
        await until(lambda: doubts(t) == [code])
        await t.do("sensor.1", "bet", {"war": 1000})
        clocks.trust = SYNCHRONISED
        clocks.set(now - begins(now))
        clocks.passes(EVERY)
        await until(lambda: t.engine.table.clock.is_confirmed and not doubts(t))
        await t.do("shoe", "draw", "Kh")
        newest = t.daemon.journal.read(t.engine.seq, 1)[0]
        assert abs(newest.at_us / 1e6 - now) < HOUR
        assert t.engine.table.round is not None and t.engine.table.round.closed == "dealt"
        assert await wishes(t) == "5"
        assert t.engine.table.clock.doubt == 0


# ---- while it runs


async def test_every_change_of_trust_is_a_fact_and_a_start_within_it_writes_none(tmp_path: Path) -> None:
    clocks, config = Clocks(), load_config(table_toml(tmp_path))
    async with table(config, clocks.system()) as t:
        (started,) = t.facts(Started)
        assert (started.clock.boot, started.clock.trust) == ("first", UNSYNCHRONISED)
        for trust in (SYNCHRONISED, UNSYNCHRONISED, SYNCHRONISED):
            clocks.trust = trust
            clocks.passes(EVERY)
            await until(lambda: t.engine.table.clock.trust == clocks.trust)
        clocks.passes(EVERY)
        written = len(t.facts(ClockChecked))
        assert written == 3
    async with table(config, clocks.system()) as t:
        assert len(t.facts(ClockChecked)) == 3


async def test_a_step_is_on_record_although_nobody_does_anything(tmp_path: Path) -> None:
    clocks = Clocks()
    async with table(load_config(table_toml(tmp_path)), clocks.system()) as t:
        clocks.set(HOUR)
        clocks.passes(EVERY)
        await until(lambda: len(t.facts(ClockStepped)) == 1)


async def test_a_step_that_is_found_when_the_journal_is_closed_is_on_record_from_the_next_start_on(
    tmp_path: Path,
) -> None:
    config, clocks = load_config(table_toml(tmp_path)), Clocks()
    async with table(config, clocks.system()) as t:
        await t.engine.writer.close()
        clocks.set(HOUR)
        assert t.daemon.service.outputs.wanted_console()  # the console shows the time: nothing is raised
    async with table(config, clocks.system()) as t:
        await until(lambda: len(t.facts(ClockStepped)) == 1)


@pytest.mark.parametrize(("by", "code"), [(-2 * MINUTE, "clock.behind"), (8 * 24 * HOUR, "clock.ahead")])
async def test_a_step_that_cannot_be_believed_is_over_by_a_time_server_or_a_person(
    tmp_path: Path, by: float, code: str
) -> None:
    clocks = Clocks()
    async with table(load_config(table_toml(tmp_path)), clocks.system()) as t:
        clocks.set(by)
        await t.press("seat", "1")
        clocks.passes(EVERY)
        await until(lambda: doubts(t) == [code])
        watch = t.daemon.service.clock_watch
        assert watch is not None
        supervisor = SignedInSession("Vera", "supervisor", "socket", 1000, 0, 0, "")
        await watch.confirm(supervisor, "my telephone says the same")
        await until(lambda: not doubts(t))
        (fact,) = t.facts(ClockConfirmed)
        assert (fact.person, fact.role) == ("Vera", "supervisor")
        clocks.set(by)  # her word holds for that time alone
        await t.press("seat", "2")
        clocks.passes(EVERY)
        await until(lambda: doubts(t) == [code])
        clocks.trust = SYNCHRONISED
        clocks.passes(EVERY)
        await until(lambda: not doubts(t))
        assert [type(fact) for fact in t.facts((DeviceFault, DeviceCleared))] == [DeviceFault, DeviceCleared] * 2


async def test_a_clock_that_is_made_to_run_faster_shortens_no_notice(tmp_path: Path) -> None:
    clocks = Clocks()
    async with table(load_config(table_toml(tmp_path)), clocks.system()) as t:
        await announced(t)
        for looks in range(11):
            clocks.gains(110, of=10)
            await until(lambda: len(t.facts(ClockStepped)) == looks + 1)  # noqa: B023
        assert doubts(t) == ["clock.drift"]
        assert await wishes(t) == "5"  # 20 minutes by its clocks, 18 by its oscillator
        clocks.passes(2 * EVERY)
        await until(lambda: not doubts(t))


# ---- what is decided, and by what


def test_what_is_believed() -> None:
    def code(known: WallClock, wall: int = EARLIEST, rate: int = 0) -> str:
        doubt = doubted(known, wall, rate)
        return "" if doubt is None else doubt.code

    assert code(WallClock(doubt=-60 * SECOND)) == code(WallClock(doubt=7 * DAY)) == ""
    assert code(WallClock(doubt=-60 * SECOND - 1)) == "clock.behind"
    assert code(WallClock(doubt=7 * DAY + 1)) == "clock.ahead"
    assert code(WallClock(), EARLIEST - 1) == "clock.wrong"
    assert code(WallClock(trust=SYNCHRONISED, doubt=8 * DAY)) == ""
    assert code(WallClock(trust=SYNCHRONISED), rate=1) == "clock.drift"
    assert code(WallClock(confirmed="Vera"), 0, 1) == ""


def test_who_confirms_it() -> None:
    doubtful = WallClock(doubt=DAY)
    assert confirmed(doubtful, ClockConfirmed("I looked", "Dan", "dealer", "socket"))[0] == doubtful
    assert confirmed(doubtful, ClockConfirmed(" ", "Vera", "supervisor", "socket"))[1]
    assert confirmed(doubtful, ClockConfirmed("I looked", "Vera", "supervisor", "socket"))[0].doubt == 0


def test_the_word_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = system_trust(tmp_path / "none", tmp_path)
    assert asked.source == KERNEL and asked.trust in (SYNCHRONISED, UNSYNCHRONISED) and not asked.battery
    assert boot_id() == BOOT_ID.read_text().strip() and boot_id(tmp_path / "none") == ""
    monkeypatch.setattr("controller.service.clock_trust._adjtimex", lambda: None)  # a filter forbids it
    assert system_trust(tmp_path, tmp_path / "none") == ClockTrust(UNKNOWN, battery=True)
    assert system_trust(tmp_path, tmp_path).trust == UNSYNCHRONISED
    (tmp_path / "synchronized").touch()
    assert system_trust(tmp_path, tmp_path).trust == SYNCHRONISED
    os.utime(tmp_path / "synchronized", (1e9, 1e9))  # no server has answered since
    assert system_trust(tmp_path, tmp_path).trust == UNSYNCHRONISED


def test_a_busy_computer_is_no_wrong_rate() -> None:
    """What comes between two readings is not taken for time that was gained."""
    now, slow = [0], [0]

    def monotonic() -> int:
        now[0] += slow[0]
        return now[0]

    rate = ClockRate(monotonic, lambda: now[0])
    slow[0] = 50_000_000  # nanoseconds between any two readings
    for _ in range(10):
        now[0] += 10_000_000_000
        assert rate.look() == 0
    slow[0], now[0] = 0, now[0] + 10_000_000_000
    assert rate.look() == 0 and rate.wrong == 0


def test_a_daemon_that_is_killed_while_somebody_sets_the_clock(tmp_path: Path) -> None:
    """The same attack on whole processes; with `boot=lambda: ""` in the other file it succeeds."""
    path = table_toml(tmp_path)

    def life(ahead: int, deed: str) -> subprocess.Popen[str]:
        words = [sys.executable, "-m", "tests.service.clock_process", str(path), str(ahead), deed]
        return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)

    with life(0, "announce") as first:
        assert first.stdout is not None
        assert any(line == "announced\n" for line in first.stdout)
        first.kill()
    with life(20 * 60, "try") as second:
        told, _ = second.communicate(timeout=60)
    assert "minimum 5\n" in told
