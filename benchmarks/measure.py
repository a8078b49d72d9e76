"""What every benchmark shares: one result beside its floor, percentiles, a disk to work on, the machine in words."""

from __future__ import annotations

import math
import os
import platform
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
REALTIME = "FELT_REALTIME"  # in the environment: measure with real-time priority, for numbers on a busy machine
TIMES = ("us", "ms", "s")
_PRIORITY = 10  # above everything that has none


class Measured(msgspec.Struct, frozen=True):
    """One line of the table.  `met` is None where there is no goal."""

    what: str
    value: float
    unit: str
    floor: float | None = None
    goal: str = ""
    met: bool | None = None
    note: str = ""
    tail: float | None = None  # by how much the slowest of a hundred was above the floor measured beside it
    guarded: bool = False  # a run in which it is not met fails

    @property
    def ratio(self) -> float | None:
        return self.value / self.floor if self.floor else None

    @property
    def above(self) -> float | None:
        """How much longer than the floor it took."""
        return self.value - self.floor if self.floor is not None and self.unit in TIMES else None


class NothingMeasured(Exception):
    """The work that was to be measured did not happen."""


def happened(so: bool, otherwise: str) -> None:
    """A benchmark whose work did not happen has no number: it fails, and says what was missing."""
    if not so:
        raise NothingMeasured(otherwise)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed.

    >>> percentile(range(1, 101), 0.99), percentile([1, 2, 3], 0.5)
    (99, 2)
    """
    happened(bool(values), "there are no values to take a percentile of")
    return sorted(values)[max(math.ceil(share * len(values)) - 1, 0)]


def hurry() -> None:
    """Gives this process, and what it starts, real-time priority when the environment asks for it.

    NothingMeasured where that is not permitted.
    """
    if not os.environ.get(REALTIME):
        return
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(_PRIORITY))
    except PermissionError:
        raise NothingMeasured(f"{REALTIME} is set, but real-time priority is not permitted: try as root") from None


def priority() -> str:
    """Returns the priority of this process in words."""
    return "real-time priority" if os.sched_getscheduler(0) == os.SCHED_FIFO else "ordinary priority"


@contextmanager
def folder() -> Iterator[Path]:
    """A fresh directory on the disk that the work tree is on."""
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".bench-") as name:
        yield Path(name)


def fdatasync_us(directory: Path, times: int = 200) -> float:
    """The median time in which the disk makes a small append durable, in microseconds."""
    took = []
    with (directory / "sync").open("wb", buffering=0) as file:
        for _ in range(times):
            file.write(bytes(160))
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            took.append(time.perf_counter() - began)
    return statistics.median(took) * 1e6


def python(*arguments: str) -> list[str]:
    """The command line of a child with our interpreter."""
    return [sys.executable, *arguments]


def environment(cache: Path) -> dict[str, str]:
    """For children whose start is timed: an installed program has its bytecode; theirs is kept here."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(cache / "bytecode")}


def cpu_seconds(pid: int) -> float:
    """What all threads of a process have used so far."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def resident_mib(pid: int) -> float:
    """What a process holds in memory now."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


def machine() -> str:
    """One line for people: what the numbers depend on."""
    with folder() as directory:
        sync = fdatasync_us(directory)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), {memory:.0f} GiB, fdatasync of a small append {sync:.0f} us; "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )
