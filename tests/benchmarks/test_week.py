"""A floor's week: all money agrees to the cent, and whatever was planted is found.  FELT_WEEK=1: the whole week."""

from __future__ import annotations

import os

import pytest

from benchmarks.week.floor import FLOOR, Week, live
from benchmarks.week.planted import ORDER, Kind
from benchmarks.week.table import Plan

WHOLE = bool(os.environ.get("FELT_WEEK"))
DAYS, ROUNDS, SEED = (7, 100, 1) if WHOLE else (1, 24, 1)


@pytest.mark.parametrize("plan", FLOOR, ids=[plan.name for plan in FLOOR])
def test_the_money_agrees_and_what_was_planted_is_found(plan: Plan) -> None:
    week = Week(SEED, DAYS, [live(plan, SEED, DAYS, ROUNDS, lambda text: None)])
    assert week.wrong == []
    assert week.missed == []
    kinds = {deed.kind for deed in week.planted}
    assert kinds & {*ORDER, Kind.FOREIGN} and len(week.planted) >= 3
    assert [alarm.text for alarm in week.false_alarms if alarm.why == "nothing that was planted"] == []
