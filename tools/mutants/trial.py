"""One trial: a fault is planted, and the tests that come by it are run until one of them fails."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from typing import Final, Literal, NamedTuple, TypeAlias

from tools.covered import ROOT, TESTS
from tools.mutants import plant, server
from tools.mutants.map import places
from tools.mutants.operators import Fault
from tools.mutants.reach import Reach

Verdict: TypeAlias = Literal["found", "hangs", "survived", "no test"]
FIRST: Final = 10  # tests that are tried at first in a new process
NEXT: Final = 125  # tests that are tried after them there
DEAREST: Final = 100.0  # seconds that all tests of a trial took when they were measured, beside other work or not
PATIENCE: Final = 240.0  # seconds after which a trial that has not ended counts as hanging
PYTEST: Final = (sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider")


class Tried(NamedTuple):
    """What became of a fault."""

    file: str
    fault: Fault
    verdict: Verdict
    tests: int  # that were tried at most


class Trials:
    """Tries one fault after the other: where it is possible with tests that are collected already."""

    def __init__(self, reach: Reach) -> None:
        """Starts a process that collects all tests."""
        self._reach = reach
        ours, theirs = socket.socketpair()
        command = [*PYTEST, "-p", "tools.mutants.server", "-n", "0", "--timeout=60", "--doctest-modules"]
        env = {**os.environ, "CI": "true", "FELT_DETOURS": "1", server.VARIABLE: str(theirs.fileno())}
        self._server = subprocess.Popen(
            [*command, *TESTS, *places()],
            cwd=ROOT,
            env=env,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()
        self._lines = ours.makefile("rw", encoding="utf-8")
        self._socket = ours
        self.collected = int(self._lines.readline() or 0)

    def close(self) -> None:
        """Ends that process."""
        self._lines.close()
        self._socket.close()
        self._server.wait()

    def attempt(self, file: str, fault: Fault) -> Tried:
        """Plants a fault and returns what became of it."""
        tests = self._affordable(self._reach.tests(file, fault))
        if not tests:
            return Tried(file, fault, "no test", 0)
        forked = self._forked(file, fault, tests) if fault.in_function else None
        if forked is not None and forked != "survived":
            return Tried(file, fault, forked, len(tests))
        rest = tests[NEXT:] if forked is None else []  # what was forked has met them already
        for each in (tests[:FIRST], tests[FIRST:NEXT], rest):
            verdict = run(file, fault, each) if each else "survived"
            if verdict != "survived":
                return Tried(file, fault, verdict, len(each))
        return Tried(file, fault, "survived", len(tests))

    def _forked(self, file: str, fault: Fault, tests: list[str]) -> Verdict | None:
        """Returns what becomes of a fault among tests that are collected; None when it cannot be planted there."""
        job = {"file": file, "number": fault.number, "tests": tests, "patience": PATIENCE}
        print(json.dumps(job), file=self._lines, flush=True)
        verdict: Verdict | Literal["elsewhere"] = json.loads(self._lines.readline())
        return None if verdict == "elsewhere" else verdict

    def _affordable(self, tests: list[str]) -> list[str]:
        """Returns as many of these tests as may be tried for one fault."""
        chosen: list[str] = []
        spent = 0.0
        for test in tests:
            spent += self._reach.cost(test)
            if spent > DEAREST and len(chosen) >= NEXT:
                break
            chosen.append(test)
        return chosen


def run(file: str, fault: Fault, tests: list[str]) -> Verdict:
    """Runs tests in a new process, with the fault planted, until one fails."""
    env = {**os.environ, "CI": "true", "FELT_DETOURS": "1", plant.VARIABLE: f"{file}#{fault.number}"}
    command = [*PYTEST, "-x", "-p", "tools.mutants.plant", "--timeout=60", "--doctest-modules", *tests]
    try:
        ended = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "hangs"
    return "survived" if ended.returncode == 0 else "found"
