"""A defect of the code is never the end of a table: a wish is refused, a reading holds the round, a person rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from controller.games import fold
from controller.house.games.casino_war import CasinoWar, CasinoWarOptions
from controller.house.keys import HANDLERS
from controller.poker.hand import clock
from controller.poker.money import returns
from controller.poker.money import settle as poker_settle
from controller.table import people, voids
from controller.table.effects import Defective, Refused
from controller.table.facts import Amend, CardOut, Chips, Hold, Key, Pushed, Spot, Tick
from controller.table.state import Seen, Table, encode
from controller.table.step import Step
from controller.table.view import gate, lamps
from tests.table.telling import Telling
from tests.table.test_holds import in_a_hand, why


class Broken(Exception):
    """Its text might be a card, so it is never told."""


def breaks(*args: object, **options: object) -> None:
    raise Broken("Kh")


def refused(t: Telling, words: str) -> Refused | None:
    name, *args = words.split()
    effects = t.tell(Key(name, tuple(args)))
    assert any(isinstance(e, Defective) for e in effects) == any(
        isinstance(e, Refused) and "table.defect" in e.why for e in effects
    )
    return next((e for e in effects if isinstance(e, Refused)), None)


def broken_unless_bare(s: Step, bare: bool = False, void: Callable[..., None] = voids.void) -> None:
    """The usual way to void a round breaks; the one without its game does not."""
    void(s, bare=True) if bare else breaks()


@pytest.fixture
def war() -> Iterator[Telling]:
    t = Telling()
    t.bet(1, war=10)
    t.key("no-more-bets")
    yield t


def test_a_wish_that_raises_is_refused_and_nothing_has_changed(war: Telling, monkeypatch: pytest.MonkeyPatch) -> None:
    before = encode(war.table)
    monkeypatch.setitem(HANDLERS, "owner", breaks)
    no = refused(war, "owner 2 1")
    assert no is not None and "table.defect (Broken at test_defects.py:" in no.why and "Kh" not in no.why
    assert encode(war.table) == before and not war.table.holds
    war.draw("Kh 5c")
    assert refused(war, "settle") is None


def test_a_reading_that_raises_holds_the_round_until_a_supervisor_voids_it(
    war: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("controller.house.dealing.card_out", breaks)
        effects = war.tell(CardOut("Kh"))
    assert [e.what.split(" at ")[0] for e in effects if isinstance(e, Defective)] == ["Broken"]
    assert list(war.table.holds) == ["table.defect"] and "Kh" not in war.table.holds["table.defect"].text
    assert not gate(war.table, war.game, "deal").open
    assert "table.defect" in why(war, "settle")
    war.role("supervisor")
    assert refused(war, "void") is None
    line = war.line("1", "war")
    assert line is not None and line.result == "void"
    assert not war.table.holds and gate(war.table, war.game, "bets").open


def test_a_correction_can_strike_such_a_reading_out(war: Telling, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("controller.house.dealing.card_out", breaks)
        war.tell(CardOut("Kh"))
    war.tell(Amend(war.seq, None))
    assert not war.table.holds
    war.draw("Kh 5c")
    assert refused(war, "settle") is None


def test_a_game_that_can_do_nothing_any_more_is_voided_all_the_same(
    war: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CasinoWar, "play", breaks)
    monkeypatch.setattr(war, "_check_reentrant", lambda: None)
    war.tell(CardOut("Kh"))
    assert list(war.table.holds) == ["table.defect"]
    lamps(war.table, war.game)
    war.role("supervisor")
    assert refused(war, "void") is None
    r = war.table.round
    assert r is not None and (r.outcome, [(x.spot, x.result) for x in r.lines]) == ("void", [("war", "void")])
    assert not war.table.holds
    monkeypatch.undo()
    war.bet(1, war=10)
    assert war.table.round is not None and war.table.round.number == 2


@pytest.mark.parametrize("broken", ["hand_back", "all_back"])
def test_a_poker_hand_whose_books_are_of_no_use_is_void_on_record(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    t = in_a_hand()
    t.role("supervisor")
    monkeypatch.setattr(clock, "time_passed", breaks)
    t.tell(Tick())
    assert list(t.table.holds) == ["table.defect"]
    monkeypatch.setattr(poker_settle if broken == "all_back" else returns, broken, breaks)
    assert refused(t, "void") is None
    assert t.table.round is not None and t.table.round.outcome == "void" and not t.table.holds
    assert any("give back all" in ruled.text for ruled in t.table.round.rulings)
    assert [p.role for p in t.table.prompts if "give back all" in p.text] == ["dealer"]


def test_a_tick_that_raises_holds_the_hand_once(monkeypatch: pytest.MonkeyPatch) -> None:
    t = in_a_hand()
    with monkeypatch.context() as broken:
        broken.setattr(clock, "time_passed", breaks)
        for _ in range(3):
            t.tell(Tick())
    told = [p for p in t.table.prompts if p.role == "supervisor"]
    assert len(told) == 1 and list(t.table.holds) == ["table.defect"]
    t.role("supervisor")
    assert refused(t, "resume") is None
    assert refused(t, "act 1 call") is None


@pytest.mark.parametrize("game", ["casino-war", "holdem"])
def test_chips_that_came_meanwhile_and_raise_stand_in_the_way_of_one_resume_only(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    t = Telling() if game == "casino-war" else in_a_hand()
    t.tell(Hold("device.gap", "an event is missing", "shoe"))
    t.tell(Chips(1, (Spot("war", 1, 1000),)) if game == "casino-war" else Pushed(1, (1000,)))
    t.role("supervisor")
    monkeypatch.setattr("controller.house.chips.chips_read", breaks)
    monkeypatch.setattr("controller.poker.hand.acts.pushed", breaks)
    effects = t.key("resume")
    assert not [e for e in effects if isinstance(e, Refused)]
    assert [e.what.split(" at ")[0] for e in effects if isinstance(e, Defective)] == ["Broken"]
    assert list(t.table.holds) == ["table.defect"]  # the first reason is ruled on; what they mean is for a person
    assert refused(t, "resume") is None
    assert not t.table.holds


def test_a_replay_of_the_same_facts_gives_the_same_table(war: Telling, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "owner", breaks)
    monkeypatch.setitem(HANDLERS, "owner", breaks)
    monkeypatch.setattr("controller.house.dealing.card_out", breaks)
    refused(war, "owner 2 1")
    war.tell(CardOut("Kh"))
    assert encode(fold(Table(), [Seen(*fact) for fact in war.facts])) == encode(war.table)


def test_a_start_that_raises_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CasinoWarOptions, "forbidden", breaks)
    monkeypatch.setattr(Telling, "_check_reentrant", lambda self: None)
    t = Telling()
    assert not t.table.game and "table.defect" in t.refusals()[0].why


def test_what_is_refused_by_the_rules_is_no_defect(war: Telling) -> None:
    effects = war.key("no-more-bets")
    assert [type(e) for e in effects] == [Refused]
    assert isinstance(Step(war.table, war.game, 1), Step)


def test_between_rounds_a_reading_that_raises_holds_the_table_and_there_is_nothing_to_void(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    t = Telling()
    t.role("supervisor")
    monkeypatch.setattr("controller.house.dealing.card_out", breaks)
    t.tell(CardOut("Kh"))
    assert list(t.table.holds) == ["table.defect"] and not t.table.history
    monkeypatch.setattr("controller.table.voids.void", broken_unless_bare)
    assert t.do("void") == ["refused: no round is running: press resume (table.defect) ()"]
    assert list(t.table.holds) == ["table.defect"]
    assert refused(t, "resume") is None and not t.table.holds
