"""Games of other packages come into the register by their decorator."""

from __future__ import annotations

import pytest

from controller import games
from controller.games import find, game
from controller.house.game import HouseGame
from controller.house.games.three_card_poker import ThreeCardPoker
from controller.table.rules import Rules
from firmware_bridge.extensions import Register


@pytest.fixture(autouse=True)
def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps the games of these tests out of the register of the others."""
    other: Register[Rules] = Register("feltd.games", "game", "controller.house.games", ())
    monkeypatch.setattr(games, "INSTALLED", other)


def test_a_decorated_game_is_found_by_its_name() -> None:
    @game
    class Another(ThreeCardPoker):
        name = "another-three-card-poker"

    assert isinstance(find("another-three-card-poker"), Another)


def test_a_game_that_is_not_complete_says_what_it_does_not_declare() -> None:
    class Bare(HouseGame):
        pass

    with pytest.raises(TypeError, match=r"Bare does not declare .*name"):
        game(Bare)  # type: ignore[type-abstract]  # that is what it tells


def test_a_game_whose_declarations_do_not_fit_says_which() -> None:
    class Wrong(ThreeCardPoker):
        name = "wrong-three-card-poker"
        required = ("aunt",)

    with pytest.raises(TypeError, match="aunt"):
        game(Wrong)
