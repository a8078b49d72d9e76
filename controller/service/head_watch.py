"""Keeps the head file, and finds out whenever it is met that the journal went back: then a person decides.

After a clean stop it says so.  Records that stand behind such a head before the next start are somebody else's: the
journal's own word of that stop can be taken out of its file, that on another disk cannot.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from controller.errors import FeltError
from controller.journal.head_file import UNREADABLE, HeadFile, KeptHead
from controller.journal.records import Anchor
from controller.journal.store import Head, Journal
from controller.journal.verify_tree import APPENDED
from controller.service import continuity
from controller.service.beside import FAREWELL, Beside, Report, beside
from controller.service.engine import Engine

HEAD: Final = "head file"
PATIENCE: Final = 10.0  # seconds until the hold is on record
SOON: Final = 5.0  # seconds that a start waits for the file; a disk that takes longer is compared when it answers


class HeadWatch:
    """The head file of a running table."""

    def __init__(self, file: HeadFile, journal: Journal, engine: Engine, report: Report, pause: float) -> None:
        self._file, self._journal, self._engine, self._report = file, journal, engine, report
        self._begins = journal.head.seq  # what stands there before this start has recorded anything
        self._written: Head | None = None
        self._unread = True
        self._beside = Beside("journal-head", self._turn, report, pause)

    async def start(self) -> None:
        """Compares the journal with the file, holds the table if it went back, and keeps the file from here on."""
        try:
            kept = await beside("journal-head-first", self._file.read, SOON)
            self._unread = False
            await beside("journal-head-first", lambda: self._look_behind(kept), SOON)
        except FeltError as error:
            self._report(error)
        except TimeoutError:
            self._report(FeltError(UNREADABLE, f"{self._file.path}: its disk gives no answer"))
        else:
            await continuity.hold(self._engine, HEAD, continuity.by_anchor(self._journal, _anchor(kept)))
        self._loop = asyncio.get_running_loop()
        self._beside.start()

    async def stop(self) -> None:
        """Writes the newest head and ends."""
        await self._beside.stop()

    async def close(self) -> None:
        """Writes the last head of all, with the word that the stop is clean; when nothing else will be stored."""
        if self._written is None or self._unread or self._is_held():
            return
        anchor = Anchor(self._journal.table, *self._journal.head)
        with suppress(FeltError, TimeoutError):  # then the file has an earlier head, without that word
            await beside("journal-head-last", lambda: self._file.write(anchor, closed=True), FAREWELL)

    def _turn(self) -> None:
        self._keep()
        if self._file.proof.exists():
            cause = (
                f"the daemon stopped cleanly at the record that {self._file.proof} names, and others stood behind it"
            )
            raise FeltError(APPENDED, cause)

    def _keep(self) -> None:
        """Writes the newest durable record into the file; not before a person has ruled where it knew more."""
        if self._is_held() or (self._unread and self._knows_more()):
            return
        head = self._journal.head
        if head == self._written:
            return
        self._unread = True  # a file that cannot be written may be another one when it is met again
        self._file.write(Anchor(self._journal.table, *head))
        self._written, self._unread = head, False

    def _is_held(self) -> bool:
        return any(held.device == HEAD for held in self._engine.table.holds.values())

    def _knows_more(self) -> bool:
        """Compares a file that came later or came back, and lets the table be held; in the thread."""
        kept = self._file.read()
        text = continuity.by_anchor(self._journal, _anchor(kept))
        if text:
            held = asyncio.run_coroutine_threadsafe(continuity.hold(self._engine, HEAD, text), self._loop)
            try:
                held.result(PATIENCE)
            except TimeoutError:
                return True  # the table is busy: compared again in the next turn
        else:
            self._look_behind(kept)
        self._unread, self._written = False, None
        return bool(text)

    def _look_behind(self, kept: KeptHead | None) -> None:
        """Sets the head of a clean stop aside when this start found other records behind it."""
        if kept is None or not kept.closed or kept.anchor.seq >= self._begins:
            return
        if not continuity.was_reopened(self._journal, kept.anchor.seq):
            self._file.set_aside()


def _anchor(kept: KeptHead | None) -> Anchor | None:
    return None if kept is None else kept.anchor
