"""Three-card poker: all 22,100 hands, as defined and counted, and the order that the document's silence leaves open."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from controller.cards import DECK
from controller.hands import QUEEN_HIGH, Category, ThreeCategory, best_three, three
from controller.hands.cards import ints
from tests.hands import reference


def test_all_hands() -> None:
    hands = [(best_three(cards), reference.best_three(cards)) for cards in combinations(DECK, 3)]
    assert all((hand.category, hand.ranks) == defined for hand, defined in hands)
    counts = Counter(hand.category for hand, _ in hands)
    assert [counts[category] for category in reversed(ThreeCategory)] == [48, 52, 720, 1096, 3744, 16440]
    in_order = [defined for _, defined in sorted(hands, key=lambda pair: pair[0])]
    assert in_order == sorted(in_order)
    assert len({hand for hand, _ in hands}) == len(set(in_order))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2c 3c 4c", "Ac Ad Ah"),
        ("2c 2d 2h", "Ac Kd Qh"),
        ("Ac 2d 3h", "Ac Kc Jc"),  # a straight beats a flush: 3.6.1
        ("2c 3c 5c", "Ac Ad Kh"),
        ("2c 2d 3h", "Ac Kd Jh"),
        ("3c 3d 4h", "2c 2d Ah"),  # the pair before its side card (AMB-TCP-03)
        ("2c 3d 4h", "Ac 2d 3h"),  # A-2-3 is the lowest straight
        ("2c 3c 4c", "Ac 2c 3c"),  # and suited the lowest straight flush (AMB-TCP-04)
        ("Ac 2c 3c", "Ac Ad Ah"),
        ("Kc Qd Jh", "Jc Td 9h"),  # the document's own example: 3.6.2
        ("Kc Qd 2h", "Kd Jc Th"),
    ],
)
def test_the_order_of_hands(better: str, worse: str) -> None:
    assert best_three(better.split()) > best_three(worse.split())


def test_king_ace_two_is_no_straight() -> None:
    assert best_three(["Kc", "Ad", "2h"]).category is ThreeCategory.HIGH_CARD
    assert best_three(["Kc", "Ac", "2c"]).category is ThreeCategory.FLUSH


def test_queen_high_is_a_comparison() -> None:
    assert best_three(["Qc", "3d", "2h"]) >= QUEEN_HIGH
    assert best_three(["2c", "2d", "3h"]) >= QUEEN_HIGH
    assert not best_three(["Jc", "Td", "8h"]) >= QUEEN_HIGH


def test_categories_of_three_and_of_five_cards_do_not_mix() -> None:
    assert {Category.FLUSH: "five"}.get(ThreeCategory.FLUSH) is None  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        assert Category.FLUSH < ThreeCategory.STRAIGHT  # type: ignore[operator]
    with pytest.raises(TypeError):
        assert Category.FLUSH >= ThreeCategory.STRAIGHT  # type: ignore[operator]


def test_only_three_cards() -> None:
    with pytest.raises(ValueError, match="2 cards where 3 make"):
        best_three(["Ac", "Kc"])
    with pytest.raises(KeyError):
        three.rank(ints(["Ac", "Kc", "Qd", "Jd"]))
