"""Finds names that only say how we came by a thing, such as `told` or `found`: they do not say what it is."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import Final

from tools.docstrings import PACKAGES, ROOT

SAYS_NOTHING: Final = frozenset({"told", "heard", "said", "mine", "there", "found"})


def check(source: str) -> list[tuple[int, str]]:
    """Returns the names of one file that say nothing, each with its line, in their order.

    >>> check("found = 1\\ncard = found\\n")
    [(1, 'found')]
    """
    given = set(_given(ast.parse(source)))
    return sorted((line, name) for line, name in given if name.lower().strip("_") in SAYS_NOTHING)


def _given(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yields every name that a file gives to something, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name


def main() -> int:
    """Prints each name of our packages that says nothing; returns 1 when there is one."""
    wrong = False
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for line, name in check(path.read_text(encoding="utf-8")):
                wrong = True
                print(f"{path.relative_to(ROOT)}:{line} {name}: say what it is")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
