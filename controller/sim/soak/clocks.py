"""The computer's clocks in a simulation: they run with the loop, and are put forward while nothing happens on wires."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from controller.service.clock import SystemClocks
from controller.service.clock_trust import ClockTrust
from controller.table.facts import SYNCHRONISED

SECOND = 1_000_000_000  # nanoseconds
_TRUST = ClockTrust(SYNCHRONISED, 1000, battery=True, source="simulation")


@dataclass(eq=False)
class _Alarm:
    """An alarm of the computer."""

    at: int  # by the monotonic clock
    ring: Callable[[], None]
    over: bool = False

    def cancel(self) -> None:
        self.over = True


class WorldClocks:
    """Both clocks of a computer, which outlives the processes that run on it."""

    def __init__(self, began: int) -> None:
        self._wall = began * 1000  # `began`: microseconds since 1970
        self._forward = 0
        self._alarms: list[_Alarm] = []
        self._timer: asyncio.TimerHandle | None = None  # one for all of them, never later than the first
        self._boots = 1

    def system(self) -> SystemClocks:
        """Returns them as a process reads them."""
        return SystemClocks(self.wall, self.monotonic, self._later, lambda: _TRUST, lambda: f"boot {self._boots}")

    def reboot(self) -> None:
        """Starts the computer anew."""
        self._boots += 1

    def wall(self) -> int:
        """Returns the time of day, in nanoseconds since 1970."""
        return self._wall + self.monotonic()

    def monotonic(self) -> int:
        """Returns the nanoseconds since the simulation began; nobody sets this clock."""
        return round(asyncio.get_running_loop().time() * 1e9) + self._forward

    def step(self, seconds: float) -> None:
        """Sets the wall clock, forward or back."""
        self._wall += round(seconds * SECOND)

    async def forward(self, seconds: float, rest: Callable[[], Awaitable[None]]) -> None:
        """Lets time pass in which nothing happens on the wires; whatever is to ring in it rings at its moment."""
        until = self.monotonic() + round(seconds * SECOND)
        while (now := self.monotonic()) < until:
            due = min((alarm.at for alarm in self._alarms if not alarm.over), default=until)
            self._forward += max(0, min(due, until) - now)
            self._ring_due()
            if due < until:
                await rest()

    def _later(self, seconds: float, ring: Callable[[], None]) -> _Alarm:
        alarm = _Alarm(self.monotonic() + round(seconds * SECOND), ring)
        self._alarms.append(alarm)
        self._arm(alarm.at)
        return alarm

    def _ring_due(self) -> None:
        now = self.monotonic()
        for alarm in sorted(self._alarms, key=lambda each: each.at):
            if alarm.at <= now and not alarm.over:
                alarm.over = True
                alarm.ring()
        self._alarms = [alarm for alarm in self._alarms if not alarm.over]
        self._arm(min((alarm.at for alarm in self._alarms), default=None))

    def _arm(self, at: int | None) -> None:
        """Sees to it that the timer comes by then; it is moved only to come earlier."""
        if at is None:
            return
        loop = asyncio.get_running_loop()
        due = loop.time() + max(0, at - self.monotonic()) / SECOND
        if self._timer is not None:
            if self._timer.when() <= due:
                return
            self._timer.cancel()
        self._timer = loop.call_at(due, self._look)

    def _look(self) -> None:
        self._timer = None
        self._ring_due()
