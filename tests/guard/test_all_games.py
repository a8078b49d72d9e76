"""All games on full tables: fair cards raise nothing; a deck in order and a card of another deck are found."""

from __future__ import annotations

from contextlib import suppress

import pytest

from benchmarks.measure import NothingMeasured
from benchmarks.protection import play
from benchmarks.watched import WatchedPokerTable, WatchedTable
from controller.games import GAMES
from controller.poker.hand.course import HOLE
from tests.guard.decks import NEW


def table(game: str) -> WatchedTable:
    return (WatchedPokerTable if game in HOLE else WatchedTable)(game)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_fair_rounds_raise_nothing(game: str) -> None:
    assert not play(game, 3, 11).alerts


def test_fair_shoes_of_several_decks_raise_nothing() -> None:
    watched = play("casino-war", 70, 12)
    assert watched.table.shoe.number >= 2  # two cutting cards
    assert not watched.alerts


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_deck_that_nobody_shuffled_is_found_in_its_first_round(game: str) -> None:
    watched = table(game)
    watched.round(NEW[::-1] * watched.table.options.typed.decks)  # the last one is dealt first
    assert [kind for kind, _ in watched.alerts] == ["order"]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_card_of_another_deck_is_found(game: str) -> None:
    watched = table(game)
    decks = watched.table.options.typed.decks
    others = [card for card in NEW[1::2] + NEW[::2] if card not in ("Kh", "4c")]
    first = ["Kh", "4c", *["Kh"] * decks]
    with suppress(StopIteration, RuntimeError, NothingMeasured):  # the rules may stop the round for it
        watched.round([*others, *first[::-1]])
    assert [kind for kind, _ in watched.alerts] == ["cards"]
