"""The engine of house games knows no game's spots: what a spot means is declared, or answered, by the game."""

from __future__ import annotations

import ast
from pathlib import Path

import controller.house
from controller.games import GAMES
from controller.house.game import HouseGame

ENGINE = sorted(Path(controller.house.__file__).parent.glob("*.py"))
ALSO_WORDS = {"ante", "flop", "turn", "river"}  # `fold 1 ante` is a key of every table; streets are deals, too
SHOWN = {("keys.py", "pair-plus")}  # the spot without which screens do not offer the word `ante` of that key


def test_the_engine_names_no_spot_of_a_game() -> None:
    spots = {spot for game in GAMES.values() if isinstance(game, HouseGame) for spot in game.spots}
    assert {"play", "blind", "tie", "war", "pair-plus", "ante-bonus"} <= spots
    named = {
        (path.name, node.value)
        for path in ENGINE
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value in spots - ALSO_WORDS
    }
    assert named == SHOWN
