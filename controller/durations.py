"""How long something took, many times over: counted in classes, cheap enough for every commit."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

BOUNDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds


class Durations:
    """Counts of durations by class.

    Written by one thread; whoever reads meanwhile may miss the newest.
    """

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0
        self.latest = 0.0

    def add(self, seconds: float) -> None:
        """Counts one duration."""
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds
        self.latest = seconds

    def classes(self) -> list[tuple[str, int]]:
        """Returns each upper bound, and how many took no longer; the last bound is +Inf.

        >>> took = Durations()
        >>> took.add(0.3)
        >>> took.classes()[-3:]
        [('1.0', 1), ('2.5', 1), ('+Inf', 1)]
        """
        return list(zip([*map(str, BOUNDS), "+Inf"], accumulate(self._counts), strict=True))
