"""Hands as a dealer calls them, from the category and the ranks that decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.cards import RANKS, spoken
from controller.hands.cards import LOWEST
from controller.hands.categories import Category, ThreeCategory

_ONE: Final = {rank: spoken(letter + "c").partition(" ")[0] for rank, letter in enumerate(RANKS, LOWEST)}
_MANY: Final = {rank: name + ("es" if name.endswith("x") else "s") for rank, name in _ONE.items()}
_LETTER: Final = {1: "A", **dict(enumerate(RANKS, LOWEST))}


def five(category: Category, ranks: Sequence[int]) -> str:
    """Returns the name of a five-card hand; ranks that are not given are not named.

    >>> five(Category.FULL_HOUSE, (10, 4))
    'full house, tens over fours'
    """
    if category is Category.ROYAL_FLUSH or not ranks:
        return _plain(category)
    first = ranks[0]
    match category:
        case Category.STRAIGHT_FLUSH | Category.STRAIGHT:
            return f"{_plain(category)} to the {_ONE[first]}"
        case Category.FOUR_OF_A_KIND | Category.THREE_OF_A_KIND:
            return f"{_plain(category)}, {_MANY[first]}"
        case Category.FULL_HOUSE:
            return f"full house, {' over '.join(_MANY[rank] for rank in ranks)}"
        case Category.FLUSH:
            return f"{_ONE[first]}-high flush"
        case Category.TWO_PAIR:
            return f"two pair, {' and '.join(_MANY[rank] for rank in ranks[:2])}"
        case Category.PAIR:
            return f"pair of {_MANY[first]}{_kicker(ranks)}"
        case _:
            return f"{_ONE[first]} high{_kicker(ranks)}"


def three(category: ThreeCategory, ranks: Sequence[int]) -> str:
    """Returns the name of a three-card hand: the words are those of five cards.

    >>> three(ThreeCategory.PAIR, (10, 13))
    'pair of tens, king kicker'
    """
    return five(Category[category.name], ranks)


def low(ranks: Sequence[int]) -> str:
    """Returns the name of a low.

    >>> low((8, 6, 4, 3, 1))
    '8-6-4-3-A'
    """
    return "-".join([_LETTER[rank] for rank in ranks])


def _plain(category: Category) -> str:
    return category.name.lower().replace("_", " ")


def _kicker(ranks: Sequence[int]) -> str:
    return f", {_ONE[ranks[1]]} kicker" if len(ranks) > 1 else ""
