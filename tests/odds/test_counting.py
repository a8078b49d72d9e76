"""Sets, kinds, strengths and comparisons of whole arrays, against the same thing one by one."""

from __future__ import annotations

import random
from itertools import combinations
from math import comb

import numpy as np
import pytest

from controller.cards import DECK
from controller.hands import Category, best
from controller.odds import caribbean_stud
from controller.odds.deck import HOLES, SIZE, Situations, all_sets, kinds, names, place
from controller.odds.outcomes import LineNets
from controller.odds.rounds import Rounds, Unplayable
from controller.odds.showdown import DEALERS, LEFT, Compared, Showdowns, hole_classes, values
from controller.odds.strength import hands, of_five


@pytest.fixture(scope="module")
def showdowns() -> Showdowns:
    return Showdowns()


@pytest.mark.parametrize(("cards", "different"), [(2, 169), (3, 1755), (4, 16432), (5, 134459)])
def test_kinds_of_sets(cards: int, different: int) -> None:
    found = kinds(cards)
    assert len(found.sets) == different
    assert found.weight.sum() == comb(SIZE, cards)


def test_every_set_has_a_place_of_its_own() -> None:
    for cards in (1, 2, 3, 4):
        assert np.array_equal(np.sort(place(all_sets(cards))), np.arange(comb(SIZE, cards)))


def test_strengths_are_those_of_the_table() -> None:
    chance = np.random.default_rng(1)
    sets = np.array([np.sort(chance.choice(SIZE, 5, replace=False)) for _ in range(3000)])
    assert [hands()[n] for n in of_five(sets)] == [best(names(cards)) for cards in sets]


def test_situations_do_not_know_the_names_of_suits() -> None:
    flops, chance = Situations(3), random.Random(2)
    pairs = all_sets(2)
    for _ in range(200):
        suits = chance.sample(range(4), 4)
        cards = chance.sample(range(SIZE), 5)
        renamed = [suits[card // 13] * 13 + card % 13 for card in cards]
        found = []
        for five in (cards, renamed):
            hole = np.nonzero((pairs == sorted(five[3:])).all(axis=1))[0]
            found.append(flops.of(np.array([sorted(five[:3])]), hole[None])[0, 0])
        assert found[0] == found[1]
    assert flops.size == 1755 * HOLES
    assert len(set(hole_classes().tolist())) == 169


def test_dealers_are_counted_as_they_compare(showdowns: Showdowns) -> None:
    qualifies = np.array([hand.category >= Category.PAIR for hand in hands()], dtype=np.int8)
    chance = random.Random(3)
    boards = np.array([sorted(chance.sample(range(SIZE), 5)) for _ in range(12)])
    batch = showdowns.batch(boards, np.ones(len(boards), dtype=np.int64))
    counts = Compared(qualifies).counts(batch.strength)
    assert all(total == DEALERS for total in np.sum(counts, axis=0).ravel().tolist())
    pairs = all_sets(2)
    for row, cards in enumerate(boards):
        column = chance.randrange(comb(LEFT, 2))
        board, mine = names(cards), names(pairs[batch.holes[row, column]])
        own = best(mine + board)
        assert hands()[batch.strength[row, column]] == own
        expected = [0] * 6
        for theirs in combinations([card for card in DECK if card not in board + mine], 2):
            dealers = best([*theirs, *board])
            expected[2 * ((own > dealers) - (own < dealers) + 1) + (dealers.category >= Category.PAIR)] += 1
        assert [int(count[row, column]) for count in counts] == expected
    pays = np.ones((10, 6), dtype=np.int64)
    assert (values(showdowns.category[batch.strength], counts, pays) == DEALERS).all()


def test_hands_that_avoid_the_players_cards() -> None:
    """By inclusion and exclusion as many as by looking."""
    sets = all_sets(5)
    table = np.zeros(caribbean_stud._ENTRIES, dtype=np.int64)
    some = sets[of_five(sets) < 40]
    caribbean_stud._add(table, some, np.int64(1))
    mine = np.array([[0, 1, 14, 28, 45], [5, 18, 31, 44, 51]])
    counted = caribbean_stud._sum(table, *caribbean_stud._avoiding(mine))
    for row, cards in enumerate(mine):
        free = some[~np.isin(some, cards).any(axis=1)]
        for column, up in enumerate(np.setdiff1d(np.arange(SIZE), cards)):
            assert counted[row, column] == (free == up).any(axis=1).sum()


def test_nothing_is_counted_that_the_table_was_not_asked() -> None:
    pays = LineNets(Rounds("three-card-poker"), ["ante"], {(0, 5): {}}, 2)
    pays.check(np.array([[0, 0, 0, 0, 0, 7], [0] * 6]))
    with pytest.raises(Unplayable):
        pays.check(np.array([[1, 0, 0, 0, 0, 7], [0] * 6]))
    unknown = np.full(len(hands()), -1, dtype=np.int8)
    with pytest.raises(Unplayable):
        Compared(unknown)
    unknown[0] = 1
    with pytest.raises(Unplayable):
        Compared(unknown).counts(np.array([[5] * comb(LEFT, 2)]))
