"""One betting round by rule 6 of the Crown Poker document, and what holds for any round."""

from __future__ import annotations

from typing import Any, cast, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.poker.hand.betting import (
    active,
    apply,
    bet_to,
    check_or_call,
    complete,
    drop,
    fold,
    legal,
    offers,
    post,
    reduced,
    refusal,
    to_act,
    total,
    whole,
)
from controller.poker.state import Betting, Structure
from controller.poker.words import Act, Limit

SEATS = "123456"


def betting(kind: Limit = "no-limit", stacks: dict[str, int] | int = 3, least: int = 10, **more: Any) -> Betting:
    """A round after the flop; a number of seats means that each has plenty."""
    if isinstance(stacks, int):
        stacks = dict.fromkeys(SEATS[:stacks], 1000)
    structure = Structure(kind, least, more.pop("most", 0))
    return Betting(structure, list(stacks), dict(stacks), **more)


def blinds(kind: Limit = "no-limit", stacks: dict[str, int] | int = 4, **more: Any) -> Betting:
    """Round one: seats 1 and 2 post 5 and 10, seat 3 acts first."""
    b = betting(kind, stacks, **more)
    b.order = b.order[2:] + b.order[:2]
    post(b, "1", 5)
    post(b, "2", 10)
    return b


def told(b: Betting, acts: str) -> Betting:
    """Acts such as "1 bet 10, 2 fold", each in its turn and legal."""
    for line in filter(None, acts.split(", ")):
        seat, word, *to = line.split()
        assert to_act(b) == seat
        amount = int(to[0]) if to else 0
        assert word in get_args(Act)
        act = cast(Act, word)
        assert refusal(b, seat, act, amount) is None, line
        apply(b, seat, act, amount)
    return b


# ---- whose turn it is


@pytest.mark.parametrize(
    ("acts", "turn"),
    [
        ("", "3"),
        ("3 fold, 4 call", "1"),
        ("3 call, 4 call, 1 call", "2"),  # AMB-CP-17: the last blind has its option
        ("3 call, 4 call, 1 call, 2 check", None),
        ("3 call, 4 call, 1 call, 2 call", None),  # its check may be said so
        ("3 call, 4 call, 1 call, 2 raise 20", "3"),
        ("3 call, 4 call, 1 call, 2 raise 20, 3 fold, 4 call", "1"),
        ("3 fold, 4 fold, 1 fold", None),
        ("3 raise 20, 4 fold, 1 fold, 2 call", None),
    ],
)
def test_the_turn_goes_clockwise(acts: str, turn: str | None) -> None:
    b = told(blinds(), acts)
    assert to_act(b) == turn
    assert complete(b) is (turn is None)


def test_the_straddler_acts_last() -> None:
    """6.5.1."""
    b = betting(stacks=5)
    b.order = ["4", "5", "1", "2", "3"]
    for seat, amount in (("1", 5), ("2", 10), ("3", 20)):
        post(b, seat, amount)
    told(b, "4 call, 5 call, 1 call, 2 call")
    assert to_act(b) == "3"
    assert offers(b, "3") == ("fold", "check", "raise", "all-in")


def test_who_is_all_in_is_not_asked_again_but_stays_active() -> None:
    """6.16.1."""
    b = told(betting(stacks={"1": 30, "2": 100, "3": 100}), "1 all-in, 2 raise 60, 3 call")
    assert to_act(b) is None
    assert active(b) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("stacks", "acts", "turn"),
    [
        ({"1": 0, "2": 50}, "", None),  # nobody to bet against
        ({"1": 0, "2": 0}, "", None),
        ({"1": 30, "2": 50}, "1 all-in", "2"),  # it owes 30
        ({"1": 30, "2": 50}, "1 all-in, 2 call", None),
        ({"1": 50, "2": 30}, "1 bet 30, 2 call", None),  # it is covered, and owes nothing
        ({"1": 50, "2": 30, "3": 50}, "1 bet 30, 2 call, 3 fold", None),
    ],
)
def test_no_act_is_due_when_one_has_chips_and_owes_nothing(stacks: dict[str, int], acts: str, turn: str | None) -> None:
    assert to_act(told(betting(stacks=stacks), acts)) == turn


def test_a_dead_hand_leaves_the_turn_where_it_is() -> None:
    b = told(betting(stacks=4), "1 check")
    drop(b, "3")
    drop(b, "3")
    assert to_act(b) == "2"
    told(b, "2 check")
    assert to_act(b) == "4"


# ---- how much


