"""Names say what a thing is: words that only say how we came by it name nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("controller", "drivers", "firmware_bridge", "hw_sim", "examples")
SAYS_NOTHING = {"told", "heard", "said", "mine", "there", "found"}


def named(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yields every name that a file gives to something, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name


def test_nothing_is_called_by_how_we_came_by_it() -> None:
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    assert len(paths) > 200
    wrong = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in paths
        for line, name in named(ast.parse(path.read_text(encoding="utf-8")))
        if name.lower().strip("_") in SAYS_NOTHING
    ]
    assert wrong == []
