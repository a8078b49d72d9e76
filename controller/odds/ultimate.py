"""Ultimate Texas Hold'em: all boards, hole cards and dealers, decided backwards from the river to the hole cards."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from controller.house.state import CHECK
from controller.odds.deck import HOLES, SIZE, Ints, Situations
from controller.odds.holdem import Holdem, SeenOutcomes, Survey, by_class
from controller.odds.outcomes import in_units
from controller.odds.progress import Progress
from controller.odds.rounds import PLACE, Move, Rounds
from controller.odds.showdown import BOARD, BOARDS, DEALERS, Showdowns, values

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
