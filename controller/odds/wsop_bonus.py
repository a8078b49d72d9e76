"""WSOP Bonus Texas Holdem: all boards, hole cards and dealers, decided backwards from the river to the hole cards."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from controller.odds.deck import HOLES, RENAMINGS, SIZE, Ints, Situations
from controller.odds.holdem import Holdem, SeenOutcomes, by_class
from controller.odds.outcomes import in_units
from controller.odds.progress import Progress
from controller.odds.rounds import Rounds, Unplayable
from controller.odds.showdown import BOARD, BOARDS, DEALERS, values

FLOP, TURN = 3, 4
ORDERS = BOARD * TURN  # which card of a board is the river, and which of the others the turn
_LINES = 64  # turn boards that are worked on at once

Kept: TypeAlias = npt.NDArray[np.signedinteger]


def ante(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns the expected net of Ante with the Flop wager or a fold, then Turn and River where they are worth it.

    In units of the Ante.
    """
    game = Holdem(rounds, ["ante"])
    unit, (folded, without, each) = in_units(_lines(game))

    turns = Situations(TURN)
    kept = _large_enough((without, each))
    nets, more = np.zeros(turns.size, dtype=kept), np.zeros(turns.size, dtype=kept)
    at_once = np.zeros(HOLES, dtype=np.int64)
    seen = SeenOutcomes(game.pays)
    for done, batch in enumerate(game.showdowns):
        progress(done, len(game.showdowns))
        counts = game.compared.counts(batch.strength)
        category = game.showdowns.category[batch.strength]
        seen.add(category, counts)
        weight = batch.weight[:, None]
        np.add.at(at_once, batch.holes, values(category, counts, folded) * weight)
        worth = [(values(category, counts, table) * weight).astype(kept) for table in (without, each)]
        for chosen in combinations(range(BOARD), TURN):
            where = turns.of(batch.boards[:, chosen], batch.holes)
            np.add.at(nets, where, worth[0])
            np.add.at(more, where, worth[1])
    seen.check()
    checked, raised = _at_flop(turns, nets, more)
    total = int(np.maximum(by_class(np.maximum(checked, raised)), by_class(at_once) * ORDERS).sum())
    return Fraction(total * unit, comb(SIZE, 2) * BOARDS * ORDERS * DEALERS * rounds.stake)


def _lines(game: Holdem) -> list[Ints]:
    """Returns what a fold nets, what a hand that stays nets without Turn and River, and what either of them adds."""
    out, stay = game.decisions()
    check, bet = game.decisions(stay)
    without = game.pays.of(stay, check, game.decisions(stay, check)[0])
    each = game.pays.of(stay, bet, game.decisions(stay, bet)[0]) - without
    for turn, wagers in ((check, (0, 1)), (bet, (1, 2))):
        for river, many in zip(game.decisions(stay, turn), wagers, strict=True):
            if not np.array_equal(game.pays.of(stay, turn, river), without + many * each):
                raise Unplayable("what Turn and River net is not the same, and not the same together")
    return [game.pays.of(out), without, each]


def _at_flop(turns: Situations, nets: Kept, more: Kept) -> tuple[Ints, Ints]:
    """Returns what situations on the flop are worth without and with a Turn wager, and River where it is worth it.

    `nets`: what those on the turn are worth without either, `more`: what either adds.
    """
    flops = Situations(FLOP)
    checked, raised = np.zeros(flops.size, dtype=np.int64), np.zeros(flops.size, dtype=np.int64)
    net_rows, more_rows = nets.reshape(-1, HOLES), more.reshape(-1, HOLES)
    holes = np.arange(HOLES)[None]
    for start in range(0, len(net_rows), _LINES):
        part = slice(start, start + _LINES)
        added = more_rows[part].astype(np.int64)
        best = net_rows[part] + np.maximum(added, 0)
        boards = turns.boards.sets[part]
        for chosen in combinations(range(TURN), FLOP):
            where = flops.of(boards[:, chosen], np.broadcast_to(holes, (len(boards), HOLES)))
            np.add.at(checked, where, best)
            np.add.at(raised, where, best + added)
    return checked, raised


def _large_enough(tables: Sequence[Ints]) -> type[np.int32] | type[np.int64]:
    """Returns the type of number that holds every sum made on the turn.

    What is added up: every dealer, every river, every renaming of suits.
    """
    most = max(int(np.abs(table).max()) for table in tables) * DEALERS * (SIZE - 2 - TURN) * len(RENAMINGS)
    return np.int32 if most < np.iinfo(np.int32).max else np.int64
