"""Which tests come by a line: measured once by coverage.py, test by test, and kept in build/mutants."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from coverage import CoverageData

from tools.covered import ROOT, TESTS, pure_modules
from tools.mutants import contexts
from tools.mutants.operators import Fault

KEPT: Final = ROOT / "build" / "mutants"
DATA: Final = KEPT / "coverage"
TIMES: Final = KEPT / "times.json"
DECLARED: Final = (  # tests of what is declared while modules are imported, whatever lines they run
    "tests/games/test_titles.py",
    "tests/kept/test_missing.py",
    "tests/rules/test_rules_map.py",
    "tests/table/test_declared_keys.py",
    "tests/table/test_documents.py",
    "tests/test_options_page.py",
    "tests/test_keys_page.py",
    "tests/test_terms_page.py",
)
SETTINGS: Final = "[run]\nparallel = true\npatch = subprocess\n"  # lines are enough, and a tenth of the data


def modules() -> list[str]:
    """Returns the pure modules and packages."""
    return pure_modules((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def places() -> list[str]:
    """Returns the folders and files of the pure rooms, whose docstrings have tests too."""
    rooms = [module.replace(".", "/") for module in modules()]
    return [place if (ROOT / place).is_dir() else f"{place}.py" for place in rooms]


def files() -> list[str]:
    """Returns the files of the pure rooms.

    >>> "controller/money.py" in files()
    True
    """
    paths: set[Path] = set()
    for module in modules():
        place = ROOT / module.replace(".", "/")
        paths |= set(place.rglob("*.py")) if place.is_dir() else {place.with_suffix(".py")}
    return sorted(str(path.relative_to(ROOT)) for path in paths)


def measure(workers: str) -> int:
    """Runs the tests of the pure rooms and keeps which lines each of them reached; returns what pytest returns."""
    KEPT.mkdir(parents=True, exist_ok=True)
    for old in KEPT.glob("coverage*"):
        old.unlink()
    settings = KEPT / "settings.ini"
    settings.write_text(SETTINGS, encoding="utf-8")
    measuring = [sys.executable, "-m", "coverage"]
    given = [f"--rcfile={settings}", f"--data-file={DATA}"]
    pytest = ["pytest", "-q", "-n", workers, "--dist=worksteal", "--timeout=900", "-p", "tools.mutants.contexts"]
    pytest += ["--doctest-modules", *TESTS, *places()]
    command = [*measuring, "run", *given, f"--source={','.join(modules())}", "-m", *pytest]
    env = {**os.environ, "CI": "true", contexts.VARIABLE: str(TIMES)}
    failed = subprocess.run(command, cwd=ROOT, env=env, check=False).returncode
    subprocess.run([*measuring, "combine", "--quiet", *given], cwd=ROOT, check=True)
    return failed


class Reach:
    """The tests that come by each line."""

    def __init__(self) -> None:
        self._data = CoverageData(str(DATA))
        self._data.read()
        self._took: dict[str, float] = json.loads(TIMES.read_text(encoding="utf-8"))
        self._files: dict[str, dict[int, list[str]]] = {}
        self._importers: dict[str, list[str]] = {}
        self._reached: dict[str, int] = {}
        self._bits: dict[str, int] = {}  # of the lines of each file
        self._choosing = threading.Lock()  # trials run side by side, and what is known is found out when it is needed

    def tests(self, file: str, fault: Fault) -> list[str]:
        """Returns the tests that can find a fault: first those that do the most different things, then the quickest.

        A line that is run only while modules are imported counts for the tests of what is declared, and for every test
        that runs anything of its module or of modules that import it.
        """
        with self._choosing:
            return self._tests(file, fault)

    def _tests(self, file: str, fault: Fault) -> list[str]:
        passing = set(self._lines(file).get(fault.line, ()) if fault.in_function else ())
        near = [file] if passing else self._near(file)
        tests = passing or {test for each in near for passed in self._lines(each).values() for test in passed}
        known = sorted(tests.intersection(self._took), key=lambda test: (self._took[test], test))
        reached, within = self._all_reached(), self._within(near)
        first = diverse(known, {test: reached[test] if passing else reached[test] & within for test in known})
        chosen = set(first)
        declared = () if passing else DECLARED
        return [*declared, *first, *(test for test in known if test not in chosen)]

    def cost(self, test: str) -> float:
        """Returns how many seconds a test took; 0 for a file of tests."""
        return self._took.get(test, 0.0)

    def _near(self, file: str) -> list[str]:
        """Returns a module and those that import it; where no test runs any of them also the next ones."""
        near, newest = [file], [file]
        while newest:
            newest = sorted({each for module in newest for each in self._imported_by(module)}.difference(near))
            near += newest
            if any(self._lines(each) for each in near):
                break
        return near

    def _all_reached(self) -> dict[str, int]:
        """Returns, for each test, the lines of all files that it reached, a bit for each."""
        if not self._reached:
            bit = 1
            for file in files():
                first = bit
                for tests in self._lines(file).values():
                    for test in tests:
                        self._reached[test] = self._reached.get(test, 0) | bit
                    bit <<= 1
                self._bits[file] = bit - first
        return self._reached

    def _within(self, near: list[str]) -> int:
        """Returns the lines of these files, a bit for each."""
        return sum(self._bits[each] for each in set(near))

    def _lines(self, file: str) -> dict[int, list[str]]:
        if file not in self._files:
            by_line = self._data.contexts_by_lineno(str(ROOT / file))
            passed = {line: [test for test in tests if test] for line, tests in by_line.items()}
            self._files[file] = {line: tests for line, tests in passed.items() if tests}
        return self._files[file]

    def _imported_by(self, file: str) -> list[str]:
        self._importers = self._importers or importers(files())
        name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return self._importers.get(name, [])


def importers(paths: list[str]) -> dict[str, list[str]]:
    """Returns, for each module, the files that import it."""
    by_module: dict[str, list[str]] = {}
    for path in paths:
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                    by_module.setdefault(name, []).append(path)
    return by_module


def diverse(tests: list[str], reached: Mapping[str, int], most: int = 60) -> list[str]:
    """Returns tests of which each reaches the most that those before it did not; when nothing is left, anew.

    >>> diverse(["a", "b", "c"], {"a": 0b0001, "b": 0b0011, "c": 0b0100})
    ['b', 'c', 'a']
    """
    left, chosen, covered = dict.fromkeys(tests), list[str](), 0
    while left and len(chosen) < most:
        best = max(left, key=lambda test: (reached[test] & ~covered).bit_count())
        if covered and not reached[best] & ~covered:
            covered = 0
            continue
        covered |= reached[best]
        chosen.append(best)
        del left[best]
    return chosen