def test_a_straddle_sets_the_call_and_no_increment() -> None:
    """AMB-CP-03."""
    b = betting(stacks=4)
    for seat, amount in (("1", 5), ("2", 10), ("3", 20)):
        post(b, seat, amount)
    may = legal(b, "4")
    assert (may.call, may.raise_to, b.raises, whole(b)) == (20, (30, 1000), 0, 10)


def test_a_blind_posted_short_is_called_in_full() -> None:
    b = blinds(stacks={"1": 100, "2": 3, "3": 100})
    assert (b.bets["2"], b.stacks["2"], b.level) == (3, 0, 10)
    assert legal(b, "3").call == 10
    assert legal(b, "3").raise_to == (20, 100)


def test_the_small_blind_owes_nothing_to_a_shorter_one() -> None:
    b = blinds(stacks={"1": 100, "2": 3, "3": 100})
    told(b, "3 fold")
    assert to_act(b) is None


@pytest.mark.parametrize(
    ("kind", "acts", "expected"),
    [
        ("no-limit", "", (10, 1000)),
        ("no-limit", "1 bet 30", (60, 1000)),  # 6.6: no less than the last
        ("no-limit", "1 bet 30, 2 raise 100", (170, 1000)),
        ("pot", "", (10, 40)),
        ("pot", "1 bet 40", (80, 160)),  # 6.7: 40 + 40 and the call of 40, over 40
        ("pot", "1 bet 10, 2 raise 50", (90, 200)),
        ("half-pot", "", (10, 20)),
        ("half-pot", "1 bet 20", (40, 60)),
        ("fixed", "", (10, 10)),
        ("fixed", "1 bet 10, 2 raise 20", (30, 30)),
        ("spread", "", (10, 25)),
        ("spread", "1 bet 15", (30, 40)),  # 6.8: as much as the last, up to the most
        ("spread", "1 bet 15, 2 raise 40", (65, 65)),
    ],
)
def test_the_least_and_the_most(kind: Limit, acts: str, expected: tuple[int, int]) -> None:
    b = told(betting(kind, pot=40, most=25), acts)
    seat = to_act(b)
    assert seat is not None
    assert legal(b, seat).raise_to == expected


@pytest.mark.parametrize(("kind", "most"), [("pot", 35), ("half-pot", 22)])
def test_the_pot_before_the_flop(kind: Limit, most: int) -> None:
    """6.7, AMB-CP-26: both blinds and the call are in it."""
    assert legal(blinds(kind), "3").raise_to == (20, most)


def test_the_least_bet_is_allowed_in_any_pot() -> None:
    assert legal(betting("half-pot", pot=4), "1").raise_to == (10, 10)


def test_three_raises_and_no_fourth() -> None:
    """6.9."""
    b = told(betting("fixed"), "1 bet 10, 2 raise 20, 3 raise 30, 1 raise 40")
    assert legal(b, "2").rule == "6.9"
    assert refusal(b, "2", "raise", 50) == ("6.9", legal(b, "2").why)
    assert refusal(b, "2", "all-in") == refusal(b, "2", "raise", 50)
    assert offers(b, "2") == ("fold", "call")


def test_a_straddle_is_none_of_the_three_raises() -> None:
    """6.5.1(a)."""
    b = betting("fixed", stacks=4)
    for seat, amount in (("1", 5), ("2", 10), ("3", 20)):
        post(b, seat, amount)
    b.order = ["4", "1", "2", "3"]
    told(b, "4 raise 30, 1 raise 40, 2 raise 50")
    assert legal(b, "3").rule == "6.9"


def test_no_limit_of_raises_head_to_head_or_without_limits() -> None:
    told(betting("fixed", stacks=2), "1 bet 10, 2 raise 20, 1 raise 30, 2 raise 40, 1 raise 50, 2 raise 60")
    told(betting(), "1 bet 10, 2 raise 20, 3 raise 30, 1 raise 40, 2 raise 50")
    b = told(betting("fixed"), "1 bet 10, 2 raise 20, 3 raise 30, 1 raise 40, 2 fold")
    assert legal(b, "3").raise_to == (50, 50)


def test_who_is_all_in_keeps_the_betting_from_being_head_to_head() -> None:
    """AMB-CP-11."""
    b = told(betting("fixed", {"1": 10, "2": 100, "3": 100}), "1 all-in, 2 raise 20, 3 raise 30, 2 raise 40")
    assert legal(b, "3").rule == "6.9"


# ---- all-in for less


