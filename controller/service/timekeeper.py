"""The timer that wakes the table when it waits for nothing but time, and reports steps of the clock."""

from __future__ import annotations

import asyncio

from controller.games import due_at
from controller.service.clock import ClockAlarm, TableClock
from controller.service.engine import Engine, Submitted
from controller.table.door_access import next_locked
from controller.table.effects import AnyEffect
from controller.table.facts import IDLE, AnyFact, ClockStepped, DoorLocked, SignedOut, Tick
from controller.table.sign_in import CONSOLE, idle_at
from controller.table.state import Table
from controller.table.times import SECOND

PAUSE = 1.0  # seconds, before something that could not be recorded is tried again


class Timekeeper:
    """A timer for the next moment at which time alone makes a difference; none when there is no such moment."""

    def __init__(self, engine: Engine, clock: TableClock) -> None:
        self._engine, self._clock = engine, clock
        self._timer: ClockAlarm | None = None
        self._ticking = False  # a tick is on its way to the journal
        self._ticked_at = 0  # number of the last tick that is on record
        self._stopped = True
        self._asking = False  # what is due is looked up soon: facts and their devices come first
        clock.on_step = self._stepped
        engine.listeners.append(self._followed)

    def start(self) -> None:
        """Begins, when the table has been recovered: what ran out meanwhile is due at once."""
        self._stopped = False
        self._set()

    def stop(self) -> None:
        """Stops the timer."""
        self._stopped = True
        self._cancel()

    def now(self) -> int:
        """Returns the table's time."""
        return self._clock() - self._clock.lead - self._engine.table.ahead

    def _stepped(self, step: ClockStepped) -> None:
        """Puts a step of the clock on record; one found when the journal is closed is found at the next start."""
        if not self._engine.writer.closing:
            self._engine.submit(step)

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if isinstance(fact, ClockStepped):
            self._clock.recorded(fact)
        if not self._asking and not self._stopped:
            self._asking = True
            asyncio.get_running_loop().call_later(0, self._set)  # behind the devices that this fact woke

    def _set(self) -> None:
        self._asking = False
        self._cancel()
        table = self._engine.table
        due = None if self._stopped or self._ticking else _due(table)
        if due is None or (due <= table.now and self._engine.seq == self._ticked_at):  # never twice for the same
            return
        self._timer = self._clock.clocks.later(max(0, due - self.now()) / SECOND, self._ring)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._cancel()
        table, now = self._engine.table, self.now()
        due = _due(table)
        if due is None or due > now:  # the timer was early
            self._set()
            return
        self._ticking = True
        self._engine.submit(_over(table, now)).add_done_callback(self._ticked)

    def _ticked(self, tick: Submitted) -> None:
        self._ticking = False
        if not tick.cancelled() and tick.exception() is None:
            self._ticked_at = tick.result().seq
            self._set()
        elif not self._stopped:
            self._cancel()
            self._timer = self._clock.clocks.later(PAUSE, self._ring)


def _due(table: Table) -> int | None:
    """Returns when time alone makes the next difference: to the game, to who is signed in, or to a door."""
    door = next_locked(table)
    moments = due_at(table), idle_at(table), None if door is None else door[0]
    return min((at for at in moments if at is not None), default=None)


def _over(table: Table, now: int) -> AnyFact:
    """Returns the fact that tells what is over by now."""
    idle, door = idle_at(table), next_locked(table)
    if idle is not None and idle <= now:
        return SignedOut(table.name, CONSOLE, IDLE)
    if door is not None and door[0] <= now:
        return DoorLocked(door[1])
    return Tick()
