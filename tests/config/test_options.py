"""The options of a table are told with every mistake at once, each beside its option."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import ConfigError
from controller.config.load import load_config
from controller.config.options import check
from controller.games import defaults, step
from controller.table.effects import Refused
from controller.table.facts import Started
from controller.table.options import Options
from controller.table.state import Table
from tests.daemon.house import table_toml


def wrong(game: str, **options: str) -> list[str]:
    return [mistake.option for mistake in check(game, {name.replace("_", "-"): text for name, text in options.items()})]


@pytest.mark.parametrize(
    ("game", "options", "found"),
    [
        ("holdem", {"limit": "fixed", "blinds": "10,5", "bets": "20,10", "button": "12"},
         ["blinds", "bets", "blinds", "button"]),
        ("holdem", {"min": "900", "max": "5"}, ["min", "min"]),
        ("holdem", {"button": "12", "rake": "50%", "cap": "x"}, ["cap", "button", "rake"]),
        ("caribbean-stud", {"jackpot": "nsw", "jackpot-option": "9", "jackpot-reset": "7", "jackpot-rate": "105%"},
         ["jackpot-option", "jackpot-reset", "jackpot-rate"]),
        ("wsop-bonus-holdem", {"action-button": "9", "seats": "3", "shoe": "batch", "backs": "red,red"},
         ["action-button", "backs"]),
        ("caribbean-stud", {"jackpot": "nsw", "jackpot-cost": "0", "min": "900"}, ["jackpot-cost", "min"]),
        ("three-card-poker", {"tray": "on", "min": "x"}, ["min", "tray"]),
        ("ultimate-texas-holdem-nsw", {"approved-min": "50", "flop": "4", "river": "2"}, ["approved-min", "flop"]),
    ],
)  # fmt: skip
def test_no_mistake_hides_another(game: str, options: dict[str, str], found: list[str]) -> None:
    assert [mistake.option for mistake in check(game, options)] == found


def test_what_cannot_be_read_accuses_no_other_option() -> None:
    assert wrong("three-card-poker", tray="on", shoe="shufler") == ["shoe"]
    assert wrong("holdem", min="50", blinds="x") == ["blinds"]


@pytest.mark.parametrize(
    ("game", "options", "says"),
    [
        ("casino-war", {"chip": "1000"}, "chip: the smallest chip is above the maximum"),
        ("casino-war", {"max": "10", "chip": "20"}, "chip: the smallest chip is above the maximum"),
        ("casino-war", {"backs": "red,red"}, "backs: the two decks have backs of different colours"),
        ("casino-war", {"backs": "3,4"}, 'backs: "3,4" must be two colours, such as "red,blue"'),
        ("holdem", {"bonus": "royal-flush:500,royal-flush:5"}, "bonus: royal-flush stands twice: name each hand once"),
        ("holdem", {"bonus": "pair:500,one-pair:5"}, "bonus: one-pair stands twice: name each hand once"),
        ("caribbean-stud", {"jackpot-rate": "105%"},
         'jackpot-rate: no Jackpot is offered here: add jackpot = "nsw", or remove this'),
        ("wsop-bonus-holdem", {"jackpot": "none", "jackpot-group": "G1"},
         'jackpot-group: no Jackpot is offered here: add jackpot = "vic", or remove this'),
    ],
)  # fmt: skip
def test_what_nobody_means_is_told(game: str, options: dict[str, str], says: str) -> None:
    assert [str(mistake) for mistake in check(game, options)] == [says]


def test_a_table_has_no_more_places_than_cards() -> None:
    """A game from outside may bind its seats to nothing."""
    assert [str(slip.cited.text) for slip in Options(seats=3000).slips()] == [
        "not every place would get a card: there are 52 in play"
    ]
    assert not list(Options(seats=52).slips())


@pytest.mark.parametrize("group", ["a b", ",", "-1", "1", "a\x00"])
def test_a_system_has_a_name_that_keys_and_commands_can_say(group: str) -> None:
    assert wrong("caribbean-stud", jackpot="nsw", jackpot_group=group) == ["jackpot-group"]
    assert wrong("caribbean-stud", jackpot="nsw", jackpot_group="High_Limit-2") == []


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("caribbean-stud", {"jackpot": "nsw", "jackpot-group": "a b"}),
        ("caribbean-stud", {"jackpot-rate": "105%"}),
        ("casino-war", {"chip": "1000", "backs": "3,4"}),
        ("casino-war", {"backs": "red,red"}),
        ("holdem", {"bonus": "royal-flush:500,royal-flush:5"}),
    ],
)
def test_a_journal_that_has_such_a_thing_is_read_as_ever(game: str, options: dict[str, str]) -> None:
    assert check(game, options)
    table, effects = step(Table(), 1, 0, Started(game, {**defaults(game), **options}))
    assert table.game == game and not [effect for effect in effects if isinstance(effect, Refused)]


def test_one_mistake_is_one_line_whatever_the_file_has(tmp_path: Path) -> None:
    path = table_toml(tmp_path, options='burn = "a\\n\\u001b[31m"\n')
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert caught.value.cause.endswith('options.burn: "a\\n\\x1b[31m" must be one of on, off')


def test_each_mistake_has_the_line_of_its_option(tmp_path: Path) -> None:
    options = 'jackpot = "nsw"\njackpot-option = 9\njackpot-reset = 7\nmin = 900\n'
    path = table_toml(tmp_path, game="caribbean-stud", options=options)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    lines = path.read_text().splitlines()
    found = [(problem.key, lines[problem.line - 1].partition(" ")[0]) for problem in caught.value.problems]
    assert found == [(f"options.{name}", name) for name in ("jackpot-option", "jackpot-reset", "min")]