def test_an_all_in_of_less_than_half_is_completed() -> None:
    """6.16.2(a), AMB-CP-09, 11."""
    b = told(betting("fixed", {"1": 100, "2": 13, "3": 100}), "1 bet 10, 2 all-in")
    assert (legal(b, "3").call, legal(b, "3").raise_to, b.raises) == (13, (20, 20), 0)
    called = told(msgspec.convert(msgspec.to_builtins(b), Betting), "3 call")
    assert legal(called, "1").rule == "6.16.2(a)"
    assert offers(called, "1") == ("fold", "call")
    told(b, "3 raise 20")
    assert (legal(b, "1").raise_to, b.raises) == ((30, 30), 1)


def test_an_all_in_of_half_or_more_is_raised_by_all() -> None:
    """6.16.2(b), AMB-CP-09, 11."""
    b = told(betting("fixed", {"1": 100, "2": 16, "3": 100}), "1 bet 10, 2 all-in")
    assert (legal(b, "3").call, legal(b, "3").raise_to, b.raises) == (16, (26, 26), 1)
    told(b, "3 call")
    assert legal(b, "1").raise_to == (26, 26)


def test_a_short_opening_bet_is_completed_and_two_short_ones_may_make_half() -> None:
    b = told(betting("fixed", {"1": 3, "2": 6, "3": 100}), "1 all-in")
    assert legal(b, "2").raise_to == (6, 6)
    told(b, "2 all-in")
    assert (legal(b, "3").call, legal(b, "3").raise_to) == (6, (16, 16))


def test_a_spread_game_completes_to_the_last_bet() -> None:
    """6.16.2(a), 6.8."""
    b = told(betting("spread", {"1": 100, "2": 25, "3": 100}, most=25), "1 bet 20, 2 all-in")
    assert legal(b, "3").raise_to == (40, 45)
    b = told(betting("spread", {"1": 100, "2": 32, "3": 100}, most=25), "1 bet 20, 2 all-in")
    assert legal(b, "3").raise_to == (52, 57)


@pytest.mark.parametrize("kind", ["no-limit", "pot"])
def test_a_short_all_in_opens_nothing(kind: Limit) -> None:
    """6.16.3, AMB-CP-10."""
    b = told(betting(kind, {"1": 1000, "2": 150, "3": 1000}, pot=1000), "1 bet 100, 2 all-in")
    raise_to = legal(b, "3").raise_to
    assert raise_to is not None
    assert raise_to[0] == 250
    told(b, "3 call")
    assert (legal(b, "1").rule, legal(b, "1").call) == ("6.16.3", 150)
    assert refusal(b, "1", "raise", 250) == ("6.16.3", "there was no whole raise since this seat acted")


def test_short_all_ins_do_not_add_up() -> None:
    """6.16.3: each is less than a raise by itself."""
    b = told(betting(stacks={"1": 1000, "2": 150, "3": 200}), "1 bet 100, 2 all-in, 3 all-in")
    assert legal(b, "1").rule == "6.16.3"


# ---- refusals, offers, reductions


@pytest.mark.parametrize(
    ("kind", "acts", "word", "to", "rule"),
    [
        ("no-limit", "1 bet 20", "check", 0, "8.18.3"),
        ("no-limit", "", "call", 0, "1.1"),
        ("no-limit", "", "bet", 5, "6.6"),
        ("no-limit", "1 bet 20", "raise", 30, "6.6"),
        ("no-limit", "1 bet 20", "bet", 30, "6.6"),  # a bet that faces a bet is a raise
        ("pot", "1 bet 20", "raise", 30, "6.6"),
        ("fixed", "1 bet 10", "raise", 15, "6.6"),
        ("spread", "1 bet 15", "raise", 25, "6.8"),
        ("spread", "", "bet", 5, "6.8"),
        ("no-limit", "1 bet 20", "raise", 40, None),
        ("no-limit", "1 bet 20", "bet", 40, None),
        ("no-limit", "", "raise", 40, None),
        ("no-limit", "1 bet 20", "fold", 0, None),
        ("no-limit", "", "fold", 0, None),  # 8.18.2
        ("no-limit", "1 bet 20", "all-in", 0, None),
        ("pot", "1 bet 20", "all-in", 0, None),  # it is reduced
        ("fixed", "1 bet 10", "raise", 500, None),
    ],
)
def test_what_is_refused_and_by_which_rule(kind: Limit, acts: str, word: Act, to: int, rule: str | None) -> None:
    b = told(betting(kind, pot=40, most=25), acts)
    seat = to_act(b)
    assert seat is not None
    refused = refusal(b, seat, word, to, check_rule="8.18.3")
    assert (refused and refused[0]) == rule


def test_who_checked_out_of_turn_may_only_call() -> None:
    """6.18.3, AMB-CP-12."""
    b = betting(bound=["2"])
    told(b, "1 bet 10")
    assert refusal(b, "2", "raise", 20) == ("6.18.3", legal(b, "2").why)
    assert offers(b, "2") == ("fold", "call")


