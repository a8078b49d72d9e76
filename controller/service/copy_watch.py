"""Keeps the second copy of the journal while the table runs, says how far it is behind, and reads it again."""

from __future__ import annotations

import time
from collections.abc import Callable

from controller.errors import FeltError
from controller.journal.copy_check import EVERY
from controller.journal.copying import JournalCopy
from controller.journal.store import Journal
from controller.service.beside import Beside, Report

BATCHES = 20  # in one turn: the table goes first


class CopyWatch:
    """The copy of a running table's journal."""

    def __init__(
        self,
        copy: JournalCopy,
        journal: Journal,
        report: Report,
        pause: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._copy, self._journal, self._clock = copy, journal, clock
        self._looked = clock()
        self._beside = Beside("journal-copy", self._turn, report, pause)

    def start(self) -> None:
        """Begins to copy."""
        self._beside.start()

    async def stop(self) -> None:
        """Copies what it can, closes the copy and ends."""
        await self._beside.stop()
        self._copy.close()

    def _turn(self) -> None:
        before = self._copy.copied
        for _ in range(BATCHES):
            if not self._copy.go_on():
                self._look_again(rests=self._copy.copied == before)
                return
        done, all_ = self._copy.copied, self._journal.head.seq
        raise FeltError("copy.behind", f"the copy of the journal has {done} of {all_} records")

    def _look_again(self, *, rests: bool) -> None:
        """Reads a slice of the copy again when nothing was recorded since the last turn, now and then."""
        if rests and self._clock() - self._looked >= EVERY:
            self._looked = self._clock()
            self._copy.look_again()
