"""The time of one table: runs on by a clock that nobody sets, and makes a fact of every step of the wall clock.

Facts carry the time of day, for people and cameras.  The table's own time is that without the steps: it never jumps and
never stands still, so that a time to act, a notice or an hour that is paid for ends when it should.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from controller.journal.store import Journal
from controller.service.clock_trust import NOBODY_SAYS, ClockTrust, boot_id, oscillator, since_boot, system_trust
from controller.table.facts import SYNCHRONISED, ClockReading, ClockStepped
from controller.table.state import Table
from controller.table.wall_clock import DAY

STEP: Final = 250_000  # microseconds; what the two clocks differ by below it is no step
LONGEST_ABSENCE: Final = 366 * DAY  # a table that seems to have been off for longer was not
_QUICK: Final = 1_000_000  # nanoseconds between two readings that count as one moment
_TRIES: Final = 5


class ClockAlarm(Protocol):
    """Something that rings once, unless it is cancelled before."""

    def cancel(self) -> None:
        """Lets it ring no more."""


def _later(seconds: float, ring: Callable[[], None]) -> ClockAlarm:
    return asyncio.get_running_loop().call_later(seconds, ring)


@dataclass(frozen=True)
class SystemClocks:
    """The clocks of the computer, its alarm, and what its time of day is worth."""

    wall: Callable[[], int] = time.time_ns  # nanoseconds since 1970; people and other machines set it
    monotonic: Callable[[], int] = since_boot  # nanoseconds since the computer started; nobody sets it
    later: Callable[[float, Callable[[], None]], ClockAlarm] = _later
    trust: Callable[[], ClockTrust] = lambda: NOBODY_SAYS
    boot: Callable[[], str] = boot_id  # names this start of the computer
    oscillator: Callable[[], int] | None = None  # nanoseconds, at a rate that nobody changes; None: not known

    def read(self) -> tuple[int, int]:
        """Returns both clocks at one moment, in microseconds."""
        for _ in range(_TRIES):
            before = self.monotonic()
            wall = self.wall()
            after = self.monotonic()
            if after - before < _QUICK:  # else something came between the two
                break
        return wall // 1000, after // 1000


SYSTEM_CLOCKS: Final = SystemClocks(trust=system_trust, oscillator=oscillator)


class TableClock:
    """The source of the time of the next fact, in microseconds since 1970.

    It goes on from what is on record.  Within one start of the computer it knows how long the daemon was away, whatever
    was done to the wall clock.  After another one only a clock that a time server keeps right has counted; if nobody
    confirms it, or it cannot be (it is behind the record, or absurdly far ahead), no time has passed and the clock has
    made a step.
    """

    def __init__(self, journal: Journal, clocks: SystemClocks = SYSTEM_CLOCKS) -> None:
        self.clocks = clocks
        self.on_step: Callable[[ClockStepped], None] = lambda _step: None
        records = journal.read(journal.head.seq, 1) if journal.head.seq else []
        self._newest = records[0].at_us if records else None
        self._lead = 0  # by how much the clock has stepped, as far as it is not on record
        self.trust, self.boot = clocks.trust(), clocks.boot()
        self.go_on(Table())

    def go_on(self, table: Table) -> None:
        """Goes on where the table was when the daemon ended: what its facts tell of the clock decides how."""
        wall, self._since = self.clocks.read()
        known, self._away = table.clock, False
        if self._newest is None:
            self._anchor = wall
        elif self.boot and known.boot == self.boot and known.boottime <= self._since:
            self._anchor = known.at + table.ahead + self._since - known.boottime
        elif self.trust.trust == SYNCHRONISED and 0 <= wall - self._newest <= LONGEST_ABSENCE:
            self._anchor = wall
        else:
            self._anchor, self._away = self._newest, True

    def reading(self) -> ClockReading:
        """Returns what the computer says of its clock now."""
        self.trust = self.clocks.trust()
        return ClockReading(self.boot, self.clocks.monotonic() // 1000, *self.trust)

    def __call__(self) -> int:
        """Returns the time of the next fact.  A step of the clock is reported first: it stands before that fact."""
        wall, monotonic = self.clocks.read()
        now = self._anchor + monotonic - self._since
        if abs(wall - now) <= STEP:
            self._away = False
            return now
        self._anchor, self._since = wall, monotonic
        self._lead += wall - now
        self.on_step(ClockStepped(now, wall, monotonic, self._away))
        return wall

    def discount(self, microseconds: int) -> None:
        """Takes back time that the computer's clocks counted too much, or too little: they ran at a wrong rate."""
        self._since += microseconds

    def recorded(self, step: ClockStepped) -> None:
        """Notes that this step is on record."""
        self._lead -= step.after - step.before
        self._away = False

    def unrecorded(self) -> None:
        """Takes back the steps that are not on record yet: they never will be, and are reported again."""
        self._anchor -= self._lead
        self._lead = 0

    @property
    def lead(self) -> int:
        """The time by which facts are ahead of what the table knows."""
        return self._lead
