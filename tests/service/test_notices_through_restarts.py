"""What the sign announces outlives restarts: twenty minutes and three hands are counted from when it was shown."""

from __future__ import annotations

import pytest

from controller.games import defaults
from controller.journal import InlineWriter, Journal
from controller.service.engine import Engine
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, Badge, CardOut, Chips, Key, Spot, Started
from controller.table.state import Table

MINUTE = 60_000_000
ROUND = (Chips(1, (Spot("war", 1, 1000),)), CardOut("Kh"), CardOut("Qd"), Key("settle"))


class Restarted:
    """A table whose daemon starts again before every deed."""

    def __init__(self, game: str, role: str) -> None:
        self.journal = Journal.open(None, table="T1")
        self.begin = Started(game, defaults(game))
        self.now = 0
        self.role = role

    async def do(self, *facts: AnyFact) -> str:
        """Tells facts to a table that was just started; returns the rule by which the last one was refused."""
        engine = Engine(self.journal, InlineWriter(self.journal), clock=lambda: self.now)
        engine.recover()
        last: list[AnyEffect] = []

        def hear(seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
            last[:] = effects

        engine.listeners.append(hear)
        await engine.start(self.begin)
        for fact in (Badge(self.role), *facts):
            await engine.submit(fact)
        self.options = dict(engine.table.options)
        self.open = engine.table.open
        return next((effect.rule for effect in last if isinstance(effect, Refused)), "")


@pytest.mark.parametrize("game", ["casino-war", "three-card-poker"])
async def test_twenty_minutes(game: str) -> None:
    t = Restarted(game, "area-manager")
    assert await t.do(Key("notice", ("min=25",))) == ""
    t.now = 19 * MINUTE
    assert await t.do(Key("set", ("min=25",))) != ""
    t.now = 20 * MINUTE
    assert await t.do(Key("set", ("min=25",))) == ""
    assert t.options["min"] == "25"
    await t.do()
    assert t.options["min"] == "25"  # the same configuration changes nothing at the table


async def test_three_hands() -> None:
    t = Restarted("casino-war", "supervisor")
    await t.do(*ROUND[:1])
    await t.do(Key("notice", ("close-table",)))
    await t.do(*ROUND[1:])
    for hands in range(3):
        assert await t.do(Key("close-table")) == "11.8", hands
        await t.do(*ROUND)
    assert await t.do(Key("close-table")) == ""
    assert not t.open


async def test_another_configuration_takes_no_announcement_down() -> None:
    t = Restarted("casino-war", "area-manager")
    await t.do(Key("notice", ("min=25", "max=900")))
    t.begin = Started("casino-war", {**defaults("casino-war"), "max": "900", "decks": "8"})
    t.now = 20 * MINUTE
    assert await t.do(Key("set", ("min=25",))) == ""
    assert (t.options["min"], t.options["max"]) == ("25", "900")


async def test_another_game_has_a_sign_of_its_own() -> None:
    t = Restarted("casino-war", "area-manager")
    await t.do(Key("notice", ("min=25",)))
    t.begin = Started("three-card-poker", defaults("three-card-poker"))
    t.now = 20 * MINUTE
    assert await t.do(Key("set", ("min=25",))) == "s66(2)"
