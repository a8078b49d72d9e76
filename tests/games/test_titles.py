"""What people call the games, and what packages hand on by name."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import controller
from controller.games import GAMES

ROOT = Path(controller.__file__).parent
PACKAGES = sorted(
    path.relative_to(ROOT.parent).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    for path in ROOT.rglob("*.py")
    if "\n__all__" in path.read_text(encoding="utf-8")
)


def test_titles() -> None:
    assert {name: game.title for name, game in GAMES.items()} == {
        "casino-war": "Casino War",
        "three-card-poker": "Three Card Poker",
        "caribbean-stud": "Caribbean Stud",
        "mississippi-stud": "Mississippi Stud",
        "ultimate-texas-holdem-nsw": "Ultimate Texas Hold'em",
        "ultimate-texas-holdem-vic": "Ultimate Texas Hold'em",
        "wsop-bonus-holdem": "WSOP Bonus Texas Hold'em",
        "holdem": "Holdem",
        "holdem-hi-lo": "Holdem Hi-Lo",
        "pineapple": "Pineapple Holdem",
        "crazy-pineapple": "Crazy Pineapple Holdem",
        "crazy-pineapple-hi-lo": "Crazy Pineapple Hi-Lo",
        "omaha": "Omaha",
        "omaha-hi-lo": "Omaha Hi-Lo",
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_what_a_package_hands_on_is_there(package: str) -> None:
    module = import_module(package)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
