"""A script may cite either of two places in which a document says one thing."""

from __future__ import annotations

import pytest

from controller.games.catalogue import find
from controller.simulated.twice import GAMES, cited


@pytest.mark.parametrize("game", GAMES)
def test_every_pair_belongs_to_a_game_and_to_its_own_rules(game: str) -> None:
    assert find(game).name == game
    for rule, others in GAMES[game].items():
        assert others and rule not in others


def test_where_else_it_is_said() -> None:
    assert cited("ultimate-texas-holdem-nsw", "10.4.4(a)") == ["10.4.4(a)", "10.6.3(a)", "10.6.5", "table-4"]
    assert cited("ultimate-texas-holdem-vic", "12.4.2(b)(ii)") == ["12.4.2(b)(ii)", "12.5.6(b)"]


def test_a_rule_that_is_said_once_stands_alone() -> None:
    assert cited("caribbean-stud", "7.2.2") == ["7.2.2"]
    assert cited("casino-war", "5.1") == ["5.1"]
