"""Card to lamp, and bursts, on disks that take 5 to 50 ms for a sync, as SD cards do; the floor has the same disk."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import structlog

from benchmarks import bursts, latency
from benchmarks.measure import ROOT, Measured, folder, happened, python
from benchmarks.plan import war
from benchmarks.slow_disk import SYNC, environment
from tests.disk import shim

SYNCS = (0.005, 0.02, 0.05)  # seconds
SAMPLES = 40
BURSTS = 15


def on_this_disk(seconds: float) -> list[Measured]:
    """A child's part, whose syncs are slow."""
    where = f"syncs of {seconds * 1e3:g} ms"
    took = latency.times(war(SAMPLES))
    slowest = min(took.floors)
    happened(slowest >= seconds, f"a floor of {slowest * 1e3:.1f} ms: the disk was not slow")
    line = latency.line(f"one player, {where}", took, f"{SAMPLES} cards; the floor waits as long for its disk")
    return [line, *bursts.lines(BURSTS, f", {where}", None)]


def measure() -> list[Measured]:
    if shim.compiler() is None:
        return [
            Measured("slow disks: skipped", 0, "us", note="no compiler of C on this machine (Debian: apt install gcc)")
        ]
    lines = list[Measured]()
    with folder() as directory:
        library = shim.build(directory)
        for seconds in SYNCS:
            command = python("-m", "benchmarks.slow_disks", str(seconds))
            made = environment(library, seconds)
            child = subprocess.run(command, cwd=ROOT, env=made, stdout=subprocess.PIPE, check=False)
            happened(child.returncode == 0, f"nothing was measured with {SYNC}={seconds}: see above")
            lines += msgspec.json.decode(child.stdout, type=list[Measured])
    return lines


if __name__ == "__main__":
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
    sys.stdout.buffer.write(msgspec.json.encode(on_this_disk(float(sys.argv[1]))))
