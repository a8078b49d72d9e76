"""Game protection at a running daemon: raised behind the lamps, on record through a crash, cleared by a person."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from controller.config.load import load_config
from controller.service import protection
from controller.table.facts import CardOut, Chips, Key, ProtectionCleared, ProtectionRaised, Spot
from controller.table.state import Table as TableState
from tests.daemon.house import table_toml
from tests.daemon.test_floor import felt, sign_in
from tests.service.clocks import Clocks, Table, table, until

FIVE = ("Ah", "2h", "3h", "4h")
REST = ("5h", "6h", "7h", "8h")


def state(t: Table) -> TableState:
    return t.engine.table


async def deal(t: Table, cards: tuple[str, ...]) -> None:
    for area in (1, 2, 3):
        await t.engine.submit(Chips(area, (Spot("war", 1, 1000),)))
    for card in cards:
        await t.engine.submit(CardOut(card))
    await t.engine.submit(Key("settle"))


async def test_an_unshuffled_deck_is_on_record_through_a_crash_until_a_supervisor_clears_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    async with table(load_config(table_toml(tmp_path / "a", seats=3))) as t:
        await deal(t, FIVE)
        await deal(t, REST)
        await until(lambda: bool(state(t).protection.waiting))
        (number,) = state(t).protection.waiting
        shutil.copytree(tmp_path / "a" / "state", tmp_path / "b" / "state")  # as kill -9 would leave it
        assert t.daemon.service.protection.raised["order"] == 1
    async with table(load_config(table_toml(tmp_path / "b", seats=3))) as t:
        assert list(state(t).protection.waiting) == [number]
        said = await felt(t, "alerts", "list")
        assert said.exit_code == 1 and f"{number}  Cards not shuffled" in said.output
        assert "1 alert to clear: felt alerts list" in (await felt(t, "status")).output
        metrics = json.loads((await felt(t, "alerts", "list", "--json")).output)
        assert [each["alert"] for each in metrics["alerts"]] == [number]
        await check_powers(t, number)
        (fact,) = t.facts(ProtectionCleared)[-1:]
        assert (fact.alert, fact.kind, fact.reason, fact.person) == (
            number,
            "order",
            "shuffled",
            "simulated supervisor",
        )
        said = await felt(t, "alerts", "list")
        assert said.exit_code == 0 and "no alert waits" in said.output
        await deal(t, ("9h", "Th", "Jh", "Qh"))  # of the same shoe: it was seen to
        t.daemon.service.protection._look()
        assert not state(t).protection.waiting
        assert len(t.facts(ProtectionRaised)) == 1


async def check_powers(t: Table, number: int) -> None:
    """Nobody, a dealer, then a supervisor."""
    words = ("alerts", "clear", str(number), "--reason", "shuffled", "--json")
    assert json.loads((await felt(t, *words)).output)["error"]["code"] == "sign-in.needed"
    await sign_in(t, "dealer")
    refused = json.loads((await felt(t, *words)).output)["error"]
    assert (refused["code"], refused["cause"]) == ("protection.refused", "this needs the supervisor")
    await sign_in(t, "supervisor")
    await check_reasons(t, number)
    done = json.loads((await felt(t, *words)).output)
    assert (done["alert"], done["person"]) == (number, "simulated supervisor")
    assert json.loads((await felt(t, *words)).output)["error"]["code"] == "protection.unknown"


async def check_reasons(t: Table, number: int) -> None:
    """A reason that says nothing, or more than is kept, is told by its own code; nothing of it goes on record."""
    before = len(t.facts(ProtectionCleared))
    causes = {
        "": f"alert {number} is cleared with a reason, and none was given",
        "  ": f"alert {number} is cleared with a reason, and none was given",
        "x" * 401: "the reason has 401 characters: 400 at most",
        "x" * 5000: "the reason has 5000 characters: 400 at most",
    }
    for reason, cause in causes.items():
        told = json.loads((await felt(t, "alerts", "clear", str(number), "--reason", reason, "--json")).output)["error"]
        assert (told["code"], told["cause"]) == ("protection.request", cause)
        assert "up to 400 characters" in told["next_step"]
    assert len(t.facts(ProtectionCleared)) == before


async def test_a_crash_before_it_was_on_record_forgets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protection, "LATER", 3600)
    path = table_toml(tmp_path, seats=3)
    async with table(load_config(path)) as t:
        await deal(t, FIVE)
        await deal(t, REST)
        assert not t.facts(ProtectionRaised)
    monkeypatch.undo()
    async with table(load_config(path)) as t:
        await until(lambda: bool(state(t).protection.waiting))


async def test_a_defect_of_a_detector_stops_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    async with table(load_config(table_toml(tmp_path, seats=3))) as t:
        monkeypatch.setattr(t.daemon.service.protection._guard, "look", broken)
        await deal(t, FIVE)
        t.daemon.service.protection._look()
        assert state(t).round is not None and state(t).round.outcome == "settled"  # type: ignore[union-attr]


async def test_takes_and_pays_are_compared_with_the_bytes_of_the_sensors(tmp_path: Path) -> None:
    async with table(load_config(table_toml(tmp_path, seats=3, options='takes = "hold"'))) as t:
        for area in (1, 2):
            await t.do(f"sensor.{area}", "bet", {("war", 1): 1000})
        await t.press("no-more-bets")
        for card in ("Kh", "2d", "9s"):
            await t.do("shoe", "draw", card)
        await t.press("settle")
        await t.do("sensor.3", "bet", {("war", 1): 1000})
        assert state(t).number == 1  # the bets of the next round wait
        await t.do("sensor.2", "bet", {("war", 1): 0})
        await t.do("sensor.1", "bet", {("war", 1): 3000})  # 10 too many
        await t.do("sensor.1", "bet", {("war", 1): 0})
        await until(lambda: bool(state(t).protection.waiting))
        ((number, alert),) = state(t).protection.waiting.items()
        assert alert.text == "Round 1, area 1, war: 10 more than was due was paid."
        await sign_in(t, "supervisor")
        assert (await felt(t, "alerts", "clear", str(number), "--reason", "given back")).exit_code == 0
        await t.do("sensor.3", "bet", {("war", 1): 0})
        await t.do("sensor.3", "bet", {("war", 1): 1000})
        assert state(t).number == 2


async def test_a_round_that_takes_far_too_long_is_told_once_and_parts_of_rounds_are_counted(tmp_path: Path) -> None:
    clocks, path = Clocks(), table_toml(tmp_path, seats=3)
    async with table(load_config(path), clocks.system()) as t:
        await t.engine.submit(Chips(1, (Spot("war", 1, 1000),)))
        for card in ("Kh", "9s"):
            await t.engine.submit(CardOut(card))
        clocks.passes(400)
        await t.engine.submit(Key("settle"))
        await until(lambda: bool(state(t).protection.waiting))
        ((number, alert),) = state(t).protection.waiting.items()
        assert alert.kind == "pace" and "Settling took 40" in alert.text
        assert t.daemon.service.protection.phases["settlement"] >= 400_000
        await sign_in(t, "supervisor")
        assert (await felt(t, "alerts", "clear", str(number), "--reason", "a dispute")).exit_code == 0
    async with table(load_config(path), clocks.system()) as t:
        await deal(t, FIVE)
        await until(lambda: t.daemon.service.protection.phases["dealing"] >= 0 and state(t).number == 2)
        assert len(t.facts(ProtectionRaised)) == 1  # the slow round is not told again
