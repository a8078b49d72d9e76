"""Three-card poker: its own order of hands, straights above flushes (Three Card Poker 3.6)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from controller.hands.cards import RANK_COUNTS, SUIT_SHIFT, counted, ints, top_of_run
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


class _Hands(dict[int, ThreeCardHand]):
    """Counts of ranks -> hand, worked out when first seen; no more than 455 and 286 of them."""

    def __init__(self, suited: bool) -> None:
        super().__init__()
        self._suited = suited

    def __missing__(self, key: int) -> ThreeCardHand:
        hand = self[key] = _by_counts(key, self._suited)
        return hand


_MIXED: Final = _Hands(suited=False)
_SUITED: Final = _Hands(suited=True)


def _by_counts(key: int, suited: bool) -> ThreeCardHand:
    counts = sorted(counted(key), key=lambda held: held[1], reverse=True)  # a pair before its side card (AMB-TCP-03)
    ranks = [rank for rank, _ in counts]
    cards = sum([count for _, count in counts])
    if cards != CARDS:
        raise ValueError(f"{cards} cards where {CARDS} make a hand")
    if len(ranks) == 1:
        return ThreeCardHand.made(ThreeCategory.THREE_OF_A_KIND, ranks)
    if len(ranks) == 2:
        return ThreeCardHand.made(ThreeCategory.PAIR, ranks)
    if top := top_of_run(ranks, CARDS):
        return ThreeCardHand.made(ThreeCategory.STRAIGHT_FLUSH if suited else ThreeCategory.STRAIGHT, (top,))
    return ThreeCardHand.made(ThreeCategory.FLUSH if suited else ThreeCategory.HIGH_CARD, ranks)
