"""Who sits down against the house, with what, and what is known of them when they leave."""

from __future__ import annotations

import pytest

from controller.games import step
from controller.table import people
from controller.table.effects import Refused
from controller.table.facts import Badge, Key, Started
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


def seated(*keys: str) -> Table:
    """A table after these keys, in a game where a player may have further hands."""
    table = step(Table(), 1, 0, Started("three-card-poker", {}))[0]
    for n, words in enumerate(keys, 2):
        name, *args = words.split()
        table, effects = step(table, n, 0, Key(name, tuple(args)))
        assert not [effect for effect in effects if isinstance(effect, Refused)]
    return table


def test_with_a_player_go_the_extra_hands() -> None:
    table = seated("seat 1 player=Ann", "seat 4 player=Bob", "owner 2 1", "owner 3 1")
    assert table.seats == {"1": "Ann", "2": "Ann", "3": "Ann", "4": "Bob"} and table.unseen == {"2": "1", "3": "1"}
    left = step(table, 9, 0, Key("leave", ("1",)))[0]
    assert left.seats == {"4": "Bob"} and not left.unseen and set(left.people) == {"Bob"}


def test_a_player_who_gives_an_extra_hand_up_stays() -> None:
    table = seated("seat 1 player=Ann", "owner 2 1", "owner 3 1", "leave 2")
    assert table.seats == {"1": "Ann", "3": "Ann"} and table.unseen == {"3": "1"} and set(table.people) == {"Ann"}


def test_an_exclusion_outlives_who_is_known_by_name_and_nobody_else() -> None:
    table = seated("seat 1 player=Ann", "seat 2")
    for person in table.people.values():
        person.excluded = True
    for n, place in enumerate(("1", "2"), 9):
        table = step(table, n, 0, Key("leave", (place,)))[0]
    assert not table.seats and set(table.people) == {"Ann"}


def test_who_is_excluded_is_known_by_the_place() -> None:
    table = seated("seat 1 player=Ann", "seat 2")
    table.people["Ann"].excluded = True
    assert [people.excluded(table, place) for place in ("1", "2", "3")] == [True, False, False]


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("min=50 max=50", (5_000, 5_000)),
        ("min=50", (5_000, None)),
        ("max=50", (None, 5_000)),
        ("min=500", (50_000, None)),
        ("max=5", (None, 500)),
        ("min=51 max=50", None),
        ("min=501", None),
        ("max=4", None),
        ("min=5 max=500", (None, None)),  # those of the sign
    ],
)
def test_personal_limits_are_a_minimum_and_a_maximum(words: str, limits: tuple[int | None, int | None] | None) -> None:
    table, effects = step(step(opened(), 2, 0, Badge("supervisor"))[0], 3, 0, Key("marker", ("1", *words.split())))
    assert any(isinstance(effect, Refused) for effect in effects) == (limits is None)
    assert [(person.least, person.most) for person in table.people.values()] == ([limits] if limits else [])


def test_of_personal_limits_the_other_one_stays() -> None:
    table = step(opened(), 2, 0, Badge("supervisor"))[0]
    for n, words in enumerate(("min=50", "max=100", "min=20"), 3):
        table = step(table, n, 0, Key("marker", ("1", words)))[0]
    assert [(person.least, person.most) for person in table.people.values()] == [(2_000, 10_000)]
