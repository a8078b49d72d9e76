"""The best five of five, six or seven cards: which five they are, then what five make, from a table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final

from controller.hands.cards import ACE, LOWEST, RANK_COUNTS, SUIT_SHIFT, ints, key_of, top_of_run
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
        return flush(sum([card for card in cards if card & suit]) & RANK_COUNTS)
    return by_counts(total & RANK_COUNTS)


@cache  # of a pure function: there are 73,775 counts in all, and a table under a game meets few of them
def by_counts(counts: int) -> Hand:
    """Returns the best hand of five to seven cards, suits apart; `counts` is how often each rank comes.

    >>> by_counts(0o1_00000_0022110)
    <Hand: two pair, sixes and fives>
    """
    hand = RANKINGS.get(counts)
    return hand if hand is not None else RANKINGS[_best_five(counts)]


@cache
def flush(ranks: int) -> Hand:
    """Returns the best hand of five or more cards of one suit; `ranks` counts each of them once."""
    return FLUSHES[_of_ranks(ranks)]


# ---- which five: here a set of ranks is a number with a bit at the place of each rank's digit

_BITS: Final = 0o1_111_111_111_111
_WHEEL: Final = 0o1_000_000_001_111  # the ace is low


def _best_five(counts: int) -> int:
    """Returns the counts of the best five cards of six or seven."""
    ones, twos, fours = counts & _BITS, counts >> 1 & _BITS, counts >> 2 & _BITS
    ranks = ones | twos | fours
    if not twos | fours:
        return _of_ranks(ranks)
    if fours:
        return 4 * fours + _highest(1, ranks ^ fours)
    threes = ones & twos
    pairs = twos ^ threes
    if threes:
        return _with_three(threes, pairs, ranks)
    run = _run(ranks)
    if run:
        return run
    best = _highest(2, pairs)
    return 2 * best + _highest(5 - 2 * best.bit_count(), ranks ^ best)


def _with_three(threes: int, pairs: int, ranks: int) -> int:
    """Returns the same where three of a rank lie there: a full house, a straight, or two more cards."""
    best = _highest(1, threes)
    full_of = _highest(1, threes ^ best | pairs)
    if full_of:
        return 3 * best + 2 * full_of
    return _run(ranks) or 3 * best + _highest(2, ranks ^ best)


def _of_ranks(ranks: int) -> int:
    """Returns the best five of five or more different ranks: the straight, if there is one, or the highest."""
    run = _run(ranks)
    return run if run else _highest(5, ranks)


def _run(ranks: int) -> int:
    """Returns the highest five ranks in sequence; 0 when there are none."""
    lowest = ranks & ranks >> 3 & ranks >> 6 & ranks >> 9 & ranks >> 12
    if lowest:
        return 0o11111 << lowest.bit_length() - 1
    return _WHEEL if ranks & _WHEEL == _WHEEL else 0


def _highest(so_many: int, ranks: int) -> int:
    """Returns the highest of these ranks; all of them when they are fewer."""
    for _ in range(ranks.bit_count() - so_many):
        ranks &= ranks - 1  # without the lowest
    return ranks


# ---- what five make: made once, when this module is loaded

_DOWN: Final = range(ACE, LOWEST - 1, -1)  # the ranks, the ace first
_BY_SHAPE: Final = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.PAIR,
}


def _mixed(ranks: tuple[int, ...]) -> Hand:
    """Returns what five cards make whose suits do not matter."""
    order = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    if len(order) < len(ranks):
        return Hand.made(_BY_SHAPE[tuple(map(ranks.count, order))], order)
    if top := top_of_run(ranks, 5):
        return Hand.made(Category.STRAIGHT, (top,))
    return Hand.made(Category.HIGH_CARD, order)


def _suited(ranks: tuple[int, ...]) -> Hand:
    """Returns what five cards of one suit make."""
    top = top_of_run(ranks, 5)
    if top == ACE:
        return Hand.made(Category.ROYAL_FLUSH, (top,))  # before the straight flush that it also is (AMB-PM-30)
    if top:
        return Hand.made(Category.STRAIGHT_FLUSH, (top,))
    return Hand.made(Category.FLUSH, ranks)


def rankings() -> dict[int, Hand]:
    """Returns how often each rank comes -> the hand of five cards, suits apart; a deck has no five of a rank."""
    fives = combinations_with_replacement(_DOWN, 5)
    return {key_of(ranks): _mixed(ranks) for ranks in fives if ranks[0] != ranks[4]}


def flushes() -> dict[int, Hand]:
    """Returns the ranks of five cards of one suit -> their hand."""
    return {key_of(ranks): _suited(ranks) for ranks in combinations(_DOWN, 5)}


RANKINGS: Final[Mapping[int, Hand]] = rankings()
FLUSHES: Final[Mapping[int, Hand]] = flushes()
