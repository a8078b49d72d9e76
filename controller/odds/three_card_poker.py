"""Three Card Poker: every kind of hand against every hand that the dealer can then have."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from controller.odds.deck import SIZE, Ints, all_sets, kinds, names
from controller.odds.outcomes import OUTCOMES, LineNets, Ranked
from controller.odds.progress import Progress
from controller.odds.rounds import PLACE, Rounds
from controller.odds.strength import of_three
from controller.places import DEALER

CARDS = 3


def ante(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns the expected net of Ante with Play and Ante Bonus, each hand played or folded as is better."""
    every = _ranked()
    fold, play = rounds.decisions(["ante"], _some_deal())
    qualifies = every.qualifying(rounds, ["ante"], play)
    pays = LineNets(rounds, ["ante"], every.examples(qualifies), 1 + int(every.category.max()))
    played, folded = pays.of(play), pays.of(fold)

    held = (np.int64(1) << every.sets).sum(axis=1)
    seen = np.zeros_like(played)
    total = 0
    for done, (cards, weight) in enumerate(zip(*kinds(CARDS), strict=True)):
        progress(done, 1755)
        mask = (np.int64(1) << cards).sum()
        players = every.strength[held == mask][0]
        dealers = every.strength[held & mask == 0]
        counts = np.bincount(2 * (np.sign(players - dealers) + 1) + qualifies[dealers], minlength=OUTCOMES)
        category = every.category[players]
        seen[category] += counts
        total += int(weight) * max(int((counts * pays_of[category]).sum()) for pays_of in (played, folded))
    pays.check(seen)
    return Fraction(total, comb(SIZE, CARDS) * comb(SIZE - CARDS, CARDS) * rounds.stake)


def pair_plus(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns the expected net of Pair Plus by itself: a hand pays by its category."""
    every = _ranked()
    categories, example, counts = np.unique(every.category[every.strength], return_index=True, return_counts=True)
    total = 0
    for category, at, count in zip(categories, example, counts, strict=True):
        dealers = next(hand for hand in every.sets if not set(hand) & set(every.sets[at]))
        deal = {PLACE: names(every.sets[at]), DEALER: names(dealers)}
        total += int(count) * rounds.settle(["pair-plus"], deal).total
        progress(int(category), len(categories))
    return Fraction(total, comb(SIZE, CARDS) * rounds.stake)


def _ranked() -> Ranked:
    sets = all_sets(CARDS)
    hands = of_three(sets)
    order = sorted(set(hands))
    number = {hand: n for n, hand in enumerate(order)}
    strength = np.array([number[hand] for hand in hands], dtype=np.int64)
    category: Ints = np.array([hand.category.value for hand in order], dtype=np.int64)
    return Ranked(sets, strength, category)


def _some_deal() -> dict[str, list[str]]:
    cards = names(np.arange(2 * CARDS))
    return {PLACE: cards[:CARDS], DEALER: cards[CARDS:]}
