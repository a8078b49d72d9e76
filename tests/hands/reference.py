"""The same rankings straight from their definitions, slow and easy to believe: what the fast ones are tested against.

Each gives the category and the ranks that decide within it; Python's order of tuples is the order of hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations, pairwise

from controller.cards import RANKS
from controller.hands.categories import Category, ThreeCategory

Ranks = tuple[int, ...]


def best(cards: Iterable[str]) -> tuple[Category, Ranks]:
    """The best of every five of the cards."""
    return max(_five(*_ranks_and_suited(five)) for five in combinations(_high_first(cards), 5))


def best_three(cards: Iterable[str]) -> tuple[ThreeCategory, Ranks]:
    """Three cards."""
    ranks, suited = _ranks_and_suited(_high_first(cards))
    straight = _straight(ranks)
    match sorted(Counter(ranks).values()):
        case [3]:
            return ThreeCategory.THREE_OF_A_KIND, _by_count(ranks)
        case [1, 2]:
            return ThreeCategory.PAIR, _by_count(ranks)
    if straight:
        return (ThreeCategory.STRAIGHT_FLUSH if suited else ThreeCategory.STRAIGHT), straight
    return (ThreeCategory.FLUSH if suited else ThreeCategory.HIGH_CARD), ranks


def best_low(cards: Iterable[str]) -> Ranks | None:
    """The best low, as ranks from the highest: here the smaller is the better."""
    values = ["A2345678".find(card[0]) + 1 for card in cards]  # 0 for what is too high
    lows = [five for five in combinations(sorted(values, reverse=True), 5) if len(set(five)) == 5 and 0 not in five]
    return min(lows, default=None)


def best_omaha(hole: Iterable[str], board: Iterable[str]) -> tuple[Category, Ranks]:
    """Two of the hole and three of the board."""
    return max(best(cards) for cards in _omaha(hole, board))


def best_omaha_low(hole: Iterable[str], board: Iterable[str]) -> Ranks | None:
    """The same for low: the smaller is the better."""
    return min((low for cards in _omaha(hole, board) if (low := best_low(cards))), default=None)


def _omaha(hole: Iterable[str], board: Iterable[str]) -> list[tuple[str, ...]]:
    threes = list(combinations(board, 3))
    return [two + three for two in combinations(hole, 2) for three in threes]


def _high_first(cards: Iterable[str]) -> list[tuple[int, str]]:
    return sorted([(RANKS.index(card[0]) + 2, card[1]) for card in cards], reverse=True)


def _ranks_and_suited(cards: Iterable[tuple[int, str]]) -> tuple[Ranks, bool]:
    ranks, suits = zip(*cards, strict=True)
    return ranks, len(set(suits)) == 1


@cache  # there are 7462 of them
def _five(ranks: Ranks, suited: bool) -> tuple[Category, Ranks]:
    straight = _straight(ranks)
    if straight and suited:
        return (Category.ROYAL_FLUSH if straight == (14,) else Category.STRAIGHT_FLUSH), straight
    match sorted(Counter(ranks).values()):
        case [1, 4]:
            return Category.FOUR_OF_A_KIND, _by_count(ranks)
        case [2, 3]:
            return Category.FULL_HOUSE, _by_count(ranks)
        case _ if suited:
            return Category.FLUSH, ranks
        case _ if straight:
            return Category.STRAIGHT, straight
        case [1, 1, 3]:
            return Category.THREE_OF_A_KIND, _by_count(ranks)
        case [1, 2, 2]:
            return Category.TWO_PAIR, _by_count(ranks)
        case [1, 1, 1, 2]:
            return Category.PAIR, _by_count(ranks)
        case _:
            return Category.HIGH_CARD, ranks


def _straight(ranks: Ranks) -> Ranks:
    """The top of the straight that the cards make together, or nothing. The ace may be one."""
    for values in (ranks, sorted((1 if rank == 14 else rank for rank in ranks), reverse=True)):
        if all(high == low + 1 for high, low in pairwise(values)):
            return (values[0],)
    return ()


def _by_count(ranks: Ranks) -> Ranks:
    """Each rank once: what there is most of first, then the higher."""
    counts = Counter(ranks)
    return tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
