"""Sets of cards as numbers: all of them, their place in a list, and one of each kind when suits are only names.

A card is its place in controller.cards.DECK: thirteen times its suit, plus its rank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from math import comb, factorial, prod
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from controller.cards import DECK, RANKS, SUITS

Ints: TypeAlias = npt.NDArray[np.int64]

SIZE = len(DECK)
CHOOSE = np.array([[comb(card, k) for k in range(6)] for card in range(SIZE)], dtype=np.int64)
HOLES = comb(SIZE, 2)


@cache
def all_sets(cards: int, of: int = SIZE) -> Ints:
    """Returns every set of so many cards, one a row, each row ascending."""
    flat = chain.from_iterable(combinations(range(of), cards))
    sets = np.fromiter(flat, dtype=np.int64, count=cards * comb(of, cards)).reshape(-1, cards)
    sets.flags.writeable = False
    return sets


def place(sets: Ints) -> Ints:
    """Returns a number for each set, from 0 on without a gap; the cards stand ascending in the last axis.

    >>> sorted(int(n) for n in place(all_sets(2, 4)))
    [0, 1, 2, 3, 4, 5]
    """
    where = np.zeros(sets.shape[:-1], dtype=np.int64)
    for i in range(sets.shape[-1]):
        where += CHOOSE[sets[..., i], i + 1]
    return where


def masks(sets: Ints) -> Ints:
    """Returns the cards of each set as bits: two sets have no card in common when no bit is."""
    bits: Ints = (np.int64(1) << sets).sum(axis=-1)
    return bits


def names(cards: Ints) -> list[str]:
    """Returns cards as people write them."""
    return [DECK[card] for card in cards]


# ---- suits are only names


class Kinds(NamedTuple):
    """Sets of one size, distinguished only by what no renaming of suits can change."""

    sets: Ints  # one set of each kind
    weight: Ints  # how many sets are of this kind


@cache
def kinds(cards: int) -> Kinds:
    """Returns one set of each kind, and how many there are of it.

    >>> len(kinds(2).sets), len(kinds(3).sets)
    (169, 1755)
    """
    rows = [sorted(chain(*picked), reverse=True) for sizes in _sizes(cards) for picked in _picked(sizes)]
    by_suit = np.array(rows, dtype=np.int64)
    by_suit = by_suit[np.argsort(_as_one(by_suit))]
    return Kinds(_cards_of(by_suit, cards), np.array([_renamed_sets(row) for row in by_suit.tolist()], dtype=np.int64))


def _sizes(cards: int) -> Iterator[Counter[int]]:
    """Yields every way to have so many cards in the suits: how many suits have how many cards."""
    for sizes in combinations_with_replacement(range(len(RANKS) + 1), len(SUITS)):
        if sum(sizes) == cards:
            yield Counter(sizes)


def _picked(sizes: Counter[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yields the ranks in each suit, as bits, suits with equally many cards together and in one order only."""
    return product(*(combinations_with_replacement(_rank_sets(size), suits) for size, suits in sizes.items()))


def _rank_sets(size: int) -> list[int]:
    """Returns every set of so many ranks, as bits."""
    return [sum(1 << rank for rank in ranks) for ranks in combinations(range(len(RANKS)), size)]


def _renamed_sets(by_suit: list[int]) -> int:
    """Returns how many different sets come of this one by renaming its suits."""
    return factorial(len(SUITS)) // prod(factorial(alike) for alike in Counter(by_suit).values())


def suit_masks(sets: Ints) -> Ints:
    """Returns, for each set and each suit, the ranks it holds, as bits."""
    whole, ranks = masks(sets), (1 << len(RANKS)) - 1
    return np.stack([whole >> len(RANKS) * s & ranks for s in range(len(SUITS))], axis=-1)


def _as_one(by_suit: Ints) -> Ints:
    shifts = np.arange(len(SUITS), dtype=np.int64)[::-1] * len(RANKS)
    one: Ints = (by_suit << shifts).sum(axis=-1)
    return one


def _cards_of(by_suit: Ints, cards: int) -> Ints:
    held = (by_suit[..., None] >> np.arange(len(RANKS))) & 1
    return np.nonzero(held.reshape(len(by_suit), SIZE))[1].reshape(-1, cards)


RENAMINGS = np.array(list(permutations(range(len(SUITS)))), dtype=np.int64)  # suit -> its new name
_DIGITS = np.array([64, 16, 4, 1], dtype=np.int64)  # a renaming as one number
_RENAMING = np.zeros(256, dtype=np.int64)
_RENAMING[(RENAMINGS * _DIGITS).sum(axis=1)] = np.arange(len(RENAMINGS))


def pair_numbers() -> Ints:
    """Returns [card, card] -> the number of the pair, in either order; -1 for a card with itself."""
    pairs = all_sets(2)
    table = np.full((SIZE, SIZE), -1, dtype=np.int64)
    table[pairs[:, 0], pairs[:, 1]] = table[pairs[:, 1], pairs[:, 0]] = np.arange(HOLES)
    return table


class Situations:
    """What a player knows: two cards of his own and a board, distinguished as `Kinds` does.

    A situation is a number below `size`; pairs of hole cards that only a renaming of suits tells apart share one.
    """

    def __init__(self, cards: int) -> None:
        """Prepares the situations of boards of so many cards."""
        self.boards = kinds(cards)
        by_suit = suit_masks(self.boards.sets)
        self._keys = _as_one(by_suit)
        self._renamed = _renamed_pairs()
        same = np.full((len(by_suit), HOLES), HOLES, dtype=np.int16)
        for n, new in enumerate(RENAMINGS):
            moved = np.empty_like(by_suit)
            moved[:, new] = by_suit
            stays = (moved == by_suit).all(axis=1)
            same[stays] = np.minimum(same[stays], self._renamed[n].astype(np.int16))
        self._first = same  # the least of the pairs that are alike beside this board
        self.size = len(by_suit) * HOLES

    def of(self, boards: Ints, holes: Ints) -> Ints:
        """Returns the situation of each pair of hole cards (by number, [n, any]) beside each board ([n, cards])."""
        by_suit = suit_masks(boards)
        order = np.argsort(-by_suit, axis=-1, kind="stable")
        kind = np.searchsorted(self._keys, _as_one(np.take_along_axis(by_suit, order, axis=-1)))
        new = np.argsort(order, axis=-1)  # what each suit is called on the board of this kind
        renamed = self._renamed[_RENAMING[(new * _DIGITS).sum(axis=-1)][:, None], holes]
        numbers: Ints = kind[:, None] * HOLES + self._first[kind[:, None], renamed]
        return numbers


def _renamed_pairs() -> Ints:
    """Returns [renaming, pair] -> the pair as it is called then."""
    pairs, number = all_sets(2), pair_numbers()
    suit, rank = pairs // len(RANKS), pairs % len(RANKS)
    return np.stack([number[tuple((new[suit] * len(RANKS) + rank).T)] for new in RENAMINGS])