@pytest.mark.parametrize(
    ("kind", "to", "expected"),
    [
        ("no-limit", 1500, (1000, "1.1")),
        ("pot", 500, (120, "6.7")),
        ("half-pot", 500, (65, "6.7")),
        ("fixed", 500, (20, "6.6")),
        ("spread", 500, (35, "6.8")),
        ("no-limit", 500, None),
        ("fixed", 20, None),
    ],
)
def test_what_is_too_large_is_reduced(kind: Limit, to: int, expected: tuple[int, str] | None) -> None:
    b = told(betting(kind, pot=90, most=25), "1 bet 10")
    less = reduced(b, "2", to)
    assert (less and less[:2]) == expected
    apply(b, "2", "raise", to)
    assert b.bets["2"] == (expected[0] if expected else to)


@pytest.mark.parametrize(
    ("stacks", "acts", "expected"),
    [
        (3, "", ("fold", "check", "bet", "all-in")),
        (3, "1 bet 20", ("fold", "call", "raise", "all-in")),
        ({"1": 50, "2": 15, "3": 50}, "1 bet 20", ("fold", "call", "all-in")),
        ({"1": 50, "2": 25, "3": 50}, "1 bet 20", ("fold", "call", "raise", "all-in")),
    ],
)
def test_offers(stacks: dict[str, int] | int, acts: str, expected: tuple[str, ...]) -> None:
    b = told(betting(stacks=stacks), acts)
    seat = to_act(b)
    assert seat is not None
    assert offers(b, seat) == expected


def test_a_large_stake_is_not_offered_all_in_where_the_limit_is_lower() -> None:
    assert "all-in" not in offers(betting("pot", pot=40), "1")


# ---- what holds for any round


@st.composite
def rounds(draw: st.DrawFn) -> Betting:
    count = draw(st.integers(2, 6))
    chips = st.one_of(st.integers(1, 60), st.integers(1, 2000))
    stacks = {seat: draw(chips) for seat in SEATS[:count]}
    kind = draw(st.sampled_from(get_args(Limit)))
    b = Betting(Structure(kind, 10, 25), list(stacks), stacks, pot=draw(st.integers(0, 100)))
    if draw(st.booleans()):
        b.order = b.order[2:] + b.order[:2]
        for seat, amount in zip(SEATS, draw(st.sampled_from([(5, 10), (5, 10, 20), (5, 10, 20, 40)])), strict=False):
            if seat in stacks:
                post(b, seat, amount)
    return b


@given(rounds(), st.data())
def test_any_round(b: Betting, data: st.DataObject) -> None:
    """Chips are conserved, what is offered is never refused, every round ends, and the same acts do the same."""
    again = msgspec.convert(msgspec.to_builtins(b), Betting)
    chips = sum(b.stacks.values()) + sum(b.bets.values())
    acts = 0
    while (seat := to_act(b)) is not None:
        word = data.draw(st.sampled_from(offers(b, seat)))
        may, to = legal(b, seat), 0
        if word in ("bet", "raise"):
            assert may.raise_to is not None
            assert b.level < may.raise_to[0] <= may.raise_to[1] <= total(b, seat)
            to = data.draw(st.integers(*may.raise_to))
            assert reduced(b, seat, to) is None
        assert refusal(b, seat, word, to) is None
        apply(b, seat, word, to)
        apply(again, seat, word, to)
        assert sum(b.stacks.values()) + sum(b.bets.values()) == chips
        assert min(b.stacks.values()) >= 0
        assert b == again
        acts += 1
        assert acts < 5000
    owing = [
        seat for seat in active(b) if b.stacks[seat] and b.bets.get(seat, 0) < max(b.bets.get(s, 0) for s in active(b))
    ]
    assert not owing


@given(rounds(), st.sampled_from(["check", "call", "bet", "raise", "all-in"]), st.integers(0, 3000))
def test_an_act_is_refused_with_a_rule_or_can_be_done(b: Betting, word: Act, to: int) -> None:
    seat = to_act(b)
    if seat is None:
        return
    refused = refusal(b, seat, word, to)
    if refused is not None:
        assert all(refused)
        return
    level, mine = b.level, total(b, seat)
    apply(b, seat, word, to)
    assert b.bets.get(seat, 0) <= mine
    assert b.bets.get(seat, 0) >= min(level, mine)


def test_the_plain_acts() -> None:
    b = betting()
    check_or_call(b, "1")
    bet_to(b, "2", 10)
    fold(b, "3")
    check_or_call(b, "1")
    assert to_act(b) is None
    assert b.bets == {"1": 10, "2": 10}
