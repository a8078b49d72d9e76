"""Three-card poker: its own order of hands, straights above flushes (Three Card Poker 3.6)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations, combinations_with_replacement
from typing import Final

from controller.hands.cards import ACE, LOWEST, RANK_COUNTS, SUIT_SHIFT, ints, key_of, top_of_run
from controller.hands.categories import ThreeCategory
from controller.hands.hand import ThreeCardHand

CARDS: Final = 3
QUEEN_HIGH: Final = ThreeCardHand.of(ThreeCategory.HIGH_CARD, "Q")  # what is not below it is queen high or better

_START: Final = 0x5555 << SUIT_SHIFT  # counting each suit from five, its third card sets the digit's top bit
_THREE_SUITED: Final = 0x8888 << SUIT_SHIFT


def best_three(cards: Collection[str]) -> ThreeCardHand:
    """Returns the hand that three cards make (001 3.5, 3.6).

    >>> best_three(["Ah", "2c", "3d"]), best_three(["Jh", "9c", "3d"]) >= QUEEN_HIGH
    (<ThreeCardHand: straight to the three>, False)
    """
    return rank(ints(cards, CARDS, CARDS))


def rank(cards: Collection[int]) -> ThreeCardHand:
    """Returns the same as `best_three`, for loops: the cards come from `ints`, which checked them."""
    total = sum(cards, _START)
    return (_SUITED if total & _THREE_SUITED else _MIXED)[total & RANK_COUNTS]


_MOST_FIRST: Final = {1: ThreeCategory.THREE_OF_A_KIND, 2: ThreeCategory.PAIR}  # by how many different ranks there are


def _mixed(ranks: tuple[int, ...]) -> ThreeCardHand:
    """Returns what three cards make whose suits do not matter; a pair decides before its side card (AMB-TCP-03)."""
    order = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    if len(order) < CARDS:
        return ThreeCardHand.made(_MOST_FIRST[len(order)], order)
    if top := top_of_run(ranks, CARDS):
        return ThreeCardHand.made(ThreeCategory.STRAIGHT, (top,))
    return ThreeCardHand.made(ThreeCategory.HIGH_CARD, order)


def _suited(ranks: tuple[int, ...]) -> ThreeCardHand:
    """Returns what three cards of one suit make."""
    if top := top_of_run(ranks, CARDS):
        return ThreeCardHand.made(ThreeCategory.STRAIGHT_FLUSH, (top,))
    return ThreeCardHand.made(ThreeCategory.FLUSH, ranks)


_DOWN: Final = range(ACE, LOWEST - 1, -1)  # the ranks, the ace first
_MIXED: Final[Mapping[int, ThreeCardHand]] = {
    key_of(ranks): _mixed(ranks) for ranks in combinations_with_replacement(_DOWN, CARDS)
}
_SUITED: Final[Mapping[int, ThreeCardHand]] = {key_of(ranks): _suited(ranks) for ranks in combinations(_DOWN, CARDS)}
