"""Options of Crown Poker: how their values are written."""

from __future__ import annotations

import pytest

from controller.games import defaults
from controller.poker.options import CrownOptions
from controller.table.options import OptionProblem, read_one


@pytest.mark.parametrize(("game", "seats"), [("holdem", "11"), ("pineapple", "11"), ("omaha-hi-lo", "10")])
def test_omaha_has_a_seat_less(game: str, seats: str) -> None:
    assert defaults(game)["seats"] == seats


def unreadable(name: str, value: str) -> bool:
    return isinstance(read_one(CrownOptions, name, value), OptionProblem)


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


def test_an_option_that_does_not_exist_is_told_with_the_nearest() -> None:
    found = read_one(CrownOptions, "blind", "5")
    assert isinstance(found, OptionProblem) and 'did you mean "blinds"?' in found.text
