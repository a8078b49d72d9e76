"""Finds names that do not say what a thing is: such as `told` or `found`, and one name for two classes."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from typing import Final

from tools.docstrings import PACKAGES, ROOT

SAYS_NOTHING: Final = frozenset({"told", "heard", "said", "mine", "there", "found"})

_SIDES: Final = "two sides of one thing: what a device says, the fact of it, why a prompt is open, how people are told"
_LANGUAGE: Final = "a word of the testers' language beside what it stands for at the table"
_ON_RECORD: Final = "what the record of a round says of it, as plain data, beside what it is at the table"
_APART: Final = "rooms that never meet; the module says which one it is"
ACCEPTED: Final = {  # names of more than one class -> why nobody takes one for the other
    **dict.fromkeys(("Chips", "Fault", "Key", "Noted", "Pot", "ShoeEmpty", "Spot", "Turn", "UnknownChip"), _SIDES),
    **dict.fromkeys(("CuttingCard", "Device", "Drawn", "Line", "Setting"), _LANGUAGE),
    **dict.fromkeys(("End", "Happened", "Note", "Refused", "Remembering", "Report", "Snapshot", "Verdict"), _APART),
    **dict.fromkeys(("Called", "Cited", "Correction", "Decision", "Meter", "Prize", "Prompt"), _ON_RECORD),
    **dict.fromkeys(("Ruling", "Shared", "Step"), _ON_RECORD),
    "Rounds": _APART,
    "Framer": "each protocol has its own",
    "Hand": "what cards make, and what is played: poker has both, and says `Ranked` for the first where they meet",
    "Struct": "ruff knows a struct by a base in its own file",
}


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


def twice(sources: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """Returns the names that more than one class has, with the files where they stand; private ones are their module's.

    >>> twice({"a.py": "class Card: ...", "b.py": "class Card: ...", "c.py": "class Seat: ..."})
    [('Card', ['a.py', 'b.py'])]
    """
    files: dict[str, list[str]] = {}
    for file, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                files.setdefault(node.name, []).append(file)
    return sorted((name, where) for name, where in files.items() if len(where) > 1)


def main() -> int:
    """Prints each name of our packages that does not say what a thing is; returns 1 when there is one."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    sources = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}
    wrong = [f"{file}:{line} {name}: say what it is" for file in sources for line, name in check(sources[file])]
    doubles = dict(twice({file: source for file, source in sources.items() if not file.startswith("tools/")}))
    for name in sorted(doubles.keys() ^ ACCEPTED.keys()):
        known = name in doubles
        wrong.append(f"{name} is {' and '.join(doubles[name])}: which?" if known else f"ACCEPTED: {name} stands once")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
