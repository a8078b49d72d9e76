"""Another configuration at a start shortens no notice: what the sign announces first begins as a notice."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import FeltError
from controller.games import defaults, find
from controller.journal import InlineWriter, Journal
from controller.service.engine import Engine
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, Badge, CardOut, Chips, Key, Spot, Started
from controller.table.new_configuration import announced_first
from controller.table.state import Notice, Table
from controller.views.fact_text import TEXTS
from tests.table.telling import Telling

MINUTE = 60_000_000


def war(area: int = 1) -> tuple[AnyFact, ...]:
    return Chips(area, (Spot("war", 1, 1000),)), CardOut("Kh"), CardOut("Qd"), Key("settle")


SOMEBODY = Key("seat", ("1",))


class Table1:
    """A table whose daemon starts again before every deed, with whatever its table.toml says then."""

    def __init__(self, game: str, **options: str) -> None:
        self.journal = Journal.open(None, table="T1")
        self.game, self.now = game, 0
        self.set_up(**options)
        self.engine = self._engine()

    def set_up(self, game: str = "", **options: str) -> None:
        self.game = game or self.game
        named = {option.replace("_", "-"): value for option, value in options.items()}
        self.begin = Started(self.game, {**defaults(self.game), **named})

    def _engine(self) -> Engine:
        return Engine(self.journal, InlineWriter(self.journal), clock=lambda: self.now)

    async def do(self, *facts: AnyFact, role: str = "casino-manager") -> str:
        """Tells facts to a table that was just started; returns the rule by which the last one was refused."""
        self.engine = self._engine()
        self.engine.recover()
        last: list[AnyEffect] = []

        def hear(seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
            last[:] = effects

        self.engine.listeners.append(hear)
        await self.engine.start(self.begin)
        for fact in (Badge(role), *facts):
            await self.engine.submit(fact)
        return next((effect.rule for effect in last if isinstance(effect, Refused)), "")

    def __getitem__(self, option: str) -> str | None:
        return self.engine.table.options.get(option)

    @property
    def notices(self) -> list[dict[str, str]]:
        return [notice.changes for notice in self.engine.table.notices]


@pytest.mark.parametrize(
    ("game", "rule"),
    [("casino-war", "6.4"), ("three-card-poker", "s66(2)"), ("wsop-bonus-holdem", "s66(2)"), ("holdem", "s66(2)")],
)
async def test_a_higher_minimum_begins_as_a_notice_and_its_time_outlives_restarts(game: str, rule: str) -> None:
    t = Table1(game, min="5", blinds="5,50") if game == "holdem" else Table1(game)
    await t.do()
    more = {"blinds": "5,50"} if game == "holdem" else {}
    t.set_up(min="25.00", **more)
    t.now = 60 * MINUTE
    await t.do()
    assert t["min"] == "5" and t.notices == [{"min": "25"}]
    asked = [prompt for prompt in t.engine.table.live if prompt.offers == ("set",)]
    assert [prompt.role for prompt in asked] == ["area-manager"] and "set min=25" in asked[0].text
    assert any("25" in line for line in find(game).sign(t.engine.table))
    t.now += 20 * MINUTE - 1
    assert await t.do(Key("set", ("min=25",))) == rule
    t.set_up(min="25.00", max="900", **more)  # another change: the notice goes on as it is
    await t.do()
    assert (t["min"], t["max"], t.notices) == ("5", "900", [{"min": "25"}])
    t.now += 1
    assert await t.do(Key("set", ("min=25",))) == ""
    assert t["min"] == "25" and t.notices == []
    await t.do()
    assert t["min"] == "25"


async def test_what_was_announced_for_long_enough_is_in_force_at_the_start() -> None:
    t = Table1("casino-war")
    await t.do(Key("notice", ("min=25",)))
    t.set_up(min="25")
    t.now = 20 * MINUTE
    await t.do()
    assert t["min"] == "25" and t.notices == []


async def test_a_lower_minimum_another_maximum_another_game_and_a_closed_table_wait_for_nothing() -> None:
    t = Table1("casino-war", min="25")
    await t.do()
    t.set_up(min="10", max="900", chip="5")
    await t.do()
    assert (t["min"], t["max"], t["chip"], t.notices) == ("10", "900", "5", [])
    await t.do(Key("close-table"))
    t.set_up(min="50")
    await t.do()
    assert t["min"] == "50" and t.notices == []
    t.set_up("three-card-poker", min="100")
    await t.do()
    assert t["min"] == "100" and t.notices == []


async def test_what_was_set_at_the_table_is_what_may_not_be_raised() -> None:
    t = Table1("casino-war", min="25")
    await t.do(Key("set", ("min=10",)))
    t.set_up(min="25", decks="8")
    await t.do()
    assert (t["min"], t["decks"], t.notices) == ("10", "8", [{"min": "25"}])


async def test_without_players_document_002_waits_for_nothing_and_with_players_it_does() -> None:
    """7.5.1, 7.5.2; the players are still there although the table was set up anew and has not seen them since."""
    t = Table1("caribbean-stud")
    await t.do()
    t.set_up(min="20")
    await t.do()
    assert t["min"] == "20" and t.notices == []
    await t.do(SOMEBODY)
    assert t.engine.table.seats
    t.set_up(min="25")
    await t.do()
    assert t["min"] == "20" and t.notices == [{"min": "25"}] and not t.engine.table.seats
    assert await t.do(Key("set", ("min=25",))) == "7.5.2"
    t.now = 20 * MINUTE
    assert await t.do(Key("set", ("min=25",))) == ""
    assert t["min"] == "25"


async def test_a_closing_that_was_announced_to_players_is_not_sooner_for_another_configuration() -> None:
    t = Table1("casino-war")
    await t.do(*war(), Key("notice", ("close-table",)))
    t.set_up(max="900")
    assert await t.do(Key("close-table")) == "11.8"
    for _ in range(3):
        await t.do(*war())
    assert await t.do(Key("close-table")) == ""


async def test_pay_tables_are_announced_to_players_first() -> None:
    """001 8.2(b): there is no waiting time, and without players no notice."""
    t = Table1("three-card-poker")
    await t.do()
    t.set_up(pair_plus="B")
    await t.do()
    assert t["pair-plus"] == "B"
    await t.do(SOMEBODY)
    t.set_up(pair_plus="C")
    await t.do()
    assert t["pair-plus"] == "B" and t.notices == [{"pair-plus": "C"}]
    assert await t.do(Key("set", ("pair-plus=C",))) == ""
    await t.do(SOMEBODY, Key("notice", ("pair-plus=D",)))
    t.set_up(pair_plus="D")
    await t.do()
    assert t["pair-plus"] == "D"


async def test_poker_is_told_three_hands_before_where_players_are() -> None:
    """000 6.10; the commission changes before a hand (7.3)."""
    t = Table1("holdem")
    await t.do(Key("seat", ("1-2", "stack=500")))
    t.set_up(buy_in="100", rake="5%")
    await t.do()
    assert (t["buy-in"], t["rake"], t.notices) == ("none", "5%", [{"buy-in": "100"}])
    await t.do(Key("resume"))
    assert await t.do(Key("set", ("buy-in=100",))) == "6.10"
    await t.do(Key("agree", ("majority",)))
    assert await t.do(Key("set", ("buy-in=100",))) == ""
    assert t["buy-in"] == "100"


async def test_in_poker_what_does_not_fit_what_waits_waits_too() -> None:
    """6.4: the last blind is at least the lower bet, and it is raised twenty minutes later."""
    t = Table1("holdem")
    await t.do()
    t.set_up(limit="fixed", bets="20,40", blinds="10,20")
    await t.do()
    assert (t["limit"], t["bets"], t["blinds"]) == ("no-limit", "10,20", "5,10")
    assert t.notices == [{"bets": "20,40", "blinds": "10,20", "limit": "fixed"}]
    assert await t.do(Key("set", ("limit=fixed", "bets=20,40", "blinds=10,20"))) == "s66(2)"
    t.now = 20 * MINUTE
    assert await t.do(Key("set", ("limit=fixed", "bets=20,40", "blinds=10,20"))) == ""
    assert t["blinds"] == "10,20" and t.notices == []


async def test_what_cannot_wait_does_not_start() -> None:
    """002 7.2.2: the minimum is never under the approved one, which nobody changes at an open table."""
    t = Table1("caribbean-stud", approved_min="5")
    await t.do(SOMEBODY)
    t.set_up(min="25", approved_min="25")
    with pytest.raises(FeltError) as caught:
        await t.do()
    assert (caught.value.code, "7.2.2" in caught.value.cause) == ("table.unannounced", True)
    assert "notice min=25" in caught.value.next_step
    t.set_up(approved_min="5")
    await t.do(SOMEBODY, Key("notice", ("min=25",)))
    t.now = 20 * MINUTE
    t.set_up(min="25", approved_min="25")
    await t.do()
    assert (t["min"], t["approved-min"]) == ("25", "25")


async def test_a_prize_meter_system_is_left_twenty_minutes_after_the_sign() -> None:
    """002 11.2.1(f), 11.2.1(e)(i); a table that offers a Jackpot for the first time has none to keep."""
    t = Table1("caribbean-stud")
    await t.do()
    jackpot = {"jackpot": "nsw", "jackpot_group": "G1"}
    t.set_up(**jackpot)
    await t.do()
    assert t["jackpot-group"] == "G1"
    rate = t["jackpot-rate"]
    t.set_up(jackpot="nsw", jackpot_group="G2", jackpot_option="2")
    await t.do()
    assert (t["jackpot-group"], t["jackpot-option"], t["jackpot-rate"]) == ("G1", "1", rate)
    assert t.notices == [{"jackpot-group": "G2", "jackpot-option": "2"}]
    assert await t.do(Key("set", ("jackpot-group=G2",))) == "11.2.1(f)"
    t.now = 20 * MINUTE
    assert await t.do(Key("set", ("jackpot-group=G2", "jackpot-option=2"))) == ""
    assert (t["jackpot-group"], t["jackpot-option"]) == ("G2", "2")


def test_a_configuration_that_cannot_be_read_is_the_tables_own_to_refuse() -> None:
    begin = Started("casino-war", {"min": "x"})
    assert announced_first(find("casino-war"), Table(), begin, 0).begin is begin


MONEY = st.integers(1, 40)


@given(MONEY, MONEY, st.integers(0, 30), st.booleans())
def test_no_start_raises_the_minimum_sooner_than_the_sign(now: int, then: int, minutes: int, shown: bool) -> None:
    """Whatever was announced and when: what is in force is what the sign has told for twenty minutes, or less."""
    game = find("casino-war")
    options: dict[str, Any] = {**defaults("casino-war"), "min": str(now)}
    before = Table(game="casino-war", open=True)
    before.options = type(before.options)(game.options(min=100 * now))
    before.notices = [Notice({"min": str(then)}, 0, 0)] if shown else []
    held = announced_first(game, before, Started("casino-war", {**options, "min": str(then)}), minutes * MINUTE)
    told = shown and minutes >= 20
    assert held.begin.options["min"] == str(then if told or then <= now else now)
    assert held.begin.announced == ({} if told or then <= now else {"min": str(then)})
    assert held.begin.configured.options["min"] == str(then)


async def test_the_journal_tells_what_the_start_announces() -> None:
    t = Table1("casino-war")
    await t.do()
    assert t.engine.table.begun is not None
    assert TEXTS[Started](t.engine.table.begun) == "the table starts with casino-war"
    t.set_up(min="25")
    await t.do()
    assert TEXTS[Started](t.engine.table.begun) == "the table starts with casino-war; the sign announces min=25"
    assert [note for note in t.engine.notes if "not in force yet: min=25" in note]
    await t.do()
    assert t.engine.notes == []


def test_a_notice_of_what_nobody_changes_at_a_table_calls_nobody() -> None:
    t = Telling("casino-war")
    options = dict(t.table.options)
    t.tell(Started("casino-war", options, announced={"decks": "8", "nothing": "1"}))
    assert t.table.live == [] and [notice.changes for notice in t.table.notices] == [{"decks": "8", "nothing": "1"}]
