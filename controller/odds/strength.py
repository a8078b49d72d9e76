"""Hands of whole arrays at once: tables filled by controller.hands, so that hands rank here as at the table."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controller.cards import RANKS
from controller.hands import Hand, best_three, five
from controller.hands.hand import ThreeCardHand
from controller.odds.deck import Ints, names, suit_masks

SUITED = 1 << len(RANKS)  # so many sets of ranks in one suit
_UNIT = np.int64(1) << 3 * np.arange(len(RANKS), dtype=np.int64)  # an octal digit a rank, as in controller.hands


def rank_counts(sets: Ints) -> Ints:
    """Returns how many there are of each rank, as one number."""
    counts: Ints = _UNIT[sets % len(RANKS)].sum(axis=-1)
    return counts


class _Tables(NamedTuple):
    order: tuple[Hand, ...]  # all different hands of five cards, lowest first
    number: dict[Hand, int]
    flush: Ints


@cache
def _tables() -> _Tables:
    mixed = set(five.RANKINGS.values())
    suited = {}
    for mask in range(SUITED):
        if mask.bit_count() >= 5:
            suited[mask] = five.flush(sum(1 << 3 * r for r in range(len(RANKS)) if mask >> r & 1))
    order = tuple(sorted({*mixed, *suited.values()}))
    number = {hand: n for n, hand in enumerate(order)}
    flush = np.full(SUITED, -1, dtype=np.int64)
    for mask, hand in suited.items():
        flush[mask] = number[hand]
    return _Tables(order, number, flush)


def hands() -> tuple[Hand, ...]:
    """Returns all different hands of five cards, lowest first: a strength is a place in this list.

    >>> len(hands())
    7462
    """
    return _tables().order


def flushes() -> Ints:
    """Returns [ranks in one suit, as bits] -> strength of the best flush; -1 with fewer than five."""
    return _tables().flush


def categories() -> Ints:
    """Returns the value of the category of each strength."""
    return np.array([hand.category.value for hand in hands()], dtype=np.int64)


def mixed(counts: Ints) -> Ints:
    """Returns the strength of counts of five to seven ranks, suits apart.

    -1 where a rank is there more than four times.
    """
    number = _tables().number
    different, where = np.unique(counts, return_inverse=True)
    strengths = np.array([_strength(int(n), number) for n in different], dtype=np.int64)
    strength: Ints = strengths[where].reshape(counts.shape)
    return strength


def _strength(counts: int, number: dict[Hand, int]) -> int:
    if any(counts >> 3 * r & 7 > 4 for r in range(len(RANKS))):
        return -1
    return number[five.by_counts(counts)]


def of_five(sets: Ints) -> npt.NDArray[np.int16]:
    """Returns the strength of hands of five cards."""
    flush = flushes()[suit_masks(sets)].max(axis=-1)
    best: Ints = np.maximum(mixed(rank_counts(sets)), flush)
    return best.astype(np.int16)


def of_three(sets: Ints) -> list[ThreeCardHand]:
    """Returns hands of Three Card Poker, ranked one by one: they are few enough."""
    return [best_three(names(cards)) for cards in sets]
