"""A card as one integer, made so that the sum of a hand's cards counts its ranks and its suits at once.

The low 13 octal digits count the ranks, two to ace; above them four hexadecimal digits count the suits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from controller.cards import DECK, RANKS, SUITS

SUIT_SHIFT: Final = 3 * len(RANKS)
RANK_COUNTS: Final = (1 << SUIT_SHIFT) - 1  # mask: of a sum, what counts the ranks
LOWEST: Final = 2  # ranks are 2 to 14 in here: a digit of its own for "none", and 1 is left for the low ace
ACE: Final = 14

_INT: Final = {card: 1 << 3 * RANKS.index(card[0]) | 1 << SUIT_SHIFT + 4 * SUITS.index(card[1]) for card in DECK}
_TEXT: Final = {number: card for card, number in _INT.items()}


def ints(cards: Collection[str], fewest: int = 0, most: int = len(DECK)) -> tuple[int, ...]:
    """Returns the cards as integers for the `rank` functions; raises ValueError when they are no hand.

    The messages name no card: it may lie face down.

    >>> [oct(number & RANK_COUNTS) for number in ints(["2c", "3d", "4c"])]
    ['0o1', '0o10', '0o100']
    """
    if not fewest <= len(cards) <= most:
        wanted = f"{fewest} to {most}" if fewest < most else f"{most}"
        raise ValueError(f"{len(cards)} cards where {wanted} make a hand")
    try:
        numbers = tuple([_INT[card] for card in cards])
    except KeyError:
        raise ValueError("not one of the 52 cards") from None
    if len(set(numbers)) != len(numbers):
        raise ValueError("the same card twice")
    return numbers


def text(number: int) -> str:
    """Returns the card of an integer, as people write it.

    >>> text(ints(["Td"])[0])
    'Td'
    """
    return _TEXT[number]


def key_of(ranks: Iterable[int]) -> int:
    """Returns how often each rank comes, as one number.

    >>> oct(key_of([4, 4, 2]))
    '0o201'
    """
    return sum([1 << 3 * (rank - LOWEST) for rank in ranks])


def top_of_run(ranks: Collection[int], length: int) -> int:
    """Returns the highest rank that ends so many in sequence, or 0.

    The ace is high or low, never in the middle (AMB-TCP-04).

    >>> top_of_run([14, 5, 4, 3, 2], 5), top_of_run([14, 13, 2], 3), top_of_run([14, 3, 2], 3)
    (5, 0, 3)
    """
    present = sum([1 << rank for rank in ranks]) | (ACE in ranks) << 1
    run = (1 << length) - 1
    for top in range(ACE, length - 1, -1):
        if present >> top - length + 1 & run == run:
            return top
    return 0
