"""Wakes the table when it waits for nothing but time, and tells it of steps of the clock."""

from __future__ import annotations

import asyncio
from functools import partial

from controller.daemon.clock import TableClock
from controller.daemon.desk import Desk, Stored
from controller.table.due import due_at
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact, ClockStepped, Tick
from controller.table.state import Table

SECOND = 1_000_000  # microseconds
PAUSE = 1.0  # seconds, before something that could not be recorded is tried again


class Timekeeper:
    """One timer, for the next moment at which time alone makes a difference; none when there is no such moment."""

    def __init__(self, desk: Desk, clock: TableClock) -> None:
        self._desk, self._clock = desk, clock
        self._timer: asyncio.TimerHandle | None = None
        self._ticking = False  # a tick is on its way to the journal
        self._woken: int | None = None  # the moment for which the table was woken last: never twice for the same
        self._stopped = True
        self._asking = False  # what is due is looked up soon: facts and their devices come first
        clock.on_step = self._stepped
        desk.listeners.append(self._told)

    def start(self) -> None:
        """When the table has been recovered: what ran out meanwhile is due at once."""
        self._stopped = False
        self._set()

    def stop(self) -> None:
        self._stopped = True
        self._cancel()

    def now(self) -> int:
        """The table's time."""
        return self._clock() - self._clock.untold - self._desk.table.ahead

    def _stepped(self, step: ClockStepped) -> None:
        self._desk.submit(step)

    def _told(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if isinstance(fact, ClockStepped):
            self._clock.recorded(fact)
        if not self._asking and not self._stopped:
            self._asking = True
            asyncio.get_running_loop().call_soon(self._set)

    def _set(self) -> None:
        self._asking = False
        self._cancel()
        due = None if self._stopped or self._ticking else due_at(self._desk.table)
        if due is not None and due != self._woken:
            self._timer = self._clock.machine.later(max(0, due - self.now()) / SECOND, self._ring)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._cancel()
        due = due_at(self._desk.table)
        if due is None or due > self.now():  # the timer was early
            self._set()
            return
        self._ticking = True
        self._desk.submit(Tick()).add_done_callback(partial(self._ticked, due))

    def _ticked(self, due: int, stored: Stored) -> None:
        self._ticking = False
        if stored.cancelled() or stored.exception() is not None:
            self._cancel()
            self._timer = None if self._stopped else self._clock.machine.later(PAUSE, self._ring)
        else:
            self._woken = due
            self._set()
