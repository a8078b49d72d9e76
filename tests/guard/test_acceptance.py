"""A shuffling machine is accepted or not: fair ones at 95 %, bad ones never, and what could not be asked is said."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations
from random import Random

import pytest

from controller.guard.acceptance import SURE, accept, kept_chances
from controller.guard.chi_squared import chance, deviation
from controller.views import shuffle_plot
from tests.guard.decks import NEW, fair, riffled


@pytest.mark.parametrize(
    ("x", "freedom", "tail"),
    [
        (11.0705, 5, 0.05),
        (43.773, 30, 0.05),
        (2720.7, 2601, 0.05),
        (1.1455, 5, 0.95),
        (18.493, 30, 0.95),
        (0.4549, 1, 0.5),
    ],
)
def test_chi_squared_is_what_tables_of_it_say(x: float, freedom: int, tail: float) -> None:
    assert chance(x, freedom) == pytest.approx(tail, abs=0.001)


def test_nothing_is_as_likely_as_can_be() -> None:
    assert chance(0.0, 5) == 1.0


def test_the_chances_of_neighbours_are_exact() -> None:
    counts = [0] * 5
    for order in permutations(range(5)):
        counts[sum(two == one + 1 for one, two in pairwise(order))] += 1
    assert kept_chances(5) == [Fraction(each, 120) for each in counts]
    assert sum(kept_chances(52)) == 1


def test_fair_machines_are_refused_as_seldom_as_is_said() -> None:
    chance, refused, tried = Random(3), 0, 120
    for _ in range(tried):
        shuffles = [fair(chance) for _ in range(40)]
        refused += not accept(shuffles, 1, [NEW] * 40).accepted
    assert refused <= 3 * SURE * tried  # 6 are expected at most


def test_machines_that_riffle_too_seldom_or_do_nothing_are_refused() -> None:
    chance = Random(4)
    for riffles in (0, 1, 3, 4):
        shuffles = []
        for _ in range(60):
            cards = NEW
            for _ in range(riffles):
                cards = riffled(cards, chance)
            shuffles.append(cards)
        assert not accept(shuffles, 1, [NEW] * 60).accepted


def test_a_machine_that_favours_a_place_is_found_without_the_order_before() -> None:
    chance = Random(5)
    shuffles = [["Ah", *[card for card in fair(chance) if card != "Ah"]] for _ in range(300)]
    result = accept(shuffles, 1)
    assert [each.name for each in result.tests] == ["where each card comes to lie"] and not result.accepted
    assert result.left_out == ("moves and neighbours: they need whole shuffles of one deck, and the order before each",)


def test_the_first_cards_of_shoes_are_enough_for_one_question() -> None:
    chance = Random(6)
    result = accept([fair(chance)[: 20 + n % 3] for n in range(200)], 1)
    assert (result.cards, result.shuffles) == (20, 200)
    assert result.accepted and "11 parts" in result.tests[0].measured
    assert len(result.moves) == 13 and result.rows == "rank"
    assert {len(row) for row in result.moves} == {10}  # two cards each
    assert [sum(column) for column in zip(*result.moves, strict=True)] == [400] * 10


def test_several_decks_are_asked_where_cards_lie() -> None:
    chance = Random(7)
    result = accept([fair(chance, 6) for _ in range(60)], 6, [NEW * 6] * 60)
    assert len(result.tests) == 1 and result.tests[0].chance > 0.01


def test_too_few_shuffles_or_cards_prove_nothing() -> None:
    result = accept([NEW] * 19, 1, [NEW] * 19)
    assert not result.tests and not result.accepted
    assert result.left_out == ("anything: fewer than 20 shuffles prove nothing",)
    assert accept([], 1).shuffles == 0
    few = accept([fair(Random(8))[:1] for _ in range(20)], 1)
    assert not few.tests and few.left_out[0] == "where each card comes to lie: too few shuffles"
    assert not accept([[] for _ in range(400)], 1).tests
    whole = accept([fair(Random(n)) for n in range(20)], 1, [NEW] * 20)
    assert [each.freedom for each in whole.tests] == [153, 144, 2]


def test_the_picture_says_where_cards_come_too_often() -> None:
    result = accept([NEW] * 60, 1, [NEW] * 60)
    lines = list(shuffle_plot.lines(result))
    assert lines[1].split() == ["++", *["--"] * 12]
    assert lines[-1].split()[:2] == ["51", "60"] and lines[-1].endswith("#" * 40)
    drawn = shuffle_plot.svg(result)
    assert drawn.count("<rect") == 169 and 'fill="#ff0000"' in drawn and "not accepted" in drawn
    assert "accepted" in shuffle_plot.svg(accept([fair(Random(9)) for _ in range(60)], 1, [NEW] * 60))
    assert list(shuffle_plot.lines(accept([], 1)))
    chance = Random(9)
    riffles = [riffled(riffled(riffled(riffled(NEW, chance), chance), chance), chance) for _ in range(60)]
    assert {"+", "-"} <= set(" ".join(shuffle_plot.lines(accept(riffles, 1, [NEW] * 60))).split())


def test_what_was_observed_is_compared_with_as_much_that_was_expected() -> None:
    with pytest.raises(ValueError, match="argument 2 is longer"):
        deviation([8], [10, 10])
