"""Runs pytest, and what failed once more, alone: a busy machine upsets a test now and then, a defect fails twice.

`python -m tools.again ARGUMENTS...`, as for pytest.  What failed at first is named, whatever comes of it.  More than a
few failures are no accident: then nothing is tried again.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

MOST: Final = 10  # tests that are tried again
FAILED: Final = 1  # how pytest ends when tests failed, and nothing else went wrong
ALONE: Final = ("-n", "0", "--last-failed", "--last-failed-no-failures", "none")


def main(arguments: Sequence[str]) -> int:
    """Returns 0 when every test has passed, at first or alone."""
    with tempfile.TemporaryDirectory() as memory:  # of its own: what failed yesterday is not tried again
        first = _pytest(arguments, memory)
        if first != FAILED:
            return first
        upset = _failed(memory)
        if len(upset) > MOST:
            print(f"==> {len(upset)} tests failed, more than {MOST}: none is tried again")
            return FAILED
        _name("failed at first, tried again alone", upset)
        second = _pytest([*arguments, *ALONE], memory)
        twice = _failed(memory)
        _name("failed at first, passed alone", [test for test in upset if test not in twice] if not second else [])
        _name("failed twice", twice)
        return second or (FAILED if twice else 0)


def _pytest(arguments: Sequence[str], memory: str) -> int:
    """Runs pytest, which remembers in this folder what failed; returns how it ended."""
    sys.stdout.flush()
    command = [sys.executable, "-m", "pytest", "-o", f"cache_dir={memory}", *arguments]
    return subprocess.run(command, check=False).returncode


def _failed(memory: str) -> list[str]:
    """Returns the tests that failed when they were run last, in their order."""
    kept = Path(memory, "v", "cache", "lastfailed")
    return sorted(json.loads(kept.read_text())) if kept.exists() else []


def _name(what: str, tests: Sequence[str]) -> None:
    for test in tests:
        print(f"==> {what}: {test}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
