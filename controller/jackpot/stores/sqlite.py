"""Prize meters in a file beside the journal: for a table that shares its meter with none."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from controller.jackpot.ledger import Meter
from controller.jackpot.stores import chained, migrations
from controller.jackpot.stores.books import Books, Row
from controller.jackpot.stores.deeds import Deed, MeterDeeds
from controller.jackpot.stores.store import DEADLINE, failed
from controller.journal.database import sync_directory

T = TypeVar("T")
OPENING = 300.0  # seconds: every page of the file is looked at first, and after years it is a large one
SCHEMA = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
GLANCE = 0.5  # seconds between looks for what another process did


class SqliteStore(MeterDeeds):
    """A store of prize meters in a file. One thread owns it; every deed is on the disk before it is answered.

    `clock`: the time of day by which entries are kept, in nanoseconds since 1970.
    """

    def __init__(self, path: Path, deadline: float = DEADLINE, clock: Callable[[], int] = time.time_ns) -> None:
        self._path, self._deadline, self._clock = path, deadline, clock
        self._thread: ThreadPoolExecutor | None = None
        self._db: sqlite3.Connection | None = None
        self._changed = asyncio.Event()

    async def open(self) -> None:
        """Opens the file and checks it, and that every meter adds up."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="jackpot")
        try:
            await self._call(self._connect, max(OPENING, self._deadline))
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Closes the file and ends the thread; harmless twice."""
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.get_running_loop().run_in_executor(thread, self._disconnect)
            thread.shutdown()

    def _connect(self) -> None:
        with suppress(OSError):  # it is there, or it cannot be: SQLite says that better
            self._path.touch(0o600, exist_ok=False)
        db = self._db = sqlite3.connect(self._path, timeout=self._deadline / 2, isolation_level=None)
        (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":  # without a log ahead of the file a cut could take back what was answered
            raise failed("jackpot.unreachable", f"{self._path} cannot be kept with a write-ahead log here (got {mode})")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        for (complaint,) in db.execute("PRAGMA quick_check"):
            if complaint != "ok":
                raise failed("jackpot.corrupt", f"{self._path}: {' '.join(complaint.split())}")
        steps = migrations.steps("sqlite")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version > max(steps):
            raise failed("jackpot.newer", f"{self._path} has schema {version}; this feltd knows {max(steps)}")
        for number, sql in steps.items():
            if number > version:
                _migrate(_books(db, self._clock), db, number, sql)
        for meter in _run(_books(db, self._clock).meters()):
            self._tally(db, meter)
        sync_directory(self._path.parent)  # SQLite does so too, and does not say when it cannot

    def _tally(self, db: sqlite3.Connection, meter: Meter) -> None:
        """Checks the sum of all movements: quick enough for every start; `verify` looks at each of them."""
        sums = "count(*), coalesce(sum(moved), 0), coalesce(sum(overflow), 0)"
        kept = db.execute(f"SELECT {sums} FROM jackpot_movements WHERE meter = ?", (meter.group,)).fetchone()
        wanted = (meter.recorded, meter.value - meter.startup, meter.overflow)
        if kept != wanted:
            cause = f"{meter.group}: movements, ticks and overflow come to {kept}, and the meter says {wanted}"
            raise failed("jackpot.corrupt", cause)

    def _disconnect(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            db.close()

    async def _foreign(self, books: Books) -> list[str]:
        """Compares the schema, word for word, with one that the same steps make anew."""
        kept = set(await books.query(SCHEMA, ()))
        fresh = sqlite3.connect(":memory:")
        try:
            for sql in migrations.steps("sqlite").values():
                fresh.executescript(sql)
            wanted = set(fresh.execute(SCHEMA))
        finally:
            fresh.close()
        added = [f"the schema has the {kind} {name}, which is not ours" for kind, name, _ in kept - wanted]
        return sorted([*added, *(f"the schema lacks our {kind} {name}" for kind, name, _ in wanted - kept)])

    async def changes(self, group: str) -> AsyncGenerator[Meter, None]:
        """Yields the meter now and after each change; what another process changed is seen a little later."""
        seen = None
        while True:
            changed = self._changed
            meter = await self.meter(group)
            if meter != seen:
                yield (seen := meter)
                continue
            try:
                async with asyncio.timeout(GLANCE):
                    await changed.wait()
            except TimeoutError:
                pass

    async def _read(self, deed: Deed[T]) -> T:
        return await self._call(lambda: self._transaction("BEGIN", deed))

    async def _write(self, deed: Deed[T], again: bool = False) -> T:
        done = await self._call(lambda: self._transaction("BEGIN IMMEDIATE", deed))
        self._changed.set()
        self._changed = asyncio.Event()
        return done

    def _transaction(self, begin: str, deed: Deed[T]) -> T:
        db = self._db
        if db is None:
            raise failed("jackpot.unreachable", f"{self._path} is not open")
        db.execute(begin)
        try:
            done = _run(deed(_books(db, self._clock)))
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        return done

    async def _call(self, work: Callable[[], T], deadline: float | None = None) -> T:
        """Runs work in the thread; ends within the deadline, even if the disk does not."""
        if self._thread is None:
            raise failed("jackpot.unreachable", f"{self._path} is not open")
        job = asyncio.get_running_loop().run_in_executor(self._thread, work)
        done, _ = await asyncio.wait({job}, timeout=deadline or self._deadline)
        if not done:
            job.add_done_callback(lambda late: late.cancelled() or late.exception())  # whatever it says comes too late
            raise failed("jackpot.unreachable", f"{self._path} does not answer")
        try:
            return job.result()
        except OSError as bad:
            raise failed("jackpot.unreachable", f"{self._path}: {bad.strerror or bad}") from bad
        except sqlite3.OperationalError as bad:
            # A table or a column is gone, or a sum of what it has overflows: no disk and no lock brings that about.
            # One without a code is Python's own: a text that is none.
            altered = getattr(bad, "sqlite_errorcode", sqlite3.SQLITE_ERROR) == sqlite3.SQLITE_ERROR
            raise failed("jackpot.corrupt" if altered else "jackpot.unreachable", f"{self._path}: {bad}") from bad
        except sqlite3.DatabaseError as bad:  # not a database, malformed, or a check of the schema
            raise failed("jackpot.corrupt", f"{self._path}: {bad}") from bad
        except (UnicodeDecodeError, msgspec.MsgspecError) as bad:  # a line, or the description of a table, is altered
            raise failed("jackpot.corrupt", f"{self._path}: what it has cannot be read ({type(bad).__name__})") from bad


def _migrate(books: Books, db: sqlite3.Connection, number: int, sql: str) -> None:
    """Brings the schema one step on, unless another process has done so meanwhile."""
    try:
        db.executescript(f"BEGIN IMMEDIATE; {sql}")
        if number == migrations.CHAIN:
            chained.tell_chained(_run(chained.chain_older_entries(books)))
        db.execute(f"PRAGMA user_version = {number}")
        db.execute("COMMIT")
    except sqlite3.OperationalError:
        if db.in_transaction:
            db.execute("ROLLBACK")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version < number:
            raise


def _books(db: sqlite3.Connection, clock: Callable[[], int] = time.time_ns) -> Books:
    async def query(sql: str, parameters: Sequence[object]) -> list[Row]:
        return db.execute(sql, tuple(parameters)).fetchall()

    async def now() -> int:
        return clock() // 1_000

    return Books(query, now)


def _run(deed: Coroutine[Any, Any, T]) -> T:
    """Runs a deed to its end: SQLite answers at once, so a deed never waits."""
    try:
        deed.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise AssertionError("a deed waited")
