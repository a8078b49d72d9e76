"""What the daemon uses of a core while nothing happens at its table."""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec

from benchmarks.deeds import FILE, TEN, Deeds
from benchmarks.measure import Measured, cpu_seconds, folder, happened
from benchmarks.processes import configure, feltd, peer, settle

SECONDS = 10.0
GOAL = 1.0  # percent of a core


def used(devices: Mapping[str, str]) -> float:
    """Percent of a core that feltd uses while only the heartbeats of these devices travel."""
    with folder() as directory:
        (directory / FILE).write_bytes(msgspec.msgpack.encode(Deeds(dict(devices), [], 0)))
        with peer("idle", str(directory)) as ends:
            config = configure(directory, devices)
            with feltd(config) as (process, _):
                settle(config, len(devices))
                ends.go()
                time.sleep(1.0)
                before, began = cpu_seconds(process.pid), time.monotonic()
                time.sleep(SECONDS)
                spent = cpu_seconds(process.pid) - before
                percent = spent / (time.monotonic() - began) * 100
                happened(process.poll() is None and spent > 0, "the daemon did nothing, not even heartbeats")
                lost = config.with_name("feltd.log").read_text().count("device.lost")
                happened(not lost, f"{lost} devices were lost meanwhile")
    return percent


def measure() -> list[Measured]:
    percent, many = used(TEN), len(TEN)
    note = f"feltd with {many} devices and their heartbeats, {SECONDS:.0f} s"
    return [Measured("idle CPU", percent, "% of a core", None, f"<= {GOAL:g} %", percent <= GOAL, note)]
