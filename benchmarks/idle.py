"""What the daemon uses of a core while nothing happens at a table with ten devices."""

from __future__ import annotations

import time

from benchmarks.measure import Measured, cpu_seconds, folder
from benchmarks.processes import configure, feltd, peer, settle

SECONDS = 10.0
GOAL = 1.0  # percent of a core


def measure() -> list[Measured]:
    with folder() as directory, peer("idle", str(directory), "0") as devices:
        config = configure(directory)
        with feltd(config) as (process, _):
            settle(config)
            devices.go()
            time.sleep(1.0)
            before, began = cpu_seconds(process.pid), time.monotonic()
            time.sleep(SECONDS)
            used = (cpu_seconds(process.pid) - before) / (time.monotonic() - began) * 100
    note = f"feltd with ten devices and their heartbeats, {SECONDS:.0f} s"
    return [Measured("idle CPU", used, "% of a core", None, f"<= {GOAL:g} %", used <= GOAL, note)]
