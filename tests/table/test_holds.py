"""Holds: a named reason stops the table until a supervisor resumes or voids the round."""

from __future__ import annotations

import pytest

from controller.games import GAMES, find
from controller.places import At
from controller.poker.room.seats import room_of
from controller.table.effects import Prompted, Refused, RulingMade
from controller.table.facts import Amend, Badge, CardRead, Hold, Pushed, Released, Tick, decode, encode
from controller.table.holds import BEHIND
from controller.table.requests import GateName
from controller.table.state import Table, clone
from controller.table.view import gate, lamps
from tests.poker.there import hand_at
from tests.table.telling import Telling

GAP = Hold("journal.gap", "an event of the shoe is missing", "shoe")


def why(t: Telling, words: str) -> str:
    return next((e.why for e in t.key(words) if isinstance(e, Refused)), "")


def held_war() -> Telling:
    t = Telling()
    t.bet(1, war=10)
    t.tell(GAP)
    return t


def open_(table: Table, what: GateName) -> bool:
    return gate(table, find(table.game), what).open


def test_the_facts_are_kept_in_the_journal() -> None:
    assert decode(encode(GAP)) == GAP
    assert decode(encode(Released("journal.gap", "shoe"))) == Released("journal.gap", "shoe")


def test_a_held_table_shuts_its_gates_and_says_why_and_what_frees_it() -> None:
    t = held_war()
    for what in ("bets", "deal", "jackpot"):
        shut = gate(t.table, t.game, what)
        assert not shut.open and "journal.gap" in shut.why and "resume" in shut.why
    assert "bets" not in lamps(t.table, t.game)
    assert "resume" in why(t, "no-more-bets") and "journal.gap" in why(t, "settle")
    assert clone(t.table) == t.table


def test_the_supervisor_is_prompted_once_for_each_hold() -> None:
    t = held_war()
    t.tell(GAP)
    prompts = [e.prompt for e in t.effects if isinstance(e, Prompted) and e.prompt.role == "supervisor"]
    assert [p.offers for p in prompts] == [("void", "resume")]


def test_only_a_supervisor_resumes_and_it_is_on_record_who() -> None:
    t = held_war()
    assert why(t, "resume") == "this needs the supervisor"
    t.tell(Badge("supervisor", "Nguyen"))
    effects = t.key("resume")
    assert [e.ruled.text for e in effects if isinstance(e, RulingMade)] == [
        "journal.gap: the table goes on, by the supervisor Nguyen"
    ]
    assert not t.table.holds and open_(t.table, "bets")
    assert why(t, "no-more-bets") == ""


@pytest.mark.parametrize("game", ["casino-war", "holdem"])
def test_resume_is_refused_when_nothing_is_held(game: str) -> None:
    t = Telling(game)
    t.role("supervisor")
    assert why(t, "resume") == "nothing is held"
    assert why(t, "resume 5").startswith('resume does not come with "5": write resume [CODE] (a held table goes on')


def test_with_several_reasons_the_supervisor_says_which() -> None:
    t = held_war()
    t.tell(Hold("table.defect", "a card could not be followed"))
    t.role("supervisor")
    assert "resume journal.gap or resume table.defect" in why(t, "resume")
    assert why(t, "resume shoe.jam").startswith("shoe.jam is not held")
    assert why(t, "resume journal.gap") == "" and list(t.table.holds) == ["table.defect"]
    assert why(t, "resume") == "" and not t.table.holds


def test_the_service_can_take_a_hold_back() -> None:
    t = held_war()
    t.tell(Released("journal.gap", "shoe"))
    assert not t.table.holds


def test_void_gives_the_wagers_back_by_the_rule_for_invalid_outcomes() -> None:
    t = held_war()
    assert why(t, "void") == "this needs the supervisor"
    t.role("supervisor")
    assert why(t, "void") == ""
    line = t.line("1", "war")
    assert line is not None and (line.result, line.net, line.rule) == ("void", 0, "11.5")
    assert t.table.round is not None and (t.table.round.outcome, t.table.round.rule) == ("void", "11.5")
    assert not t.table.holds and open_(t.table, "bets")


def test_void_between_rounds_is_refused() -> None:
    t = Telling()
    t.tell(GAP)
    t.role("supervisor")
    assert why(t, "void") == "no round is running: press resume (journal.gap)"
    assert next(e.prompt.offers for e in t.effects if isinstance(e, Prompted)) == ("resume",)


def test_cards_are_recorded_while_the_table_is_held() -> None:
    t = Telling()
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.tell(GAP)
    t.draw("Kh 5c")
    assert t.felt.hands == {"1": ["Kh"], "dealer": ["5c"]}
    t.role("supervisor")
    t.key("resume")
    t.role("dealer")
    assert why(t, "settle") == ""


def wagers(t: Telling) -> dict[At, int]:
    assert t.table.round is not None
    return t.table.round.wagers


def test_chips_that_come_meanwhile_are_no_wager_until_the_table_goes_on() -> None:
    t = held_war()
    assert [type(e) for e in t.bet(2, war=20)] == [Refused]
    t.bet(1, war=0)
    assert wagers(t) == {("1", "war"): 1000}
    t.bet(3, war=5, go_to_war=5)
    t.role("supervisor")
    effects = t.key("resume")
    assert wagers(t) == {("2", "war"): 2000}
    told = [e.prompt for e in effects if isinstance(e, Prompted)]
    assert [(p.role, p.place) for p in told] == [("dealer", "3")]
    assert not t.table.kept


