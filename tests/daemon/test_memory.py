"""The daemon's memory is in no core dump and in no swap."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import ctypes, resource
from controller.daemon.memory import keep_private
prctl = ctypes.CDLL(None).prctl
print(prctl(3, 0, 0, 0, 0))
keep_private()
print(prctl(3, 0, 0, 0, 0), *resource.getrlimit(resource.RLIMIT_CORE))
"""


def test_nobody_can_dump_it() -> None:
    told = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == ["1", "0 0 0"]


LOCKED = """
import mmap, resource, sys
from controller.daemon import memory
limit = resource.RLIM_INFINITY if sys.argv[1] == "unlimited" else 65536
memory.resource.getrlimit = lambda what: (limit, limit)
def locked():
    return sum(int(line.split()[1]) for line in open("/proc/self/smaps") if line.startswith("Locked:"))
memory.keep_private()
before = locked()
more = mmap.mmap(-1, 32 << 20)
more[: 16 << 20] = bytes(16 << 20)
print(before > 0, round((locked() - before) / 1024))
"""
MAY_LOCK = """
import ctypes, sys
sys.exit(ctypes.CDLL(None).mlockall(1 | 2 | 4) != 0)
"""


def locks(limit: str) -> list[str]:
    """What a process locks that thinks it has this limit: whether anything, and MiB of the 16 that it uses of 32."""
    words = [sys.executable, "-c", LOCKED, limit]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()


def test_what_it_uses_is_never_swapped_and_what_it_does_not_use_costs_nothing() -> None:
    if subprocess.run([sys.executable, "-c", MAY_LOCK], check=False).returncode:
        pytest.skip("this account may not lock its memory")
    assert locks("unlimited") == ["True", "16"]


def test_where_there_is_a_limit_it_locks_nothing_and_is_never_stopped_by_it() -> None:
    assert locks("limited") == ["False", "0"]


def test_the_unit_gives_it_neither_core_files_nor_swap() -> None:
    unit = (Path(__file__).parents[2] / "systemd" / "feltd.service").read_text().splitlines()
    assert {"LimitCORE=0", "LimitMEMLOCK=infinity", "MemorySwapMax=0"} <= set(unit)
