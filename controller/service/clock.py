"""The time of one table: runs on by the machine's monotonic clock, and makes a fact of every step of its wall clock.

Facts carry the time of day, for people and cameras.  The table's own time is that without the steps: it never jumps and
never stands still, so that a time to act, a notice or an hour that is paid for ends when it should.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from controller.journal.store import Journal
from controller.table.facts import ClockStepped

STEP: Final = 250_000  # microseconds; what the two clocks differ by below it is no step
LONGEST_ABSENCE: Final = 366 * 24 * 60 * 60 * 1_000_000  # a table that seems to have been off for longer was not
_QUICK: Final = 1_000_000  # nanoseconds between two readings that count as one moment
_TRIES: Final = 5


def _later(seconds: float, ring: Callable[[], None]) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, ring)


@dataclass(frozen=True)
class SystemClocks:
    """The clocks of the computer, and its alarm."""

    wall: Callable[[], int] = time.time_ns  # nanoseconds since 1970; people and other machines set it
    monotonic: Callable[[], int] = time.monotonic_ns  # nanoseconds since some moment; nobody sets it
    later: Callable[[float, Callable[[], None]], asyncio.TimerHandle] = _later

    def read(self) -> tuple[int, int]:
        """Returns both clocks at one moment, in microseconds."""
        for _ in range(_TRIES):
            before = self.monotonic()
            wall = self.wall()
            after = self.monotonic()
            if after - before < _QUICK:  # else something came between the two
                break
        return wall // 1000, after // 1000


SYSTEM_CLOCKS: Final = SystemClocks()


class TableClock:
    """The source of the time of the next fact, in microseconds since 1970.

    It goes on from the newest record of the journal.  While the daemon was away the wall clock has counted; if that
    cannot be (it is behind the record, or absurdly far ahead), no time has passed and the clock has made a step.
    """

    def __init__(self, journal: Journal, clocks: SystemClocks = SYSTEM_CLOCKS) -> None:
        self.clocks = clocks
        self.on_step: Callable[[ClockStepped], None] = lambda _step: None
        records = journal.read(journal.head.seq, 1) if journal.head.seq else []
        wall, self._since = clocks.read()
        plausible = not records or 0 <= wall - records[0].at_us <= LONGEST_ABSENCE
        self._anchor = wall if plausible else records[0].at_us
        self._lead = 0  # by how much the clock has stepped, as far as it is not on record

    def __call__(self) -> int:
        """Returns the time of the next fact.  A step of the clock is reported first: it stands before that fact."""
        wall, monotonic = self.clocks.read()
        now = self._anchor + monotonic - self._since
        if abs(wall - now) <= STEP:
            return now
        self._anchor, self._since = wall, monotonic
        self._lead += wall - now
        self.on_step(ClockStepped(now, wall))
        return wall

    def recorded(self, step: ClockStepped) -> None:
        """Notes that this step is on record."""
        self._lead -= step.after - step.before

    def unrecorded(self) -> None:
        """Takes back the steps that are not on record yet: they never will be, and are reported again."""
        self._anchor -= self._lead
        self._lead = 0

    @property
    def lead(self) -> int:
        """The time by which facts are ahead of what the table knows."""
        return self._lead
