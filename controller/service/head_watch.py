"""Keeps the head file, and finds out at a start that the journal went back: then a person decides."""

from __future__ import annotations

from typing import Final

from controller.errors import FeltError
from controller.journal.head_file import HeadFile
from controller.journal.records import Anchor
from controller.journal.store import Head, Journal
from controller.service.beside import Beside, Report
from controller.service.engine import Engine
from controller.table.facts import Hold
from controller.table.holds import BEHIND

HEAD: Final = "head file"


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
            if text := went_back(self._journal, anchor):
                await self._engine.submit(Hold(BEHIND, text, HEAD))
        self._beside.start()

    async def stop(self) -> None:
        """Writes the newest head and ends."""
        await self._beside.stop()

    def _keep(self) -> None:
        """Writes the newest durable record into the file; not before a person has ruled where it knew more."""
        if any(held.device == HEAD for held in self._engine.table.holds.values()):
            return
        if self._unread:  # the stick came later: what it knows is looked at by the next start
            anchor = self._file.read()
            if text := went_back(self._journal, anchor):
                raise FeltError("head.ahead", text)
            self._unread = False
        head = self._journal.head
        if head != self._written:
            self._file.write(Anchor(self._journal.table, *head))
            self._written = head


def went_back(journal: Journal, anchor: Anchor | None) -> str:
    """Returns how a journal has less than an anchor says, or something else; "" when it leads to it."""
    if anchor is None:
        return ""
    if anchor.seq > journal.head.seq:
        return f"record {anchor.seq} was stored, but the journal ends at {journal.head.seq}: it is an older copy"
    if journal.hash_at(anchor.seq) != anchor.hash:
        return f"record {anchor.seq} is not the one that was stored: the journal is another one, or was changed"
    return ""
