"""The asyncio front of the journal: facts are submitted, each listener is called when its fact is durable.

Bursts share one commit.
"""

from __future__ import annotations

import asyncio
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

from controller.durations import Durations
from controller.journal.checkpoints import Cosigned, KeptCheckpoint
from controller.journal.errors import IO, JournalError
from controller.journal.nudge import Nudge
from controller.journal.records import Duplicate, Entry, Record, Snapshot
from controller.journal.store import Journal

MAX_BATCH = 512
STUCK = 30.0  # seconds without the end of a commit: cards with worn memory take eight and more, and then go on

Stored = Record | Duplicate
Listener = Callable[[Stored | JournalError], None]
Waiting = tuple[Entry, Listener]
Aside = Snapshot | KeptCheckpoint | Cosigned  # what is kept beside the records, when no record waits
Asides = dict[tuple[object, ...], Aside]
OnFailure = Callable[[JournalError], None]


class JournalWriter(ABC):
    """The promise of both writers: each listener is called once, on the loop, in the order of submission.

    When a commit fails, its entries fail, and so does everything submitted behind them before the owner knew of it:
    otherwise a later event of a device could be acknowledged over the earlier one that was not stored. `on_failure` is
    called before any of their listeners; what is submitted after that is tried afresh.
    """

    def __init__(self, journal: Journal, on_failure: OnFailure | None = None) -> None:
        """Prepares a writer inside the running loop; it does not own the journal."""
        self._journal = journal
        self._on_failure = on_failure
        self._loop = asyncio.get_running_loop()
        self._closing = False
        self.snapshot_failure: JournalError | None = None  # of the last attempt
        self.checkpoint_failure: JournalError | None = None
        self.commits = Durations()
        self.meanwhile: Callable[[], None] = lambda: None  # may be called on the loop while one entry is committed

    @property
    def closing(self) -> bool:
        """Whether nothing more can be submitted."""
        return self._closing

    @property
    @abstractmethod
    def depth(self) -> int:
        """The number of entries that wait for a commit to begin."""

    @abstractmethod
    def submit(self, entry: Entry, listener: Listener) -> None:
        """Queues `entry`; `listener` gets the record when it is durable, or the JournalError.

        It cannot be recalled.
        """

    @abstractmethod
    def snapshot(self, seq: int, payload: bytes) -> None:
        """Keeps a snapshot soon.  Without one a restart only takes longer, so a failure is remembered, not raised."""

    @abstractmethod
    def checkpoint(self, kept: KeptCheckpoint) -> None:
        """Keeps a checkpoint soon; a failure is remembered, not raised: the next one says more."""

    @abstractmethod
    def cosign(self, cosigned: Cosigned) -> None:
        """Keeps the word of a witness soon, behind the checkpoint that it is of; a failure is remembered as its is."""

    @abstractmethod
    async def close(self) -> None:
        """Commits what waits, delivers it, and stops; harmless twice."""

    @abstractmethod
    def waits(self, now: float) -> float:
        """Returns for how many seconds entries have been waiting without the end of a commit; 0: none waits."""

    def alive(self, now: float, limit: float = STUCK) -> bool:
        """Tells whether commits go on: False when entries wait for more than `limit` seconds without one ending."""
        return self.waits(now) <= limit

    def _check_open(self) -> None:
        if self._closing:
            raise RuntimeError("the journal writer is closed")

    def _commit(self, batch: Sequence[Waiting]) -> Sequence[Stored] | JournalError:
        began = time.monotonic()
        try:
            return self._journal.append([entry for entry, _ in batch])
        except JournalError as error:
            return error
        except Exception as error:  # whatever it is, the owner must hear of it: a writer never dies silently
            return JournalError(IO, f"storing records: {error!r}")
        finally:
            self.commits.add(time.monotonic() - began)

    def _keep(self, aside: Aside) -> None:
        failure: JournalError | None = None
        try:
            if isinstance(aside, Snapshot):
                self._journal.snapshot(aside.seq, aside.payload)
            elif isinstance(aside, Cosigned):
                self._journal.cosign(aside)
            else:
                self._journal.keep_checkpoint(aside)
        except JournalError as error:
            failure = error
        if isinstance(aside, Snapshot):
            self.snapshot_failure = failure
        else:
            self.checkpoint_failure = failure

    def _tell(self, batch: Sequence[Waiting], results: Sequence[Stored | JournalError]) -> None:
        for (_, listener), result in zip(batch, results, strict=True):
            try:
                listener(result)
            except Exception as error:  # one submitter's bug must not keep the news from the others
                context = {"message": "a submitter failed at the news of its entry", "exception": error}
                self._loop.call_exception_handler(context)

    def _fail(self, batch: Sequence[Waiting], error: JournalError) -> None:
        if self._on_failure is not None:
            self._on_failure(error)
        self._tell(batch, [error] * len(batch))


