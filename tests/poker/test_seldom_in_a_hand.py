"""Moments inside a poker hand, or around it, that seldom come: what people hear of the last deed, and what stays."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from msgspec.structs import replace

from controller.games import find
from controller.poker.options import CrownOptions, read_rake
from controller.poker.room.seats import room_of
from controller.table import causes
from controller.table import facts as f
from controller.table.facts import AnyFact
from controller.table.options import demanded
from controller.table.state import Prompt
from controller.table.values import Unwritable
from tests.poker.there import hand_at
from tests.table.telling import Telling, outcome

BUTTON = {"seats": "6", "button": "6"}
BLINDS = ("seat 1-3 stack=500", "act 1 post 5", "act 2 post 10")
HOLES = ("read 1 As", "read 2 Kd", "read 3 7h", "read 1 Ad", "read 2 Kc", "read 3 2s")
CALLED = ("act 3 call", "act 1 call", "act 2 check")
CHECKED = ("act 1 check", "act 2 check", "act 3 check")
FLOP = (*CALLED, "burn", "read board 2c 5h Jd")
TURN = (*FLOP, *CHECKED, "burn", "read board 9c")
GAP = f.Hold("device.gap", "an event is missing", "reader.1")


class Moment(NamedTuple):
    what: str
    deeds: tuple[str | AnyFact, ...]
    heard: str
    options: dict[str, str] = BUTTON


BY_HAND = {**BUTTON, "gates": "manual"}
MOMENTS = [
    Moment(
        "cards are dealt uncut",
        ("checked", "shuffled", *BLINDS, "read 1 As"),
        "the cards were not cut (9.1.1(b))",
        BY_HAND,
    ),
    Moment("cards are dealt unshuffled", ("checked", *BLINDS, "read 1 As"), "a shuffle is due (9.1.1(b))", BY_HAND),
    Moment(
        "a fourth card belongs to the flop until somebody has acted on it",
        (*BLINDS, *HOLES, *FLOP, "read board 9c"),
        "the flop is taken back: shuffle, cut and deal it again (9.9)",
    ),
    Moment(
        "a fourth card comes too soon when somebody has acted on the flop",
        (*BLINDS, *HOLES, *FLOP, "act 1 check", "read board 9c"),
        "the fourth card came too soon: set it aside; finish the betting, then burn and turn a new one (9.12.1)",
    ),
    Moment("cards are dealt unchecked", (*BLINDS, "read 1 As"), "the cards were not checked (5.3.2)", BY_HAND),
    Moment(
        "side wagers without a hand are void",
        ("seat 1-2 stack=500", "bet 1 red=10", GAP, "role supervisor", "void"),
        "device.gap: the round is void and all wagers go back, by the supervisor (13.6)",
    ),
    Moment(
        "who is all-in pushes more chips",
        (*BLINDS, *HOLES, "act 3 all-in", "push 3 10"),
        "more than the table stake: the rest goes back (6.11)",
    ),
    Moment(
        "who is all-in out of turn pushes more chips",
        (*BLINDS, *HOLES, "act 1 all-in", "push 1 10"),
        "more than the table stake: the rest goes back (6.11)",
    ),
    Moment(
        "a river is exposed too soon",
        (*BLINDS, *HOLES, *TURN, "exposed river"),
        "the fifth card came too soon: shuffle it into the deck; the burn card stays (9.11)",
    ),
    Moment(
        "a card that was boxed in the deal is not replaced by one of the board",
        (*BLINDS, *HOLES, "boxed", *FLOP, "read board 9c"),
        "the flop is taken back: shuffle, cut and deal it again (9.9)",
    ),
    Moment(
        "a card is burned before the shuffle that is due",
        (*BLINDS, *HOLES, "exposed flop", "act 3 call", "act 1 call", "act 2 check", "burn"),
        "a card was burned too soon: shuffle the deck, and press shuffled (9.10)",
    ),
    Moment(
        "a hand is dead before there is one",
        ("seat 1-2 stack=500", "bet 1 red=10", "dead 1"),
        "refused: no hand is being played (13.14)",
    ),
    Moment(
        "side wagers are settled before there is a hand",
        ("seat 1-2 stack=500", "bet 1 red=10", "settle"),
        "refused: no hand is being played (8.9.2)",
    ),
    Moment(
        "too few chips pushed out of turn, then all-in",
        (*BLINDS, *HOLES, "act 3 raise 40", "push 2 15", "act 2 all-in"),
        "declared all-in, but the difference to call is made up: a call (6.17)",
    ),
    Moment(
        "a raise out of turn after the last raise",
        (
            "seat 1-4 stack=500", *BLINDS[1:], "read 1 As", "read 2 Kd", "read 3 7h", "read 4 8h", "read 1 Ad",
            "read 2 Kc", "read 3 2s", "read 4 8s", "act 2 raise 50", "act 3 raise 20", "act 4 raise 30",
            "act 1 raise 40",
        ),
        "three raises were made and more than two players are in the hand: a call; the rest goes back (6.9)",
        BUTTON | {"limit": "spread", "bets": "5,40"},
    ),
    Moment(
        "a prize is claimed during the deal",
        (*BLINDS, "read 1 As", "bonus 1"),
        "refused: hands are inspected when no act is due any more (8.21)",
        BUTTON | {"bonus": "flush:50"},
    ),
    Moment(
        "a side wager smaller than the smallest chip",
        ("seat 1-2 stack=500", "bet 1 red=12"),
        "refused: the smallest chip is 5 (6.2)",
        BUTTON | {"chip": "5"},
    ),
    Moment(
        "a charge was collected from what is to be taken back",
        (
            "seat 1-2 stack=500", "seat 3 stack=10", *BLINDS[1:], "read 1 2c", "read 2 3d", "read 3 As", "read 1 7h",
            "read 2 8h", "read 3 Ad", "act 3 call", "act 1 fold", "burn", "read board 2h 5h Jd", "burn",
            "read board Qc", "burn", "read board Qd", "settle", "collect", "role casino-manager", "invalidate fraud",
        ),
        "5 is still to be taken back from seat 3 (13.6)",
        BUTTON | {"rake-method": "time", "rake": "15"},
    ),
    Moment(
        "side wagers wait for a flop that could not be read",
        (
            *BLINDS, "bet 3 red=10", *HOLES, *CALLED, "burn", "read board 2c 5h ??", "act 1 bet 20", "act 2 fold",
            "act 3 fold", "settle",
        ),
        "refused: name the card that could not be read first: reconstruct flop=CARD,CARD,CARD (10.1.1)",
    ),
    Moment(
        "who has left all-in out of turn takes nothing back",
        (
            "seat 1 stack=500", "seat 3 stack=500", "seat 2 stack=20", *BLINDS[1:], *HOLES, "act 2 all-in", "leave 2",
            "act 3 raise 100", "act 2 take-back",
        ),
        "refused: an all-in for less than the call stays (6.18.4)",
    ),
    Moment(
        "side wagers without a hand are void, and a player has left",
        ("seat 1-3 stack=500", "bet 1 red=10", "leave 1", GAP, "role supervisor", "void"),
        "10 belongs to the player who left seat 1 (8.3)",
    ),
    Moment(
        "a prize is claimed for a hand that was read one card short",
        (
            *BLINDS, *HOLES[:-1], *CALLED, "burn", "read board 2c 5h 7d", "act 1 check", "act 2 check", "act 3 bet 10",
            "act 1 fold", "act 2 fold", "bonus 3",
        ),
        "refused: the hand has the wrong number of cards (9.1.1(f))",
        BUTTON | {"bonus": "pair:50"},
    ),
    Moment(
        "the exposed card is in no hand any more since the deal was read anew",
        (*BLINDS, *HOLES, "exposed 3 2", "short 3", "read board 9c"),
        "the exposed card is not in this hand any more (9.7)",
    ),
    Moment(
        "who has checked out of turn and left has no chips to get back from it",
        (*BLINDS, *HOLES, *FLOP, "act 2 check", "leave 2", "role casino-manager", "invalidate fraud"),
        "10 belongs to the player who left seat 2 (8.3)",
    ),
    Moment(
        "who has left all-in with the blind has the wrong number of cards",
        (
            "seat 1 stack=500", "seat 3 stack=500", "seat 2 stack=10", *BLINDS[1:], *HOLES, "leave 2", "act 3 raise 40",
            "act 1 call", "short 2",
        ),
        "the wrong number of cards: the hand is void, its wagers go back (9.1.1(f))",
    ),
]  # fmt: skip


def told(game: str = "holdem", **options: str) -> Telling:
    return Telling(game, **{name.replace("-", "_"): value for name, value in (BUTTON | options).items()})


@pytest.mark.parametrize("moment", MOMENTS, ids=[moment.what for moment in MOMENTS])
def test_what_is_heard(moment: Moment) -> None:
    t = told(**moment.options)
    assert moment.heard in t.do(*moment.deeds)


# ---- what stays


def test_cards_wait_for_the_one_that_a_lost_reader_has() -> None:
    t = told()
    t.do(*BLINDS, f.DeviceLost("reader.1", "link.lost", "cable"), "read 3 7h")
    assert hand_at(t.table).cards.get("3", []) == []
    t.do("read 1 As")
    assert hand_at(t.table).cards["1"] == ["As"] and hand_at(t.table).cards.get("3", []) == []
    t.do("read 2 Kd")
    assert hand_at(t.table).cards["3"] == ["7h"]


def test_a_card_is_burned_once() -> None:
    t = told()
    t.do(*BLINDS, *HOLES, "exposed 1 1", "read board 9c", "burn As")
    assert t.table.round is not None
    assert [burn.card for burn in t.table.round.burns] == ["As"]


def test_a_fold_keyed_for_a_lost_sensor_awaits_no_chips() -> None:
    t = told()
    t.do(*BLINDS, *HOLES, f.DeviceLost("sensor.3", "link.lost", "cable"), "act 3 fold")
    assert hand_at(t.table).keyed_chips == {}


def test_that_somebody_has_bet_more_is_told_once() -> None:
    """What another seat does meanwhile does not tell it again (6.18.2)."""
    t = told()
    outbid = "somebody has bet more: make up the difference, or take the bet back and fold or raise (6.18.2)"
    assert t.do(*BLINDS, *HOLES, "act 1 call", "act 3 raise 40") == [outbid]
    assert t.do("act 2 fold") == ["folded out of turn: the hand is folded and its chips stay in the pot (6.18)"]
    assert hand_at(t.table).turn == "1" and "1" in hand_at(t.table).pending


def test_the_last_in_the_hand_has_won_before_leaving() -> None:
    t = told()
    t.do(*BLINDS, "bet 2 red=10", *HOLES, "act 3 fold", "act 1 fold", "leave 2")
    assert outcome(t.table) == "settled"
    assert hand_at(t.table).pots[0].won == {"2": 1500}
    assert room_of(t.table).stakes == {"1": 49500, "3": 50000}


def test_bets_on_a_flop_that_is_dealt_again_go_back() -> None:
    t = told()
    t.do(*BLINDS, *HOLES, *CALLED, "read board 2c 5h Jd", "act 1 bet 20")
    assert room_of(t.table).stakes["1"] == 47000
    t.do("shuffled")
    assert room_of(t.table).stakes["1"] == 49000 and hand_at(t.table).board == []


def test_no_shuffle_is_awaited_without_a_hand() -> None:
    t = told()
    rules = find("holdem")
    prompt = Prompt(1, 1, "dealer", "shuffle", "9.10", offers=("shuffled",))
    t.do(*BLINDS, *HOLES, "exposed flop")
    assert rules.stands(t.table, prompt, "shuffled")
    t.do("role casino-manager", "invalidate fraud")
    t.table.deck.due = ""
    assert not rules.stands(t.table, prompt, "shuffled")


def test_an_hour_that_nobody_could_pay_for_is_still_owed() -> None:
    t = told(rake_method="time", rake="5")
    t.do("seat 1-2 stack=4")
    assert "has not enough chips for the fee of 5 (7.2.2(a))" in t.do("collect")
    t.do("seat 1-2 add=20", "collect")
    assert room_of(t.table).stakes == {"1": 1900, "2": 1900} and room_of(t.table).slide == 1000


def test_a_card_that_could_not_be_read_is_asked_for_until_it_is_named() -> None:
    t = told()
    rules = find("holdem")
    prompt = Prompt(1, 1, "dealer", "name it", "8.7", "1", cause=causes.Unread())
    assert not rules.stands(t.table, prompt, "")
    t.do(*BLINDS, "read 1 ??")
    assert rules.stands(t.table, prompt, "")
    assert not rules.stands(t.table, replace(prompt, place="2"), "")
    assert rules.stands(t.table, replace(prompt, place=""), "")


def test_a_rake_is_no_more_than_can_be_counted() -> None:
    with pytest.raises(Unwritable):
        read_rake("999999999999999")


def test_a_bonus_hand_is_named_once() -> None:
    options = demanded(CrownOptions(), {"bonus": "flush:50,flush:20"})
    assert [slip.options for slip in options.slips()] == [("bonus",)]


def test_the_only_player_left_owes_no_other_blind() -> None:
    t = told()
    t.do("seat 1-2 stack=500", "act 1 post 5", "leave 2")
    assert hand_at(t.table).due == {"1": 500, "2": 1000} and hand_at(t.table).posted == {"1": 500}


def test_the_side_wager_of_another_stays_when_a_player_is_excluded() -> None:
    t = told()
    t.do(*BLINDS, "bet 1 red=10", "bet 2 black=10", *HOLES, "role casino-manager", "exclude 1")
    assert t.table.round is not None
    assert [line.at for line in t.table.round.lines] == [("1", "red")]
    assert room_of(t.table).stakes == {"1": 50000, "2": 48000, "3": 50000}


def test_a_draw_goes_on_when_a_contender_of_another_seat_leaves() -> None:
    t = told()
    t.do("seat 1-2 stack=500", "list A 5", "list B 5", "list S1 3", "list S2 3", "leave 1")
    assert room_of(t.table).drawing == {"5": ["A", "B"]}


def test_who_left_after_a_blind_that_was_not_due_owes_nothing_after_a_misdeal() -> None:
    t = told()
    t.do(*BLINDS, *HOLES, "act 3 fold", "act 1 fold", "settle", "seat 5 stack=10", "act 2 post 5", "act 3 post 10")
    t.do("act 5 post 10", "read 2 As", "leave 5", "misdeal")
    assert outcome(t.table) == "misdeal" and "5" not in room_of(t.table).owing


def test_hands_that_are_rebuilt_as_they_were_need_nobody() -> None:
    t = Telling("holdem", **BUTTON)
    t.do(*BLINDS, *HOLES)
    before = t.table.live.copy()
    t.key("reconstruct 1=As,Ad")
    assert t.table.live == before and t.table.prompts[-1].text == "the hands are rebuilt"  # it is said, once
    t.key("reconstruct 1=As,Ac")
    assert [p.text for p in t.table.live][len(before) :] == ["the hands are rebuilt"]
