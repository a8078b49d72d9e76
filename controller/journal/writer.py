"""The asyncio front of the journal: submit a fact, be told when it is durable; bursts share one commit."""

from __future__ import annotations

import asyncio
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence

from controller.journal.errors import IO, JournalError
from controller.journal.records import Duplicate, Entry, Record
from controller.journal.store import Journal

MAX_BATCH = 512

Stored = Record | Duplicate
Waiting = tuple[Entry, "asyncio.Future[Stored]"]
OnFailure = Callable[[JournalError], None]


class JournalWriter(ABC):
    """What both writers promise: results on the loop, in the order of submission.

    When a commit fails, its entries fail, and so does everything submitted behind them before the owner heard of it:
    otherwise a later event of a device could be acknowledged over the earlier one that was not stored.
    `on_failure` is called before anyone who waits for such a future runs; what is submitted after that is tried afresh.
    """

    def __init__(self, journal: Journal, on_failure: OnFailure | None = None) -> None:
        """Must be made inside the running loop; does not own the journal."""
        self._journal = journal
        self._on_failure = on_failure
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Waiting] = deque()
        self._closing = False
        self.snapshot_failure: JournalError | None = None  # of the last attempt

    @property
    def depth(self) -> int:
        """How many entries wait for a commit to begin."""
        return len(self._waiting)

    @abstractmethod
    def submit(self, entry: Entry) -> asyncio.Future[Stored]:
        """Queue `entry`; the future ends when it is durable, or with JournalError.  Cancelling it recalls nothing."""

    @abstractmethod
    def snapshot(self, seq: int, payload: bytes) -> None:
        """Keep a snapshot soon.  Without one a restart only takes longer, so a failure is remembered, not raised."""

    @abstractmethod
    async def close(self) -> None:
        """Commit what waits, deliver it, and stop; idempotent."""

    @abstractmethod
    def alive(self, now: float, limit: float = 5.0) -> bool:
        """False when entries have been waiting for more than `limit` seconds without a commit ending."""

    def _queued(self, entry: Entry) -> asyncio.Future[Stored]:
        if self._closing:
            raise RuntimeError("the journal writer is closed")
        future: asyncio.Future[Stored] = self._loop.create_future()
        self._waiting.append((entry, future))
        return future

    def _next_batch(self) -> list[Waiting]:
        return [self._waiting.popleft() for _ in range(min(MAX_BATCH, len(self._waiting)))]

    def _commit(self, batch: list[Waiting]) -> list[Stored] | JournalError:
        try:
            return self._journal.append([entry for entry, _ in batch])
        except JournalError as error:
            return error
        except Exception as error:  # whatever it is, the owner must hear of it: a writer never dies silently
            return JournalError(IO, f"storing records: {error!r}")

    def _keep(self, seq: int, payload: bytes) -> None:
        try:
            self._journal.snapshot(seq, payload)
            self.snapshot_failure = None
        except JournalError as error:
            self.snapshot_failure = error

    def _succeed(self, batch: list[Waiting], results: Sequence[Stored]) -> None:
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():
                future.set_result(result)

    def _fail(self, batch: list[Waiting], error: JournalError) -> None:
        for _, future in batch:
            if not future.done():
                future.set_exception(error)
        if self._on_failure is not None:
            self._on_failure(error)


class InlineWriter(JournalWriter):
    """Commits on the loop's next callback, without a thread: for scripts and simulated time."""

    _scheduled = False

    def submit(self, entry: Entry) -> asyncio.Future[Stored]:
        future = self._queued(entry)
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._run)
        return future

    def snapshot(self, seq: int, payload: bytes) -> None:
        self._keep(seq, payload)

    async def close(self) -> None:
        self._closing = True
        self._run()
        await asyncio.sleep(0)  # let the results be heard, as the threaded writer does

    def alive(self, now: float, limit: float = 5.0) -> bool:
        return True  # it runs on the loop, and only a live loop can ask

    def _run(self) -> None:
        self._scheduled = False
        while batch := self._next_batch():
            outcome = self._commit(batch)
            if isinstance(outcome, JournalError):
                batch += self._waiting
                self._waiting.clear()
                self._fail(batch, outcome)
                return
            self._succeed(batch, outcome)


class Writer(JournalWriter):
    """Commits in a thread of its own, so that no fsync ever stops the loop."""

    def __init__(
        self,
        journal: Journal,
        on_failure: OnFailure | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(journal, on_failure)
        self._clock = clock  # the one whose time `alive` is asked with
        self._changed = threading.Condition()  # guards what is below; _waiting is only ever appended to outside it
        self._failing = False  # a failure is on its way to the loop; nothing is committed before it arrives
        self._stuck_since: float | None = None  # when the work not yet done began to wait without progress
        self._snapshot: tuple[int, bytes] | None = None
        self._ended = asyncio.Event()
        self._thread = threading.Thread(target=self._work, name="journal-writer", daemon=True)
        self._thread.start()

    def submit(self, entry: Entry) -> asyncio.Future[Stored]:
        future = self._queued(entry)
        if self._stuck_since is None:  # else the thread is at work and looks again, under the lock, before it sleeps
            with self._changed:
                self._stuck_since = self._clock()
                self._changed.notify()
        return future

    def snapshot(self, seq: int, payload: bytes) -> None:
        with self._changed:
            self._snapshot = (seq, payload)
            self._changed.notify()

    async def close(self) -> None:
        with self._changed:
            self._closing = True
            self._changed.notify()
        await self._ended.wait()
        self._thread.join()

    def alive(self, now: float, limit: float = 5.0) -> bool:
        since = self._stuck_since
        return since is None or now - since <= limit

    # ---- on the loop

    def _failed(self, batch: list[Waiting], error: JournalError) -> None:
        with self._changed:
            batch += self._waiting
            self._waiting.clear()
            self._failing = False
            self._stuck_since = None
            self._changed.notify()
        self._fail(batch, error)

    # ---- in the thread

    def _work(self) -> None:
        try:
            while (batch := self._take()) is not None:
                if not batch:
                    continue
                outcome = self._commit(batch)
                with self._changed:
                    self._failing = isinstance(outcome, JournalError)
                    self._stuck_since = self._clock() if self._waiting or self._failing else None
                if isinstance(outcome, JournalError):
                    self._loop.call_soon_threadsafe(self._failed, batch, outcome)
                else:
                    self._loop.call_soon_threadsafe(self._succeed, batch, outcome)
            self._loop.call_soon_threadsafe(self._ended.set)
        except RuntimeError:
            # The loop was closed without closing us first: nobody is left to tell.
            return

    def _take(self) -> list[Waiting] | None:
        """The next batch as soon as there is one; empty after a snapshot, None when the writer closes."""
        with self._changed:
            while self._failing or not (self._waiting or self._snapshot or self._closing):
                self._changed.wait()
            if self._waiting:
                if self._stuck_since is None:
                    self._stuck_since = self._clock()
                return self._next_batch()
            snapshot, self._snapshot = self._snapshot, None
        if snapshot is None:
            return None
        self._keep(*snapshot)
        return []
