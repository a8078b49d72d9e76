"""How long tests search at random: shortly each time, and FELT_FUZZ=20 times as long where somebody has the time."""

from __future__ import annotations

import os

TIMES = int(os.environ.get("FELT_FUZZ", "1"))


def times(number: int) -> int:
    """Returns how many examples to try where so many are enough for each day."""
    return number * TIMES
