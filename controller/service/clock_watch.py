"""Watches the computer's clock: steps, who keeps it right, and whether it can be believed, are on record at once."""

from __future__ import annotations

from typing import Final

import structlog
from msgspec.structs import replace

from controller.errors import FeltError
from controller.people.sessions import SignedInSession
from controller.service.clock import ClockAlarm, TableClock
from controller.service.clock_rate import ClockRate
from controller.service.engine import Engine
from controller.service.storage import Storage
from controller.table.effects import Refused
from controller.table.facts import (
    SYNCHRONISED,
    ClockChecked,
    ClockConfirmed,
    ClockReading,
    DeviceCleared,
    DeviceFault,
    Started,
)
from controller.table.wall_clock import CLOCK, WallClock, doubted

EVERY: Final = 10.0  # seconds
REFUSED: Final = "clock.refused"

log = structlog.get_logger()


class ClockWatch:
    """Looks every ten seconds; writes only what has changed."""

    def __init__(self, engine: Engine, storage: Storage, clock: TableClock) -> None:
        self._engine, self._storage, self._clock = engine, storage, clock
        self._timer: ClockAlarm | None = None
        steady = clock.clocks.oscillator
        self._rate = None if steady is None else ClockRate(clock.clocks.monotonic, steady)

    def recovered(self, begin: Started) -> Started:
        """Lets the clock go on where the facts of this table left it; returns the start with what it says of itself."""
        self._clock.go_on(self._engine.table)
        return replace(begin, clock=self._clock.reading())

    def start(self) -> None:
        """Begins, once the table is what its facts come to."""
        self._look()

    def stop(self) -> None:
        """Looks no more; harmless twice."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = self._clock.clocks.later(EVERY, self._look)
        if self._storage.error is None and self._engine.defect is None:
            self.look()

    def look(self) -> None:
        """Puts on record what is other than what is on record."""
        if self._rate is not None:
            self._clock.discount(self._rate.look())
        wall, kept = self._clock(), self._engine.table.clock  # a step is told by the way
        reading = self._clock.reading()
        if _differs(kept, reading):
            self._storage.record(ClockChecked(reading))
        known = replace(kept, trust=reading.trust)
        if ahead := self._clock.lead:  # the step is not followed yet
            known = replace(known, doubt=kept.doubt + ahead, confirmed="")
        self._judge(known, wall)

    def _judge(self, known: WallClock, wall: int) -> None:
        doubt = doubted(known, wall, 0 if self._rate is None else self._rate.wrong)
        before = self._engine.table.faults.get(CLOCK, {})
        for code in before:
            if doubt is None or code != doubt.code:
                self._storage.record(DeviceCleared(CLOCK, code))
        if doubt is not None and before.get(doubt.code) != doubt.text:
            log.warning(doubt.code, cause=doubt.text)
            self._storage.record(DeviceFault(CLOCK, doubt.code, doubt.text))

    async def confirm(self, session: SignedInSession, reason: str) -> int:
        """Records that a person says that the clock is right; returns the fact.  Raises FeltError when refused."""
        who = session.person, session.role, session.place, session.account
        followed = await self._engine.submit(ClockConfirmed(reason, *who))
        for effect in followed.effects:
            if isinstance(effect, Refused):
                raise FeltError(REFUSED, effect.why)
        self.look()
        return followed.seq


def _differs(kept: WallClock, reading: ClockReading) -> bool:
    """Tells whether this reading belongs on record: another start or trust, or a step that is confirmed now."""
    if (kept.boot, kept.trust, kept.battery) != (reading.boot, reading.trust, reading.battery):
        return True
    return reading.trust == SYNCHRONISED and kept.doubt != 0
