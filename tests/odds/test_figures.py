"""Edges that are published for the same rules, reproduced with the pay tables of the table."""

from __future__ import annotations

from fractions import Fraction

import pytest

from controller.money import decimals
from controller.odds.edges import edge


def percent(value: Fraction, places: int = 2) -> str:
    return decimals(100 * value, places)


@pytest.mark.parametrize(
    ("decks", "war", "tie"),
    [
        ("4", "2.31", "20.29"),
        ("5", "2.32", "19.31"),
        ("6", "2.33", "18.65"),
        ("7", "2.34", "18.18"),
        ("8", "2.34", "17.83"),
    ],
)
def test_casino_war(decks: str, war: str, tie: str) -> None:
    options = {"decks": decks}
    assert percent(edge("casino-war", "war", options)) == war
    assert percent(edge("casino-war", "tie", options)) == tie


@pytest.mark.parametrize(("table", "ante"), [("A", "3.37"), ("B", "3.61"), ("C", "3.83")])
def test_three_card_poker_ante(table: str, ante: str) -> None:
    assert percent(edge("three-card-poker", "ante", {"ante-bonus": table})) == ante


@pytest.mark.parametrize(
    ("table", "pair_plus"),
    [("A", "2.32"), ("B", "3.49"), ("C", "5.57"), ("D", "7.28"), ("E", "4.58"), ("F", "2.70")],
)
def test_three_card_poker_pair_plus(table: str, pair_plus: str) -> None:
    assert percent(edge("three-card-poker", "pair-plus", {"pair-plus": table})) == pair_plus


@pytest.mark.timeout(300)
def test_mississippi_stud() -> None:
    assert percent(edge("mississippi-stud", "ante")) == "4.91"
