"""What was measured before, on which machine and of which commit; and what has become worse since.

A line of the file is one run.  Microseconds of two machines, or of two days, say little beside each other; ratios to a
floor that was measured in the same run say more.  So only ratios are compared, with runs on the same kind of machine.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from benchmarks.measure import ROOT, Measured

FILE = ROOT / "benchmarks" / "history.jsonl"
WORSE = 1.1  # more than so many times what it was
NEWEST = 3  # runs that were kept, of which the median counts: one alone may have been disturbed


class Number(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the table, without its words."""

    what: str
    value: float
    unit: str
    floor: float | None = None
    ratio: float | None = None
    tail: float | None = None


class Run(msgspec.Struct, frozen=True):
    """All that was measured at one time."""

    date: str
    commit: str
    kind: str  # runs are compared with those of the same kind
    machine: str  # in words, with what may differ from day to day
    measured: tuple[Number, ...]


class Worse(msgspec.Struct, frozen=True):
    """Something whose ratio is worse than it was."""

    what: str
    was: float
    now: float

    @property
    def text(self) -> str:
        """It in words.

        >>> Worse("card to lamp, holdem", 2.0, 2.5).text
        'card to lamp, holdem: the ratio was 2 and is 2.5 (25 % worse)'
        """
        times = max(self.now / self.was, self.was / self.now)
        percent = round((times - 1) * 100)
        return f"{self.what}: the ratio was {self.was:.3g} and is {self.now:.3g} ({percent} % worse)"


def kind(priority: str) -> str:
    """The kind of this machine: a run on another kind, or with another priority, is not compared."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    python = ".".join(platform.python_version_tuple()[:2])
    return f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, Python {python}, {priority}"


def _processor() -> str:
    with Path("/proc/cpuinfo").open() as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith(("model name", "Model"))]
    return names[-1] if names else platform.machine()


def commit() -> str:
    """The commit of the work tree; with a plus where something in it differs."""
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    if head.returncode:
        return "unknown"
    changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=False).stdout
    return head.stdout.strip() + ("+" if changed else "")


def run(lines: Iterable[Measured], machine: str, priority: str) -> Run:
    """This run, as it is kept; without what was not measured, and what is guarded by a file of its own."""
    measured = [line for line in lines if line.unit and line.value and not line.guarded]
    numbers = (Number(x.what, x.value, x.unit, x.floor, x.ratio, x.tail) for x in measured)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Run(now, commit(), kind(priority), machine, tuple(numbers))


def keep(new: Run, file: Path = FILE) -> None:
    """Appends a run to the history, if it has any numbers."""
    if not new.measured:
        return
    with file.open("ab") as history:
        history.write(msgspec.json.encode(new) + b"\n")


def kept(file: Path = FILE) -> list[Run]:
    """Returns all runs, the oldest first."""
    if not file.exists():
        return []
    return [msgspec.json.decode(line, type=Run) for line in file.read_bytes().splitlines()]


def compare(new: Run, history: Sequence[Run]) -> tuple[int, list[Worse]]:
    """Returns how many ratios could be compared, and those that are worse than the newest kept ones."""
    pairs = list(_compared(new, history))
    return len(pairs), [Worse(now.what, was, now.ratio or 0.0) for now, was in pairs if _is_worse(now, was)]


def _compared(new: Run, history: Sequence[Run]) -> Iterator[tuple[Number, float]]:
    """Yields each number that has a ratio, with the median of the newest ratios that are kept of it."""
    same = [run for run in history if run.kind == new.kind]
    for number in new.measured:
        before = [x.ratio for run in same for x in run.measured if x.what == number.what and x.ratio]
        if number.ratio and before:
            yield number, statistics.median(before[-NEWEST:])


def _is_worse(now: Number, was: float) -> bool:
    """Tells whether a ratio is worse: of a rate it has fallen, of anything else it has grown."""
    assert now.ratio is not None
    times = was / now.ratio if now.unit == "/s" else now.ratio / was
    return times > WORSE
