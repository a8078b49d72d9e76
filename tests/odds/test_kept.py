"""The edges that reports count with: all of them kept, and what is kept is what the tables' own settlement comes to."""

from __future__ import annotations

import os
from fractions import Fraction

import pytest

from controller.games import GAMES, defaults, find
from controller.house.games.casino_war import CasinoWarOptions
from controller.house.games.three_card_poker import ThreeCardOptions
from controller.odds import theory as theories
from controller.odds.edges import edge
from controller.odds.kept import KEPT
from controller.odds.theory import counted_by, edge_kept, theory
from controller.table.options import read
from controller.table.rules import Rules
from tools.edges_table import FILE, Wanted, computed, wanted, written


def is_quick(one: Wanted) -> bool:
    """Tells whether an edge is computed within moments; of the numbers of decks one is enough."""
    return one.game == "three-card-poker" or (one.game == "casino-war" and "decks=6" in one.key[-1])


QUICK = [one for one in wanted() if is_quick(one)]
SLOW = [one for one in wanted() if one not in QUICK]
WAR, THREE = find("casino-war"), find("three-card-poker")


def test_every_edge_is_kept() -> None:
    assert list(KEPT) == [one.key for one in wanted()]
    assert FILE.read_text() == written(KEPT)


@pytest.mark.parametrize("one", QUICK, ids=lambda one: " ".join(one.key))
def test_what_is_kept_is_computed(one: Wanted) -> None:
    assert computed(one) == KEPT[one.key]


@pytest.mark.skipif(not os.environ.get("FELT_ODDS"), reason="takes minutes: set FELT_ODDS=1 to compute these odds")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("one", SLOW, ids=lambda one: " ".join(one.key))
def test_what_is_kept_of_slow_ones_is_computed(one: Wanted) -> None:
    assert computed(one) == KEPT[one.key]


@pytest.mark.parametrize("rules", [rules for rules in GAMES.values() if rules.odds], ids=lambda rules: rules.name)
def test_the_default_table_has_all_edges(rules: Rules) -> None:
    for wager in rules.odds:
        assert edge_kept(rules, wager, rules.options()) is not None


@pytest.mark.parametrize("rules", GAMES.values(), ids=lambda rules: rules.name)
def test_every_spot_is_counted_once(rules: Rules) -> None:
    """What is not taken in by an edge has none: Jackpots, and wagers of players against each other."""
    taken = [spot for wager, stated in rules.odds.items() for spot in (wager, *stated.takes_in)]
    assert len(taken) == len(set(taken))
    assert set(counted_by(rules)) == set(taken) <= set(rules.spots)
    assert set(rules.spots) - set(taken) <= {"jackpot", "red", "black"}


@pytest.mark.parametrize("game", ["ultimate-texas-holdem-vic", "ultimate-texas-holdem-nsw"])
def test_of_the_multiples_of_play_only_some_change_the_edge(game: str) -> None:
    rules = find(game)

    def kept(**windows: str) -> Fraction | None:
        options = read(rules.options, {**defaults(game), **windows})
        assert not isinstance(options, list)
        return edge_kept(rules, "ante", options)

    assert kept() == kept(preflop="4") == Fraction(50643648973, 2317817502000)
    assert kept(preflop="3") == Fraction(9740355089, 100774674000)
    assert kept(preflop="4", flop="2,3") == kept(preflop="4", flop="3") != kept(preflop="4")
    assert kept(preflop="5", flop="4", river="1,2") != kept(preflop="5", flop="4", river="2")
    assert kept(preflop="10", flop="9", river="3") is None  # a count of all boards for a river that nobody offers
    assert rules.odds["ante"].units_by(rules.options()) == 6
    assert rules.odds["trips"].units_by(rules.options()) == 1


def test_a_larger_play_is_never_worse_for_the_player() -> None:
    of = {key[2]: Fraction(kept.edge) for key, kept in KEPT.items() if key[:2] == ("ultimate-texas-holdem-nsw", "ante")}
    for preflop in range(4, 11):
        before = [of[f"preflop={less} flop=2 river=1"] for less in (preflop - 1, preflop)]
        assert before[1] < before[0]
    for flop in range(3, 10):
        assert of[f"preflop=10 flop={flop} river=1"] <= of[f"preflop=10 flop={flop - 1} river=1"]


def test_a_stake_is_worth_its_edge() -> None:
    assert theory(WAR, "tie", 5_00, CasinoWarOptions()) == 500 * Fraction(58, 311)
    assert theory(WAR, "tie", 5_00, CasinoWarOptions(decks=8)) == 500 * Fraction(74, 415)
    assert theory(THREE, "pair-plus", 5_00, ThreeCardOptions(pair_plus="F")) == 500 * Fraction(149, 5525)


@pytest.mark.parametrize("dollars", [1, 2, 3, 5, 7, 10, 15, 25])
def test_a_stake_that_theory_knows_is_computed_at_that_stake(dollars: int) -> None:
    """Half of a wager cannot always be paid: where that makes a difference nothing is said."""
    said = theory(WAR, "war", dollars * 100, CasinoWarOptions())
    exact = dollars * 100 * edge("casino-war", "war", stake=dollars * 100)
    assert said == (theories.NOT_EXACT if dollars < 3 and dollars % 2 else exact)


def test_why_theory_says_nothing() -> None:
    assert theory(WAR, "go-to-war", 500, CasinoWarOptions()) == theories.NOT_COMPUTED
    assert theory(find("holdem"), "red", 500, find("holdem").options()) == theories.NOT_COMPUTED
    assert theory(WAR, "war", 5_50, CasinoWarOptions()) == theories.NOT_EXACT
    limited = ThreeCardOptions(max_payout=100_00)
    assert theory(THREE, "pair-plus", 2_00, limited) == 200 * Fraction(128, 5525)
    assert theory(THREE, "pair-plus", 3_00, limited) == theories.LIMITED
    ultimate = find("ultimate-texas-holdem-nsw")
    others = ultimate.options(preflop=(5,), flop=(4,), river=(3,))  # type: ignore[call-arg]
    assert theory(ultimate, "ante", 10_00, others) == theories.NOT_KEPT
    assert edge_kept(ultimate, "ante", others) is None
    assert edge_kept(ultimate, "jackpot", others) is None
