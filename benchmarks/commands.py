"""How long `felt --help` takes, beside an interpreter that starts and does nothing."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.measure import Measured, environment, folder, happened

REPEATS = 15
GOAL = 3.0
HELP = b"Usage: felt"


def _seconds(cache: Path, *command: str, says: bytes = b"") -> float:
    began = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment(cache))
    took = time.perf_counter() - began
    happened(done.stdout.startswith(says), f"{command[0]} did not say {says.decode()}")
    return took


def measure() -> list[Measured]:
    felt = str(Path(sys.executable).with_name("felt"))
    ours, bare = [], []
    with folder() as cache:
        _seconds(cache, felt, "--help", says=HELP)  # makes the bytecode
        for _ in range(REPEATS):
            ours.append(_seconds(cache, felt, "--help", says=HELP))
            bare.append(_seconds(cache, sys.executable, "-c", "pass"))
    value, floor = statistics.median(ours) * 1e3, statistics.median(bare) * 1e3
    note = "floor: the same interpreter with nothing to do"
    return [Measured("felt --help", value, "ms", floor, f"<= {GOAL:g} x floor", value <= GOAL * floor, note)]
