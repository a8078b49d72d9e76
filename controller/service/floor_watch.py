"""Watches the tables of the floor from one daemon, and keeps their alerts on record in its journal."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Final

import structlog

from controller.errors import FeltError
from controller.journal.errors import JournalError
from controller.people.sessions import SignedInSession
from controller.service.error_place import error_place
from controller.service.floor_routes import Acknowledged
from controller.service.neighbour import EVERY, Neighbour
from controller.service.own_table import OwnTable
from controller.service.table import TableService
from controller.table.effects import Refused
from controller.table.facts import AlertAcknowledged, AlertOver, AlertRaised
from controller.views.floor import FloorShown, WatchedTable, changes, floor

LOOK: Final = 0.5  # seconds between two looks at this table, and at what is to be recorded
BURST: Final = 20  # changes of alerts of one table that are recorded at once,
PAUSE: Final = 10.0  # seconds for each further one: no table fills the journal of another
MOST_KEPT: Final = 64  # alerts of one table that wait to be acknowledged; more are shown, and kept when there is room

log = structlog.get_logger()


class FloorWatch:
    """All tables of the house, as far as they are listed, this one first."""

    def __init__(self, own: OwnTable, service: TableService, tables: Mapping[str, str]) -> None:
        self._own, self._service = own, service
        self._here = WatchedTable(own.name, here=True, page="/")
        self._neighbours = [Neighbour(name, address, self._wake) for name, address in tables.items()]
        self._allowance = {name: Allowance() for name in (own.name, *tables)}
        self._tasks: list[asyncio.Task[None]] = []
        self.news = asyncio.Event()  # replaced by another one whenever something is different

    def start(self) -> None:
        """Begins to look; the neighbours one after the other, so that they are not all asked in one moment."""
        apart = EVERY / max(1, len(self._neighbours))
        looks = [each.run(n * apart) for n, each in enumerate(self._neighbours)]
        self._tasks = [asyncio.create_task(look, name="floor") for look in (self._watch(), *looks)]

    async def stop(self) -> None:
        """Looks no more; harmless twice."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._wake()

    @property
    def looks(self) -> list[WatchedTable]:
        """What is known of every table."""
        return [self._here, *(each.look for each in self._neighbours)]

    def shown(self) -> FloorShown:
        """Returns the floor as it stands."""
        engine = self._service.engine
        unrecorded = self._service.storage.error is not None
        return floor(self.looks, engine.table.alerts, time.time_ns() // 1000, unrecorded=unrecorded)

    async def acknowledge(self, session: SignedInSession, number: int) -> Acknowledged:
        """Records that somebody has taken note of an alert.

        Raises FeltError when there is no such alert, or the table refuses it.
        """
        kept = self._service.engine.table.alerts.get(number)
        if kept is None:
            raise FeltError("alert.unknown", f"there is no alert {number}, or somebody has acknowledged it already")
        who = session.person, session.role, session.place, session.account
        fact = AlertAcknowledged(number, kept.table, kept.kind, kept.text, *who)
        followed = await self._service.engine.submit(fact)
        for effect in followed.effects:
            if isinstance(effect, Refused):
                raise FeltError("alert.refused", effect.why)
        self._wake()
        return {"alert": number, "table": kept.table, "person": session.person, "seq": followed.seq}

    def _wake(self) -> None:
        news, self.news = self.news, asyncio.Event()
        news.set()

    async def _watch(self) -> None:
        while True:
            try:
                await self._look_here()
                await self._record()
            except JournalError:
                pass  # everybody is told by the storage itself; it is tried again
            except Exception as bug:  # what people see may be old; the table itself goes on
                log.error("floor.defect", table=self._own.name, what=error_place(bug))
            await asyncio.sleep(LOOK)

    async def _look_here(self) -> None:
        summary = await self._own.summary()
        if summary != self._here.summary:
            self._wake()
        self._here = self._here._replace(summary=summary, at=time.time_ns() // 1000)

    async def _record(self) -> None:
        """Records what is different from what is kept, so much of it as each table may."""
        if self._service.storage.error is not None:
            return
        engine = self._service.engine
        differ = changes(self.looks, engine.table.alerts)
        waiting = [kept.table for kept in engine.table.alerts.values()]
        for table, alert in differ.raised:
            known = any(kept.subject == (table, alert.kind, alert.about) for kept in engine.table.alerts.values())
            if (known or waiting.count(table) < MOST_KEPT) and self._allowance[table].take():
                since = alert.since or time.time_ns() // 1000
                await engine.submit(AlertRaised(table, alert.kind, alert.about, alert.text, since, alert.step))
                self._wake()
        for kept in differ.over:
            if kept.table not in self._allowance or self._allowance[kept.table].take():
                await engine.submit(AlertOver(kept.table, kept.kind, kept.about))
                self._wake()


class Allowance:
    """How many changes of one table are recorded: some at once, then one now and then."""

    def __init__(self) -> None:
        self._left, self._at = float(BURST), time.monotonic()

    def take(self) -> bool:
        """Takes one; False when there is none now."""
        now = time.monotonic()
        self._left = min(BURST, self._left + (now - self._at) / PAUSE)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
