"""Whether this computer is fast enough for a failure to count: on a slow one an emulated machine is always late."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Final

PROCESSORS: Final = 2  # as the machine has
WORK: Final = "n = 0\nfor i in range(10_000_000): n += i"
USUAL: Final = 0.6  # seconds for that, where nothing else runs
MOST: Final = 5.0  # times slower; the checks were written where other work made it three to six
PATIENCE: Final = 30.0  # seconds


def slowness() -> float:
    """Returns how many times slower than usual it is now: a piece of work on as many processors as the machine has."""
    began = time.monotonic()
    workers = [subprocess.Popen([sys.executable, "-S", "-c", WORK]) for _ in range(PROCESSORS)]
    for worker in workers:
        try:
            worker.wait(max(0.0, began + PATIENCE - time.monotonic()))
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
    return (time.monotonic() - began) / USUAL


def excuse() -> str:
    """Returns why a failure does not count now; "" when it does."""
    times = slowness()
    return f"this computer is {times:.0f} times slower than usual" if times > MOST else ""
