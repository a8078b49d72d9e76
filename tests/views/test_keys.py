"""The keys of a table as everybody may read them."""

from __future__ import annotations

import pytest

from controller.games import GAMES, find
from controller.table.keys import keys_of
from controller.views.keys import ANYBODY, keys


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_key_of_a_table_is_told_with_who_may_press_it(game: str) -> None:
    rules = find(game)
    told = {key["key"]: key for key in keys(rules)}
    assert list(told) == sorted(key.name for key in keys_of(rules))
    for key in keys_of(rules):
        assert told[key.name]["says"].startswith(key.says)
        assert told[key.name]["who"] or key.changes_options


def who(game: str, name: str) -> list[tuple[str, str, str]]:
    (told,) = (key for key in keys(find(game)) if key["key"] == name)
    return [(each["word"], each["role"], each["rule"]) for each in told["who"]]


def test_who_may_press_a_key_is_told_with_its_rule() -> None:
    assert who("casino-war", "void") == [("", "supervisor", "9.3")]
    assert who("casino-war", "settle") == [("", "dealer", "")]
    assert who("casino-war", "seat") == [("", ANYBODY, "")]


@pytest.mark.parametrize(
    ("game", "name", "forms"),
    [
        ("three-card-poker", "fold", ["fold AREA [ante]"]),
        ("mississippi-stud", "fold", ["fold AREA"]),
        ("caribbean-stud", "notice", ["notice option=value|close-table|close-jackpot ..."]),
        ("casino-war", "notice", ["notice option=value|close-table ..."]),
    ],
)
def test_words_that_mean_nothing_in_a_game_are_not_offered(game: str, name: str, forms: list[str]) -> None:
    (told,) = (key for key in keys(find(game)) if key["key"] == name)
    assert told["forms"] == forms


@pytest.mark.parametrize(
    ("game", "unused"),
    [
        (
            "casino-war",
            {"agree", "cancel-jackpot", "check", "close-jackpot", "confirm-jackpot", "fold", "start-jackpot"},
        ),
        ("ultimate-texas-holdem-nsw", {"agree", "cutting-card", "owner", "refuse-cut", "show-burn", "surrender"}),
    ],
)
def test_keys_that_mean_nothing_in_a_game_are_told_as_such(game: str, unused: set[str]) -> None:
    assert {told["key"] for told in keys(find(game)) if not told["used"]} == unused


def test_where_words_make_a_difference_each_is_told() -> None:
    assert who("casino-war", "invalidate") == [
        ("fraud", "assistant-casino-manager", "11.3"),
        ("disturbance", "supervisor", "11.4"),
    ]
    assert ("method", "casino-manager", "7.4.4(a)") in who("casino-war", "set")
