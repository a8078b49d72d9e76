"""What the hold'em games have in common: deals to ask the table about, and sums over what players know."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from controller.odds.deck import HOLES, SIZE, Ints, all_sets, kinds, masks, names
from controller.odds.outcomes import OUTCOMES, LineNets
from controller.odds.rounds import PLACE, Deal, Move, Rounds
from controller.odds.showdown import BATCH, BOARD, Batch, Compared, Showdowns, hole_classes
from controller.odds.strength import categories, hands
from controller.places import DEALER
from controller.table.telling import COMMUNITY

_EVERY = 20  # one board of so many is searched for outcomes, beside those that show every strength


class Survey:
    """A survey of every kind of board: which hands there are, how often, and a deal for each."""

    def __init__(self, showdowns: Showdowns) -> None:
        self.showdowns = showdowns
        self._board = np.full(len(hands()), -1, dtype=np.int64)
        self._hole = np.full(len(hands()), -1, dtype=np.int64)
        self.frequency = np.zeros(len(set(showdowns.category.tolist())), dtype=np.int64)  # of categories
        for done, batch in enumerate(showdowns):
            self._board[batch.strength] = BATCH * done + np.arange(len(batch.boards))[:, None]
            self._hole[batch.strength] = batch.holes
            category = showdowns.category[batch.strength]
            for n in range(len(self.frequency)):
                self.frequency[n] += int(((category == n).sum(axis=1) * batch.weight).sum())
        self.strengths = np.nonzero(self._board >= 0)[0]
        self.boards = np.unique(self._board[self.strengths])

    def deal(self, strength: int, place: str) -> Deal:
        """Returns a deal in which the one at `place` has a hand of this strength, and the other has any cards."""
        board, players = kinds(BOARD).sets[self._board[strength]], all_sets(2)[self._hole[strength]]
        rest = np.setdiff1d(np.arange(SIZE), np.concatenate([board, players]))[:2]
        other = PLACE if place == DEALER else DEALER
        return {place: names(players), other: names(rest), COMMUNITY: names(board)}


class Holdem:
    """One hold'em game: its boards, how hands compare, and what it pays."""

    def __init__(self, rounds: Rounds, wagers: Sequence[str]) -> None:
        self.rounds, self.wagers = rounds, wagers
        self.showdowns = Showdowns()
        survey = Survey(self.showdowns)
        self._qualifies = np.full(len(hands()), -1, dtype=np.int8)
        deals = {strength: survey.deal(strength, DEALER) for strength in survey.strengths.tolist()}
        some = next(iter(deals.values()))
        qualifies = rounds.qualifying(wagers, some, rounds.boldest(wagers, some))
        for strength, deal in deals.items():
            self._qualifies[strength] = qualifies(deal)
        self.compared = Compared(self._qualifies)
        self._examples: dict[tuple[int, int], Deal] = {}
        boards = np.concatenate([survey.boards, np.arange(0, len(kinds(BOARD).sets), _EVERY)])
        for start in range(0, len(boards), BATCH):
            sets = kinds(BOARD).sets[boards[start : start + BATCH]]
            self._search(self.showdowns.batch(sets, np.ones(len(sets), dtype=np.int64)))
        self.pays = LineNets(rounds, wagers, self._examples, len(survey.frequency))

    def decisions(self, *before: Move) -> list[Move]:
        """Returns all that the player may decide after these decisions."""
        return self.rounds.decisions(self.wagers, next(iter(self._examples.values())), before)

    def _search(self, batch: Batch) -> None:
        """Keeps a deal of every category and outcome that was not met before."""
        category = self.showdowns.category[batch.strength]
        for outcome, count in enumerate(self.compared.counts(batch.strength)):
            row, column = np.nonzero(count > 0)
            met, first = np.unique(category[count > 0], return_index=True)
            for n, at in zip(met.tolist(), first, strict=True):
                if (n, outcome) not in self._examples:
                    self._examples[n, outcome] = self._deal(batch, int(row[at]), int(column[at]), outcome)

    def _deal(self, batch: Batch, row: int, column: int, outcome: int) -> Deal:
        """Returns this deal with cards of the dealer that give this outcome."""
        cards = all_sets(2)[batch.holes[row]]
        players, strength = cards[column], batch.strength[row]
        ends = 2 * (np.sign(strength[column] - strength) + 1) + self._qualifies[strength]
        theirs = cards[(ends == outcome) & (masks(cards) & masks(players) == 0)][0]
        return {PLACE: names(players), DEALER: names(theirs), COMMUNITY: names(batch.boards[row])}


class SeenOutcomes:
    """The categories and outcomes that came; the table must have settled an example of each."""

    def __init__(self, pays: LineNets) -> None:
        self._pays = pays
        self._came = np.zeros((len(set(categories().tolist())), OUTCOMES), dtype=np.int64)

    def add(self, category: Ints, counts: Sequence[npt.NDArray[np.int32]]) -> None:
        """Marks the categories and outcomes that these counts hold."""
        for outcome, count in enumerate(counts):
            self._came[category[count > 0], outcome] = 1

    def check(self) -> None:
        """Raises Unplayable when something came of which the table settled no example."""
        self._pays.check(self._came)


def by_class(values: Ints) -> Ints:
    """Returns the values of situations or pairs, added up by the 169 kinds of hole cards."""
    kind = hole_classes()
    added = np.zeros(int(kind.max()) + 1, dtype=np.int64)
    np.add.at(added, np.tile(kind, len(values) // HOLES), values)
    return added
