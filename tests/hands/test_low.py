"""Eight-or-better low: the 56 of them, and every choice of ranks against the definition."""

from __future__ import annotations

from itertools import combinations

import pytest

from controller.hands import Low, best_low, low
from controller.hands.cards import ints
from tests.hands import reference
from tests.hands.deals import mixed, random_hands, rank_multisets


def as_defined(cards: list[str]) -> None:
    low, defined = best_low(cards), reference.best_low(cards)
    assert (low and low.ranks) == defined, cards


def test_the_56_lows_from_eight_seven_down_to_the_wheel() -> None:
    lows = sorted(best_low(mixed("".join(ranks))) or Low(0) for ranks in combinations("A2345678", 5))
    assert len(set(lows)) == 56
    assert [low.ranks for low in lows] == sorted((low.ranks for low in lows), reverse=True)
    assert (lows[0].name, lows[-1].name) == ("8-7-6-5-4", "5-4-3-2-A")


@pytest.mark.parametrize("cards", [5, 6])
def test_every_choice_of_ranks(cards: int) -> None:
    for ranks in rank_multisets(cards):
        as_defined(mixed(ranks))


def test_random_hands_of_seven() -> None:
    for cards in random_hands(7, 20_000):
        as_defined(cards)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("5h 4h 3h 2h Ah", "6c 4d 3h 2s Ac"),  # straights and flushes do not count (AMB-CP-02)
        ("7c 6d 5h 4s 3c", "8c 4d 3h 2s Ac"),
        ("8c 6d 4h 3s Ac", "8d 6h 5s 2c Ad"),
    ],
)
def test_the_order_of_lows(better: str, worse: str) -> None:
    higher, lower = best_low(better.split()), best_low(worse.split())
    assert higher and lower and higher > lower


@pytest.mark.parametrize("cards", ["9c 4d 3h 2s Ac", "4c 4d 3h 2s Ac", "Ac 2d 3h 4s", "Kc Ac Ad 2c 3c 4c 4d", ""])
def test_no_low(cards: str) -> None:
    assert best_low(cards.split()) is None


def test_integers_rank_as_text_does() -> None:
    for cards in random_hands(7, 100):
        assert low.rank(ints(cards)) == best_low(cards)


def test_seven_cards_at_most() -> None:
    with pytest.raises(ValueError, match="8 cards"):
        best_low(["Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c"])
