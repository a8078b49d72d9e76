"""Side pots, what comes back, commission and odd chips, by example and for any hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.poker.money.pots import all_tied, fixed, only_blinds, percentage, pots, shared, uncalled
from controller.poker.state import Pot

BLINDS = {"1": 5, "2": 10}


@pytest.mark.parametrize(
    ("paid", "out", "expected"),
    [
        ({"1": 50, "2": 50}, "", [(100, "12")]),
        ({"1": 20, "2": 50, "3": 50}, "", [(60, "123"), (60, "23")]),
        ({"1": 20, "2": 50, "3": 80, "4": 80}, "", [(80, "1234"), (90, "234"), (60, "34")]),
        ({"1": 20, "2": 50, "3": 50}, "1", [(120, "23")]),  # the chips of who folded stay in
        ({"1": 20, "2": 30, "3": 50, "4": 50}, "2", [(80, "134"), (70, "34")]),
        ({"1": 20, "2": 70, "3": 50}, "2", [(60, "13"), (80, "3")]),  # a dead hand had paid the most
        ({"1": 5, "2": 10, "3": 0}, "12", [(15, "3")]),  # its raise went back whole
        ({"1": 0, "2": 0}, "", []),
    ],
)
def test_pots(paid: dict[str, int], out: str, expected: list[tuple[int, str]]) -> None:
    assert [(pot.amount, "".join(pot.eligible)) for pot in pots(paid, out)] == expected


def test_dead_money_lies_in_the_main_pot() -> None:
    assert pots({"1": 20, "2": 50, "3": 50}, "", dead=5) == [Pot(65, ("1", "2", "3")), Pot(60, ("2", "3"))]
    assert pots({"1": 20, "2": 20}, "", dead=5) == [Pot(45, ("1", "2"))]
    assert pots({"1": 0, "2": 0}, "", dead=5) == [Pot(5, ("1", "2"))]


@pytest.mark.parametrize(
    ("paid", "out", "expected"),
    [
        ({"1": 50, "2": 30}, "", ("1", 20)),
        ({"1": 50, "2": 50}, "", None),
        ({"1": 50, "2": 30}, "2", ("1", 20)),  # what was called of it stays
        ({"1": 5, "2": 10}, "1", None),  # the blinds are the pot, although nobody called (1.1 "Pot")
        ({"1": 5, "2": 10, "3": 30}, "12", ("3", 30)),  # AMB-CP-05: nothing was called
        ({"1": 30, "2": 10}, "2", ("1", 25)),  # the small blind stays
        ({"1": 5, "2": 10, "3": 30, "4": 10}, "124", ("3", 20)),  # seat 4 had called 10
        ({"1": 5, "2": 3, "3": 30}, "1", ("3", 25)),  # against a blind that is all-in
        ({"1": 50, "2": 80}, "2", None),  # a dead hand takes nothing back
        ({"1": 50, "2": 80}, "12", None),
    ],
)
def test_uncalled(paid: dict[str, int], out: str, expected: tuple[str, int] | None) -> None:
    assert uncalled(paid, out, BLINDS) == expected


def test_the_commission_of_each_pot() -> None:
    """7.2.1, 7.7, AMB-CP-18."""
    made = [Pot(10_050, ("1", "2", "3")), Pot(4000, ("1", "2"))]
    assert percentage(made, 50_000, None, 100) == [500, 200]
    assert percentage(made, 50_000, 600, 100) == [500, 100]
    assert percentage(made, 50_000, 300, 100) == [300, 0]
    assert percentage(made, 0, None, 100) == [0, 0]  # 7.4
    assert percentage(made, 50_000, None, 1) == [502, 200]


def test_the_commission_of_a_hand_comes_from_the_main_pot_first() -> None:
    """7.2.3."""
    assert fixed([Pot(1000, ("1", "2")), Pot(500, ("1",))], 300) == [300, 0]
    assert fixed([Pot(200, ("1", "2")), Pot(500, ("1",))], 300) == [200, 100]
    assert fixed([Pot(200, ("1", "2"))], 300) == [200]


@pytest.mark.parametrize(
    ("paid", "expected"),
    [
        ({"1": 5, "2": 10}, True),
        ({"1": 5, "2": 10, "3": 0}, True),  # an uncalled raise went back (AMB-CP-05)
        ({"1": 3, "2": 3}, True),  # the second blind was all-in for less
        ({"1": 10, "2": 10}, False),
        ({"1": 5, "2": 10, "3": 10}, False),
    ],
)
def test_only_blinds(paid: dict[str, int], expected: bool) -> None:
    """7.6."""
    assert only_blinds(paid, BLINDS) is expected


@pytest.mark.parametrize(
    ("paid", "strengths", "expected"),
    [
        ({"1": 50, "2": 50}, {"1": 7, "2": 7}, True),
        ({"1": 50, "2": 50}, {"1": 7, "2": 8}, False),
        ({"1": 50, "2": 50, "3": 10}, {"1": 7, "2": 7}, False),  # another has contributed
        ({"1": 50, "2": 50, "3": 0}, {"1": 7, "2": 7}, True),
        ({"1": 50}, {"1": 7}, False),
        ({"1": 50, "2": 50}, {"1": (7, 3), "2": (7, None)}, False),  # hi-lo: equal high, one low
    ],
)
def test_all_tied(paid: dict[str, int], strengths: dict[str, object], expected: bool) -> None:
    """7.8."""
    assert all_tied(paid, strengths) is expected


@pytest.mark.parametrize(
    ("amount", "winners", "chip", "expected"),
    [
        (1000, "12", 100, [500, 500]),
        (1100, "12", 100, [600, 500]),
        (1100, "312", 100, [400, 400, 300]),  # AMB-CP-06: one chip at a time
        (1050, "312", 100, [400, 350, 300]),  # and to the last cent
        (50, "12", 100, [50, 0]),
        (1000, "1", 100, [1000]),
    ],
)
def test_shared(amount: int, winners: str, chip: int, expected: list[int]) -> None:
    """8.5, 8.5.1."""
    assert shared(amount, winners, chip) == dict(zip(winners, expected, strict=True))


PAID = st.dictionaries(st.sampled_from("123456789"), st.integers(0, 400), min_size=1)


@given(PAID, st.sets(st.sampled_from("123456789")), st.integers(0, 50))
def test_pots_are_what_was_paid(paid: dict[str, int], out: set[str], dead: int) -> None:
    made = pots(paid, out, dead)
    assert sum(pot.amount for pot in made) == sum(paid.values()) + dead
    assert all(pot.amount > 0 for pot in made)
    live = set(paid) - out
    for pot, side in pairwise(made):
        assert set(side.eligible) < set(pot.eligible) <= live


@given(PAID.filter(lambda paid: len(paid) > 1))
def test_everybody_contests_his_own_amount_of_each(paid: dict[str, int]) -> None:
    """1.1 "All-in"."""
    made = pots(paid)
    for seat, amount in paid.items():
        contested = sum(pot.amount for pot in made if seat in pot.eligible)
        assert contested == sum(min(amount, other) for other in paid.values())


@given(PAID, st.sets(st.sampled_from("123456789")))
def test_what_comes_back_is_the_part_that_nobody_matched(paid: dict[str, int], out: set[str]) -> None:
    back = uncalled(paid, out)
    if back is None:
        return
    seat, amount = back
    assert seat not in out
    assert amount > 0
    paid[seat] -= amount
    assert paid[seat] == max((other for name, other in paid.items() if name != seat), default=0)


@given(st.integers(0, 10_000), st.lists(st.sampled_from("123456789"), unique=True, min_size=1), st.integers(1, 500))
def test_a_division_is_fair_to_one_chip(amount: int, winners: list[str], chip: int) -> None:
    parts = shared(amount, winners, chip)
    assert sum(parts.values()) == amount
    values = [parts[seat] for seat in winners]
    assert values == sorted(values, reverse=True)
    assert values[0] - values[-1] <= chip


@given(st.lists(st.integers(1, 5000), max_size=4), st.integers(0, 100_000), st.integers(0, 500), st.integers(1, 100))
def test_no_commission_is_more_than_the_pot_or_the_cap(amounts: list[int], rate: int, cap: int, chip: int) -> None:
    made = [Pot(amount, ("1", "2")) for amount in amounts]
    for taken in (percentage(made, rate, cap, chip), fixed(made, cap)):
        assert sum(taken) <= cap
        assert all(0 <= take <= pot.amount for take, pot in zip(taken, made, strict=True))


def test_who_has_paid_nothing_has_no_part_in_a_pot_of_others() -> None:
    assert pots({"1": 0, "2": 100}) == [Pot(100, ("2",))]
    assert pots({"1": 0, "2": 100, "3": 100}) == [Pot(200, ("2", "3"))]
    assert pots({"1": 0, "2": 0}, dead=5) == [Pot(5, ("1", "2"))]
    assert pots({"1": 0}, dead=5) == [Pot(5, ("1",))]
