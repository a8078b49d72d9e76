"""Whatever waits for time happens in the whole daemon, and only then is anything written."""

from __future__ import annotations

from pathlib import Path

from controller.config.load import load_config
from controller.table.facts import Badge, Tick
from controller.table.times import TWENTY_MINUTES
from controller.views import pages
from tests.daemon.house import table_toml
from tests.service.clocks import Clocks, poker, table, until

HOUR = 3600.0


# ---- in real time


async def test_a_time_to_act_ends(tmp_path: Path) -> None:
    async with table(poker(tmp_path, act_time="200ms")) as t:
        await t.dealt()
        await until(lambda: t.told("6.15") == 1)
        (prompt,) = [p for p in t.engine.table.prompts if p.rule == "6.15"]
        assert (prompt.place, prompt.offers) == ("3", ("dead",))


async def test_a_time_that_was_bought_ends_too(tmp_path: Path) -> None:
    config = poker(tmp_path, act_time="200ms", extra_time="300ms", extra_times="2", extra_fee="none")
    async with table(config) as t:
        await t.dealt()
        await until(lambda: t.told("6.15") == 1)
        first = t.engine.table.prompts[-1].seq
        await t.press("extra-time", "3")
        await until(lambda: any(p.rule == "6.15" and p.seq > first for p in t.engine.table.prompts))


async def test_every_turn_has_its_own_time(tmp_path: Path) -> None:
    async with table(poker(tmp_path, act_time="200ms")) as t:
        await t.dealt()
        await until(lambda: t.told("6.15") == 1)
        await t.press("act", "3", "call")
        await until(lambda: {p.place for p in t.engine.table.prompts if p.rule == "6.15"} == {"3", "1"})


async def test_the_first_hour_is_asked_for_at_once(tmp_path: Path) -> None:
    async with table(poker(tmp_path, rake_method="time", rake="5")) as t:
        assert not t.facts(Tick)
        await t.press("seat", "1-3", "stack=500")
        await until(lambda: t.told("7.2.2(b)") == 1)


async def test_who_waits_for_nothing_is_not_woken(tmp_path: Path) -> None:
    async with table(load_config(table_toml(tmp_path))) as t:
        await t.do("sensor.1", "bet", {"war": 1000})
        await t.press("no-more-bets")
        for card in ("2h", "Kd"):
            await t.do("shoe", "draw", card)
        await t.press("settle")
        assert t.engine.table.round is not None and t.engine.table.round.outcome == "settled"
        assert not t.facts(Tick)


# ---- long times, on a machine whose time can pass at once


async def test_the_next_hour_is_asked_for_after_an_hour(tmp_path: Path) -> None:
    clocks = Clocks()
    async with table(poker(tmp_path, rake_method="time", rake="5"), clocks.system()) as t:
        await t.press("seat", "1-3", "stack=500")
        await until(lambda: t.told("7.2.2(b)") == 1)
        first = t.engine.table.prompts[-1].seq
        await t.press("collect")
        ticks = len(t.facts(Tick))
        clocks.passes(HOUR - 60)
        await t.press("reserved", "4")
        assert len(t.facts(Tick)) == ticks
        clocks.passes(61)
        await until(lambda: any(p.rule == "7.2.2(b)" and p.seq > first for p in t.engine.table.prompts))
        assert len(t.facts(Tick)) == ticks + 1


async def test_a_notice_is_old_enough_after_twenty_minutes(tmp_path: Path) -> None:
    clocks = Clocks()
    async with table(load_config(table_toml(tmp_path)), clocks.system()) as t:
        await t.engine.submit(Badge("area-manager"))
        await t.press("seat", "1")
        await t.press("notice", "min=25")
        (notice,) = t.engine.table.notices
        clocks.passes(20 * 60)
        await until(lambda: t.engine.table.now >= notice.shown + TWENTY_MINUTES)
        assert len(t.facts(Tick)) == 1
        sign = pages.limits(t.engine.table, t.engine.game, t.engine.table_time())
        assert sign["notices"][0]["seconds"] == 0
        await t.press("set", "min=25")
        assert t.engine.table.options["min"] == "25"


async def test_time_that_is_bought_late_is_over_at_once(tmp_path: Path) -> None:
    clocks = Clocks()
    config = poker(tmp_path, act_time="30s", extra_time="30s", extra_times="2", extra_fee="none")
    async with table(config, clocks.system()) as t:
        await t.dealt()
        clocks.passes(90)
        await until(lambda: t.told("6.15") == 1)
        first = t.engine.table.prompts[-1].seq
        await t.press("extra-time", "3")
        await until(lambda: any(p.rule == "6.15" and p.seq > first for p in t.engine.table.prompts))
        assert len(t.facts(Tick)) == 2


# ---- restarts


async def test_what_ran_out_while_the_daemon_was_away_happens_at_its_start(tmp_path: Path) -> None:
    clocks = Clocks()
    config = poker(tmp_path, act_time="1h")
    async with table(config, clocks.system()) as t:
        await t.dealt()
    clocks.passes(HOUR + 1)
    async with table(config, clocks.system()) as t:
        await until(lambda: t.told("6.15") == 1)


async def test_what_has_not_run_out_runs_on_after_a_restart(tmp_path: Path) -> None:
    clocks = Clocks()
    config = poker(tmp_path, act_time="1h")
    async with table(config, clocks.system()) as t:
        await t.dealt()
    clocks.passes(HOUR / 2)
    async with table(config, clocks.system()) as t:
        assert not t.facts(Tick)
        clocks.passes(HOUR / 2)
        await until(lambda: t.told("6.15") == 1)


async def test_a_table_that_was_told_once_is_not_woken_again(tmp_path: Path) -> None:
    clocks = Clocks()
    async with table(poker(tmp_path, act_time="30s"), clocks.system()) as t:
        await t.dealt()
        clocks.passes(31)
        await until(lambda: t.told("6.15") == 1)
        clocks.passes(HOUR)
        await t.press("act", "3", "call")
        assert len(t.facts(Tick)) == 1
