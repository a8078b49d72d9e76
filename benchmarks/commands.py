"""How long `felt --help` takes, beside an interpreter that starts and does nothing."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.measure import Measured, environment, folder

REPEATS = 15
GOAL = 3.0


def _seconds(cache: Path, *command: str) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment(cache))
    return time.perf_counter() - began


def measure() -> list[Measured]:
    felt = str(Path(sys.executable).with_name("felt"))
    ours, bare = [], []
    with folder() as cache:
        _seconds(cache, felt, "--help")  # makes the bytecode
        for _ in range(REPEATS):
            ours.append(_seconds(cache, felt, "--help"))
            bare.append(_seconds(cache, sys.executable, "-c", "pass"))
    value, floor = statistics.median(ours) * 1e3, statistics.median(bare) * 1e3
    note = "floor: the same interpreter with nothing to do"
    return [Measured("felt --help", value, "ms", floor, f"<= {GOAL:g} x floor", value <= GOAL * floor, note)]