def test_a_correction_tells_a_held_round_again() -> None:
    t = held_war()
    t.bet(2, war=20)
    t.role("supervisor")
    t.key("resume")
    again = Telling()
    for _, _, fact in t.facts[1:]:
        again.tell(fact)
    assert again.table == t.table
    t.tell(Amend(2, None))  # the wager of area 1 is struck out
    assert t.table.round is not None and t.table.round.wagers == {("2", "war"): 2000}


def in_a_hand() -> Telling:
    t = Telling("holdem")
    t.key("seat 1-3 stack=500")
    for words in ("act 1 post 5", "act 2 post 10"):
        t.key(words)
    for card, seat in zip(["Kh", "9d", "2c", "Ks", "9c", "2d"], "123123", strict=True):
        t.tell(CardRead(seat, card))
    t.key("act 3 raise 40")
    return t


def test_void_at_a_poker_table_gives_all_chips_of_the_hand_back() -> None:
    t = in_a_hand()
    t.tell(GAP)
    assert "act" not in lamps(t.table, t.game)
    assert "journal.gap" in why(t, "act 1 call")
    t.role("supervisor")
    assert why(t, "void") == ""
    assert room_of(t.table).stakes == {"1": 50000, "2": 50000, "3": 50000}
    assert t.table.round is not None and (t.table.round.outcome, t.table.round.rule) == ("void", "13.6")


def test_a_poker_hand_goes_on_after_resume_with_the_chips_that_came_meanwhile() -> None:
    t = in_a_hand()
    t.tell(GAP)
    t.tell(Pushed(1, (3500,)))
    t.tell(Tick())
    t.role("supervisor")
    t.key("resume")
    betting = hand_at(t.table).betting
    assert betting is not None and betting.bets["1"] == 4000
    assert why(t, "act 2 fold") == ""


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_can_be_held_and_resumed(game: str) -> None:
    t = Telling(game)
    t.tell(GAP)
    assert not open_(t.table, "deal") and not open_(t.table, "bets")
    t.role("supervisor")
    assert why(t, "resume") == ""
    assert not t.table.holds


def test_nobody_wins_a_pot_while_the_table_is_held_whoever_leaves() -> None:
    for ruling, owed in (("resume", {"3": 1500}), ("void", {"1": 500, "2": 1000})):
        t = in_a_hand()
        t.tell(GAP)
        assert "journal.gap" in why(t, "dead 2")
        for seat in "123":
            t.key(f"leave {seat}")
        r = t.table.round
        assert r is not None and not r.outcome and not room_of(t.table).stakes
        t.role("supervisor")
        assert why(t, ruling) == ""
        if ruling == "resume":
            assert why(t, "settle") == ""
        r = t.table.round
        assert r is not None and r.outcome == {"resume": "settled", "void": "void"}[ruling]
        assert hand_at(t.table).owed == owed


def test_a_journal_that_went_back_is_told_once_whichever_devices_say_so() -> None:
    t = Telling()
    for device in ("shoe", "sensor.1"):
        t.tell(Hold(BEHIND, "it has told more than is on record", device))
    prompts = [e.prompt.text for e in t.effects if isinstance(e, Prompted)]
    assert len(prompts) == 1 and prompts[0].startswith("shoe: ") and len(t.table.holds) == 2
    t.role("supervisor")
    assert why(t, "resume") == "" and not t.table.holds


def test_a_hold_without_a_code_could_never_be_freed() -> None:
    t = Telling()
    assert [e.why for e in t.tell(Hold("", "nobody knows why")) if isinstance(e, Refused)] == ["a hold has a code"]
    assert not t.table.holds


def test_chips_of_two_readings_of_an_area_are_both_looked_at_when_it_goes_on() -> None:
    t = held_war()
    t.bet(2, war=10)
    t.bet(2, tie=5)
    t.bet(3, war=10)
    t.role("supervisor")
    t.key("resume")
    assert wagers(t) == {("1", "war"): 1000, ("2", "war"): 1000, ("2", "tie"): 500, ("3", "war"): 1000}


def test_nobody_s_time_runs_while_the_table_is_held() -> None:
    for held in (False, True):
        t = Telling("holdem", act_time="30s")
        t.key("seat 1-3 stack=500")
        t.do("act 1 post 5", "act 2 post 10")
        for card, seat in zip(["Kh", "9d", "2c", "Ks", "9c", "2d"], "123123", strict=True):
            t.tell(CardRead(seat, card))
        if held:
            t.tell(GAP)
        t.at += 31_000_000
        assert bool(t.tell(Tick())) != held


def test_a_question_ends_with_its_round() -> None:
    t = Telling("three-card-poker")
    t.do("bet 1 ante=10", "bet 2 ante=10", "draw Kh 9d Qs 5d 9c 3d 2c 2h", "announced", "short 2")
    assert t.table.talk is not None
    t.tell(GAP)
    t.role("supervisor")
    assert why(t, "void") == "" and t.table.talk is None
    assert why(t, "count 52") == "" and t.do("bet 1 ante=10") == []
