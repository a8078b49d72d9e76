"""Watches the running table for what does not add up, behind its lamps, and puts what is found on record."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

import structlog

from controller.errors import FeltError
from controller.guard import pins
from controller.guard.doors import DoorGuard
from controller.guard.watching import TableGuard
from controller.people.sessions import SignedInSession
from controller.service.engine import Engine
from controller.service.error_place import error_place
from controller.service.protection_routes import Cleared
from controller.service.storage import Storage
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import (
    AnyFact,
    Configured,
    ProgramChallenged,
    ProgramChecked,
    ProtectionCleared,
    ProtectionRaised,
    Snapped,
    Tick,
)
from controller.table.pace import Phase
from controller.table.state import Table
from controller.views.protection import raising
from controller.views.record import RoundRecord
from controller.views.round_watch import RoundsGuard, times

LATER: Final = 0.05  # seconds behind a fact: cards, lamps and displays come first; a burst is looked at once
MOST: Final = 32  # alerts that wait: more of them say nothing new
_QUIET: Final = (ProtectionRaised, ProtectionCleared, Snapped, Configured, ProgramChecked, ProgramChallenged, Tick)

log = structlog.get_logger()


class ProtectionWatch:
    """Looks at the table after facts; an alert that is on record already is not recorded again."""

    def __init__(self, engine: Engine, storage: Storage, two_people: Collection[str] = ()) -> None:
        self._engine, self._storage = engine, storage
        self._guard, self._doors = TableGuard(), DoorGuard(two_people)
        self._timer: asyncio.TimerHandle | None = None
        self._on_its_way: set[tuple[str, str, str]] = set()
        self.raised: Counter[str] = Counter()  # since the start, by kind
        self.phases: Counter[Phase] = Counter()  # milliseconds of rounds since the start, by part of the round
        self._rounds = RoundsGuard()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped = True

    def start(self) -> None:
        """Begins, once the table is what its facts come to: what happened before the last end is looked at too."""
        self._stopped, self._loop = False, asyncio.get_running_loop()
        self._doors.recover(self._engine.table)
        self._engine.listeners.append(self._followed)
        self._look_later()

    def stop(self) -> None:
        """Looks no more; harmless twice."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if isinstance(fact, _QUIET) or self._stopped:
            return
        self._look_later()
        # At once: a door may be shut again before anybody looks.
        for suspicion in (self._doors.look(fact, table, seq), pins.look(fact, table, seq)):
            if suspicion is not None:
                self._raise(raising(suspicion, table, self._engine.game))

    def _look_later(self) -> None:
        if self._timer is None and not self._stopped:
            self._timer = asyncio.get_running_loop().call_later(LATER, self._look)

    def _look(self) -> None:
        self._timer = None
        engine = self._engine
        if engine.defect is not None or self._storage.error is not None or not engine.table.game:
            return
        try:
            suspicions = self._guard.look(engine.table, engine.game)
            facts = [raising(suspicion, engine.table, engine.game) for suspicion in suspicions]
        except Exception as bug:  # nobody is warned; the table itself goes on
            log.error("protection.defect", what=error_place(bug))
            return
        for fact in facts:
            self._raise(fact)

    def _raise(self, fact: ProtectionRaised) -> None:
        kept, words = self._engine.table.protection, (fact.kind, fact.about, fact.text)
        if words in self._on_its_way or kept.knows(*words) or len(kept.waiting) >= MOST:
            return
        self._on_its_way.add(words)
        self.raised[fact.kind] += 1
        self._engine.submit(fact).add_done_callback(lambda _: self._on_its_way.discard(words))

    def round_over(self, record: RoundRecord, before: bool) -> None:
        """Looks at a round on record, in the thread that keeps rounds; what is found is raised by the loop.

        `before`: it was over before this start; then what it showed was told.
        """
        facts = self._rounds.follow(record)
        phases = times(record).took
        if self._loop is not None and not self._stopped and not before:
            self._loop.call_soon_threadsafe(self._take, facts, phases)

    def _take(self, facts: list[ProtectionRaised], phases: Mapping[Phase, int]) -> None:
        for phase, milliseconds in phases.items():
            self.phases[phase] += milliseconds
        if self._storage.error is None and self._engine.defect is None:
            for fact in facts:
                self._raise(fact)

    async def clear(self, session: SignedInSession, number: int, reason: str) -> Cleared:
        """Records that somebody has cleared an alert, and why; raises FeltError when that is refused."""
        alert = self._engine.table.protection.waiting.get(number)
        if alert is None:
            raise FeltError("protection.unknown", f"no alert {number} waits at this table")
        who = session.person, session.role, session.place, session.account
        followed = await self._engine.submit(ProtectionCleared(number, alert.kind, alert.text, reason, *who))
        for effect in followed.effects:
            if isinstance(effect, Refused):
                raise FeltError("protection.refused", effect.why)
        return {"alert": number, "person": session.person, "seq": followed.seq}
