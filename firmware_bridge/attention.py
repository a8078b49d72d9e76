"""The time in which we really listened: what passes while our own loop stands still is not held against a device.

A machine that is starved, or a process that was stopped, hears nothing from anybody.  A wait for a device therefore
goes by this clock: it stands still from the moment at which its owner was to come until the owner comes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

LATE: Final = 0.05  # seconds; an owner who is later than that may have left something unread
PIECE: Final = 0.1  # seconds; waits are cut into pieces so small, to see in which of them we were away

_NEVER: Final = float("inf")


class Attention:
    """A clock for whoever is called by a timer: pure, told the time.

    >>> clock = Attention()
    >>> clock.at(0.0), clock.expect(1.0)
    (0.0, 1.0)
    >>> clock.at(0.9), clock.at(3.0), clock.late  # two seconds late
    (0.9, 1.0, 2.0)
    >>> clock.at(3.5), clock.expect(2.0)
    (1.5, 4.0)
    """

    def __init__(self) -> None:
        self.late = 0.0  # how late the owner came last
        self._away = 0.0
        self._expected = self._due = _NEVER  # when the owner is to come: by this clock, by its own

    def expect(self, counted: float) -> float:
        """Notes when the owner is to come next, and returns that by its own clock."""
        self._expected, self._due = counted, self.real(counted)
        return self._due

    def at(self, now: float) -> float:
        """Returns the time that counts, when the owner comes at this time of its own clock."""
        if now < self._due:
            self.late = 0.0
            return now - self._away
        counted, self.late = self._expected, now - self._due
        self._away, self._expected, self._due = now - counted, _NEVER, _NEVER
        return counted  # to the bit: what is due then is due now

    def real(self, counted: float) -> float:
        """Returns the time of the owner's clock for a time that counts."""
        return counted + self._away


@asynccontextmanager
async def patient(seconds: float) -> AsyncIterator[None]:
    """Ends the block with TimeoutError after so many seconds in which our loop ran.

    When it was away in the last moment, the block gets one more: what came meanwhile is read first.
    """
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle
    left, more = seconds, PIECE

    def passed(piece: float, due: float) -> None:
        nonlocal left, more
        left = round(left - piece, 9)
        if left <= 0 and loop.time() - due > LATE:
            left, more = left + more, 0.0
        if left > 0:
            begin(min(left, PIECE))
        else:
            limit.reschedule(loop.time())

    def begin(piece: float) -> None:
        nonlocal timer
        due = loop.time() + piece
        timer = loop.call_at(due, passed, piece, due)

    async with asyncio.timeout(None) as limit:
        begin(min(left, PIECE))
        try:
            yield
        finally:
            timer.cancel()
