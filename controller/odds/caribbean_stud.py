"""Caribbean Stud: every kind of hand beside every up card, against all hands that the dealer can then have.

The dealer's hands that avoid the player's cards are not listed one by one.  For every set T of up to five cards a table
says how many hands hold T; by inclusion and exclusion over the player's cards P and the up card u, the number of hands
with u and without P is the sum of (-1)^|S| table[S + u] over all S within P.  The table grows strength by strength, so
at each one it knows how many hands are lower.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np

from controller.odds.deck import CHOOSE, SIZE, Ints, all_sets, kinds, names
from controller.odds.outcomes import EQUAL, HIGHER, LOWER, OUTCOMES, LineNets, Ranked
from controller.odds.progress import Progress
from controller.odds.rounds import PLACE, Rounds
from controller.odds.strength import categories, of_five
from controller.places import DEALER

CARDS = 5
_OFFSET = np.concatenate([[0, 0], np.cumsum([comb(SIZE, k) for k in range(1, CARDS)])])  # by size of the set
_ENTRIES = sum(comb(SIZE, k) for k in range(1, CARDS + 1))
_HIGH = 32  # an entry counts all hands in its lower half, those that qualify above


def ante(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns the expected net of Ante with Bet, each hand played or folded as is better beside the up card."""
    every = _ranked()
    cards = names(np.arange(2 * CARDS))
    fold, bet = rounds.decisions(["ante"], {PLACE: cards[:CARDS], DEALER: cards[CARDS:]})
    qualifies = every.qualifying(rounds, ["ante"], bet)
    pays = LineNets(rounds, ["ante"], every.examples(qualifies), 1 + int(every.category.max()))
    played, folded = pays.of(bet), pays.of(fold)

    hands, weight = kinds(CARDS)
    strength = of_five(hands)
    value = 1 + (qualifies.astype(np.int64) << _HIGH)
    everything = np.zeros(_ENTRIES, dtype=np.int64)
    for start in range(0, len(every.sets), 1 << 16):
        part = slice(start, start + (1 << 16))
        _add(everything, every.sets[part], value[every.strength[part]])

    lower = np.zeros(_ENTRIES, dtype=np.int64)
    seen = np.zeros_like(played)
    total = 0
    for now in range(len(qualifies)):
        progress(now, len(qualifies))
        alike = np.nonzero(strength == now)[0]
        where, sign = _avoiding(hands[alike])
        below, every_dealer = _sum(lower, where, sign), _sum(everything, where, sign)
        _add(lower, every.with_strength(now), value[now])
        not_above = _sum(lower, where, sign)
        counts = np.empty((*below.shape, OUTCOMES), dtype=np.int64)
        for compared, packed in ((HIGHER, below), (EQUAL, not_above - below), (LOWER, every_dealer - not_above)):
            counts[..., 2 * compared + 1] = packed >> _HIGH
            counts[..., 2 * compared] = (packed & (1 << _HIGH) - 1) - (packed >> _HIGH)
        category = every.category[now]
        seen[category] += counts.sum(axis=(0, 1))
        best = np.maximum(counts @ played[category], counts @ folded[category])
        total += int((best.sum(axis=1) * weight[alike]).sum())
    pays.check(seen)
    deals = comb(SIZE, CARDS) * (SIZE - CARDS) * comb(SIZE - CARDS - 1, CARDS - 1)
    return Fraction(total, deals * rounds.stake)


@cache
def _ranked() -> Ranked:
    sets = all_sets(CARDS)
    return Ranked(sets, of_five(sets), categories())


def _sum(table: Ints, where: Ints, sign: Ints) -> Ints:
    summed: Ints = np.tensordot(sign, table[where], axes=1)
    return summed


def _add(table: Ints, hands: Ints, value: Ints | np.int64) -> None:
    """Adds the value of these hands to the entries of all their subsets."""
    term = {(card, n): CHOOSE[hands[:, card], n + 1] for card in range(CARDS) for n in range(card + 1)}
    where: dict[tuple[int, ...], Ints] = {(): np.zeros(len(hands), dtype=np.int64)}
    for chosen in _subsets(CARDS):
        if chosen:
            where[chosen] = where[chosen[:-1]] + term[chosen[-1], len(chosen) - 1]
            np.add.at(table, where[chosen] + _OFFSET[len(chosen)], value)


def _avoiding(hands: Ints) -> tuple[Ints, Ints]:
    """Returns [subset, hand, up card] -> entry of the table, and [subset] -> sign."""
    up = _others(hands)
    above = [hands[:, [card]] > up for card in range(CARDS)]
    term = {  # what an own card adds to the number of a set in which it is the n-th of the own cards
        (card, n): np.where(above[card], CHOOSE[hands[:, [card]], n + 2], CHOOSE[hands[:, [card]], n + 1])
        for card in range(CARDS)
        for n in range(min(card + 1, CARDS - 1))
    }
    # The sum of the own cards' terms, and where CHOOSE has the term of the up card.
    partly: dict[tuple[int, ...], tuple[Ints, Ints]] = {(): (np.zeros_like(up), CHOOSE.shape[1] * up + 1)}
    subsets = _subsets(CARDS - 1)
    where = np.empty((len(subsets), *up.shape), dtype=np.int64)
    for at, chosen in zip(where, subsets, strict=True):
        if chosen:
            sum_, last = partly[chosen[:-1]]
            partly[chosen] = sum_ + term[chosen[-1], len(chosen) - 1], last + ~above[chosen[-1]]
        sum_, last = partly[chosen]
        np.add(sum_ + _OFFSET[len(chosen) + 1], CHOOSE.ravel()[last], out=at)
    return where, np.array([(-1) ** len(chosen) for chosen in subsets], dtype=np.int64)


def _subsets(most: int) -> list[tuple[int, ...]]:
    """Returns the subsets of the places in a hand, up to this size, the smaller ones first."""
    return [chosen for size in range(most + 1) for chosen in combinations(range(CARDS), size)]


def _others(hands: Ints) -> Ints:
    """Returns the cards that are not in each hand."""
    free = np.ones((len(hands), SIZE), dtype=bool)
    np.put_along_axis(free, hands, False, axis=1)
    return np.nonzero(free)[1].reshape(len(hands), SIZE - CARDS)
