"""WSOP Bonus Texas Holdem: all boards, hole cards and dealers, decided backwards from the river to the hole cards."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from controller.odds.deck import HOLES, RENAMINGS, SIZE, Ints, Situations
from controller.odds.holdem import Holdem, SeenOutcomes, by_class
from controller.odds.outcomes import in_units
from controller.odds.progress import Progress
from controller.odds.rounds import Rounds
from controller.odds.showdown import BOARD, BOARDS, DEALERS, values

FLOP, TURN = 3, 4
ORDERS = BOARD * TURN  # which card of a board is the river, and which of the others the turn
_LINES = 64  # turn boards that are worked on at once


def ante(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns the expected net of Ante with the Flop wager or a fold, then Turn and River where they are worth it.

    In units of the Ante.
    """
    game = Holdem(rounds, ["ante"])
    out, stay = game.decisions()
    lines = [[(stay, turn, river) for river in game.decisions(stay, turn)] for turn in game.decisions(stay)]
    unit, (folded, *pays) = in_units([game.pays.of(out), *(game.pays.of(*line) for turn in lines for line in turn)])

    turns = Situations(TURN)
    kept = _large_enough(pays)
    at_river = [np.zeros(turns.size, dtype=kept) for _ in pays]
    at_once = np.zeros(HOLES, dtype=np.int64)
    seen = SeenOutcomes(game.pays)
    for done, batch in enumerate(game.showdowns):
        progress(done, len(game.showdowns))
        counts = game.compared.counts(batch.strength)
        category = game.showdowns.category[batch.strength]
        seen.add(category, counts)
        weight = batch.weight[:, None]
        np.add.at(at_once, batch.holes, values(category, counts, folded) * weight)
        worth = [(values(category, counts, table) * weight).astype(kept) for table in pays]
        for chosen in combinations(range(BOARD), TURN):
            where = turns.of(batch.boards[:, chosen], batch.holes)
            for added, more in zip(at_river, worth, strict=True):
                np.add.at(added, where, more)
    seen.check()
    sums = iter(at_river)
    by_turn = [np.maximum.reduce([next(sums) for _ in turn]) for turn in lines]
    best = np.maximum.reduce([_at_flop(turns, on_turn) for on_turn in by_turn])
    total = int(np.maximum(by_class(best), by_class(at_once) * ORDERS).sum())
    return Fraction(total * unit, comb(SIZE, 2) * BOARDS * ORDERS * DEALERS * rounds.stake)


def _at_flop(turns: Situations, best: Ints) -> Ints:
    """Returns what the situations on the turn are worth together to those on the flop from which they come."""
    flops = Situations(FLOP)
    added = np.zeros(flops.size, dtype=np.int64)
    rows = best.reshape(-1, HOLES)
    holes = np.arange(HOLES)[None]
    worth = np.nonzero(rows.any(axis=1))[0]
    for start in range(0, len(worth), _LINES):
        part = worth[start : start + _LINES]
        boards = turns.boards.sets[part]
        for chosen in combinations(range(TURN), FLOP):
            where = flops.of(boards[:, chosen], np.broadcast_to(holes, (len(boards), HOLES)))
            np.add.at(added, where, rows[part].astype(np.int64))
    return added


def _large_enough(tables: Sequence[Ints]) -> type[np.int32] | type[np.int64]:
    """Returns the type of number that holds every sum made on the turn.

    What is added up: every dealer, every river, every renaming of suits.
    """
    most = max(int(np.abs(table).max()) for table in tables) * DEALERS * (SIZE - 2 - TURN) * len(RENAMINGS)
    return np.int32 if most < np.iinfo(np.int32).max else np.int64