class InlineWriter(JournalWriter):
    """Commits on the loop's next callback, without a thread: for scripts and simulated time."""

    def __init__(self, journal: Journal, on_failure: OnFailure | None = None) -> None:
        super().__init__(journal, on_failure)
        self._waiting: deque[Waiting] = deque()
        self._scheduled = False

    @property
    def depth(self) -> int:
        return len(self._waiting)

    def submit(self, entry: Entry, listener: Listener) -> None:
        self._check_open()
        self._waiting.append((entry, listener))
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._run)

    def snapshot(self, seq: int, payload: bytes) -> None:
        self._keep(Snapshot(seq, payload))

    def checkpoint(self, kept: KeptCheckpoint) -> None:
        self._keep(kept)

    def cosign(self, cosigned: Cosigned) -> None:
        self._keep(cosigned)

    async def close(self) -> None:
        self._closing = True
        self._run()

    def waits(self, now: float) -> float:
        return 0.0  # it runs on the loop, and only a live loop can ask

    def _run(self) -> None:
        self._scheduled = False
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(MAX_BATCH, len(self._waiting)))]
            outcome = self._commit(batch)
            if isinstance(outcome, JournalError):
                batch += self._waiting
                self._waiting.clear()
                self._fail(batch, outcome)
                return
            self._tell(batch, outcome)


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
        self._unanswered = 0  # entries whose submitters wait
        self._progress = 0.0  # when the oldest of them was submitted, or the last commit was heard of
        self._queue: SimpleQueue[Waiting | Aside | None] = SimpleQueue()  # None is the end
        self._failure_delivered = threading.Event()  # nothing is committed before the owner knows of a failure
        self._ended = asyncio.Event()
        self._nudge = Nudge(self._loop, lambda: self.meanwhile())
        journal.before_commit = self._nudge.give
        self._thread = threading.Thread(target=self._work, name="journal-writer", daemon=True)
        self._thread.start()

    @property
    def depth(self) -> int:
        return self._queue.qsize()

    def submit(self, entry: Entry, listener: Listener) -> None:
        self._check_open()
        if not self._unanswered:
            self._progress = self._clock()
        self._unanswered += 1
        self._queue.put((entry, listener))

    def snapshot(self, seq: int, payload: bytes) -> None:
        if not self._closing:
            self._queue.put(Snapshot(seq, payload))

    def checkpoint(self, kept: KeptCheckpoint) -> None:
        if not self._closing:
            self._queue.put(kept)

    def cosign(self, cosigned: Cosigned) -> None:
        if not self._closing:
            self._queue.put(cosigned)

    async def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._queue.put(None)
        await self._ended.wait()
        self._thread.join()
        self._nudge.close()

    def waits(self, now: float) -> float:
        return now - self._progress if self._unanswered else 0.0

    # ---- on the loop

    def _succeeded(self, batch: list[Waiting], results: Sequence[Stored]) -> None:
        self._ended_one(len(batch))
        self._tell(batch, results)

    def _failed(self, batch: list[Waiting], error: JournalError) -> None:
        try:
            while True:
                item = self._queue.get_nowait()
                if isinstance(item, tuple):
                    batch.append(item)
        except Empty:
            pass
        if self._closing:
            self._queue.put(None)
        self._failure_delivered.set()
        self._ended_one(len(batch))
        self._fail(batch, error)

    def _ended_one(self, entries: int) -> None:
        self._unanswered -= entries
        self._progress = self._clock()

    # ---- in the thread

    def _work(self) -> None:
        try:
            self._serve()
            self._loop.call_soon_threadsafe(self._ended.set)
        except RuntimeError:
            # The loop was closed without closing us first: nobody is left to tell.
            return

    def _serve(self) -> None:
        asides: Asides = {}  # the newest of each kind
        open_ = True
        while open_:
            batch, open_ = self._take(asides)
            if batch:
                outcome = self._commit(batch)
                if isinstance(outcome, JournalError):
                    self._failure_delivered.clear()
                    self._loop.call_soon_threadsafe(self._failed, batch, outcome)
                    self._failure_delivered.wait()
                else:
                    self._loop.call_soon_threadsafe(self._succeeded, batch, outcome)
            while asides and self._queue.empty():  # facts go first
                self._keep(asides.pop(next(iter(asides))))

    def _take(self, asides: Asides) -> tuple[list[Waiting], bool]:
        """Waits for work and returns it: up to a batch, and whether more may come; puts what is kept into `asides`."""
        batch: list[Waiting] = []
        while True:
            item = self._queue.get()
            if isinstance(item, tuple):
                batch.append(item)
            elif item is None:
                return batch, False
            else:
                asides[_kind(item)] = item
            if len(batch) == MAX_BATCH or self._queue.empty():
                return batch, True


def _kind(aside: Aside) -> tuple[object, ...]:
    """Returns what tells things that replace each other from others: each word of a witness stands for itself."""
    if isinstance(aside, Cosigned):
        return Cosigned, aside.seq, aside.signature.name, aside.signature.id
    return (type(aside),)
