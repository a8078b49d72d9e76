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
    """002 11.2.1(f), 11.2.1(e)(i)."""
    t = Table1("caribbean-stud", jackpot="nsw", jackpot_group="G1")
    await t.do()
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
    assert announced_first(find("casino-war"), find("casino-war"), Table(open=True), begin, 0).begin is begin


MONEY = st.integers(1, 40)


@given(MONEY, MONEY, st.integers(0, 30), st.booleans())
def test_no_start_raises_the_minimum_sooner_than_the_sign(now: int, then: int, minutes: int, shown: bool) -> None:
    """Whatever was announced and when: what is in force is what the sign has told for twenty minutes, or less."""
    game = find("casino-war")
    options: dict[str, Any] = {**defaults("casino-war"), "min": str(now)}
    before = Table(game="casino-war", open=True)
    before.options = type(before.options)(game.options(min=100 * now))
    before.notices = [Notice({"min": str(then)}, 0, 0)] if shown else []
    held = announced_first(game, game, before, Started("casino-war", {**options, "min": str(then)}), minutes * MINUTE)
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


def due(t: Table1) -> list[str]:
    return [prompt.text for prompt in t.engine.table.live if prompt.offers == ("set",)]


async def test_who_is_to_set_what_the_configuration_says_is_told_as_long_as_the_sign_announces_it() -> None:
    t = Table1("casino-war")
    await t.do()
    t.set_up(min="25")
    await t.do(SOMEBODY, Key("set", ("max=900",)), *war())
    assert [text.split(":")[0] for text in due(t)] == ["the configuration says min=25"]
    await t.do(Key("notice", ("min=5",)))  # as it is: nothing is announced any more
    assert t.notices == [] and due(t) == []
    t.set_up(min="25", decks="8")
    await t.do()
    t.now = 20 * MINUTE
    assert len(due(t)) == 1
    await t.do(Key("set", ("min=25",)))
    assert due(t) == []


# ---- a Jackpot that comes or goes (002 11.2.1(f), 003 9.1.1(h))


def offered(t: Table1) -> bool:
    return t.engine.table.options.typed.terms is not None


async def refused_to_start(t: Table1) -> tuple[str, str]:
    with pytest.raises(FeltError) as caught:
        await t.do()
    assert caught.value.code == "table.unannounced"
    return caught.value.cause, caught.value.next_step


SYSTEMS = [("caribbean-stud", "nsw", "11.2.1(f)"), ("wsop-bonus-holdem", "vic", "9.1.1(h)")]


@pytest.mark.parametrize(("game", "kind", "rule"), SYSTEMS)
async def test_a_table_is_added_to_a_system_twenty_minutes_after_the_sign(game: str, kind: str, rule: str) -> None:
    """Whether players are here or not; a key puts it in force, or the next start."""
    for by_key in (True, False):
        t = Table1(game)
        await t.do()
        t.set_up(jackpot=kind, jackpot_group="G1")
        await t.do()
        assert not offered(t) and t.notices == [{"jackpot-group": "G1"}]
        assert "Jackpot system G1" in " ".join(find(game).sign(t.engine.table))
        t.now = 20 * MINUTE - 1
        assert await t.do(Key("set", ("jackpot-group=G1",))) == rule
        t.now = 20 * MINUTE
        if by_key:
            assert await t.do(Key("set", ("jackpot-group=G1",))) == ""
        else:
            t.set_up(jackpot=kind, jackpot_group="G1", max="900")
            await t.do()
        assert offered(t) and t["jackpot-group"] == "G1" and t.notices == []


@pytest.mark.parametrize(("game", "kind", "rule"), SYSTEMS)
async def test_a_jackpot_of_its_own_begins_with_a_start_after_its_time(game: str, kind: str, rule: str) -> None:
    t = Table1(game)
    await t.do()
    t.set_up(jackpot=kind)
    await t.do()
    assert not offered(t) and t.notices == [{"jackpot-group": ""}]
    assert "Jackpot of this table" in " ".join(find(game).sign(t.engine.table))
    (asked,) = [prompt for prompt in t.engine.table.live if prompt.rule == rule]
    assert (asked.role, asked.offers) == ("area-manager", ()) and "start the table again" in asked.text
    begun = t.engine.table.begun
    assert begun is not None
    assert TEXTS[Started](begun) == f"the table starts with {game}; the sign announces jackpot-group=its own"
    t.now = 20 * MINUTE - 1
    await t.do()
    assert not offered(t) and t.engine.table.begun == begun  # it goes on
    t.now = 20 * MINUTE
    await t.do(Key("seat", ("1",)))
    assert offered(t) and t["jackpot-group"] is None and t.notices == []
    begun = t.engine.table.begun
    await t.do()
    assert t.engine.table.begun == begun and t.engine.table.seats  # once


async def test_a_jackpot_of_its_own_waits_for_the_end_of_a_round_and_for_nobody_who_took_it_back() -> None:
    t = Table1("caribbean-stud")
    await t.do()
    t.set_up(jackpot="nsw")
    await t.do()
    t.now = 20 * MINUTE
    t.engine.recover()
    await t.engine.submit(Chips(1, (Spot("ante", 1, 1000),)))
    await t.do()
    assert not offered(t) and t.engine.table.round is not None
    t = Table1("caribbean-stud")
    await t.do()
    t.set_up(jackpot="nsw")
    await t.do(Key("notice", ("jackpot-group=none",)))
    t.now = 20 * MINUTE
    await t.do()
    assert not offered(t) and t.notices == [] and due(t) == []


