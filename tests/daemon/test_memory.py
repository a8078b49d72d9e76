"""The daemon's memory is in no core dump."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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


def test_the_unit_gives_it_neither_core_files_nor_swap() -> None:
    unit = (Path(__file__).parents[2] / "systemd" / "feltd.service").read_text().splitlines()
    assert {"LimitCORE=0", "MemorySwapMax=0"} <= set(unit)
