"""Hold'em against the dealer: for every kind of board and all hole cards beside it, how the dealer's hands compare."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controller.cards import RANKS, SUITS
from controller.odds.deck import SIZE, Ints, all_sets, kinds, pair_numbers, suit_masks
from controller.odds.outcomes import EQUAL, HIGHER, LOWER, OUTCOMES
from controller.odds.rounds import Unplayable
from controller.odds.strength import categories, flushes, mixed, rank_counts

BOARD = 5
LEFT = SIZE - BOARD  # cards that are not on the board
DEALERS = comb(LEFT - 2, 2)  # hole cards that the dealer can have beside a player's
BOARDS = comb(SIZE - 2, BOARD)  # boards beside given hole cards
BATCH = 32
_HIGH = 16  # a count counts all dealers in its lower half, those that qualify above
_FIRST, _SECOND = all_sets(2, LEFT).T  # the two cards of each pair, as places among the cards left

Small = npt.NDArray[np.int32]


class Batch(NamedTuple):
    """Some boards; every array but the first two has a row for each board and a column for each pair of hole cards."""

    boards: Ints
    weight: Ints  # how many boards are of this kind
    holes: Ints  # numbers of pairs, as `deck.pair_numbers` gives them
    strength: Ints


class Showdowns:
    """Every kind of board, in batches."""

    def __init__(self) -> None:
        self.category = categories()
        self._pair = pair_numbers()
        hole_cards = all_sets(2)
        hole_kinds, self._hole_kind = np.unique(rank_counts(hole_cards), return_inverse=True)
        self._hole_suits = np.vstack([suit_masks(hole_cards).T, np.zeros((1, len(hole_cards)), dtype=np.int64)])
        self._board_kinds = np.unique(rank_counts(kinds(BOARD).sets))
        self._mixed = mixed(self._board_kinds[:, None] + hole_kinds).astype(np.int16)
        self._flush = flushes().astype(np.int16)

    def __len__(self) -> int:
        return -(-len(kinds(BOARD).sets) // BATCH)

    def __iter__(self) -> Iterator[Batch]:
        boards, weight = kinds(BOARD)
        for start in range(0, len(boards), BATCH):
            part = slice(start, start + BATCH)
            yield self.batch(boards[part], weight[part])

    def batch(self, boards: Ints, weight: Ints) -> Batch:
        """Returns the hands that every two hole cards make beside these boards."""
        free = np.ones((len(boards), SIZE), dtype=bool)
        np.put_along_axis(free, boards, False, axis=1)
        left = np.nonzero(free)[1].reshape(len(boards), LEFT)
        holes = self._pair[left[:, _FIRST], left[:, _SECOND]]
        by_suit = suit_masks(boards)
        suit = np.where(
            (np.bitwise_count(by_suit) >= 3).any(axis=1), np.bitwise_count(by_suit).argmax(axis=1), len(SUITS)
        )
        on_board = np.append(by_suit, np.zeros((len(boards), 1), dtype=np.int64), axis=1)[np.arange(len(boards)), suit]
        flush = self._flush[on_board[:, None] | self._hole_suits[suit[:, None], holes]]
        kind = np.searchsorted(self._board_kinds, rank_counts(boards))
        rest = self._mixed[kind[:, None], self._hole_kind[holes]]
        return Batch(boards, weight, holes, np.maximum(rest, flush).astype(np.int64))


class Compared:
    """How many of the dealer's hands are lower, equal and higher, and how many of them qualify."""

    def __init__(self, qualifies: npt.NDArray[np.int8]) -> None:
        """Takes 1 or 0 for each strength; -1 when nobody knows because it cannot be a dealer's best hand."""
        if (qualifies < 0).all():
            raise Unplayable("nothing is known of the dealer's hands")
        self._value = (1 + (qualifies.astype(np.int32) << _HIGH)).astype(np.int32)
        self._unknown = qualifies < 0

    def counts(self, strength: Ints) -> list[Small]:
        """Returns, by outcome, how many hole cards of the dealer end so against each pair."""
        if self._unknown[strength].any():
            raise Unplayable("a dealer's hand came up of which the table was not asked whether it qualifies")
        boards = len(strength)
        row = np.arange(boards)[:, None]
        dense, different = _dense(strength, len(self._value))
        value = self._value[strength]
        each = np.ones((boards, different), dtype=np.int32)
        each[row, dense] = value
        at = row * different + dense
        held = np.bincount(at.ravel(), minlength=boards * different).reshape(boards, different)
        up_to = _running(held * each)
        card = (row * LEFT + _FIRST) * different + dense, (row * LEFT + _SECOND) * different + dense
        size = boards * LEFT * different
        with_card = sum(np.bincount(c.ravel(), minlength=size) for c in card).reshape(boards, LEFT, different)  # type: ignore[union-attr]
        with_up_to = _running(with_card * each[:, None, :])

        def dealers(below: Ints | int) -> Small:
            """Returns how many of the dealer's hands are lower than `below`, without the player's two cards."""
            out: Small = up_to[row, below] - with_up_to[row, _FIRST, below] - with_up_to[row, _SECOND, below]
            return out

        lower = dealers(dense)
        not_higher = dealers(dense + 1) + value  # the player's own pair was taken away twice
        everybody = dealers(different) + value
        counts: list[Small] = [lower] * OUTCOMES
        for compared, packed in ((HIGHER, lower), (EQUAL, not_higher - lower), (LOWER, everybody - not_higher)):
            counts[2 * compared + 1] = packed >> _HIGH
            counts[2 * compared] = (packed & (1 << _HIGH) - 1) - (packed >> _HIGH)
        return counts


def _dense(strength: Ints, strengths: int) -> tuple[Ints, int]:
    """Returns the strengths numbered from 0 on within each row, and how many numbers that takes."""
    row = np.arange(len(strength))[:, None]
    occurs = np.zeros((len(strength), strengths), dtype=bool)
    occurs[row, strength] = True
    numbers = np.cumsum(occurs, axis=1, dtype=np.int32) - 1
    return numbers[row, strength].astype(np.int64), int(numbers[:, -1].max()) + 1


def _running(counts: Ints) -> Small:
    """Returns the sum of everything before each place, along the last axis."""
    out = np.zeros((*counts.shape[:-1], counts.shape[-1] + 1), dtype=np.int32)
    np.cumsum(counts, axis=-1, out=out[..., 1:], dtype=np.int32)
    return out


def values(category: Ints, counts: list[Small], pays: Ints) -> Ints:
    """Returns what a line of decisions nets against all dealers together, for each pair of hole cards."""
    worth = np.zeros(category.shape, dtype=np.int64)
    for outcome, count in enumerate(counts):
        if pays[:, outcome].any():
            worth += pays[:, outcome][category] * count
    return worth


def hole_classes() -> Ints:
    """Returns [pair] -> which of the 169 kinds of hole cards it is."""
    cards = all_sets(2)
    suited = cards[:, 0] // len(RANKS) == cards[:, 1] // len(RANKS)
    _, kind = np.unique(2 * rank_counts(cards) + suited, return_inverse=True)
    return kind.astype(np.int64)
