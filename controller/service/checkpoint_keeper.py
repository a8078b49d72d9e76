"""Signs checkpoints of the journal while the table runs: between rounds, in a thread, and at a clean stop.

No card waits for it: the records are read in small bites, the signature is made beside the loop, and the writer stores
it when no fact waits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

import structlog

from controller.errors import FeltError
from controller.journal.checkpoints import KeptCheckpoint
from controller.journal.errors import JournalError
from controller.journal.growth import GrowingTree
from controller.journal.signing import Signer, signed
from controller.journal.store import Journal
from controller.journal.verify_tree import APPENDED
from controller.service.engine import Engine
from controller.table.effects import AnyEffect, RoundEnded
from controller.table.facts import AnyFact
from controller.table.state import Table

log = structlog.get_logger()

EVERY: Final = 60.0  # seconds between two checkpoints, at least
BITE: Final = 0.005  # seconds of rest between two pieces of reading: the loop has the interpreter to itself
LAST_WORK: Final = 50_000  # records that a clean stop reads at most: half a second of work

Report = Callable[[FeltError], None]


class CheckpointKeeper:
    """What makes the checkpoints of one running table; without a key they are not signed."""

    def __init__(
        self,
        journal: Journal,
        engine: Engine,
        signer: Signer | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        report: Report = lambda error: None,
    ) -> None:
        self._journal, self._engine, self._signer = journal, engine, signer
        self._clock, self._report = clock, report
        self._tree = GrowingTree(journal)
        self._made_at: float | None = None
        self._work: asyncio.Task[None] | None = None
        self._owed: asyncio.TimerHandle | None = None  # for a round that ended soon after the last checkpoint
        self._stopping = False
        self.on_made: Callable[[KeptCheckpoint], None] = lambda kept: None  # called on the loop with each new one

    def reopen(self) -> None:
        """Says, before the first fact of a start, that the journal goes on behind the checkpoint of a clean stop.

        Records that stand there already are somebody else's: then that checkpoint stays as it is, for `verify`.
        """
        kept = self._journal.checkpoints()
        newest = kept[-1][1] if kept else None
        if newest is None or not newest.checkpoint.closed:
            return
        if newest.seq < self._journal.head.seq:
            cause = f"the daemon stopped cleanly at record {newest.seq}, and the journal goes on behind it"
            self._report(FeltError(APPENDED, cause))
        else:
            self._journal.keep_checkpoint(signed(self._journal.table, newest.frontier, self._signer))

    def start(self) -> None:
        """Makes checkpoints from now on, the first one soon: an old journal gets its tree then."""
        self._engine.listeners.append(self._fact_followed)
        self._begin()

    async def stop(self) -> None:
        """Ends the work that is under way, and waits until it has ended."""
        self._stopping = True
        if self._owed is not None:
            self._owed.cancel()
            self._owed = None
        if self._work is not None:
            await asyncio.wait([self._work])

    def close(self) -> KeptCheckpoint | None:
        """Keeps the checkpoint of a clean stop, when the last fact is stored and nothing else will be.

        Returns it; None when it is not kept.
        """
        if self._tree.behind > LAST_WORK:
            log.info("checkpoint.later", records=self._tree.behind)
            return None
        try:
            kept = self._next(lambda: None, closed=True)
            self._journal.keep_checkpoint(kept)
        except JournalError as error:
            log.error(error.code, cause=error.cause, next_step=error.next_step)
            return None
        return kept

    # ---- inside

    def _fact_followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if any(isinstance(effect, RoundEnded) for effect in effects):
            self._begin()

    def _begin(self) -> None:
        """Begins a checkpoint, unless one is under way; when the last one is young, as soon as it is not any more."""
        if self._stopping or (self._work is not None and not self._work.done()):
            return
        if self._made_at is not None and (age := self._clock() - self._made_at) < EVERY:
            if self._owed is None:  # perhaps no other round ends tonight
                self._owed = asyncio.get_running_loop().call_later(EVERY - age, self._begin_owed)
            return
        if (failure := self._engine.writer.checkpoint_failure) is not None:
            self._report(FeltError(failure.code, failure.cause, failure.next_step))
        self._made_at = self._clock()
        self._work = asyncio.create_task(self._make(), name="checkpoint")

    def _begin_owed(self) -> None:
        """Begins the checkpoint that came too early, unless a round runs: its end begins one."""
        self._owed = None
        running = self._engine.table.round
        if running is None or running.outcome:
            self._begin()

    async def _make(self) -> None:
        try:
            kept = await asyncio.to_thread(self._when_calm)
        except _Stopped:
            return
        except JournalError as error:
            self._report(FeltError(error.code, error.cause, error.next_step))
            return
        self._engine.writer.checkpoint(kept)
        self.on_made(kept)

    def _when_calm(self) -> KeptCheckpoint:
        while self._engine.writer.depth:
            self._rest()
        return self._next(self._rest)

    def _next(self, pause: Callable[[], None], *, closed: bool = False) -> KeptCheckpoint:
        return signed(self._journal.table, self._tree.grow(pause), self._signer, closed=closed)

    def _rest(self) -> None:
        """Leaves the interpreter to the loop; in the thread."""
        if self._stopping:
            raise _Stopped
        time.sleep(BITE)


class _Stopped(Exception):
    """The table stops: the rest is for the checkpoint of the stop, or of the next start."""
