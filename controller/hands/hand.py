"""What a ranking gives: a number that compares, and knows its category, its deciding ranks and its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from controller.cards import RANKS
from controller.hands import names
from controller.hands.cards import ACE, LOWEST
from controller.hands.categories import Category, ThreeCategory

_CATEGORIES: Final = tuple(Category)
_THREE_CATEGORIES: Final = tuple(ThreeCategory)
_DIGITS: Final = (16, 12, 8, 4, 0)  # a hexadecimal digit for each deciding rank, the first one highest
_ALL_DIGITS: Final = 0xFFFFF
_CATEGORY_SHIFT: Final = 20


def _packed(ranks: Sequence[int]) -> int:
    return sum([rank << digit for rank, digit in zip(ranks, _DIGITS, strict=False)])


def _unpacked(order: int) -> tuple[int, ...]:
    return tuple([rank for digit in _DIGITS if (rank := order >> digit & 15)])


def _read(ranks: str) -> list[int]:
    return [RANKS.index(rank) + LOWEST for rank in ranks]


class _Named(int):
    """A ranked hand as an int: the usual comparisons are the order of hands, and equal is a tie.

    Compare only hands of one kind.
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """The hand as a dealer calls it."""
        raise NotImplementedError  # pragma: no cover - high and low hands name themselves

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks that decide within the category, in this order: 14 is an ace."""
        return _unpacked(self)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__}: {self.name}>"


class Hand(_Named):
    """The best five cards.

    >>> Hand.of(Category.PAIR, "Q")
    <Hand: pair of queens>
    """

    __slots__ = ()

    @classmethod
    def of(cls, category: Category, ranks: str = "") -> Self:
        """Returns the least such hand, to compare with.

        `best(cards) >= Hand.of(Category.PAIR, "T")` is tens or better.
        """
        return cls.made(category, _read(ranks))

    @classmethod
    def made(cls, category: Category, ranks: Sequence[int]) -> Self:
        """Returns the hand of a category and its deciding ranks, the first to decide first."""
        return cls(category.value << _CATEGORY_SHIFT | _packed(ranks))

    @property
    def category(self) -> Category:
        """The class of the hand."""
        return _CATEGORIES[self >> _CATEGORY_SHIFT]

    @property
    def name(self) -> str:
        return names.five(self.category, self.ranks)


class ThreeCardHand(_Named):
    """A hand of three-card poker.

    >>> ThreeCardHand.of(ThreeCategory.STRAIGHT, "9")
    <ThreeCardHand: straight to the nine>
    """

    __slots__ = ()

    @classmethod
    def of(cls, category: ThreeCategory, ranks: str = "") -> Self:
        """Returns the least such hand, to compare with."""
        return cls.made(category, _read(ranks))

    @classmethod
    def made(cls, category: ThreeCategory, ranks: Sequence[int]) -> Self:
        """Returns the hand of a category and its deciding ranks, the first to decide first."""
        return cls(category.value << _CATEGORY_SHIFT | _packed(ranks))

    @property
    def category(self) -> ThreeCategory:
        """The class of the hand."""
        return _THREE_CATEGORIES[self >> _CATEGORY_SHIFT]

    @property
    def name(self) -> str:
        return names.three(self.category, self.ranks)


class Low(_Named):
    """An eight-or-better low: the lower its cards, the greater it compares (AMB-CP-25).

    >>> Low.of("8643A"), Low.of("8643A") > Low.of("8652A")
    (<Low: 8-6-4-3-A>, True)
    """

    __slots__ = ()

    @classmethod
    def of(cls, ranks: str) -> Self:
        """Returns this low; `ranks` are its cards, the highest first, the ace last."""
        return cls.made([1 if rank == ACE else rank for rank in _read(ranks)])

    @classmethod
    def made(cls, ranks: Sequence[int]) -> Self:
        """Returns the low of these ranks, the highest first; 1 is the ace."""
        return cls(_ALL_DIGITS - _packed(ranks))

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the low, the highest first; 1 is the ace."""
        return _unpacked(_ALL_DIGITS - self)

    @property
    def name(self) -> str:
        return names.low(self.ranks)
