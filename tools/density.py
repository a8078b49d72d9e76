"""Counts the boolean operators of each room of rules and fails where there are more than its limit.

One decision a line is easier to check against a rule document than one line with four of them.  What is counted are the
operators `and` and `or`, per 100 lines of a file as it is read: `a and b and c` has two.  `not` joins no decisions and
is not counted.  The limits stand in `pyproject.toml` under `[tool.density]`; they only ever get lower.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]


class Density(NamedTuple):
    """The boolean operators of some source text and its lines."""

    operators: int
    lines: int

    @property
    def per_hundred(self) -> float:
        """Operators per 100 lines."""
        return 100 * self.operators / max(self.lines, 1)


def measure(source: str) -> Density:
    """Returns the density of one file.

    >>> measure("x = a and b and c\\ny = not x or d\\n")
    Density(operators=3, lines=2)
    """
    joined = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.BoolOp))
    return Density(sum(len(node.values) - 1 for node in joined), len(source.splitlines()))


def measure_room(room: Path) -> dict[Path, Density]:
    """Returns the density of every Python file below a folder."""
    return {path: measure(path.read_text()) for path in sorted(room.rglob("*.py"))}


def total(files: dict[Path, Density]) -> Density:
    """Returns the density of all these files together."""
    return Density(sum(one.operators for one in files.values()), sum(one.lines for one in files.values()))


def main() -> int:
    """Prints one line for each room; returns 1 when a room is above its limit, which then lists its densest files."""
    parser = argparse.ArgumentParser(description="boolean operators per 100 lines, room by room")
    parser.add_argument("--files", action="store_true", help="also list every file")
    every_file = parser.parse_args().files
    limits: dict[str, float] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["density"]
    too_dense = False
    for room, limit in limits.items():
        files = measure_room(ROOT / room)
        density = total(files).per_hundred
        above = density > limit
        too_dense |= above
        print(f"{room:20} {density:5.2f} of at most {limit:.2f}{'  TOO DENSE' if above else ''}")
        if above or every_file:
            _list_files(files, None if every_file else 5)
    return 1 if too_dense else 0


def _list_files(files: dict[Path, Density], most: int | None) -> None:
    densest = sorted(files.items(), key=lambda item: item[1].operators, reverse=True)
    for path, density in densest[:most]:
        print(f"    {density.operators:4} in {density.lines:4} lines  {path.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.exit(main())
