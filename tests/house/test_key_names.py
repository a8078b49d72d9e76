"""What is found by the name of a key is found by a name that some key has."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import pytest

from controller.games import GAMES, find
from controller.house import games
from controller.table.keys import keys_of

DECLARED = {key.name for game in GAMES for key in keys_of(find(game))}
MODULES = [import_module(f"{games.__name__}.{each.name}") for each in iter_modules(games.__path__)]
RULING = [module for module in MODULES if hasattr(module, "IRREGULARITIES")]


@pytest.mark.parametrize("module", RULING, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_irregularity_has_the_name_of_a_key(module: object) -> None:
    names = set(vars(module)["IRREGULARITIES"])
    assert names and names <= DECLARED


def test_the_rulings_of_every_family_of_games_are_looked_at() -> None:
    assert len(RULING) >= 5
