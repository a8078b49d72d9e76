"""A benchmark measures work that happened, and fails where none did."""

from __future__ import annotations

import random

import pytest

from benchmarks.measure import NothingMeasured, percentile
from benchmarks.settlement import FullPokerTable, FullTable
from controller.cards import DECK
from controller.games import GAMES
from controller.poker.hand.course import HOLE
from controller.table.facts import Key
from tests.poker.there import hand_at


def full(game: str) -> FullTable:
    return (FullPokerTable if game in HOLE else FullTable)(game)


def deck(seed: int) -> list[str]:
    return random.Random(seed).sample(DECK, len(DECK))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_hand_of_a_full_table_is_settled(game: str) -> None:
    table = full(game)
    for seed in range(3):
        assert table.round(deck(seed)) > 0
    r = table.table.round
    assert r is not None
    assert (r.number, r.outcome) == (3, "settled")
    assert r.lines or hand_at(table.table).pots[0].won


@pytest.mark.parametrize("game", ["casino-war", "holdem"])
def test_a_table_that_does_not_play_gives_no_number(game: str) -> None:
    table = full(game)
    if game == "casino-war":
        table.table.open = False
    else:
        table.tell(Key("leave", ("1",)))
    with pytest.raises(NothingMeasured):
        table.round(deck(1))


def test_nothing_has_no_percentile() -> None:
    with pytest.raises(NothingMeasured):
        percentile([], 0.99)
