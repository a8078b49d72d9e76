"""Whether the computer's clocks run at their rate: a time server makes them a little faster or slower, never more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

LIMIT: Final = 1000  # millionths; the kernel lets a time server change the rate by 500, and no crystal is wrong by more
SHORTEST: Final = 5_000_000  # microseconds between two looks that can be compared
IN_A_ROW: Final = 6  # looks after which it is no accident
QUICK: Final = 1_000_000  # nanoseconds in which both are read: on a busy computer something may come between
TRIES: Final = 5


class ClockRate:
    """Compares a clock that programs may speed up with the oscillator, from look to look."""

    def __init__(self, monotonic: Callable[[], int], oscillator: Callable[[], int]) -> None:
        self._monotonic, self._oscillator = monotonic, oscillator
        self._before = self._read()
        self._row = 0  # looks on end at which it was wrong; below zero: too slow

    def _read(self) -> tuple[int, int] | None:
        """Returns both at one moment, in microseconds; None when something came between the two each time."""
        for _ in range(TRIES):
            before = self._monotonic()
            steady = self._oscillator()
            after = self._monotonic()
            if after - before < QUICK:
                return after // 1000, steady // 1000
        return None

    def look(self) -> int:
        """Returns the microseconds since the last look that were none: below zero they were too few; 0: all is well."""
        now, before = self._read(), self._before
        if now is None or before is None:
            self._before = before or now
            return 0
        passed = now[1] - before[1]
        if passed < SHORTEST:
            return 0
        self._before = now
        excess = now[0] - before[0] - passed
        if abs(excess) * 1_000_000 <= LIMIT * passed:
            self._row = 0
            return 0
        fast = excess > 0
        self._row = max(self._row, 0) + 1 if fast else min(self._row, 0) - 1
        return excess

    @property
    def wrong(self) -> int:
        """1: it runs too fast for a minute now; -1: too slow; 0: neither."""
        if abs(self._row) < IN_A_ROW:
            return 0
        return 1 if self._row > 0 else -1
