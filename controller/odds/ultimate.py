"""Ultimate Texas Hold'em: all boards, hole cards and dealers, decided backwards from the river to the hole cards."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import TypeAlias

import numpy as np

from controller.house.state import CHECK
from controller.odds.deck import HOLES, SIZE, Ints, Situations
from controller.odds.holdem import Holdem, SeenOutcomes, Survey, by_class
from controller.odds.outcomes import in_units
from controller.odds.progress import Progress
from controller.odds.rounds import PLACE, Move, Rounds, Unplayable
from controller.odds.showdown import BOARD, BOARDS, DEALERS, Showdowns, values

Span: TypeAlias = tuple[int, int]  # the smallest and the largest multiple of the Ante that a Play may be
FLOP = 3
FLOPS = comb(BOARD, FLOP)  # flops within a board


def ante(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns the expected net of Ante with an equal Blind, and Play as large as is best in the best window.

    In units of the Ante.
    """
    return played_best(rounds, ["ante", "blind"], progress)


def played_best(rounds: Rounds, wagers: Sequence[str], progress: Progress) -> Fraction:
    """Returns what these wagers, all of one size, and the best Play net together, in units of that size."""
    game = Holdem(rounds, wagers)
    before, after = _chips(game), _chips(game, CHECK)
    end = game.decisions(CHECK, CHECK)
    lines = [*((n,) for n in before), *((CHECK, n) for n in after), *((CHECK, CHECK, n) for n in end)]
    unit, pays = in_units([game.pays.of(*line) for line in lines])
    early, later, at_the_end = (pays[: len(before)], pays[len(before) : -len(end)], pays[-len(end) :])

    flops = Situations(FLOP)
    waited = np.zeros(flops.size, dtype=np.int64)
    played = [np.zeros(flops.size, dtype=np.int64) for _ in later]
    at_once = [np.zeros(HOLES, dtype=np.int64) for _ in early]
    seen = SeenOutcomes(game.pays)
    for done, batch in enumerate(game.showdowns):
        progress(done, len(game.showdowns))
        counts = game.compared.counts(batch.strength)
        category = game.showdowns.category[batch.strength]
        seen.add(category, counts)
        weight = batch.weight[:, None]
        for added, table in zip(at_once, early, strict=True):
            np.add.at(added, batch.holes, values(category, counts, table) * weight)
        best: Ints = np.maximum.reduce([values(category, counts, table) for table in at_the_end]) * weight
        flop_values = [values(category, counts, table) * weight for table in later]
        for chosen in combinations(range(BOARD), FLOP):
            where = flops.of(batch.boards[:, chosen], batch.holes)
            np.add.at(waited, where, best)
            for added, worth in zip(played, flop_values, strict=True):
                np.add.at(added, where, worth)
    seen.check()
    checked = by_class(np.maximum.reduce([waited, *played]))
    total = int(np.maximum.reduce([checked, *(by_class(added) * FLOPS for added in at_once)]).sum())
    return Fraction(total * unit, comb(SIZE, 2) * BOARDS * FLOPS * DEALERS * rounds.stake)


class Sweep:
    """Sums from which the edge of Ante follows for many multiples of Play: what a Play nets is linear in its size.

    So of the multiples that a window allows only the smallest and the largest are ever best.
    """

    def __init__(self, rounds: Rounds, rivers: Sequence[Span], progress: Progress) -> None:
        """Counts all boards once; `rivers`: the multiples after the River that will be asked for."""
        self._game = Holdem(rounds, ["ante", "blind"])
        self._stake, flops = rounds.stake, Situations(FLOP)
        self._unit, (without, each, fold) = in_units(self._lines())
        self._early = [np.zeros(HOLES, dtype=np.int64) for _ in range(2)]
        self._later = [np.zeros(flops.size, dtype=np.int64) for _ in range(2)]
        self._waited = {span: np.zeros(flops.size, dtype=np.int64) for span in rivers}
        seen = SeenOutcomes(self._game.pays)
        for done, batch in enumerate(self._game.showdowns):
            progress(done, len(self._game.showdowns))
            counts = self._game.compared.counts(batch.strength)
            category = self._game.showdowns.category[batch.strength]
            seen.add(category, counts)
            weight = batch.weight[:, None]
            parts = [values(category, counts, table) * weight for table in (without, each)]
            folded = values(category, counts, fold) * weight
            best = {span: _best([folded], parts, span) for span in rivers}
            for added, part in zip(self._early, parts, strict=True):
                np.add.at(added, batch.holes, part)
            for chosen in combinations(range(BOARD), FLOP):
                where = flops.of(batch.boards[:, chosen], batch.holes)
                for added, part in zip(self._later, parts, strict=True):
                    np.add.at(added, where, part)
                for span in rivers:
                    np.add.at(self._waited[span], where, best[span])
        seen.check()
        self._early = [by_class(added) * FLOPS for added in self._early]

    def _lines(self) -> list[Ints]:
        """Returns what a hand nets without Play, what each Ante on Play adds, and what a fold nets."""
        game = self._game
        less, more = _chips(game)
        fold = game.decisions(CHECK, CHECK)[0]
        each = (game.pays.of(more) - game.pays.of(less)) // (more - less)
        without = game.pays.of(less) - less * each
        for before in ((), (CHECK,), (CHECK, CHECK)):
            for times in _chips(game, *before):
                if not np.array_equal(game.pays.of(*before, times), without + times * each):
                    raise Unplayable("what a Play wager nets is not linear in its size")
        return [without, each, game.pays.of(CHECK, CHECK, fold)]

    def edge(self, preflop: Span, flop: Span, river: Span) -> Fraction:
        """Returns the edge of Ante where Play may be these multiples, the smallest and the largest of each window."""
        checked = by_class(_best([self._waited[river]], self._later, flop))
        total = int(_best([checked], self._early, preflop).sum())
        return -Fraction(total * self._unit, comb(SIZE, 2) * BOARDS * FLOPS * DEALERS * self._stake)


def _best(others: list[Ints], parts: Sequence[Ints], span: Span) -> Ints:
    """Returns the best of what else can be done and a Play of the smallest or the largest size."""
    without, each = parts
    best: Ints = np.maximum.reduce([*others, *(without + times * each for times in sorted(set(span)))])
    return best


def trips(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns the expected net of Trips of a hand that is not folded: it pays by its category."""
    wagers = ["ante", "blind", "trips"]
    survey = Survey(Showdowns())
    category = survey.showdowns.category[survey.strengths]
    total = 0
    for n, frequency in enumerate(survey.frequency.tolist()):
        progress(n, len(survey.frequency))
        deal = survey.deal(int(survey.strengths[category == n][0]), PLACE)
        stay = rounds.boldest(wagers, deal)
        total += frequency * rounds.settle(wagers, deal, stay).net["trips"]
    return Fraction(total, comb(SIZE, 2) * BOARDS * rounds.stake)


def _chips(game: Holdem, *before: Move) -> list[int]:
    """Returns the multiples of the Ante that Play may be in this window."""
    return [decision for decision in game.decisions(*before) if isinstance(decision, int)]
