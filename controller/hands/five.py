"""The best five of five, six or seven cards, by two lookups: one for hands with a flush, one for all others."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from controller.hands.cards import RANK_COUNTS, SUIT_SHIFT, counted, ints, top_of_run
from controller.hands.categories import Category
from controller.hands.hand import Hand

FEWEST: Final = 5
MOST: Final = 7

_START: Final = 0x3333 << SUIT_SHIFT  # counting each suit from three, its fifth card sets the digit's top bit
_FIVE_SUITED: Final = 0x8888 << SUIT_SHIFT


def best(cards: Collection[str]) -> Hand:
    """Returns the best five of five to seven cards (002 3.5, 3.6, 3.7; 003 3.5, 3.6, 3.7).

    >>> best(["Ah", "Kh"] + ["Qh", "Jh", "Th", "2c", "2d"])
    <Hand: royal flush>
    """
    return rank(ints(cards, FEWEST, MOST))


def rank(cards: Collection[int]) -> Hand:
    """Returns the same as `best`, for loops: the cards come from `ints`, which checked them."""
    total = sum(cards, _START)
    if suited := total & _FIVE_SUITED:
        # Two more cards make neither a full house nor four of a kind: with seven cards nothing else beats the flush.
        suit = suited >> 3  # from the digit's top bit to its unit, the bit that marks a card of this suit
        return FLUSHES[sum([card for card in cards if card & suit]) & RANK_COUNTS]
    return RANKINGS[total & RANK_COUNTS]


# The tables fill themselves: a hand is worked out when it is first seen. Nothing to wait for at the start, and a table
# under a game needs a few kilobytes; a simulation that meets every hand of seven cards ends at about 5 MB.

_one_each: dict[Hand, Hand] = {}  # one object for each of the 7462 different hands, however many keys lead to it


class _Rankings(dict[int, Hand]):
    """Counts of ranks -> the best hand, suits apart."""

    def __missing__(self, key: int) -> Hand:
        hand = _by_counts(key)
        hand = self[key] = _one_each.setdefault(hand, hand)
        return hand


class _Flushes(dict[int, Hand]):
    """Counts of the ranks of one suit -> its flush."""

    def __missing__(self, key: int) -> Hand:
        hand = _by_suit(key)
        hand = self[key] = _one_each.setdefault(hand, hand)
        return hand


RANKINGS: Final = _Rankings()
FLUSHES: Final = _Flushes()


def _by_suit(key: int) -> Hand:
    ranks = [rank for rank, _ in counted(key)]
    if len(ranks) < 5:
        raise ValueError("the same card twice")
    top = top_of_run(ranks, 5)
    if top == 14:
        return Hand.made(Category.ROYAL_FLUSH, (top,))  # before the straight flush that it also is (AMB-PM-30)
    if top:
        return Hand.made(Category.STRAIGHT_FLUSH, (top,))
    return Hand.made(Category.FLUSH, ranks[:5])


def _groups(key: int) -> tuple[list[int], dict[int, list[int]]]:
    """Returns all ranks, and those that come once, twice, three and four times, each list highest first."""
    groups: dict[int, list[int]] = {1: [], 2: [], 3: [], 4: []}
    ranks: list[int] = []
    cards = 0
    for rank, count in counted(key):
        if count not in groups:
            raise ValueError("five of one rank in a deck of 52")
        cards += count
        ranks.append(rank)
        groups[count].append(rank)
    if not FEWEST <= cards <= MOST:
        raise ValueError(f"{cards} cards where {FEWEST} to {MOST} make a hand")
    return ranks, groups


def _by_counts(key: int) -> Hand:
    ranks, groups = _groups(key)
    fours, threes, twos = groups[4], groups[3], groups[2]

    def beside(*taken: int) -> list[int]:
        return [rank for rank in ranks if rank not in taken]

    if fours:
        return Hand.made(Category.FOUR_OF_A_KIND, (fours[0], beside(fours[0])[0]))
    if threes and (pairs := threes[1:] + twos):
        return Hand.made(Category.FULL_HOUSE, (threes[0], max(pairs)))
    if top := top_of_run(ranks, 5):
        return Hand.made(Category.STRAIGHT, (top,))
    if threes:
        return Hand.made(Category.THREE_OF_A_KIND, (threes[0], *beside(threes[0])[:2]))
    if len(twos) > 1:
        return Hand.made(Category.TWO_PAIR, (*twos[:2], beside(*twos[:2])[0]))
    if twos:
        return Hand.made(Category.PAIR, (twos[0], *beside(twos[0])[:3]))
    return Hand.made(Category.HIGH_CARD, ranks[:5])
