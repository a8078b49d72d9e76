"""Hands to test with: every kind of them, and random ones that are the same in every run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

from controller.cards import DECK, RANKS, SUITS


def random_hands(cards: int, hands: int) -> Iterator[list[str]]:
    chance = random.Random(f"{cards} cards")
    for _ in range(hands):
        yield chance.sample(DECK, cards)


def rank_multisets(cards: int) -> Iterator[str]:
    """Every choice of so many ranks that one deck allows, such as "22AAK"."""
    for ranks in combinations_with_replacement(RANKS, cards):
        if all(ranks.count(rank) <= 4 for rank in ranks):
            yield "".join(ranks)


def mixed(ranks: str) -> list[str]:
    """Cards of these ranks (equal ones side by side) with the suits taken in turn: never more than two of a suit."""
    return [rank + SUITS[place % 4] for place, rank in enumerate(ranks)]


def suited(ranks: str) -> list[str]:
    return [rank + "h" for rank in ranks]


def five_card_classes() -> Iterator[list[str]]:
    """One hand of each of the 7462 that differ."""
    yield from map(mixed, rank_multisets(5))
    yield from (suited("".join(ranks)) for ranks in combinations(RANKS, 5))
