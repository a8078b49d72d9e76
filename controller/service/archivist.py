"""Brings old records into sealed archives while the table runs, and looks whether all archives are still as they were.

No card waits for it: it reads in a thread, in small bites, and lets records leave between rounds, while nothing
happens, one bite after the other.  In this order: the file is sealed; a fact names it; then records leave.  A power cut
between two of these loses nothing, and the next look goes on.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from controller.errors import Coded, FeltError
from controller.journal.archives import BITE, NamedArchive
from controller.journal.archiving import NOTHING, make
from controller.journal.errors import JournalError
from controller.journal.shelf import MISSING, Shelf
from controller.journal.signing import Signer
from controller.journal.store import Journal
from controller.service.archive_naming import fact_of
from controller.service.archive_plan import Bounds, last_to_leave
from controller.service.day_keys import DAY
from controller.service.engine import Engine
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table
from controller.table.wall_clock import CLOCK

log = structlog.get_logger()

FIRST: Final = 10.0  # seconds after a start
EVERY: Final = 3600.0
CALM: Final = 0.05  # seconds in which nothing happened at the table
GLANCE: Final = 0.02  # seconds between two looks whether it is calm
PAUSE: Final = 0.002  # seconds of rest between two pieces of reading
LEAST: Final = BITE  # records of an archive
BUSY: Final = "archive.busy"
OFF: Final = "archive.off"  # where there is no archivist

Report = Callable[[Coded | None], None]


class Archivist:
    """What archives the journal of one running table, into one folder."""

    def __init__(
        self,
        engine: Engine,
        journal: Journal,
        folder: Path,
        days: int,
        signer: Signer | None,
        report: Report = lambda error: None,
        *,
        bounds: Bounds = Bounds(),  # noqa: B008 - it is immutable
    ) -> None:
        self._engine, self._journal, self._folder, self._days = engine, journal, folder, days
        self._signer, self._report, self._bounds = signer, report, bounds
        self._shelf = journal.shelf = Shelf(folder, lambda: time.sleep(PAUSE))
        self._latest = 0.0  # when the table last followed a fact
        self._timer: asyncio.TimerHandle | None = None
        self._work: asyncio.Task[None] | None = None
        self._busy = asyncio.Lock()
        self._stopping = False
        self._sealed: NamedArchive | None = None  # the newest of this start
        self._turn = 0  # of the archives, the one that is looked at next
        self._bad: dict[str, Coded] = {}  # by the files' names

    # ---- on the loop

    def start(self, soon: float = FIRST) -> None:
        """Looks soon after the start, and then every hour."""
        self._engine.listeners.append(self._followed)
        self._timer = asyncio.get_running_loop().call_later(soon, self._due)

    async def stop(self) -> None:
        """Ends it between two bites; the next start goes on."""
        self._stopping = True
        if self._timer is not None:
            self._timer.cancel()
        if self._work is not None:
            await asyncio.wait([self._work])

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        self._latest = time.monotonic()

    def _due(self) -> None:
        if self._work is None or self._work.done():
            self._work = asyncio.get_running_loop().create_task(self.look(), name="archive")
        self._timer = asyncio.get_running_loop().call_later(EVERY, self._due)

    async def look(self) -> None:
        """Archives what is due, and looks at the archives that there are; what is wrong is told, and tried again."""
        try:
            async with self._busy:
                await asyncio.to_thread(self._look_at_some)
                self._check_all_well()
                await self._let_go()
                if await self._seal(self._bounds) is not None:
                    await self._let_go()
        except _Stopped:
            return
        except (FeltError, JournalError) as error:
            if error.code != NOTHING:
                self._report(error)
                return
        self._report(None)

    async def archive(self, account: int = -1, login: str = "") -> NamedArchive:
        """Seals what may leave now, at most one file, and names it in the chain; the records leave when it is calm.

        The account that asks for it is on record.  Raises FeltError or JournalError.
        """
        if self._busy.locked() or self._leaving() is not None:
            raise FeltError(BUSY, "an archive is being made, or its records are leaving the journal")
        self._check_all_well()
        async with self._busy:
            sealed = await self._seal(self._bounds._replace(smallest=0), account, login)
        if sealed is None:
            cause = f"there are not {LEAST} records that are older than {self._days} days and that nobody needs"
            raise FeltError(NOTHING, cause)
        self._due()
        return sealed

    async def _seal(self, bounds: Bounds, account: int = -1, login: str = "") -> NamedArchive | None:
        """Makes the next archive and names it in the chain; None when nothing is due."""
        if CLOCK in self._engine.table.faults:  # nothing is old by a day that nobody believes
            return None
        before = self._engine.time() - self._days * DAY
        last = await asyncio.to_thread(last_to_leave, self._journal, self._engine.table, before, bounds, self._rest)
        if not last:
            return None
        archive = await asyncio.to_thread(make, self._journal, self._folder, last, self._signer, self._rest)
        followed = await self._engine.submit(fact_of(archive, account, login))
        self._sealed = NamedArchive(archive, followed.seq)
        log.info("archived", file=archive.file, records=archive.records)
        return self._sealed

    def _check_all_well(self) -> None:
        """Raises what is wrong with an archive: nothing leaves the journal before that is mended."""
        for trouble in self._bad.values():
            raise trouble

    def _leaving(self) -> NamedArchive | None:
        """Returns the archive whose records have not all left."""
        newest = self._sealed or next(reversed(self._journal.archives), None)
        return newest if newest is not None and newest.archive.last > self._journal.base.seq else None

    async def _let_go(self) -> None:
        """Lets the records leave that the newest archive has."""
        leaving = self._leaving()
        if leaving is None:
            return
        try:
            await asyncio.to_thread(self._shelf.check, leaving.archive)  # time may have passed since it was sealed
        except JournalError:
            self._sealed = None  # while all its records are still here, it is made again
            raise
        await asyncio.to_thread(self._cut, leaving)
        log.info("records left", file=leaving.archive.file, records=leaving.archive.records)

    # ---- in a thread

    def _cut(self, leaving: NamedArchive) -> None:
        self._wait_for_calm()
        while self._journal.cut(leaving):
            self._wait_for_calm()

    def _wait_for_calm(self) -> None:
        """Waits until the table is between two rounds and nothing has happened for a moment."""
        while True:
            self._rest()
            r = self._engine.table.round
            between = r is None or bool(r.outcome)
            if between and time.monotonic() - self._latest >= CALM and not self._engine.writer.depth:
                return
            time.sleep(GLANCE)

    def _rest(self) -> None:
        """Leaves interpreter and journal to the table."""
        time.sleep(PAUSE)
        while self._engine.writer.depth and not self._stopping:
            time.sleep(PAUSE)
        if self._stopping:
            raise _Stopped

    def _look_at_some(self) -> None:
        """Looks whether every archive is there, and reads one as a whole: the next in turn, and those that were bad."""
        archives = [each.archive for each in self._journal.archives]
        if not self._folder.is_dir():
            raise JournalError(MISSING, f"there is no folder {self._folder}")
        bad: dict[str, Coded] = {}
        for number, archive in enumerate(archives):
            try:
                if archive.file in self._bad or number == self._turn % len(archives):
                    self._shelf.check(archive)
                else:
                    self._shelf.check_there(archive)
            except JournalError as error:
                bad[archive.file] = error
            self._rest()
        self._turn += 1
        self._bad = bad


class _Stopped(Exception):
    """The table stops: the next start goes on."""
