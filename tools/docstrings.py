"""Counts the functions whose docstring does not begin with what they do; fails where a room has more than its limit.

A first sentence such as "Returns the frame ..." or "Tells whether ..." is understood at once, so its first word is a
verb in the third person.  Only its form is checked: a word that ends with "s" and is none of those that are known to be
no verb.  Properties say what they are, commands of `felt` what a person does with them: neither is counted.  The limits
stand in `pyproject.toml` under `[tool.docstrings]`, by room, 0 for a room that is not there; they only ever get lower.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("controller", "drivers", "firmware_bridge", "hw_sim", "pytest_felt", "tools", "examples")
_NOUNS: Final = "Areas Arguments Bettors Cards Chips Dollars Lines Pots Refusals Seconds Snapshots Texts Wagers"
_OTHERS: Final = "Always As Besides Is Its Perhaps Plus Sometimes This Thus Unless Was Whereas"
NO_VERBS: Final = frozenset((*_NOUNS.split(), *_OTHERS.split()))
_VERB: Final = re.compile(r"([A-Z][a-z]+s)[,:;.]?")
_NOT_COUNTED: Final = re.compile(r"(.*\.)?(cached_property|property|setter|command|group)(\(.*\))?", re.DOTALL)
_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Finding(NamedTuple):
    """A function whose docstring begins otherwise."""

    line: int
    name: str
    words: str


def begins_well(docstring: str) -> bool:
    """Tells whether the first word looks like a verb in the third person.

    >>> begins_well("Returns the frame."), begins_well("Return the frame."), begins_well("Its frame.")
    (True, False, False)
    """
    word = _VERB.fullmatch(docstring.partition(" ")[0].partition("\n")[0])
    return word is not None and word[1] not in NO_VERBS


def check(source: str) -> list[Finding]:
    """Returns the functions of one file whose docstring begins otherwise, in their order.

    >>> check('def size():\\n    \"\"\"The size.\"\"\"\\n')
    [Finding(line=1, name='size', words='The size.')]
    """
    findings = []
    for function in _functions(ast.parse(source)):
        docstring = ast.get_docstring(function)
        if docstring and not begins_well(docstring):
            findings.append(Finding(function.lineno, function.name, docstring.partition("\n")[0]))
    return sorted(findings)


def _functions(tree: ast.Module) -> Iterator[_Function]:
    """Yields the functions that are counted."""
    for node in ast.walk(tree):
        if isinstance(node, _Function) and not any(map(_is_not_counted, node.decorator_list)):
            yield node


def _is_not_counted(decorator: ast.expr) -> bool:
    return _NOT_COUNTED.fullmatch(ast.unparse(decorator)) is not None


def room_of(path: Path) -> str:
    """Returns the room of a file: a folder of `controller`, `controller` for the words beside them, or a package.

    >>> room_of(Path("controller/table/jackpot/outbox.py")), room_of(Path("controller/cards.py"))
    ('controller/table', 'controller')
    >>> room_of(Path("hw_sim/models/shoe.py"))
    'hw_sim'
    """
    package, *rest = path.parts
    return f"{package}/{rest[0]}" if package == "controller" and len(rest) > 1 else package


def check_packages(root: Path) -> dict[str, dict[Path, list[Finding]]]:
    """Returns what is found in each file of our packages, by room."""
    rooms: dict[str, dict[Path, list[Finding]]] = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            place = path.relative_to(root)
            rooms.setdefault(room_of(place), {})[place] = check(path.read_text())
    return rooms


def main() -> int:
    """Prints one line for each room that has findings; returns 1 when one is above its limit, and lists it."""
    parser = argparse.ArgumentParser(description="docstrings that do not begin with what a function does, room by room")
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="list every function of this room, such as hw_sim")
    listed: list[str] = parser.parse_args().rooms
    limits: Mapping[str, int] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["docstrings"]
    too_many = False
    for room, files in check_packages(ROOT).items():
        count, limit = sum(map(len, files.values())), limits.get(room, 0)
        above = count > limit
        too_many |= above
        if count or limit:
            print(f"{room:20} {count:5} of at most {limit}{'  TOO MANY' if above else ''}")
        if above or room in listed:
            _list(files)
    return 1 if too_many else 0


def _list(files: Mapping[Path, list[Finding]]) -> None:
    for path, findings in files.items():
        for finding in findings:
            print(f"    {path}:{finding.line} {finding.name}: {finding.words}")


if __name__ == "__main__":
    sys.exit(main())
