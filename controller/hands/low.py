"""Eight-or-better low: five different ranks of eight or below, the ace as one (Crown Poker 3.2.2(j) low, AMB-CP-02)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from controller.hands.cards import ACE, counted, ints
from controller.hands.hand import Low

MOST: Final = 7

LOW_COUNTS: Final = 0o7_00000_7777777  # mask: of a sum, what counts the aces and the eights down to twos


def best_low(cards: Collection[str]) -> Low | None:
    """Returns the best low of up to seven cards, or None. Straights and flushes do not count.

    >>> best_low(["Ah", "2h", "3h", "4h", "5h", "8c", "8d"])
    <Low: 5-4-3-2-A>
    """
    return rank(ints(cards, most=MOST))


def rank(cards: Collection[int]) -> Low | None:
    """Returns the same as `best_low`, for loops: the cards come from `ints`, which checked them."""
    return LOWS[sum(cards) & LOW_COUNTS]


class _Lows(dict[int, Low | None]):
    """Counts of the low ranks -> low, worked out when first seen; no more than 6,000 or so."""

    def __missing__(self, key: int) -> Low | None:
        ranks = sorted([1 if rank == ACE else rank for rank, _ in counted(key)])
        low = self[key] = Low.made(ranks[4::-1]) if len(ranks) >= 5 else None
        return low


LOWS: Final = _Lows()
