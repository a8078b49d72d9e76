"""Measures which lines and branches of the pure rooms the tests reach, and fails where that is less than must be.

The pure rooms are those of the contract "The rules are pure" in `pyproject.toml`; the tests are the ones that run them
in their own process, without a daemon.  A line that no test can reach says why: `# pragma: no cover - reason`, and a
branch `# pragma: no branch - reason`; without a reason the comment has no effect (`[tool.coverage.report]`).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
CONTRACT: Final = "The rules are pure"
TESTS: Final = (
    *(
        f"tests/{room}"
        for room in (
            *("rules", "table", "poker", "house", "games", "guard", "views", "hands", "jackpot", "config"),
            *("tournament", "script", "walks", "odds"),
        )
    ),
    "tests/service/test_new_configuration.py",
    "tests/examples/test_declarations.py",
    "tests/examples/test_other_engine.py",
)


class Reached(NamedTuple):
    """How many lines and branches some files have, and those that no test reached, as people look them up."""

    possible: int
    missed: tuple[str, ...]

    @property
    def percent(self) -> float:
        """The share that tests reached."""
        return 100.0 * (self.possible - len(self.missed)) / self.possible if self.possible else 100.0


def pure_modules(pyproject: str) -> list[str]:
    """Returns the modules and packages that the contract names.

    >>> contract = '[[tool.importlinter.contracts]]\\nname = "The rules are pure: no I/O"\\n'
    >>> pure_modules(contract + 'source_modules = ["controller.cards"]')
    ['controller.cards']
    """
    contracts = tomllib.loads(pyproject)["tool"]["importlinter"]["contracts"]
    (pure,) = [each for each in contracts if each["name"].startswith(CONTRACT)]
    return list(pure["source_modules"])


def room_of(path: str) -> str:
    """Returns the room of a file: its folder below controller, or the file itself.

    >>> room_of("controller/table/jackpot/outbox.py"), room_of("controller/cards.py")
    ('controller/table', 'controller/cards.py')
    """
    return "/".join(path.split("/")[:2])


def reached(report: dict[str, Any]) -> dict[str, Reached]:
    """Returns what was reached in each file of a report that coverage.py wrote as JSON."""
    files = {}
    for path, file in report["files"].items():
        summary = file["summary"]
        lines = [f"{path}:{line}" for line in file["missing_lines"]]
        branches = [
            f"{path}:{line} never goes on to {f'line {to}' if to > 0 else 'the end'}"
            for line, to in file["missing_branches"]
            if line not in file["missing_lines"]
        ]
        files[path] = Reached(summary["num_statements"] + summary["num_branches"], (*lines, *branches))
    return files


def by_room(files: dict[str, Reached]) -> dict[str, Reached]:
    """Returns the same for each room."""
    rooms: dict[str, Reached] = {}
    for path, file in files.items():
        room = rooms.get(room_of(path), Reached(0, ()))
        rooms[room_of(path)] = Reached(room.possible + file.possible, room.missed + file.missed)
    return rooms


def too_low(rooms: dict[str, Reached], floors: dict[str, float]) -> list[str]:
    """Returns the rooms of which tests reach less than they must: everything, unless a floor is named."""
    return [room for room, reach in rooms.items() if reach.percent < floors.get(room, 100.0)]


def play(modules: list[str], more: list[str]) -> int:
    """Runs the tests under coverage.py, the same examples each time; returns what pytest returns."""
    coverage = [sys.executable, "-m", "coverage"]
    subprocess.run([*coverage, "erase"], cwd=ROOT, check=True)
    tests = [*TESTS, *(module.replace(".", "/") for module in modules)]
    doctests = [path if (ROOT / path).is_dir() or path.startswith("tests/") else f"{path}.py" for path in tests]
    pytest = ["pytest", "-q", "-n", "auto", "--dist=worksteal", "--timeout=600", "--doctest-modules", *doctests, *more]
    run = [*coverage, "run", f"--source={','.join(modules)}", "-m", *pytest]
    env = {**os.environ, "CI": "true", "FELT_DETOURS": "1"}
    failed = subprocess.run(run, cwd=ROOT, env=env, check=False).returncode
    subprocess.run([*coverage, "combine", "--quiet"], cwd=ROOT, check=True)
    return failed


def measured() -> dict[str, Reached]:
    """Returns what the newest run reached, file by file."""
    wanted = [sys.executable, "-m", "coverage", "json", "--quiet", "-o", "-"]
    return reached(json.loads(subprocess.run(wanted, cwd=ROOT, check=True, capture_output=True).stdout))


def main() -> int:
    """Prints one line for each room; returns 1 when a test failed, or names what is missed where it is too much."""
    parser = argparse.ArgumentParser(description="lines and branches of the pure rooms that tests reach")
    parser.add_argument("--again", action="store_true", help="show the newest run again")
    parser.add_argument("--all", action="store_true", help="name what is not reached in every room")
    parser.add_argument("pytest", nargs="*", help="further words for pytest")
    words = parser.parse_args()
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    modules, floors = pure_modules(pyproject), tomllib.loads(pyproject)["tool"].get("covered", {})
    failed = 0 if words.again else play(modules, words.pytest)
    rooms = by_room(measured())
    low = too_low(rooms, floors)
    for room, reach in sorted(rooms.items()):
        least = f"  LESS THAN {floors.get(room, 100.0):.2f}" if room in low else ""
        print(f"{room:24} {reach.percent:6.2f} %  {len(reach.missed):4} of {reach.possible:5} not reached{least}")
    for room in sorted(rooms) if words.all else low:
        print(*rooms[room].missed, sep="\n", end="\n" if rooms[room].missed else "")
    return 1 if failed or low else 0


if __name__ == "__main__":
    sys.exit(main())