@pytest.mark.parametrize(("game", "kind", "rule"), SYSTEMS)
async def test_a_table_leaves_its_system_twenty_minutes_after_the_sign(game: str, kind: str, rule: str) -> None:
    """Without a prize meter it cannot stay in it so long: it does not start."""
    t = Table1(game, jackpot=kind, jackpot_group="G1")
    await t.do()
    for other in (game, "three-card-poker"):
        t.set_up(other)
        cause, step = await refused_to_start(t)
        assert rule in cause and "set jackpot-group=none" in step
    t.set_up(game, jackpot=kind, jackpot_group="G1")
    await t.do(Key("notice", ("jackpot-group=none",)))
    t.now = 20 * MINUTE
    t.set_up(game)
    await t.do()
    assert not offered(t) and t.notices == []


async def test_from_a_group_to_a_system_of_its_own_and_back() -> None:
    t = Table1("caribbean-stud", jackpot="nsw", jackpot_group="G1")
    await t.do()
    t.set_up(jackpot="nsw")
    await t.do()
    assert t["jackpot-group"] == "G1" and t.notices == [{"jackpot-group": ""}]
    t.now = 20 * MINUTE
    await t.do()
    assert t["jackpot-group"] is None and offered(t) and t.notices == []
    t.set_up(jackpot="nsw", jackpot_group="G1")
    await t.do()
    assert t["jackpot-group"] is None and offered(t) and t.notices == [{"jackpot-group": "G1"}]


async def test_hands_are_counted_from_the_notice_where_rounds_keep_their_numbers() -> None:
    """With a prize meter the number of the round goes on through another configuration."""
    t = Table1("caribbean-stud", jackpot="nsw")
    await t.do(SOMEBODY)
    t.engine.table.number = 57
    await t.engine.submit(Key("notice", ("close-table",)))
    begin = Started("caribbean-stud", {**defaults("caribbean-stud"), "jackpot": "nsw", "max": "900"})
    await t.engine.submit(begin)
    (shown,) = t.engine.table.notices
    assert (t.engine.table.number, shown.round) == (57, 57)


# ---- another game


CLOSINGS = [("casino-war", "11.8"), ("three-card-poker", "11.7"), ("caribbean-stud", "16.5"), ("holdem", "13.3")]


@pytest.mark.parametrize(("game", "rule"), [*CLOSINGS, ("wsop-bonus-holdem", "14.7")])
async def test_another_game_does_not_begin_before_players_who_were_not_told(game: str, rule: str) -> None:
    t = Table1(game)
    stack = ("stack=500",) if game == "holdem" else ()
    await t.do(Key("seat", ("1", *stack)))
    t.set_up("mississippi-stud")
    cause, step = await refused_to_start(t)
    assert rule in cause and find(game).title in cause and "notice close-table" in step
    t.set_up(game, max="900")  # the players are there although this table has not seen them
    await t.do(role="dealer")
    t.set_up("mississippi-stud")
    assert rule in (await refused_to_start(t))[0]
    t.set_up(game, max="900")
    await t.do(Key("close-table"))
    t.set_up("mississippi-stud")
    await t.do()
    assert t.engine.table.game == "mississippi-stud"


async def test_another_game_begins_when_the_closing_was_announced_for_long_enough() -> None:
    t = Table1("three-card-poker")
    await t.do(SOMEBODY, Key("notice", ("close-table",)))
    t.set_up("casino-war", min="100")
    t.now = 20 * MINUTE - 1
    assert "11.7" in (await refused_to_start(t))[0]
    t.now = 20 * MINUTE
    await t.do()
    assert (t.engine.table.game, t["min"], t.notices) == ("casino-war", "100", [])


async def test_another_game_without_players_is_on_record() -> None:
    """A minimum is that of its game: nothing has to be announced."""
    t = Table1("casino-war")
    await t.do()
    t.set_up("three-card-poker", min="100")
    await t.do()
    begun = t.engine.table.begun
    assert begun is not None and begun.configured == t.begin and t["min"] == "100"
    assert TEXTS[Started](begun) == "the table starts with three-card-poker, and played casino-war before"
    assert [note for note in t.engine.notes if "another game since this start: three-card-poker" in note]
    (told,) = [p for p in t.engine.table.prompts if "Casino War before: check layout and signs" in p.text]
    assert told.role == "dealer"
    await t.do()
    assert t.engine.notes == []


async def test_another_game_of_the_same_system_stays_in_it_and_others_join_later() -> None:
    """002 5.2: a system may serve any or all variations."""
    t = Table1("caribbean-stud", jackpot="nsw", jackpot_group="G1")
    await t.do()
    t.set_up("mississippi-stud", jackpot="nsw", jackpot_group="G1")
    await t.do()
    assert offered(t) and t["jackpot-group"] == "G1" and t.notices == []
    t = Table1("casino-war")
    await t.do()
    t.set_up("mississippi-stud", jackpot="nsw", jackpot_group="G1")
    await t.do()
    assert not offered(t) and t.notices == [{"jackpot-group": "G1"}]


def test_a_game_that_is_not_installed_any_more_is_only_on_record() -> None:
    t = Telling("casino-war")
    t.tell(Started("casino-war", dict(t.table.options), instead_of="a-game-of-others"))
    assert t.table.live == []
