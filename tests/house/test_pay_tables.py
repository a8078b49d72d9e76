"""A pay table is one row in one place: whoever may choose a table, or is told of it, reads it there."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from controller.games import find
from controller.hands import best
from controller.hands.three import best_three
from controller.house.game import HouseGame
from controller.house.games.three_card_poker import ANTE_BONUS, PAIR_PLUS
from controller.house.games.wsop_bonus import ANTE_PAYS
from controller.money import Odds
from controller.table.options import Chosen, fields, read

TABLES: list[tuple[str, str, Mapping[str, object]]] = [
    ("three-card-poker", "ante-bonus", ANTE_BONUS),
    ("three-card-poker", "pair-plus", PAIR_PLUS),
    ("wsop-bonus-holdem", "ante-pays", ANTE_PAYS),
]


@pytest.mark.parametrize(("game", "option", "tables"), TABLES)
def test_an_option_may_be_what_its_tables_are_called_and_nothing_else(
    game: str, option: str, tables: Mapping[str, object]
) -> None:
    field = fields(find(game).options)[option]
    assert field.form.words == tuple(tables)
    assert field.form.expected == f"one of {', '.join(tables)}"


@pytest.mark.parametrize("name", PAIR_PLUS)
def test_pair_plus_is_told_as_it_is_paid(name: str) -> None:
    game = find("three-card-poker")
    assert isinstance(game, HouseGame)
    options = read(game.options, {"pair-plus": name})
    assert not isinstance(options, list)
    for cards in (["4h", "5h", "6h"], ["9h", "9d", "9c"], ["4h", "5d", "6h"], ["2h", "9h", "Kh"], ["2h", "2d", "Kh"]):
        hand = best_three(cards)
        pays = game.pays(Chosen(options), "pair-plus", hand)
        assert pays is not None
        assert pays.odds == PAIR_PLUS[name][hand.category]
    assert game.pays(Chosen(options), "pair-plus", best_three(["2h", "9d", "Kh"])) is None


FLUSH = ["2h", "5h", "9h", "Jh", "Kh"]
TRIPS = ["9h", "9d", "9c", "2d", "Kh"]
NOTHING = ["2h", "5d", "9c", "Jh", "Kh"]
PRINTED = [
    ("caribbean-stud", "ante", FLUSH, Odds(1)),
    ("caribbean-stud", "bet", FLUSH, Odds(5)),
    ("caribbean-stud", "bet", NOTHING, Odds(1)),
    ("mississippi-stud", "third", FLUSH, Odds(6)),
    ("mississippi-stud", "ante", TRIPS, Odds(3)),
    ("mississippi-stud", "ante", NOTHING, None),
    ("ultimate-texas-holdem-nsw", "play", FLUSH, Odds(1)),
    ("ultimate-texas-holdem-nsw", "blind", FLUSH, Odds(3, 2)),
    ("ultimate-texas-holdem-nsw", "blind", TRIPS, None),
    ("ultimate-texas-holdem-nsw", "trips", TRIPS, Odds(3)),
    ("ultimate-texas-holdem-vic", "ante", FLUSH, Odds(1)),
    ("ultimate-texas-holdem-vic", "blind", FLUSH, Odds(3, 2)),
    ("ultimate-texas-holdem-vic", "trips", FLUSH, Odds(7)),
]


@pytest.mark.parametrize(("name", "spot", "cards", "odds"), PRINTED)
def test_odds_are_told_as_the_documents_print_them(name: str, spot: str, cards: list[str], odds: Odds | None) -> None:
    """002 8.6.2, 9.7.2, 10.6.5; 003 12.6.4."""
    game = find(name)
    assert isinstance(game, HouseGame)
    pays = game.pays(Chosen(game.options()), spot, best(cards))
    assert (pays.odds if pays is not None else None) == odds
