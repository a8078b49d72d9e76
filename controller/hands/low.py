"""Eight-or-better low: five different ranks of eight or below, the ace as one (Crown Poker 3.2.2(j) low, AMB-CP-02)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Final

from controller.hands.cards import ACE, ints, key_of
from controller.hands.hand import Low

MOST: Final = 7

LOW_RANKS: Final = 0o1_00000_1111111  # mask: of cards that lie over each other, the ace and the eight down to the two
_RANKS: Final = range(1, 9)  # the ace is low


def best_low(cards: Collection[str]) -> Low | None:
    """Returns the best low of up to seven cards, or None. Straights and flushes do not count (000 3.2.2(j)).

    >>> best_low(["Ah", "2h", "3h", "4h", "5h", "8c", "8d"])
    <Low: 5-4-3-2-A>
    """
    return rank(ints(cards, most=MOST))


def rank(cards: Collection[int]) -> Low | None:
    """Returns the same as `best_low`, for loops: the cards come from `ints`, which checked them."""
    return LOWS[reduce(or_, cards, 0) & LOW_RANKS]


def lows() -> dict[int, Low | None]:
    """Returns each set of low ranks -> the low that they make: the five lowest."""
    sets = [ranks for size in range(len(_RANKS) + 1) for ranks in combinations(_RANKS, size)]
    return {key_of(ACE if rank == 1 else rank for rank in ranks): _low(ranks) for ranks in sets}


def _low(ranks: tuple[int, ...]) -> Low | None:
    return Low.made(ranks[4::-1]) if len(ranks) >= 5 else None


LOWS: Final[Mapping[int, Low | None]] = lows()
