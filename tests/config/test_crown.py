"""Options of Crown Poker: how their values are written."""

from __future__ import annotations

import pytest

from controller.config.options import CROWN_GAMES, OPTIONS
from controller.games import defaults
from controller.table.options import unreadable


@pytest.mark.parametrize("game", CROWN_GAMES)
def test_the_defaults_are_all_options_and_well_written(game: str) -> None:
    usual = defaults(game)
    assert usual.keys() == OPTIONS[game]
    assert [name for name, value in usual.items() if unreadable(name, value)] == []
    assert usual["seats"] == ("10" if game.startswith("omaha") else "11")


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("limit", ["pot", "fixed"], ["half", "none", ""]),
        ("bets", ["10,20", "2.50,5"], ["10", "10,20,30", "a,b", "0,5", "10, 20"]),
        ("blinds", ["5", "5,10", "1,2,4"], ["", "5,", "none", "-5,10"]),
        ("button", ["3", "none"], ["0", "x", "-1", "\u00b2"]),
        ("over-blinds", ["on"], ["yes", "none"]),
        ("cap", ["none", "7.50"], ["lots", "0", "5,6"]),
        ("rake", ["5%", "2.5%", "0%", "3", "2:3,5:5"], ["%", "2:,5:5", "x:3", "none", "5:%"]),
        ("act-time", ["30s", "1m30s", "none"], ["", "30", "s", "1d"]),
        ("extra-times", ["2", "none"], ["two", "0"]),
        ("bonus", ["none", "royal-flush:500", "royal-flush:500,four-of-a-kind:50"], ["500", "royal-flush:", ":5"]),
    ],
)
def test_values(name: str, good: list[str], bad: list[str]) -> None:
    assert [value for value in good if unreadable(name, value)] == []
    assert [value for value in bad if not unreadable(name, value)] == []


def test_other_options_are_not_its_matter() -> None:
    assert unreadable("no-such-option", "many") == ""
