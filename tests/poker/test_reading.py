"""Chips pushed forward: what each rule makes of them."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.poker.hand.betting import apply, post, refusal, to_act
from controller.poker.hand.pushed_chips import Meant, read
from controller.poker.state import Betting, Structure
from controller.poker.words import Declared, Limit

Say = Declared | Literal[""]  # what goes with the chips; empty: nothing


def facing(kind: Limit, level: int, *, bet: int = 0, stack: int = 1000, pot: int = 0) -> Betting:
    """Seat 2 is to act; seat 1 has bet the level, if any."""
    b = Betting(Structure(kind, 10, 25), ["1", "2", "3"], {"1": 1000, "2": stack, "3": 1000}, pot=pot)
    if bet:
        post(b, "2", bet)
    if level:
        apply(b, "1", "bet", level)
    else:
        apply(b, "1", "check")
    return b


def before_the_flop(kind: Limit = "no-limit", raised: int = 0) -> Betting:
    """Blinds 5 and 10 at seats 2 and 3; seat 1 is to act, or has raised and seat 2 is."""
    b = Betting(Structure(kind, 10, 25), ["1", "2", "3"], dict.fromkeys("123", 1000))
    post(b, "2", 5)
    post(b, "3", 10)
    if raised:
        apply(b, "1", "raise", raised)
    return b


CASES: list[tuple[str, Betting, tuple[int, ...], int, Say, bool, tuple[str, int, str, int, int]]] = [
    # what, the round, chips, lying, said, round one; word, to, rule, surplus, completes
    ("a call", facing("no-limit", 20), (10, 10), 0, "", False, ("call", 20, "8.2.1", 0, 0)),
    ("a raise", facing("no-limit", 20), (25, 25), 0, "", False, ("raise", 50, "8.2.2", 0, 0)),
    ("a bet", facing("no-limit", 0), (10, 10), 0, "", False, ("bet", 20, "8.2.2", 0, 0)),
    # 6.12, AMB-CP-08: the excess beside the least raise
    ("half a raise", facing("no-limit", 20), (10, 10, 10), 0, "", False, ("raise", 40, "6.12", 0, 10)),
    ("less than half", facing("no-limit", 20), (20, 5), 0, "", False, ("call", 20, "6.12", 5, 0)),
    ("half, pot", facing("pot", 20, pot=100), (10, 10, 10), 0, "", False, ("raise", 40, "6.12", 0, 10)),
    ("half, fixed", facing("fixed", 10), (5, 5, 5), 0, "", False, ("raise", 20, "6.12", 0, 5)),
    ("less than half, fixed", facing("fixed", 10), (10, 4), 0, "", False, ("call", 10, "6.12", 4, 0)),
    ("half a bet", facing("no-limit", 0), (5, 1), 0, "", False, ("bet", 10, "6.12", 0, 4)),
    ("less than half a bet", facing("no-limit", 0), (2, 2), 0, "", False, ("check", 0, "6.12", 4, 0)),
    # 6.13: one large chip in limit games
    ("one chip, fixed", facing("fixed", 10), (100,), 0, "", False, ("call", 10, "6.13", 90, 0)),
    ("one chip, spread", facing("spread", 10), (100,), 0, "", False, ("call", 10, "6.13", 90, 0)),
    ("one chip, fixed, round one", before_the_flop("fixed"), (25,), 0, "", True, ("call", 10, "6.13", 15, 0)),
    ("one chip, fixed, first bet", facing("fixed", 0), (25,), 0, "", False, ("bet", 10, "6.6", 15, 0)),
    ("one chip, fixed, raise", facing("fixed", 10), (100,), 0, "raise", False, ("raise", 20, "6.6", 80, 0)),
    # 6.14.1: one large chip in all others
    ("one chip, round one", before_the_flop(), (100,), 0, "", True, ("call", 10, "6.14.1(a)", 90, 0)),
    ("one chip, a raise before", before_the_flop(raised=30), (100,), 0, "", True, ("call", 30, "6.14.1(a)", 75, 0)),
    ("one chip, first wager", facing("no-limit", 0), (100,), 0, "", False, ("bet", 100, "6.14.1(b)", 0, 0)),
    ("one chip, over the pot", facing("pot", 0, pot=40), (100,), 0, "", False, ("bet", 40, "6.14.1(b)", 60, 0)),
    ("one chip, later", facing("no-limit", 20), (100,), 0, "", False, ("call", 20, "6.14.1(b)", 80, 0)),
    ("one chip, exact", facing("no-limit", 25), (25,), 0, "", False, ("call", 25, "8.2.1", 0, 0)),
    # 6.14.2: raise, and one large chip
    ("one chip and raise", facing("no-limit", 20), (100,), 0, "raise", False, ("raise", 100, "6.14.2", 0, 0)),
    ("one chip and raise, pot", facing("pot", 20, pot=20), (100,), 0, "raise", False, ("raise", 80, "6.14.2", 20, 0)),
    ("one chip and raise, round one", before_the_flop(), (100,), 0, "raise", True, ("raise", 100, "6.14.2", 0, 0)),
    # 1.1: words bind
    ("raise with too little", facing("no-limit", 20), (25,), 0, "raise", False, ("raise", 40, "1.1", 0, 15)),
    ("raise with the call", facing("fixed", 10), (5, 5), 0, "raise", False, ("raise", 20, "1.1", 0, 10)),
    ("raise with several", facing("no-limit", 20), (25, 25), 0, "raise", False, ("raise", 50, "8.2.2", 0, 0)),
    ("call with too much", facing("no-limit", 20), (25, 25), 0, "call", False, ("call", 20, "1.1", 30, 0)),
    ("call with too little", facing("no-limit", 20), (5,), 0, "call", False, ("call", 20, "1.1", 0, 15)),
    ("all-in with one chip", facing("no-limit", 20), (5,), 0, "all-in", False, ("all-in", 1000, "1.1", 0, 995)),
    ("all-in over the pot", facing("pot", 20, pot=20), (5,), 0, "all-in", False, ("raise", 80, "6.7", 0, 75)),
    ("check with chips", facing("no-limit", 0), (25,), 0, "check", False, ("check", 0, "6.18", 25, 0)),
    ("fold with chips", facing("no-limit", 20), (25,), 0, "fold", False, ("fold", 0, "6.18", 25, 0)),
    # 6.16: every chip
    ("all, less than a call", facing("no-limit", 50, stack=30), (25, 5), 0, "", False, ("all-in", 30, "6.16.1", 0, 0)),
    ("all, said call", facing("no-limit", 50, stack=30), (25, 5), 0, "call", False, ("all-in", 30, "6.16.1", 0, 0)),
    ("all, said all-in", facing("no-limit", 50, stack=30), (25,), 0, "all-in", False, ("all-in", 30, "6.16.1", 0, 5)),
    ("all, exactly a call", facing("no-limit", 30, stack=30), (25, 5), 0, "", False, ("call", 30, "8.2.1", 0, 0)),
    ("all, a short raise", facing("no-limit", 20, stack=25), (20, 5), 0, "", False, ("all-in", 25, "6.16.3", 0, 0)),
    ("all, a short raise, fixed", facing("fixed", 10, stack=13), (10, 3), 0, "", False, ("all-in", 13, "6.16.2", 0, 0)),
    ("all, a raise", facing("no-limit", 20, stack=50), (25, 25), 0, "", False, ("all-in", 50, "8.2.2", 0, 0)),
    ("more than the stake", facing("no-limit", 20, stack=50), (50, 25), 0, "", False, ("all-in", 50, "1.1", 25, 0)),
    ("nearly all, less than half", facing("no-limit", 20, stack=29), (20, 8), 0, "", False, ("call", 20, "6.12", 8, 0)),
    # 6.6, 6.7, 6.8: reduced to the limit
    ("over the pot", facing("pot", 20, pot=20), (50, 50), 0, "", False, ("raise", 80, "6.7", 20, 0)),
    ("over the spread", facing("spread", 20), (50, 50), 0, "", False, ("raise", 45, "6.8", 55, 0)),
    ("over the fixed bet", facing("fixed", 10), (50, 50), 0, "", False, ("raise", 20, "6.6", 80, 0)),
    # 6.17
    ("an under-call", facing("no-limit", 20), (5, 10), 0, "", False, ("short", 15, "6.17", 0, 5)),
    ("made up", facing("no-limit", 20), (5,), 15, "", False, ("call", 20, "8.2.1", 0, 0)),
    ("made up with one chip", facing("no-limit", 20), (25,), 15, "", False, ("call", 20, "6.14.1(b)", 20, 0)),
    ("still too little", facing("no-limit", 20), (2,), 15, "", False, ("short", 17, "6.17", 0, 3)),
    ("under-call of the blind", before_the_flop(raised=30), (10, 5), 0, "", True, ("short", 20, "6.17", 0, 10)),
]


@pytest.mark.parametrize(
    ("b", "chips", "lying", "say", "first", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_reading(
    b: Betting, chips: tuple[int, ...], lying: int, say: Say, first: bool, expected: tuple[str, int, str, int, int]
) -> None:
    seat = to_act(b)
    assert seat is not None
    meant = read(b, seat, chips, lying, say or None, first)
    assert (meant.word, meant.to, meant.rule, meant.surplus, meant.completes) == expected
    assert meant.text


def test_where_no_raise_is_allowed_all_of_it_is_a_call() -> None:
    """6.9, 6.16.3: the chips lie there, so they are read as what is left to do."""
    b = Betting(Structure("fixed", 10), ["1", "2", "3"], dict.fromkeys("123", 1000))
    for seat, to in (("1", 10), ("2", 20), ("3", 30), ("1", 40)):
        apply(b, seat, "bet", to)
    says: tuple[Declared | None, ...] = (None, "raise", "all-in")
    for say in says:
        meant = read(b, "2", (25, 25), declared=say)
        assert (meant.word, meant.to, meant.rule, meant.surplus) == ("call", 40, "6.9", 30)
    short_one = Betting(Structure("no-limit", 10), ["1", "2"], {"1": 1000, "2": 150})
    apply(short_one, "1", "bet", 100)
    apply(short_one, "2", "all-in")
    assert read(short_one, "1", (100, 100)).rule == "6.16.3"


def test_the_last_blind_with_one_chip_checks() -> None:
    """6.14.1(a), AMB-CP-17."""
    b = before_the_flop()
    apply(b, "1", "call")
    apply(b, "2", "call")
    meant = read(b, "3", (100,), first_round=True)
    assert (meant.word, meant.to, meant.surplus) == ("check", 10, 100)


@given(
    st.sampled_from(["no-limit", "pot", "half-pot", "fixed", "spread"]),
    st.sampled_from([0, 10, 20]),
    st.integers(1, 300),
    st.lists(st.sampled_from([1, 5, 25, 100]), min_size=1, max_size=8),
    st.sampled_from(["", "call", "bet", "raise", "all-in", "fold"]),
    st.booleans(),
)
def test_whatever_is_read_can_be_done(
    kind: Limit, level: int, stack: int, chips: list[int], say: Say, first_round: bool
) -> None:
    """No chip is lost, and no reading is refused afterwards."""
    b = facing(kind, min(level, 10) if kind == "fixed" else level, stack=stack, pot=40)
    meant: Meant = read(b, "2", tuple(chips), 0, say or None, first_round)
    assert 0 <= meant.to <= stack
    if meant.word == "short":
        assert (meant.to, meant.surplus) == (sum(chips), 0)
        assert meant.completes > 0
        return
    assert sum(chips) + meant.completes - meant.surplus == meant.to
    assert refusal(b, "2", meant.word, meant.to) is None
    apply(b, "2", meant.word, meant.to)
    assert b.bets.get("2", 0) == meant.to
