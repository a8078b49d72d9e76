"""Unusual wins and pace: found at last, seldom wrong, and in fractions."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from controller.guard import pace
from controller.guard.pace import PhaseTimes
from controller.guard.win import AWAY, SHARES, WagerResult, WinWatch
from controller.poker.options import CrownOptions
from controller.table.pace import LONGEST

EDGE = Fraction(2, 100)


def even(place: str, won: bool, stake: int = 1000) -> WagerResult:
    """A wager at even money with an edge of two in a hundred."""
    return WagerResult(place, stake, stake if won else -stake, EDGE * stake, 1)


def play(chance: Random, wins: float, rounds: int, watch: WinWatch | None = None) -> WinWatch:
    watch = watch or WinWatch()
    for number in range(1, rounds + 1):
        watch.follow(number, [even("1", chance.random() < wins)])
    return watch


def test_somebody_who_wins_too_often_is_found_and_told_once_in_the_same_words() -> None:
    watch = play(Random(1), 0.75, 200)
    (first,) = watch.find()
    assert first.about == "win 1 1" and first.kind == "win"
    assert "Area 1 has won" in first.text and "standard deviations above it" in first.text
    assert "less than once in 1,000,000 such stretches" in first.text
    watch.follow(201, [even("1", won=True)])
    assert list(watch.find()) == [first]


def test_fair_players_are_not_found() -> None:
    for seed in range(100):
        assert not list(play(Random(seed), 0.49, 400).find())


def test_who_is_away_for_long_begins_anew() -> None:
    watch = play(Random(1), 0.75, 200)
    watch.follow(200 + AWAY, [even("1", won=True)])
    assert list(watch.find())
    watch.follow(202 + 2 * AWAY, [even("1", won=True)])
    assert not list(watch.find()) and watch.stretches["1"].wagers == 1


def test_rounds_that_are_counted_anew_end_what_was_found_before() -> None:
    watch = play(Random(1), 0.75, 200)
    watch.follow(1, [even("2", won=True)])
    assert not list(watch.find()) and list(watch.stretches) == ["2"]


@given(st.lists(st.integers(1, 50), min_size=1, max_size=4), st.integers(1, 12))
def test_the_mean_of_every_share_is_one_at_the_exact_edge(stakes: list[int], units: int) -> None:
    """All wagers of a place in one round hang on the same cards: won or lost together, the mean is never above one."""
    largest = max(stakes)
    for share in SHARES:
        mean = Fraction(0)
        for won, part in ((True, Fraction(49, 100)), (False, Fraction(51, 100))):
            bets = [((each if won else -each) + EDGE * each) / (largest * units) for each in stakes]
            mean += part * (1 + sum(bets, Fraction(0)) / len(bets) / share)
        assert mean == 1


def test_two_wagers_on_the_same_cards_are_one_bet() -> None:
    one, two = WinWatch(), WinWatch()
    one.follow(1, [even("1", won=True)])
    two.follow(1, [even("1", won=True), even("1", won=True)])
    assert one.stretches["1"].grown == two.stretches["1"].grown
    assert two.stretches["1"].wagers == 2


def test_a_part_of_a_plain_round_that_takes_far_too_long_is_told() -> None:
    slow = PhaseTimes(7, {"betting": 9_999_000, "settlement": 301_000, "dealing": 300_999})
    (told,) = pace.find(slow)
    assert told.text == "Settling took 301 seconds in round 7; 300 is the most without a reason."
    assert not list(pace.find(PhaseTimes(7, {"settlement": 301_000}, plain=False)))


def test_a_table_may_have_other_limits_or_none() -> None:
    slow = PhaseTimes(7, {"settlement": 61_000, "dealing": 9_999_000, "decisions": 901_000})
    options = CrownOptions(pace_settlement=60_000, pace_dealing=None)
    assert options.longest == {"decisions": 900_000, "settlement": 60_000}
    assert [told.about for told in pace.find(slow, options.longest)] == ["decisions 7", "settlement 7"]
    assert CrownOptions().longest == LONGEST
