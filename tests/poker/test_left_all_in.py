"""Who is all-in out of turn and leaves: the chips in front are won, lost or given back, and never forgotten."""

from __future__ import annotations

import pytest

from controller.poker.room.seats import room_of
from controller.poker.state import Hand
from controller.table.facts import CardRead, Hold
from tests.poker.there import hand_at
from tests.table.telling import Telling

STAKE = 50_000


def left() -> Telling:
    """Seat 2 has the large blind, goes all-in before its turn, and leaves."""
    t = Telling("holdem", seats="4", button="4")
    for words in ("seat 1-4 stack=500", "act 1 post 5", "act 2 post 10"):
        t.key(words)
    for card, seat in zip(["As", "Kd", "7h", "7c", "Ad", "2s", "9c", "9d"], "12341234", strict=True):
        t.tell(CardRead(seat, card))
    t.key("act 2 all-in")
    t.key("leave 2")
    return t


def hand(t: Telling) -> Hand:
    return hand_at(t.table)


def chips(t: Telling) -> int:
    assert t.table.round is not None and t.table.round.outcome
    return sum(room_of(t.table).stakes.values()) + sum(hand(t).owed.values()) + room_of(t.table).dropped


@pytest.mark.parametrize("ruling", ["invalidate fraud", "count 51", "void"])
def test_all_of_it_goes_back_when_the_hand_counts_for_nothing(ruling: str) -> None:
    t = left()
    t.role("supervisor")
    if ruling == "void":
        t.tell(Hold("device.gap", "an event is missing", "shoe"))
    t.key(ruling)
    assert hand(t).owed == {"2": STAKE} and hand(t).returned["2"] == STAKE
    assert chips(t) == 4 * STAKE


def test_what_nobody_had_to_call_goes_back() -> None:
    t = left()
    for words in ("act 3 fold", "act 4 fold", "act 1 fold", "settle"):
        t.key(words)
    assert hand(t).owed == {"2": STAKE + 500}
    assert chips(t) == 4 * STAKE


def test_it_is_a_bet_when_its_turn_comes() -> None:
    t = left()
    for words in ("act 3 fold", "act 4 call", "act 1 fold"):
        t.key(words)
    betting = hand(t).betting
    assert betting is not None and betting.bets["2"] == STAKE and not hand(t).owed
    t.key("act 4 call")
    for street in (("2c", "3c", "4c"), ("Th",), ("Jd",)):
        t.key("burn")
        for card in street:
            t.tell(CardRead("board", card))
    t.key("settle")
    assert chips(t) == 4 * STAKE
