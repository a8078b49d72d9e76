"""Keeps a digest of everything that games, documents and tables of data declare: `python -m tests.games.declared`.

Scripts and walks come by most of what is declared, one thing at a time.  Nothing else holds the whole: the keys that a
game does not use, the citation of a case that no script has, the kind of a column that only other programs read.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import re
import sys
from collections.abc import Iterator, Mapping, Set
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec

from controller.games import GAMES
from controller.table.keys import keys_of
from tools.mutants.map import ROOT, files, module_name

KEPT = Path(__file__).parent / "declared.txt"
LENGTH = 10  # digits of a digest
PLAIN = (bool, int, float, str, type(None))
TABLES = (tuple, list, Mapping, Set, msgspec.Struct)  # a number or a word alone must be seen in what a table does


def plain(value: Any, within: tuple[int, ...] = ()) -> object:
    """Returns a value as something that can be written down; functions and classes by their names."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Enum | Fraction | bytes | int | str):
        return repr(value)
    if id(value) in within:
        return type(value).__name__
    inner = (*within, id(value))
    if isinstance(value, Mapping):
        return [[plain(name, inner), plain(kept, inner)] for name, kept in value.items()]
    if isinstance(value, Set):
        return sorted((plain(each, inner) for each in value), key=repr)
    if isinstance(value, tuple | list):
        return [plain(each, inner) for each in value]
    if isinstance(value, re.Pattern):
        return value.pattern
    return _of_its_own(value, inner)


def _of_its_own(value: Any, inner: tuple[int, ...]) -> object:
    """Returns what an object or a class is made of; functions by their names."""
    if isinstance(value, type):
        return [value.__qualname__, *(plain(each, inner) for each in getattr(value, "__struct_defaults__", ()))]
    if isinstance(value, msgspec.Struct):
        return [type(value).__name__, *(plain(getattr(value, name), inner) for name in value.__struct_fields__)]
    if isinstance(value, partial):
        return [plain(value.func, inner), plain(value.args, inner), plain(value.keywords, inner)]
    if hasattr(value, "__qualname__"):
        return value.__qualname__
    return [type(value).__qualname__, plain(getattr(value, "__dict__", ()), inner)]


def declared() -> Iterator[tuple[str, object]]:
    """Yields everything that is declared, with its name."""
    for game, rules in sorted(GAMES.items()):
        for name in sorted(name for name in dir(rules) if not name.startswith("_")):
            value = getattr(rules, name)
            if not callable(value) or isinstance(value, type):
                yield f"{game} {name}", value
        yield f"{game} every key", keys_of(rules)
    for file in files():
        module = importlib.import_module(module_name(file))
        for name in sorted(_constants((ROOT / file).read_text(encoding="utf-8"))):
            if isinstance(value := getattr(module, name), TABLES):
                yield f"{module.__name__} {name}", value
        for name, value in sorted(vars(module).items()):
            if isinstance(value, type) and value.__module__ == module.__name__ and _defaults(value):
                yield f"{module.__name__} {name}", _defaults(value)


def _defaults(kind: type) -> tuple[object, ...]:
    """Returns what the fields of a record are by themselves."""
    named: dict[str, object] = getattr(kind, "_field_defaults", {})
    return (*getattr(kind, "__struct_defaults__", ()), *named.values())


def _constants(source: str) -> Iterator[str]:
    """Yields the names in capitals that a module gives a value itself."""
    for node in ast.parse(source).body:
        named = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else ()
        )
        yield from (each.id for each in named if isinstance(each, ast.Name) and each.id.isupper())


def digests() -> dict[str, str]:
    """Returns the digest of everything that is declared, by its name."""
    return {name: hashlib.sha256(msgspec.json.encode(plain(value))).hexdigest()[:LENGTH] for name, value in declared()}


@cache
def kept() -> dict[str, str]:
    """Returns what is kept."""
    lines = KEPT.read_text(encoding="utf-8").splitlines()
    return {name: found for name, _, found in (line.rpartition(": ") for line in lines)}


def main() -> int:
    """Writes the file, and prints what differs from what was kept."""
    before, now = kept() if KEPT.exists() else {}, digests()
    print(*(name for name in {**before, **now} if before.get(name) != now.get(name)), sep="\n")
    KEPT.write_text("".join(f"{name}: {found}\n" for name, found in now.items()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
