"""Keeps the second copy of the journal while the table runs, and says how far it is behind."""

from __future__ import annotations

from controller.errors import FeltError
from controller.journal.copying import JournalCopy
from controller.journal.store import Journal
from controller.service.beside import Beside, Report

BATCHES = 20  # in one turn: the table goes first


class CopyWatch:
    """The copy of a running table's journal."""

    def __init__(self, copy: JournalCopy, journal: Journal, report: Report, pause: float) -> None:
        self._copy, self._journal = copy, journal
        self._beside = Beside("journal-copy", self._turn, report, pause)

    def start(self) -> None:
        """Begins to copy."""
        self._beside.start()

    async def stop(self) -> None:
        """Copies what it can, closes the copy and ends."""
        await self._beside.stop()
        self._copy.close()

    def _turn(self) -> None:
        for _ in range(BATCHES):
            if not self._copy.go_on():
                return
        done, all_ = self._copy.copied, self._journal.head.seq
        raise FeltError("copy.behind", f"the copy of the journal has {done} of {all_} records")
