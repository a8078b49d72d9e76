"""The acceptance of a shuffling machine: recorded shuffles compared with what fair ones would be, at 95 %.

Three questions, each by chi-squared.  Where does each card come to lie?  From where to where do cards move?  How many
cards stay neighbours?  The first can be asked of any shuffles; the others need the order before each of one deck.
All of them together are wrong about a fair machine in at most one of twenty acceptances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Final, NamedTuple, TypeAlias

from controller.cards import DECK
from controller.guard.chi_squared import chance, deviation

LEAST_EXPECTED: Final = 5  # in a cell: else chi-squared is no good measure
SURE: Final = 0.05  # of all tests together
BLOCKS: Final = (52, 26, 13, 4, 2)  # into which positions are gathered, the finest first
LEAST: Final = 20  # shuffles
RANKS: Final = "A23456789TJQK"
SHOWN: Final = 13  # blocks of the picture
Order: TypeAlias = Sequence[str]


class ShuffleTest(NamedTuple):
    """One question, and how unlikely the answer is of a fair machine."""

    name: str
    measured: str  # in words, with the size of the sample
    x: float
    freedom: int
    chance: float


class Acceptance(NamedTuple):
    """What came of all questions."""

    shuffles: int
    cards: int  # of each shuffle that were looked at
    tests: tuple[ShuffleTest, ...]
    left_out: tuple[str, ...]  # questions that could not be asked, and why
    moves: tuple[tuple[int, ...], ...]  # from which block to which, or which rank to which; for a picture
    expected: float  # of each cell of it
    rows: str  # what they are
    neighbours: tuple[int, ...] = ()  # how often none, one, two ... cards stayed neighbours

    @property
    def level(self) -> float:
        """The chance below which one test says no."""
        return SURE / max(1, len(self.tests))

    @property
    def accepted(self) -> bool:
        """Whether no test says no, and there was one."""
        return bool(self.tests) and all(each.chance >= self.level for each in self.tests)


def accept(shuffles: Sequence[Order], decks: int, before: Sequence[Order] | None = None) -> Acceptance:
    """Compares shuffles with fair ones; `before`: the order of the cards before each, of one deck.

    A shuffle may be known in its first cards only; then so much of each is looked at as all of them have.
    """
    known = min(map(len, shuffles), default=0)
    count, all_ = len(shuffles), len(DECK) * decks
    tests: list[ShuffleTest] = []
    left_out: list[str] = []
    moves, rows, neighbours = _ranks(shuffles, known), "rank", Counter[int]()
    if count < LEAST:
        left_out.append(f"anything: fewer than {LEAST} shuffles prove nothing")
    else:
        tests, left_out = _places(shuffles, decks, known)
        if before is None or known < all_ or decks > 1:
            left_out.append("moves and neighbours: they need whole shuffles of one deck, and the order before each")
        else:
            neighbours.update(_kept(one, other) for one, other in zip(before, shuffles, strict=True))
            tests += [_moves(shuffles, before), _neighbours(neighbours, count)]
            moves, rows = _table(shuffles, before, SHOWN), "block of four cards before"
    cells = sum(map(len, moves)) or 1
    spread = tuple(neighbours[n] for n in range(max(neighbours, default=-1) + 1))
    return Acceptance(count, known, tuple(tests), tuple(left_out), moves, sum(map(sum, moves)) / cells, rows, spread)


# ---- where each card comes to lie


def _places(shuffles: Sequence[Order], decks: int, known: int) -> tuple[list[ShuffleTest], list[str]]:
    """Returns the test of the finest parts of the deck that are expected often enough; else why there is none."""
    count, all_ = len(shuffles), len(DECK) * decks
    for blocks in BLOCKS if known else ():
        size = -(-known // blocks)
        edges = [*range(0, known, size), known]
        sizes = [end - begin for begin, end in pairwise(edges)] + ([all_ - known] if known < all_ else [])
        if len(sizes) > 1 and count * decks * min(sizes) / all_ >= LEAST_EXPECTED:
            return [_positions(shuffles, decks, edges, sizes)], []
    return [], ["where each card comes to lie: too few shuffles"]


def _positions(shuffles: Sequence[Order], decks: int, edges: Sequence[int], sizes: Sequence[int]) -> ShuffleTest:
    count, all_, rest = len(shuffles), len(DECK) * decks, len(sizes) > len(edges) - 1
    observed = [n for card in DECK for n in _in_blocks(shuffles, card, edges, decks, rest=rest)]
    expected = [count * decks * cards / all_ for _ in DECK for cards in sizes]
    x, freedom = deviation(observed, expected) * (all_ - 1) / all_, (len(DECK) - 1) * (len(sizes) - 1)
    words = f"52 cards by {len(sizes)} parts of the deck, {count} shuffles"
    return ShuffleTest("where each card comes to lie", words, x, freedom, chance(x, freedom))


def _in_blocks(shuffles: Sequence[Order], card: str, edges: Sequence[int], decks: int, *, rest: bool) -> list[int]:
    """Returns how often a card came to lie in each block, and beyond them."""
    ends = edges[1:]
    out = [0] * (len(ends) + rest)
    for shuffle in shuffles:
        places = [n for n, each in enumerate(shuffle[: edges[-1]]) if each == card]
        for n in places:
            out[next(block for block, end in enumerate(ends) if n < end)] += 1
        if rest:
            out[-1] += decks - len(places)
    return out


def _ranks(shuffles: Sequence[Order], known: int) -> tuple[tuple[int, ...], ...]:
    """Returns how often each rank came into each part of what is known: a picture where nothing else can be shown."""
    size = max(1, -(-known // SHOWN))
    table = [[0] * (-(-known // size)) for _ in range(SHOWN)]
    for shuffle in shuffles:
        for n, card in enumerate(shuffle[:known]):
            table[RANKS.index(card[0])][n // size] += 1
    return tuple(map(tuple, table))


# ---- from where to where cards move


def _moves(shuffles: Sequence[Order], before: Sequence[Order]) -> ShuffleTest:
    """Returns the test of the finest parts of the deck that are expected often enough; some always are."""
    count = len(shuffles)
    blocks = next(blocks for blocks in BLOCKS if count * len(DECK) / blocks**2 >= LEAST_EXPECTED)
    observed = [n for row in _table(shuffles, before, blocks) for n in row]
    expected = [count * len(DECK) / blocks**2] * blocks**2
    x, freedom = deviation(observed, expected) * (len(DECK) - 1) / len(DECK), (blocks - 1) ** 2
    words = f"{blocks} parts of the deck before by {blocks} after, {count} shuffles"
    return ShuffleTest("from where to where cards move", words, x, freedom, chance(x, freedom))


def _table(shuffles: Sequence[Order], before: Sequence[Order], blocks: int) -> tuple[tuple[int, ...], ...]:
    size = len(DECK) // blocks
    table = [[0] * blocks for _ in range(blocks)]
    for one, other in zip(before, shuffles, strict=True):
        was = {card: n for n, card in enumerate(one)}
        for n, card in enumerate(other):
            table[was[card] // size][n // size] += 1
    return tuple(map(tuple, table))


# ---- neighbours


def _kept(before: Order, after: Order) -> int:
    """Returns how many cards are followed by the same card as before."""
    follows = dict(pairwise(before))
    return sum(follows.get(one) == other for one, other in pairwise(after))


def kept_chances(cards: int) -> list[Fraction]:
    """Returns the exact chance that 0, 1, 2, ... pairs of neighbours stay together in a fair shuffle.

    >>> [str(each) for each in kept_chances(3)]
    ['1/2', '1/3', '1/6']
    """
    moments, ways = [Fraction(1)], Fraction(1)
    for j in range(1, cards):
        ways /= cards - j + 1
        moments.append(comb(cards - 1, j) * ways)
    return [
        sum((Fraction((-1) ** (j - k) * comb(j, k)) * moments[j] for j in range(k, cards)), Fraction(0))
        for k in range(cards)
    ]


def _neighbours(kept: Counter[int], count: int) -> ShuffleTest:
    chances = [float(each) for each in kept_chances(len(DECK))]
    classes = list(_classes(chances, count))
    observed = [sum(kept[n] for n in each) for each in classes]
    expected = [count * sum(chances[n] for n in each) for each in classes]
    x, freedom = deviation(observed, expected), len(classes) - 1
    words = f"pairs that stay together, {len(classes)} classes, {count} shuffles"
    return ShuffleTest("cards that stay neighbours", words, x, freedom, chance(x, freedom))


def _classes(chances: Sequence[float], count: int) -> Iterator[range]:
    """Yields ranges of numbers that are each expected often enough; the last takes all that is left."""
    begin = 0
    for end in range(1, len(chances)):
        enough = count * sum(chances[begin:end]) >= LEAST_EXPECTED
        if enough and count * sum(chances[end:]) >= LEAST_EXPECTED:
            yield range(begin, end)
            begin = end
    yield range(begin, len(chances))
