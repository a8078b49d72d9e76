"""What a few riffles leave of a new deck: cards of a suit that still come by rank far more often than by chance.

Each riffle at most doubles the sequences that rise through the deck: eight after three riffles, where a fair deck of 52
cards has about 26.  Counted are neighbours of a suit, among the cards that came, of which the higher came first.  Under
a fair shuffle the cards of each suit that came stand in any order alike, so the exact chance of so few is known: that
of so few descents in a permutation (Euler's numbers), all suits together.  Which suit lay first in the new deck, how it
was cut and whether its suits rise or fall makes no difference.  Whole numbers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import factorial
from typing import Final

from controller.cards import UNREAD

ACE_LOW: Final = "A23456789TJQK"
QUESTIONS: Final = 3  # all suits rise; all fall; each either way, as in decks whose last two suits fall
RARE: Final = 1_000_000_000  # an alarm where all questions together have a chance of at most 1 in this, at each card


class RisingWatch:
    """Follows the cards of one deck."""

    def __init__(self) -> None:
        self._came: dict[str, list[int]] = {}  # ranks of each suit, as they came
        self._down: dict[str, int] = {}  # descents of each

    def draw(self, card: str) -> bool:
        """Follows the next card, and tells whether so many come by rank that no fair shuffle leaves them so."""
        if card == UNREAD:
            return False
        rank, suit = ACE_LOW.index(card[0]), card[1]
        ranks = self._came.setdefault(suit, [])
        if rank in ranks:  # one too many is an alert of its own
            return False
        ranks.append(rank)
        self._down[suit] = descents(ranks)
        return self._rare()

    def _rare(self) -> bool:
        numbers = [len(ranks) for ranks in self._came.values()]
        down = list(self._down.values())
        up = [number - 1 - fall for number, fall in zip(numbers, down, strict=True)]
        alike = tuple(sorted(numbers))
        return min(sum(down), sum(up)) <= most(alike) or sum(map(min, down, up)) <= most(alike, either_way=True)


def descents(ranks: Sequence[int]) -> int:
    """Returns how many neighbours by rank came the higher one first.

    >>> descents([0, 1, 5]), descents([5, 1, 0]), descents([0, 5, 1])
    (0, 2, 1)
    """
    came = {rank: at for at, rank in enumerate(ranks)}
    return sum(came[low] > came[high] for low, high in pairwise(sorted(came)))


@lru_cache(maxsize=4096)
def most(numbers: tuple[int, ...], *, either_way: bool = False) -> int:
    """Returns the most descents of so many cards of each suit that are too few for chance; -1: no number is.

    >>> most((13, 13, 13, 13)), most((5, 5, 5, 5)), most((3, 3))
    (10, -1, -1)
    """
    ways, so_far, few = [1], 0, -1
    for number in numbers:
        ways = _together(ways, _either_way(number) if either_way else euler(number))
    limit = QUESTIONS * RARE
    every = 1
    for number in numbers:
        every *= factorial(number)
    for number, orders in enumerate(ways):
        so_far += orders
        if so_far * limit > every:
            break
        few = number
    return few


@lru_cache(maxsize=16)
def euler(number: int) -> tuple[int, ...]:
    """Returns how many orders of so many cards have 0, 1, 2, ... descents.

    >>> euler(1), euler(3), sum(euler(13)) == factorial(13)
    ((1,), (1, 4, 1), True)
    """
    if number == 1:
        return (1,)
    fewer = (0, *euler(number - 1), 0)
    return tuple((at + 1) * fewer[at + 1] + (number - at) * fewer[at] for at in range(number))


def _either_way(number: int) -> list[int]:
    """Returns how many orders of so many cards have 0, 1, 2, ... descents or ascents, whichever are fewer."""
    orders = euler(number)
    out = [0] * ((number + 1) // 2)
    for at, ways in enumerate(orders):
        out[min(at, number - 1 - at)] += ways
    return out


def _together(some: Sequence[int], others: Sequence[int]) -> list[int]:
    """Returns in how many ways two counts come to 0, 1, 2, ... together."""
    out = [0] * (len(some) + len(others) - 1)
    for one, ways in enumerate(some):
        for other, more in enumerate(others):
            out[one + other] += ways * more
    return out
