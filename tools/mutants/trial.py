"""One trial: a fault is planted, and the tests that come by it are run until one of them fails."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final, Literal, NamedTuple, TypeAlias

from tools.covered import ROOT
from tools.mutants import plant
from tools.mutants.operators import Fault
from tools.mutants.reach import Reach

Verdict: TypeAlias = Literal["found", "hangs", "survived", "no test"]
FIRST: Final = 125  # tests that are tried at first
MOST: Final = 500  # tests that are tried after them
DEAREST: Final = 30.0  # seconds that these took when they were measured
PATIENCE: Final = 240.0  # seconds after which a trial that has not ended counts as hanging


class Tried(NamedTuple):
    """What became of a fault."""

    file: str
    fault: Fault
    verdict: Verdict
    tests: int  # that were tried at most


def attempt(file: str, fault: Fault, reach: Reach) -> Tried:
    """Plants a fault and returns what became of it."""
    tests = reach.tests(file, fault)
    if not tests:
        return Tried(file, fault, "no test", 0)
    first = tests[:FIRST]
    others = affordable(tests[FIRST:], reach)
    for each in (first, others):
        verdict = run(file, fault, each) if each else "survived"
        if verdict != "survived":
            return Tried(file, fault, verdict, len(each))
    return Tried(file, fault, "survived", len(first) + len(others))


def affordable(tests: list[str], reach: Reach) -> list[str]:
    """Returns as many of these tests as may be tried for one fault."""
    chosen: list[str] = []
    spent = 0.0
    for test in tests[:MOST]:
        spent += reach.cost([test])
        if spent > DEAREST:
            break
        chosen.append(test)
    return chosen


def run(file: str, fault: Fault, tests: list[str]) -> Verdict:
    """Runs tests with the fault planted until one fails."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
    env = {**os.environ, "CI": "true", plant.VARIABLE: f"{file}#{fault.number}"}
    command += ["-p", "tools.mutants.plant", "--timeout=60", "--doctest-modules", *tests]
    try:
        ended = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "hangs"
    return "survived" if ended.returncode == 0 else "found"
