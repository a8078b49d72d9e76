"""Whose chips are where, while a hand runs and when it is over."""

from __future__ import annotations

from typing import Literal

from controller.poker.money import stacks
from controller.poker.state import Betting, Hand, PendingAct, Room, Structure, Won
from controller.poker.words import Street
from controller.rules import Outcome
from controller.table.play import Play
from controller.table.state import Round, Table


def betting(**bets: int) -> Betting:
    seats = {seat.removeprefix("s"): bet for seat, bet in bets.items()}
    stacks = {seat: 10_000 - bet for seat, bet in seats.items()}
    return Betting(Structure("no-limit", 1000), list(seats), stacks, bets=seats, pot=3000)


def table(hand: Hand, outcome: Outcome | Literal[""] = "", **stakes: int) -> Table:
    stakes = {seat.removeprefix("s"): stake for seat, stake in stakes.items()}
    return Table(game="holdem", play=Play(Room(stakes=stakes)), round=Round(1, 1, play=Play(hand), outcome=outcome))


def test_before_the_cards_the_blinds_lie_in_front() -> None:
    hand = Hand("3", posted={"1": 500, "2": 1000})
    assert [stacks.in_front(hand, seat) for seat in "123"] == [500, 1000, 0]
    assert stacks.in_play(hand) == 1500
    assert stacks.behind(table(hand, s1=9500), "1") == 9500


def test_in_a_betting_round() -> None:
    hand = Hand(
        "3", street=Street.FLOP, betting=betting(s1=500, s2=2000), paid={"1": 1500, "2": 1500}, dealt=["1", "2"]
    )
    t = table(hand, s1=9999, s3=700)
    assert stacks.in_front(hand, "2") == 2000
    assert [stacks.behind(t, seat) for seat in "123"] == [9500, 8000, 700]
    assert stacks.in_play(hand) == 5500


def test_chips_that_wait_lie_in_front_too() -> None:
    hand = Hand("3", street=Street.FIRST, betting=betting(s1=500, s2=1000, s3=0), dealt=["1", "2", "3"])
    hand.pending["3"] = PendingAct("raise", 3000)
    hand.short["1"] = 200
    t = table(hand)
    assert [stacks.in_front(hand, seat) for seat in "123"] == [700, 1000, 3000]
    assert [stacks.behind(t, seat) for seat in "13"] == [9300, 7000]
    assert stacks.in_play(hand) == 4700


def test_when_it_is_over() -> None:
    hand = Hand("3", street=Street.SHOWDOWN, paid={"1": 3000, "2": 3000, "3": 500}, dealt=["1", "2", "3"], rake=300)
    hand.pots = [Won(1500, ("1", "2", "3"), {"1": 1400}, 100), Won(5000, ("1", "2"), {"1": 2400, "2": 2400}, 200)]
    t = table(hand, "settled", s1=10_800)
    assert t.round is not None
    assert stacks.running(t) is None
    assert stacks.won(hand, "1") == 3800
    assert [stacks.net(t.round, seat) for seat in "123"] == [800, -600, -500]
    assert sum(stacks.net(t.round, seat) for seat in "123") == -hand.rake
    assert stacks.behind(t, "1") == 10_800
    hand.void.append("3")  # it was no hand: what was wagered went back
    assert stacks.net(t.round, "3") == 0


def test_a_misdeal_changes_nobodys_chips() -> None:
    hand = Hand("3", posted={"1": 500}, paid={"2": 1000})
    t = table(hand, "misdeal")
    assert t.round is not None
    assert [stacks.net(t.round, seat) for seat in "12"] == [0, 0]
