"""What the limit sign of a game against the house says in plain words: what is in force, and what was announced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from controller.hands import Category
from controller.house.options import House
from controller.jackpot.rules import Terms
from controller.money import Odds, on_sign
from controller.table.board import Row, broken, in_words
from controller.table.state import Table

if TYPE_CHECKING:
    from controller.house.game import HouseGame

_FIXED: Final = (Category.FOUR_OF_A_KIND, Category.FULL_HOUSE, Category.FLUSH, Category.STRAIGHT)
_FOLDED: Final = {"A": "a folded hand loses it", "B": "a folded hand stays eligible"}


def rows(game: HouseGame, options: House) -> Iterator[Row]:
    """Yields what the sign says beside the limits: what wagers are made in, what they pay, and the Jackpot's terms."""
    if options.unit_of_wagers:
        yield "Above the minimum", f"in units of {on_sign(options.unit_of_wagers)}"
    yield from game.on_sign(options)
    if options.payout_limit is not None:  # 002 8.6.2, 9.7.2, 10.6.5; 003 12.6.4
        yield "Maximum payout", on_sign(options.payout_limit)
    if options.terms is not None:
        yield from _jackpot(options.terms, options.method)


def _jackpot(terms: Terms, method: str) -> Iterator[Row]:
    """Yields what a Jackpot wager costs and wins (002 5.2), and what a fold does to it (002 11.2.1(i))."""
    fixed = [(hand, terms.fixed(hand)) for hand in _FIXED]
    prizes = [f"{_spoken(hand)} {on_sign(prize)}" for hand, prize in fixed if prize]
    yield f"Jackpot {on_sign(terms.cost)}", ", ".join(["royal flush 100%", "straight flush 10%", *prizes])
    if method:
        yield f"Jackpot, method {method}", _FOLDED[method]


def odds(table: Mapping[Any, Odds]) -> str:
    """Returns a pay table in words: each hand with its odds."""
    return ", ".join(f"{_spoken(hand)} {paid.to} to {paid.one}" for hand, paid in table.items())


def _spoken(hand: Any) -> str:
    return str(hand.name).lower().replace("_", " ")


# ---- a device


@lru_cache(maxsize=64)
def _in_force(game: HouseGame, options: House) -> tuple[str, ...]:
    """Returns the lines of what is in force: variation and limits first (001 6.1; 002 5.1, 7.1; 003 6.1; 004 6.5)."""
    texts = [
        game.title,
        f"{on_sign(options.min)} to {on_sign(options.max)}",
        *(": ".join(row) for row in rows(game, options)),
    ]
    return tuple(part for text in texts for part in broken(text))


def lines(t: Table, game: HouseGame) -> list[str]:
    """Returns the lines of the limit sign for a device: what is in force, then what is announced."""
    options = t.options.of(House)
    in_force = _in_force(game, options) if t.open else broken(f"{game.title} closed")
    return [*in_force, *(part for notice in t.notices for part in broken(f"soon: {in_words(t, notice)}"))]
