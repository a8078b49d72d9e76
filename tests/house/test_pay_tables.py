"""A pay table is one row in one place: whoever may choose a table, or is told of it, reads it there."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from controller.games import find
from controller.hands.three import best_three
from controller.house.game import HouseGame
from controller.house.games.three_card_poker import ANTE_BONUS, PAIR_PLUS
from controller.house.games.wsop_bonus import ANTE_PAYS
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
