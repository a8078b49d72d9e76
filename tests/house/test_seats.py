"""Who sits down against the house has no stake at the table: a key that says so is refused."""

from __future__ import annotations

import pytest

from controller.games import step
from controller.table.effects import Refused
from controller.table.facts import Key, Started
from controller.table.state import Table


def opened() -> Table:
    return step(Table(), 1, 0, Started("casino-war", {}))[0]


@pytest.mark.parametrize("word", ["stack=5", "add=5", "take=5", "player=Ann stack=5"])
def test_nobody_brings_a_stake_to_a_game_against_the_house(word: str) -> None:
    table, effects = step(opened(), 2, 0, Key("seat", ("1", *word.split())))
    [refused] = [effect for effect in effects if isinstance(effect, Refused)]
    assert refused.why.startswith(f'seat does not come with "1 {word}": write seat PLACES [player=NAME]')
    assert not table.seats


def test_somebody_sits_down_with_a_name() -> None:
    assert step(opened(), 2, 0, Key("seat", ("1-2", "player=Ann")))[0].seats == {"1": "Ann", "2": "Ann"}
