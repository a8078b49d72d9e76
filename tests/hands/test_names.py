"""What people read."""

from __future__ import annotations

import pytest

from controller.hands import Category, Hand, ThreeCardHand, ThreeCategory, best, best_low, best_three
from tests.hands.deals import five_card_classes


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Ac Kd 9h 5s 2c", "ace high, king kicker"),
        ("Qc Qd Kh 5s 2c", "pair of queens, king kicker"),
        ("6c 6d 2h 3s 5c", "pair of sixes, five kicker"),
        ("Kc Kd 3h 3s 2c", "two pair, kings and threes"),
        ("Qc Qd Qh 5s 2c", "three of a kind, queens"),
        ("9c 8d 7h 6s 5c", "straight to the nine"),
        ("Ac 2d 3h 4s 5c", "straight to the five"),
        ("Ac Jc 9c 5c 2c", "ace-high flush"),
        ("Tc Td Th 4s 4c", "full house, tens over fours"),
        ("Ac Ad Ah As 4c", "four of a kind, aces"),
        ("9c 8c 7c 6c 5c", "straight flush to the nine"),
        ("Ac Kc Qc Jc Tc", "royal flush"),
    ],
)
def test_five_cards(cards: str, name: str) -> None:
    hand = best(cards.split())
    assert (hand.name, str(hand), f"{hand}", repr(hand)) == (name, name, name, f"<Hand: {name}>")


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Qc Td 6h", "queen high, ten kicker"),
        ("Tc Td Kh", "pair of tens, king kicker"),
        ("Kc Jc 9c", "king-high flush"),
        ("Ac 2d 3h", "straight to the three"),
        ("Qc Qd Qh", "three of a kind, queens"),
        ("Ac Kc Qc", "straight flush to the ace"),
    ],
)
def test_three_cards(cards: str, name: str) -> None:
    assert best_three(cards.split()).name == name


def test_lows() -> None:
    low = best_low(["Ac", "3d", "4h", "6s", "8c", "Kd", "Kh"])
    assert low is not None and low.name == "8-6-4-3-A"


def test_thresholds_name_only_what_they_ask_for() -> None:
    assert Hand.of(Category.FLUSH).name == "flush"
    assert Hand.of(Category.PAIR, "T").name == "pair of tens"
    assert Hand.of(Category.FULL_HOUSE, "6").name == "full house, sixes"
    assert ThreeCardHand.of(ThreeCategory.HIGH_CARD, "Q").name == "queen high"


def test_every_hand_has_a_name() -> None:
    names = {best(cards).name for cards in five_card_classes()}
    assert "" not in names and all(name == name.lower() for name in names)
