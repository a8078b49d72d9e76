"""Words that belong together have a name and a type: mypy checks no word of `result in ("win", "loose")`.

Where rules are written, a group of words is declared once, as `WON: Final[tuple[Result, ...]] = ("win", ...)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

CONTROLLER: Final = Path(__file__).parents[1] / "controller"
ROOMS: Final = ("hands", "house", "jackpot", "poker", "table", "views")
RULES: Final = [
    CONTROLLER / "rules.py",
    *(path for room in ROOMS for path in sorted((CONTROLLER / room).rglob("*.py"))),
]


def _group(node: ast.expr) -> bool:
    """Tells whether this is nothing but two words or more."""
    if not isinstance(node, ast.Tuple | ast.List | ast.Set) or len(node.elts) < 2:
        return False
    return all(isinstance(word, ast.Constant) and isinstance(word.value, str) for word in node.elts)


def unnamed(source: str) -> Iterator[int]:
    """Yields the lines of a file where something is looked for among words that have no name."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Compare)
            and isinstance(node.ops[0], ast.In | ast.NotIn)
            and _group(node.comparators[0])
        ):
            yield node.lineno


def test_it_sees_a_group_without_a_name() -> None:
    assert list(unnamed('won = 1\nif result in ("win", "lose"):\n    pass\n')) == [2]
    assert list(unnamed('if result not in {"win", "lose"}:\n    pass\n')) == [1]
    assert not list(unnamed('if place in ("", here) or result in WON or "a" in words:\n    pass\n'))


@pytest.mark.parametrize("path", RULES, ids=lambda path: str(path.relative_to(CONTROLLER)))
def test_groups_of_words_have_a_name(path: Path) -> None:
    assert not list(unnamed(path.read_text(encoding="utf-8")))
