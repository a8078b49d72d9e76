"""Mississippi Stud: every hand of five, decided backwards from the last street to the first.

Which cards are the player's own does not matter: what is known on a street is a set of two, three or four cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from controller.odds.deck import SIZE, Ints, all_sets, names, place
from controller.odds.progress import Progress
from controller.odds.rounds import PLACE, Deal, Move, Rounds
from controller.odds.strength import hands, of_five
from controller.table.telling import COMMUNITY

CARDS = 5
OWN = 2


def ante(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns the expected net of Ante with all Streets, each as large as is best, or folded."""
    sets = all_sets(CARDS)
    strength = of_five(sets)
    examples = np.unique(strength, return_index=True)[1]
    tree = _Tree(rounds, [names(sets[at]) for at in examples], progress)
    of_class = tree.of_class[strength]

    # How many hands of each class there are above a set of four cards, and what they pay for each line of decisions.
    counts = np.zeros((comb(SIZE, CARDS - 1), tree.classes), dtype=np.int64)
    for chosen in combinations(range(CARDS), CARDS - 1):
        np.add.at(counts, (place(sets[:, chosen]), of_class), 1)
    return Fraction(int(_best(tree, (), counts)[0]), tree.ways * rounds.stake)


class _Tree:
    """What every line of decisions pays for every class of hands."""

    def __init__(self, rounds: Rounds, examples: list[list[str]], progress: Progress) -> None:
        """Sorts hands into classes that pay alike; `examples` has a hand of every strength."""
        self._rounds = rounds
        self._progress = progress
        self._settled = 0
        self.ways = comb(SIZE, OWN) * (SIZE - 2) * (SIZE - 3) * (SIZE - 4)
        deals = [{PLACE: cards[:OWN], COMMUNITY: cards[OWN:]} for cards in examples]
        # Hands of one category and first rank pay alike; so do all that net alike with the least and the most chips.
        first = {(hand.category, hand.ranks[0]): deal for hand, deal in zip(hands(), deals, strict=True)}
        least, most = _least(rounds, deals[0]), rounds.boldest(["ante"], deals[0])
        nets = {at: tuple(_net(rounds, deal, line) for line in (least, most)) for at, deal in first.items()}
        number = {net: n for n, net in enumerate(sorted(set(nets.values())))}
        self.of_class = np.array([number[nets[hand.category, hand.ranks[0]]] for hand in hands()], dtype=np.int64)
        self._deals = [first[next(at for at in first if nets[at] == net)] for net in number]
        self.classes = len(number)

    def decisions(self, before: tuple[Move, ...]) -> list[Move]:
        """Returns all that the player may decide after these decisions."""
        return self._rounds.decisions(["ante"], self._deals[0], before)

    def pays(self, line: tuple[Move, ...]) -> Ints:
        """Returns what this line of decisions nets for each class of hands."""
        self._progress(self._settled, 40)  # three multiples on three streets, and their folds
        self._settled += 1
        return np.array([self._rounds.settle(["ante"], deal, line).total for deal in self._deals], dtype=np.int64)


def _least(rounds: Rounds, deal: Deal) -> list[Move]:
    """Returns the decisions with the smallest chips that stay to the end."""
    line: list[Move] = []
    while rounds.choice(["ante"], deal, line) is not None:
        line.append(min(n for n in rounds.decisions(["ante"], deal, line) if isinstance(n, int)))
    return line


def _net(rounds: Rounds, deal: Deal, line: Sequence[Move]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(rounds.settle(["ante"], deal, line).net.items()))


def _best(tree: _Tree, before: tuple[Move, ...], counts: Ints) -> Ints:
    """Returns, for each set of cards known now, the best that can come, added up over all cards that can follow."""
    known = OWN + len(before)
    values = []
    for decision in tree.decisions(before):
        line = (*before, decision)
        if not isinstance(decision, int) or known == CARDS - 1:  # nothing is left to decide
            values.append(_spread(counts @ tree.pays(line), CARDS - 1, known))
        else:
            values.append(_above(_best(tree, line, counts), known + 1))
    best: Ints = np.maximum.reduce(values)
    return best.sum(keepdims=True) if not before else best


def _spread(values: Ints, size: int, known: int) -> Ints:
    """Returns values of sets of `size` cards, added up for the sets of `known` cards within them."""
    for cards in range(size, known, -1):
        values = _above(values, cards)
    return values


def _above(values: Ints, cards: int) -> Ints:
    """Returns, for each set of one card less, the sum over the sets of so many cards that hold it."""
    sets = all_sets(cards)
    added = np.zeros(comb(SIZE, cards - 1), dtype=np.int64)
    gained = values[place(sets)]
    for chosen in combinations(range(cards), cards - 1):
        np.add.at(added, place(sets[:, chosen]), gained)
    return added
