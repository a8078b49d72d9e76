"""How a hand can end against the dealer's, and what each of these ends pays at the table.

An outcome is: the player's hand is lower, equal or higher, and the dealer qualifies or not.  What it pays depends on
the category of the player's hand and on what the player decided: one deal of each kind is settled by the game itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from controller.odds.deck import Ints, masks, names
from controller.odds.rounds import PLACE, Deal, Move, Rounds, Unplayable
from controller.places import DEALER

LOWER, EQUAL, HIGHER = range(3)
OUTCOMES = 6  # twice LOWER, EQUAL, HIGHER; plus one when the dealer qualifies
Examples: TypeAlias = Mapping[tuple[int, int], Deal]  # category and outcome -> a deal that ends so


class LineNets:
    """What a line of decisions nets in cents: [category, outcome]."""

    def __init__(self, rounds: Rounds, wagers: Sequence[str], examples: Examples, categories: int) -> None:
        self._rounds, self._wagers, self._examples = rounds, wagers, examples
        self._known = np.zeros((categories, OUTCOMES), dtype=bool)
        for at in examples:
            self._known[at] = True

    def of(self, *decisions: Move) -> Ints:
        """Returns what one line of decisions nets, for all outcomes."""
        pays = np.zeros(self._known.shape, dtype=np.int64)
        for at, deal in self._examples.items():
            pays[at] = self._rounds.settle(self._wagers, deal, decisions).total
        return pays

    def check(self, counts: Ints) -> None:
        """Raises Unplayable when an outcome came for which there is no example; `counts` is [category, outcome]."""
        if (counts[~self._known] > 0).any():
            raise Unplayable("an outcome came for which no deal was settled")


def in_units(tables: Sequence[Ints]) -> tuple[int, list[Ints]]:
    """Returns the largest amount of which every payment is a multiple, and the payments in it.

    Sums of such payments stay small.
    """
    unit = int(np.gcd.reduce(np.concatenate([table.ravel() for table in tables]))) or 1
    return unit, [table // unit for table in tables]


# ---- games in which everybody has cards of his own


class Ranked:
    """All hands of a size, by strength."""

    def __init__(self, sets: Ints, strength: npt.NDArray[np.integer], category: Ints) -> None:
        """Sorts the sets by strength; `category` belongs to each strength."""
        self.sets, self.strength, self.category = sets, strength, category
        self._order = np.argsort(strength, kind="stable")
        self._start = np.searchsorted(strength[self._order], np.arange(len(category) + 1)).tolist()

    def with_strength(self, strength: int) -> Ints:
        """Returns all hands of this strength."""
        return self.sets[self._order[self._start[strength] : self._start[strength + 1]]]

    def some(self, strength: int, most: int = 24) -> Ints:
        """Returns a few hands of this strength, not all alike."""
        players = self.with_strength(strength)
        return players[:: max(1, len(players) // most)]

    def disjoint(self, players: int, dealers: int) -> tuple[Ints, Ints] | None:
        """Returns two hands of these strengths from one deck; None when there are none."""
        a, b = self.some(players), self.some(dealers)
        fit = np.argwhere(masks(a)[:, None] & masks(b) == 0)
        return (a[fit[0, 0]], b[fit[0, 1]]) if len(fit) else None

    def qualifying(self, rounds: Rounds, wagers: Sequence[str], decision: Move) -> npt.NDArray[np.bool_]:
        """Tells, for each strength, whether the table says that a dealer with it qualifies."""
        some = next(pair for strength in range(len(self.category)) if (pair := self.disjoint(strength, 0)))
        qualifies = rounds.qualifying(wagers, _deal(*some), [decision])
        hands = (self.with_strength(strength)[0] for strength in range(len(self.category)))
        return np.array([qualifies({DEALER: names(hand)}) for hand in hands], dtype=bool)

    def examples(self, qualifies: npt.NDArray[np.bool_]) -> dict[tuple[int, int], Deal]:
        """Returns a deal for every category and outcome that exists."""
        deals = {}
        for category in np.unique(self.category):
            players = np.nonzero(self.category == category)[0]
            for outcome in range(OUTCOMES):
                pairs = (self.disjoint(*pair) for pair in _candidates(players, outcome, qualifies))
                if pair := next(filter(None, pairs), None):
                    deals[int(category), outcome] = _deal(*pair)
        return deals


def _candidates(
    players: npt.NDArray[np.intp], outcome: int, qualifies: npt.NDArray[np.bool_]
) -> Iterator[tuple[int, int]]:
    """Yields strengths of player and dealer that end so.

    For each of the player's it takes the nearest and the furthest dealer's.
    """
    compared, wanted = divmod(outcome, 2)
    dealers = np.nonzero(qualifies == bool(wanted))[0]
    for strength in players:
        if compared == EQUAL:
            fit = dealers[dealers == strength]
        else:
            fit = dealers[dealers < strength] if compared == HIGHER else dealers[dealers > strength]
        if len(fit):
            yield from ((int(strength), int(fit[n])) for n in (0, -1, len(fit) // 2))


def _deal(players: Ints, dealers: Ints) -> Deal:
    return {PLACE: names(players), DEALER: names(dealers)}
