"""Whole enumerations that take minutes: skipped unless FELT_ODDS is set in the environment."""

from __future__ import annotations

import os

import pytest

from controller.hands import Category
from controller.house.games import caribbean_stud
from controller.money import Odds, decimals
from controller.odds.edges import edge

pytestmark = [
    pytest.mark.skipif(not os.environ.get("FELT_ODDS"), reason="takes minutes: set FELT_ODDS=1 to compute these odds"),
    pytest.mark.timeout(3600),
]


@pytest.mark.parametrize(
    ("game", "options", "percent"),
    [
        ("caribbean-stud", {}, "5.1991"),
        ("ultimate-texas-holdem-nsw", {}, "2.1850"),
        ("ultimate-texas-holdem-vic", {}, "2.1850"),
        ("wsop-bonus-holdem", {"ante-pays": "flush"}, "5.5935"),
        ("wsop-bonus-holdem", {"ante-pays": "straight"}, "2.0369"),
    ],
)
def test_ante(game: str, options: dict[str, str], percent: str) -> None:
    assert decimals(100 * edge(game, "ante", options), 4) == percent


def test_trips() -> None:
    assert decimals(100 * edge("ultimate-texas-holdem-nsw", "trips"), 4) == "3.4979"


def test_caribbean_stud_with_the_pay_table_that_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    """A royal flush pays 100 there; 250 in the approved document."""
    monkeypatch.setitem(caribbean_stud.BET, Category.ROYAL_FLUSH, Odds(100))
    assert decimals(100 * edge("caribbean-stud", "ante"), 4) == "5.2243"
