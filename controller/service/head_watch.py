"""Keeps the head file, and finds out whenever it is met that the journal went back: then a person decides."""

from __future__ import annotations

import asyncio
from typing import Final

from controller.errors import FeltError
from controller.journal.head_file import HeadFile
from controller.journal.records import Anchor
from controller.journal.store import Head, Journal
from controller.service import continuity
from controller.service.beside import Beside, Report
from controller.service.engine import Engine

HEAD: Final = "head file"
PATIENCE: Final = 10.0  # seconds until the hold is on record


class HeadWatch:
    """The head file of a running table."""

    def __init__(self, file: HeadFile, journal: Journal, engine: Engine, report: Report, pause: float) -> None:
        self._file, self._journal, self._engine, self._report = file, journal, engine, report
        self._written: Head | None = None
        self._unread = True
        self._beside = Beside("journal-head", self._keep, report, pause)

    async def start(self) -> None:
        """Compares the journal with the file, holds the table if it went back, and keeps the file from here on."""
        try:
            anchor = self._file.read()
            self._unread = False
        except FeltError as error:
            self._report(error)
        else:
            await continuity.hold(self._engine, HEAD, continuity.by_anchor(self._journal, anchor))
        self._loop = asyncio.get_running_loop()
        self._beside.start()

    async def stop(self) -> None:
        """Writes the newest head and ends."""
        await self._beside.stop()

    def _keep(self) -> None:
        """Writes the newest durable record into the file; not before a person has ruled where it knew more."""
        if any(held.device == HEAD for held in self._engine.table.holds.values()):
            return
        if self._unread and self._knows_more():
            return
        head = self._journal.head
        if head == self._written:
            return
        self._unread = True  # a file that cannot be written may be another one when it is met again
        self._file.write(Anchor(self._journal.table, *head))
        self._written, self._unread = head, False

    def _knows_more(self) -> bool:
        """Compares a file that came later or came back, and lets the table be held; in the thread."""
        text = continuity.by_anchor(self._journal, self._file.read())
        if text:
            held = asyncio.run_coroutine_threadsafe(continuity.hold(self._engine, HEAD, text), self._loop)
            try:
                held.result(PATIENCE)
            except TimeoutError:
                return True  # the table is busy: compared again in the next turn
        self._unread, self._written = False, None
        return bool(text)
