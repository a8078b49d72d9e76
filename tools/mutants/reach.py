"""Which tests come by a line: measured once, test by test, and kept in build/mutants."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

import msgspec

from tools.covered import TESTS
from tools.mutants import contexts
from tools.mutants.map import ROOT, BlockMap, files, module_name, places
from tools.mutants.operators import Fault

KEPT: Final = ROOT / "build" / "mutants"
NEAR: Final = 12  # lines before and behind a fault, in which a cited rule is about it
STEM: Final = 6  # letters by which a word is known
DECLARED: Final = (  # tests of what is declared while modules are imported, whatever lines they run
    "tests/games/test_declared.py",
    "tests/games/test_titles.py",
    "tests/house/test_printed_figures.py",
    "tests/kept/test_missing.py",
    "tests/rules/test_rules_map.py",
    "tests/table/test_declared_keys.py",
    "tests/table/test_declared_values.py",
    "tests/table/test_documents.py",
    "tests/test_options_page.py",
    "tests/test_keys_page.py",
    "tests/test_terms_page.py",
)


def measure(workers: str) -> int:
    """Runs the tests of the pure rooms and keeps which blocks each came by; returns what pytest returns."""
    KEPT.mkdir(parents=True, exist_ok=True)
    for old in KEPT.glob("came-*"):
        old.unlink()
    pytest = ["-m", "pytest", "-q", "-n", workers, "--dist=worksteal", "--timeout=900", "-p", "tools.mutants.contexts"]
    command = [sys.executable, *pytest, "--doctest-modules", *TESTS, *places()]
    env = {**os.environ, "CI": "true", "FELT_DETOURS": "1", contexts.VARIABLE: str(KEPT)}
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


class Reach:
    """The tests that come by each block."""

    def __init__(self) -> None:
        self._map = BlockMap()
        self._took: dict[str, float] = {}
        self._reached: dict[str, int] = {}  # by test: its blocks, a bit for each
        for kept in KEPT.glob("came-*"):
            for came in msgspec.msgpack.decode(kept.read_bytes(), type=list[contexts.Came]):
                self._took[came.test] = came.seconds
                self._reached[came.test] = int.from_bytes(came.blocks, "little")
        self._importers: dict[str, list[str]] = {}
        self._choosing = threading.Lock()  # trials run side by side, and what is known is found out when it is needed

    def tests(self, file: str, fault: Fault) -> list[str]:
        """Returns the tests that can find a fault: those that speak of it, those that differ most, then the quickest.

        A line that is run only while modules are imported counts for the tests of what is declared, and for every test
        that runs anything of its module or of modules that import it.
        """
        with self._choosing:
            return self._tests(file, fault)

    def cost(self, test: str) -> float:
        """Returns how many seconds a test took; 0 for a file of tests."""
        return self._took.get(test, 0.0)

    def _tests(self, file: str, fault: Fault) -> list[str]:
        block = self._map.block(file, fault.line) if fault.in_function else None
        passing = self._through(1 << block) if block is not None else []
        if passing:
            about = speaking(passing, subjects(file, fault))
            return list(dict.fromkeys([*about, *diverse(passing, self._reached), *passing]))
        own, near = self._map.within(file), self._near(file)
        first = [*self._diverse(own), *self._diverse(near)]
        return [*DECLARED, *dict.fromkeys([*first, *self._through(near)])]

    def _diverse(self, blocks: int) -> list[str]:
        """Returns tests that together come by all of these blocks that any test comes by."""
        known = self._through(blocks)
        return diverse(known, {test: self._reached[test] & blocks for test in known})

    def _through(self, blocks: int) -> list[str]:
        """Returns the tests that come by one of these blocks, the quickest first."""
        passing = [test for test, reached in self._reached.items() if reached & blocks]
        return sorted(passing, key=lambda test: (self._took[test], test))

    def _near(self, file: str) -> int:
        """Returns the blocks of a module and of those that import it; where no test runs any also of the next ones."""
        near, newest = [file], [file]
        while newest:
            newest = sorted({each for module in newest for each in self._imported_by(module)}.difference(near))
            near += newest
            if self._through(self._within(near)):
                break
        return self._within(near)

    def _within(self, near: list[str]) -> int:
        """Returns the blocks of these files, a bit for each."""
        return sum(self._map.within(each) for each in set(near))

    def _imported_by(self, file: str) -> list[str]:
        self._importers = self._importers or importers(files())
        return self._importers.get(module_name(file), [])


def importers(paths: list[str]) -> dict[str, list[str]]:
    """Returns, for each module, the files that import it."""
    by_module: dict[str, list[str]] = {}
    for path in paths:
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                    by_module.setdefault(name, []).append(path)
    return by_module


def subjects(file: str, fault: Fault) -> frozenset[str]:
    """Returns what a fault is about, as a person would look for its tests: words of its names, rules cited near it."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    near = "\n".join(lines[max(0, fault.line - NEAR) : fault.line + NEAR])
    names = re.findall(r"[a-z]{5,}", f"{Path(file).stem} {fault.symbol}".lower())
    return frozenset([name[:STEM] for name in names] + [f"/{rule}_" for rule in re.findall(r"\b\d+(?:\.\d+)+", near)])


def speaking(tests: list[str], words: Collection[str], most: int = 60) -> list[str]:
    """Returns the tests whose names have some of these words, those with the most first.

    >>> speaking(["a.py::test_it", "16.2_an_excluded_player.felt", "b.py::test_a_player"], ["exclud", "player"])
    ['16.2_an_excluded_player.felt', 'b.py::test_a_player']
    """
    shared = {test: sum(word in test for word in words) for test in tests}
    return sorted((test for test in tests if shared[test]), key=lambda test: -shared[test])[:most]


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
