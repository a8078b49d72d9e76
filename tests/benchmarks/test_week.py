"""A floor's week: all money agrees to the cent, and whatever was planted is found.  FELT_WEEK=1: the whole week."""

from __future__ import annotations

import os
import subprocess
import time
from typing import Any

import pytest

from benchmarks.measure import ROOT, python
from benchmarks.week.floor import FLOOR, Week, live
from benchmarks.week.planted import ORDER, Kind
from benchmarks.week.told import Plan
from controller.games import GAMES

WHOLE = bool(os.environ.get("FELT_WEEK"))
DAYS, ROUNDS, SEED = (7, 100, 1) if WHOLE else (1, 24, 1)


def some(plan: Plan) -> Any:
    """Returns a table of the floor; four of them are enough where nobody asks for the whole week."""
    quick = WHOLE or plan.name in ("T1", "T4", "T5", "T8")  # a tournament and a shoe; bets are held; a Jackpot; poker
    marks = [] if quick else [pytest.mark.skip(reason="a day of this table with FELT_WEEK=1")]
    return pytest.param(plan, id=plan.name, marks=marks)


@pytest.mark.parametrize("plan", [some(plan) for plan in FLOOR])
def test_the_money_agrees_and_what_was_planted_is_found(plan: Plan) -> None:
    week = Week(SEED, DAYS, [live(plan, SEED, DAYS, ROUNDS, lambda text: None)])
    assert week.wrong == []
    assert week.missed == []
    kinds = {deed.kind for deed in week.planted}
    assert kinds & {*ORDER, Kind.FOREIGN} and len(week.planted) >= 3
    assert [alarm.text for alarm in week.false_alarms if alarm.why == "nothing that was planted"] == []


def test_every_game_is_played_in_the_week() -> None:
    assert {plan.game_on(day) for plan in FLOOR for day in range(7)} == set(GAMES)


def test_games_take_turns_by_day() -> None:
    (poker,) = (plan for plan in FLOOR if plan.name == "T8")
    week = Week(SEED, 2, [live(poker, SEED, 2, 2, lambda text: None)])
    assert week.wrong == [] and week.missed == []
    assert list(week.tables[0].told.rounds) == ["holdem", "omaha"]


def test_a_table_whose_time_is_up_counts_what_it_has() -> None:
    week = live(FLOOR[2], SEED, 7, 50, lambda text: None, until=time.monotonic())
    assert (week.failed, week.counted.wrong, week.told.days) == ("", [], 0)


def test_a_run_whose_minutes_are_over_says_which_tables_did_not_come_to_the_end() -> None:
    command = python("-m", "benchmarks.week", "--minutes", "0", "T3")
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert child.returncode == 1
    assert "TIME IS UP: T3 was ended after 0 of 7 whole days, 0 rounds" in child.stdout
    assert "what does not agree: 0" in child.stdout
