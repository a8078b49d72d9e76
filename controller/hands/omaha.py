"""Omaha: exactly two of the four hole cards with exactly three of the five on the board, high and low."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations
from typing import Final

from controller.hands.cards import RANK_COUNTS, SUIT_SHIFT, ints
from controller.hands.five import FLUSHES, RANKINGS
from controller.hands.hand import Hand, Low
from controller.hands.low import LOW_RANKS, LOWS

HOLE: Final = 4
BOARD: Final = 5

# Counting each suit from six in the hole and from five on the board, the digit's top bit means two and three of it.
_FROM_SIX: Final = 0x6666 << SUIT_SHIFT
_FROM_FIVE: Final = 0x5555 << SUIT_SHIFT
_TOP_BITS: Final = 0x8888 << SUIT_SHIFT


def best_omaha(hole: Collection[str], board: Collection[str]) -> Hand:
    """Returns the best high hand.

    >>> best_omaha(["Ah", "Kc", "Qd", "Js"], ["2h", "5h", "9h", "Th", "2c"])  # one heart in the hole makes no flush
    <Hand: pair of twos, ace kicker>
    """
    return rank(*_checked(hole, board))


def best_omaha_low(hole: Collection[str], board: Collection[str]) -> Low | None:
    """Returns the best eight-or-better low, or None.

    >>> best_omaha_low(["Ah", "2c", "Kd", "Ks"], ["3h", "5h", "8h", "Th", "2d"])
    <Low: 8-5-3-2-A>
    """
    return rank_low(*_checked(hole, board))


def rank(hole: Collection[int], board: Collection[int]) -> Hand:
    """Returns the same as `best_omaha`, for loops: the cards come from `ints`, which checked them."""
    twos = [a + b & RANK_COUNTS for a, b in combinations(hole, 2)]
    threes = [a + b + c & RANK_COUNTS for a, b, c in combinations(board, 3)]
    high = max(map(RANKINGS.__getitem__, [two + three for two in twos for three in threes]))
    if suited := sum(hole, _FROM_SIX) & sum(board, _FROM_FIVE) & _TOP_BITS:  # three of five: one suit at most
        suit = suited >> 3
        twos = list(map(sum, combinations([card & RANK_COUNTS for card in hole if card & suit], 2)))
        threes = list(map(sum, combinations([card & RANK_COUNTS for card in board if card & suit], 3)))
        return max(high, *[FLUSHES[two + three] for two in twos for three in threes])
    return high


def rank_low(hole: Collection[int], board: Collection[int]) -> Low | None:
    """Returns the same as `best_omaha_low`, for loops: the cards come from `ints`, which checked them."""
    all_threes = {(a | b | c) & LOW_RANKS for a, b, c in combinations(board, 3)}
    threes = [three for three in all_threes if three.bit_count() == 3]
    if not threes:  # as with most boards: no three different low cards
        return None
    twos = {(a | b) & LOW_RANKS for a, b in combinations(hole, 2)}
    lows = map(LOWS.__getitem__, {two | three for two in twos for three in threes})
    return max([low for low in lows if low is not None], default=None)


def _checked(hole: Collection[str], board: Collection[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if len(hole) != HOLE or len(board) != BOARD:
        raise ValueError(f"{len(hole)} hole cards and {len(board)} on the board where Omaha has {HOLE} and {BOARD}")
    cards = ints([*hole, *board])
    return cards[:HOLE], cards[HOLE:]
