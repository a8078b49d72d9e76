"""A disk in a simulation: what is not committed when the process dies is lost, and a commit may be slow or fail."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Final

from controller.journal.checkpoints import Cosigned, KeptCheckpoint
from controller.journal.errors import JournalError, translated
from controller.journal.records import Entry, Snapshot
from controller.journal.store import Journal
from controller.journal.writer import MAX_BATCH, JournalWriter, Listener, OnFailure, Stored, Waiting

QUICK: Final = (0.0004, 0.002)  # seconds that a commit takes
NEWS: Final = 0.0001  # seconds until the loop hears of it: a process may end in between
REASONS: Final = {"fail": errno.EIO, "full": errno.ENOSPC}


class SimDisk:
    """The disk of the journal; it outlives processes."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self.trouble = ""  # why commits are refused, of `REASONS`
        self.refusals = 0  # so many commits are refused besides
        self.slow = 0.0  # seconds that each commit takes beside the usual
        self.refused = 0

    def takes(self) -> float:
        """Returns how many seconds the next commit takes."""
        return self._chance.uniform(*QUICK) + self.slow

    def check(self) -> None:
        """Raises OSError when the disk refuses a commit."""
        if not self.trouble and not self.refusals:
            return
        self.refusals = max(0, self.refusals - 1)
        self.refused += 1
        number = REASONS[self.trouble or "fail"]
        raise OSError(number, os.strerror(number))

    def mend(self) -> None:
        """Ends all its faults."""
        self.trouble, self.refusals, self.slow = "", 0, 0.0


class SimWriter(JournalWriter):
    """Commits at moments of virtual time, in the order and with the promise of the writer of a daemon.

    After `cut` it is the writer of a process that was killed: nothing that it has not committed yet is ever stored, and
    nobody hears of anything any more.
    """

    def __init__(self, journal: Journal, disk: SimDisk, on_failure: OnFailure) -> None:
        super().__init__(journal, on_failure)
        self._disk = disk
        self._waiting: deque[Waiting] = deque()
        self._untold = 0  # commits whose news are on their way
        self._committing = False
        self._cut = False
        journal.before_commit = disk.check  # in the transaction of one record, which is rolled back then

    @property
    def depth(self) -> int:
        return len(self._waiting)

    @property
    def busy(self) -> bool:
        """Whether something waits for a commit, or for the news of one."""
        return self._committing or bool(self._waiting) or self._untold > 0

    def cut(self) -> None:
        """Ends it as the end of its process does."""
        self._cut = True
        self._waiting.clear()
        self._committing, self._untold = False, 0

    def submit(self, entry: Entry, listener: Listener) -> None:
        if self._cut:
            return
        self._check_open()
        self._waiting.append((entry, listener))
        self._begin()

    def snapshot(self, seq: int, payload: bytes) -> None:
        if not self._cut:
            self._keep(Snapshot(seq, payload))

    def checkpoint(self, kept: KeptCheckpoint) -> None:
        if not self._cut:
            self._keep(kept)

    def cosign(self, cosigned: Cosigned) -> None:
        if not self._cut:
            self._keep(cosigned)

    async def close(self) -> None:
        self._closing = True
        while self._waiting and not self._cut:
            self._written(self._batch(), closing=True)

    def waits(self, now: float) -> float:
        return 0.0

    def _batch(self) -> list[Waiting]:
        return [self._waiting.popleft() for _ in range(min(MAX_BATCH, len(self._waiting)))]

    def _begin(self) -> None:
        if self._committing or not self._waiting:
            return
        self._committing = True
        batch = self._batch()
        self._loop.call_later(self._disk.takes(), self._written, batch)
        if len(batch) == 1:
            self.meanwhile()

    def _written(self, batch: list[Waiting], closing: bool = False) -> None:
        if self._cut:
            return
        outcome = self._commit(batch)
        self._untold += 1
        if closing:
            self._deliver(batch, outcome)
            return
        self._loop.call_later(NEWS, self._deliver, batch, outcome)
        if not isinstance(outcome, JournalError):  # else nothing is committed before the owner knows of it
            self._committing = False
            self._begin()

    def _deliver(self, batch: list[Waiting], outcome: Sequence[Stored] | JournalError) -> None:
        if self._cut:
            return
        self._untold -= 1
        if isinstance(outcome, JournalError):
            batch += self._waiting
            self._waiting.clear()
            self._committing = False
            self._fail(batch, outcome)
        else:
            self._tell(batch, outcome)

    def _commit(self, batch: Sequence[Waiting]) -> Sequence[Stored] | JournalError:
        if len(batch) > 1:
            try:
                with translated("storing records"):
                    self._disk.check()
            except JournalError as error:
                return error
        return super()._commit(batch)
