"""Only views decide which cards are public: no other room that tells people anything reads cards that lie face down."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import controller

CONTROLLER = Path(controller.__file__).parent
ROOMS = ("api", "cli", "config", "daemon", "service", "web")  # they tell people; scripts and dealers lay the cards
LAYS_OUT = ("controller.house.layout", "controller.house.turned", "controller.poker.hand.shown")
FACE_DOWN = ("tape", "strays", "thrown", "dealt_down", "hidden", "aside")  # where rounds and hands keep unturned cards


def reads(source: str) -> Iterator[str]:
    """Yields what the module imports or looks at that holds unturned cards."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module in LAYS_OUT:
            yield f"imports {node.module}"
        if isinstance(node, ast.Attribute) and node.attr in FACE_DOWN:
            yield f"reads .{node.attr}"


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_that_tells_people_reads_cards_that_lie_face_down(room: str) -> None:
    files = sorted((CONTROLLER / room).rglob("*.py"))
    assert files
    assert {path.name: found for path in files if (found := list(reads(path.read_text())))} == {}


def test_the_check_finds_such_a_module() -> None:
    assert "imports controller.house.layout" in reads((CONTROLLER / "house" / "game.py").read_text())
    assert "reads .hidden" in reads((CONTROLLER / "views" / "cards.py").read_text())
