"""The classes of hands, lowest first, each game's in its own order."""

from __future__ import annotations

from enum import Enum
from typing import Self


class _Ordered(Enum):
    """An enum that compares within its own order only.

    It is no number, so that a flush of three cards is never taken for one of five.
    """

    def __lt__(self, other: Self) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return int(self.value) < int(other.value)

    def __le__(self, other: Self) -> bool:
        return self is other or self < other

    # a > b and a >= b are asked of b as b < a and b <= a

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}.{self.name}"


class Category(_Ordered):
    """The classes of hands of five cards: NSW 3.6, WSOP 3.6.1, Crown Poker 3.2.2."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


class ThreeCategory(_Ordered):
    """The classes of hands of three cards: Three Card Poker 3.6.1."""

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5
