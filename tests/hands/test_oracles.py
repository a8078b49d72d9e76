"""The same order as two evaluators that others wrote, on hands at random."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from phevaluator import evaluate_cards, evaluate_omaha_cards
from pokerkit import EightOrBetterLowHand, OmahaEightOrBetterLowHand, OmahaHoldemHand, StandardHighHand

from controller.hands import Hand, best, best_low, best_omaha, best_omaha_low
from tests.hands.deals import five_card_classes, random_hands
from tests.searches import times


@pytest.fixture(scope="module")
def place() -> dict[Hand, int]:
    """Our 7462 hands, numbered from the best as phevaluator numbers its own."""
    hands = sorted((best(cards) for cards in five_card_classes()), reverse=True)
    return {hand: number for number, hand in enumerate(hands, 1)}


@pytest.mark.parametrize(("cards", "hands"), [(5, 20_000), (6, 20_000), (7, 60_000)])
def test_phevaluator(place: dict[Hand, int], cards: int, hands: int) -> None:
    for hand in random_hands(cards, times(hands)):
        assert place[best(hand)] == evaluate_cards(*hand), hand


def test_phevaluator_every_class(place: dict[Hand, int]) -> None:
    for hand in five_card_classes():
        assert place[best(hand)] == evaluate_cards(*hand), hand


def test_phevaluator_omaha(place: dict[Hand, int]) -> None:
    for cards in random_hands(9, 20_000):
        assert place[best_omaha(cards[:4], cards[4:])] == evaluate_omaha_cards(*cards[4:], *cards[:4]), cards


def in_the_same_order(ours: Sequence[int], theirs: Sequence[object]) -> None:
    """Sorted by one, the other never falls, and both tie at the same places."""
    pairs = sorted(zip(ours, theirs, strict=True), key=lambda pair: pair[0])
    for (our_lower, their_lower), (our_higher, their_higher) in pairwise(pairs):
        assert (our_lower == our_higher) == (their_lower == their_higher)
        assert not their_lower > their_higher  # type: ignore[operator]


def test_pokerkit_high() -> None:
    hands = list(random_hands(7, 2000))
    theirs = [StandardHighHand.from_game("".join(cards[:2]), "".join(cards[2:])) for cards in hands]
    in_the_same_order([best(cards) for cards in hands], theirs)


def test_pokerkit_low() -> None:
    hands = list(random_hands(7, 3000))
    theirs = [EightOrBetterLowHand.from_game_or_none("".join(cards[:2]), "".join(cards[2:])) for cards in hands]
    same_lows([best_low(cards) for cards in hands], theirs)


def test_pokerkit_omaha() -> None:
    hands = list(random_hands(9, 800))
    theirs = [OmahaHoldemHand.from_game("".join(cards[:4]), "".join(cards[4:])) for cards in hands]
    in_the_same_order([best_omaha(cards[:4], cards[4:]) for cards in hands], theirs)


def test_pokerkit_omaha_low() -> None:
    hands = list(random_hands(9, 800))
    theirs = [OmahaEightOrBetterLowHand.from_game_or_none("".join(cards[:4]), "".join(cards[4:])) for cards in hands]
    same_lows([best_omaha_low(cards[:4], cards[4:]) for cards in hands], theirs)


def same_lows(ours: Sequence[int | None], theirs: Sequence[object]) -> None:
    assert [low is None for low in ours] == [low is None for low in theirs]
    in_the_same_order([low for low in ours if low is not None], [low for low in theirs if low is not None])
