"""`python -m benchmarks.commit_ways`: what other ways to make one fact durable would give, beside the journal's.

Each way keeps a fact of the usual size and returns when it is durable; some take a table's step meanwhile.  The ways
take turns, with a pause between two facts as on a table, and with real-time priority where that is permitted.
"""

from __future__ import annotations

import os
import select
import sqlite3
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

from benchmarks.measure import folder, happened, machine, percentile
from benchmarks.ring import Ring
from controller.games import defaults, step
from controller.journal.database import connect
from controller.table.facts import AnyFact, CardOut, Chips, Key, Spot, Started
from controller.table.state import Table

FACTS = 600
PAUSE = 0.004  # seconds
SIZE = 240  # bytes of a record
LOG = 8 << 20  # bytes of a log that is there before it is written
PRIORITY = 10
HANDS = 7

Way = Callable[[int], None]


class Ways:
    """All of them, on one disk."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._told = os.eventfd(0, os.EFD_NONBLOCK)
        self._epoll = select.epoll()
        self._epoll.register(self._told, select.EPOLLIN)
        self._orders: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()
        self.ring = Ring()
        self._table, self._card = before_last_card()
        self.steps = 0

    def every(self) -> dict[str, Way]:
        """Returns each way by what it does."""
        grows = os.open(self._directory / "grows", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        ready = self._log("ready")
        ahead = self._log("ahead")
        here, there, meanwhile = (self._journal(name) for name in ("here", "there", "meanwhile"))
        lazy, wal = self._unsynced("lazy")
        busy, busy_wal = self._unsynced("busy")

        def bare(n: int) -> None:
            os.write(grows, bytes(SIZE))
            os.fdatasync(grows)

        def unsynced(n: int) -> None:
            lazy(n)
            self.ring.sync(wal)
            self.ring.wait()

        def unsynced_and_step(n: int) -> None:
            busy(n)
            self.ring.sync(busy_wal)
            self._step()
            self.ring.wait()

        def segment(n: int) -> None:
            self.ring.append(ready, bytes([n % 255 + 1]) * SIZE, n * SIZE)
            self.ring.wait()

        def segment_and_step(n: int) -> None:
            self.ring.append(ahead, bytes([n % 255 + 1]) * SIZE, n * SIZE)
            self._step()
            self.ring.wait()

        return {
            "append and fdatasync, nothing else": bare,
            "SQLite, in the thread that waits": here,
            "SQLite, in a thread of its own (the journal)": lambda n: self._elsewhere(lambda: there(n)),
            "the same, with a step meanwhile (the journal and the engine)": lambda n: self._both(lambda: meanwhile(n)),
            "SQLite without its sync, then io_uring": unsynced,
            "the same, with a step meanwhile ": unsynced_and_step,
            "an append-only segment by io_uring": segment,
            "the same, with a step meanwhile": segment_and_step,
        }

    def close(self) -> None:
        """Ends the thread and the ring."""
        self._orders.put(None)
        self._thread.join()
        self.ring.close()

    def _log(self, name: str) -> int:
        """Returns a file with room that is there already, so that no write changes its size."""
        file = os.open(self._directory / name, os.O_CREAT | os.O_RDWR)
        os.write(file, bytes(LOG))
        os.fsync(file)
        return file

    def _journal(self, name: str, synchronous: str = "FULL") -> Way:
        """Returns what commits a record and its device's row, as the journal does, to a log that does not grow."""
        connection, _ = connect(self._directory / f"{name}.db", "T1", create=True)
        connection.execute(f"PRAGMA synchronous = {synchronous}")

        def commit(n: int) -> None:
            row = "shoe", 7, n, "", n, 0
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO record (seq, sealed) VALUES (?, ?)", (n + 1, bytes(SIZE)))
            sql = "INSERT OR REPLACE INTO device (device, epoch, counter, gaps, seq, crc) VALUES (?, ?, ?, ?, ?, ?)"
            connection.execute(sql, row)
            connection.execute("COMMIT")

        _make_room(connection)
        return commit

    def _unsynced(self, name: str) -> tuple[Way, int]:
        """Returns what commits a record without making it durable, and the log that is to be synced then."""
        return self._journal(name, "NORMAL"), os.open(self._directory / f"{name}.db-wal", os.O_RDWR)

    def _elsewhere(self, commit: Callable[[], None]) -> None:
        self._orders.put(commit)
        self._epoll.poll()
        os.eventfd_read(self._told)

    def _both(self, commit: Callable[[], None]) -> None:
        self._orders.put(commit)
        time.sleep(0)  # the thread needs the interpreter to begin
        self._step()
        self._epoll.poll()
        os.eventfd_read(self._told)

    def _step(self) -> None:
        after, _ = step(self._table, 1000, 1000, self._card)
        self.steps += after.round is not None

    def _work(self) -> None:
        while (order := self._orders.get()) is not None:
            order()
            os.eventfd_write(self._told, 1)


def _make_room(connection: sqlite3.Connection) -> None:
    """Lets the write-ahead log grow to what it is in service, and begins it anew."""
    connection.execute("CREATE TABLE room (bytes BLOB)")
    for _ in range(40):
        connection.execute("INSERT INTO room VALUES (zeroblob(100000))")
    connection.execute("DROP TABLE room")
    connection.execute("PRAGMA wal_checkpoint(RESTART)")


def before_last_card() -> tuple[Table, CardOut]:
    """Returns a full table of Casino War before the card that is a tie, and that card."""
    table = Table()
    facts: list[AnyFact] = [
        Started("casino-war", {**defaults("casino-war"), "shoe": "csm", "seats": str(HANDS)}),
        *(Chips(area, (Spot("war", 1, 1000),)) for area in range(1, HANDS + 1)),
        Key("no-more-bets"),
        *(CardOut("Kh") for _ in range(HANDS)),
    ]
    for seq, fact in enumerate(facts, 1):
        table, _ = step(table, seq, seq, fact)
    return table, CardOut("Kd")


def main() -> None:
    """Prints one line for each way."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
        said = "with real-time priority"
    except PermissionError:
        said = "without real-time priority"
    with folder() as directory:
        ways = Ways(directory)
        every = ways.every()
        took: dict[str, list[float]] = {name: [] for name in every}
        for n in range(FACTS):
            for name, way in every.items():
                time.sleep(PAUSE)
                began = time.perf_counter()
                way(n)
                took[name].append(time.perf_counter() - began)
        ways.close()
        happened(ways.steps == 3 * FACTS, "the steps were not taken")
    print(f"{machine()}; {said}; load {os.getloadavg()[0]:.1f}")
    floor = statistics.median(next(iter(took.values())))
    for name, times in took.items():
        median, late = statistics.median(times), percentile(times, 0.99)
        print(f"{name:62} {median * 1e6:6.0f} us  {median / floor:5.2f}  p99 {late * 1e6:7.0f} us")


if __name__ == "__main__":
    main()
