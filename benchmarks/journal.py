"""How many facts a second become durable, beside what SQLite takes of the same rows in the same batches."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import time
from pathlib import Path

from benchmarks.measure import Measured, folder
from controller.journal.records import Entry, genesis, pack, seal
from controller.journal.store import Journal
from controller.journal.writer import MAX_BATCH, Writer
from firmware_bridge.session import WINDOW

PAYLOAD = bytes(range(48))  # a card fact is about this long
GOAL = 0.8
REPEATS = 5
LOADS = {  # facts in flight and in all
    "two whole batches in flight": (2 * MAX_BATCH, 20_000),
    "ten full windows in flight": (10 * WINDOW, 10_000),  # the most that ten devices send without an answer
    "one by one": (1, 1_000),
}


def entry(number: int) -> Entry:
    return Entry(at_us=number * 1000, payload=PAYLOAD, device=f"shoe-{number % 4}", epoch=7, counter=number // 4 + 1)


def floor_rate(path: Path, facts: int, batch: int) -> float:
    """Rows a second of bare executemany: rows of the journal's size made beforehand, no hashing, no thread, no loop."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE record (seq INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT")
    digest = genesis("bench")
    rows = [(n + 1, seal(pack(n + 1, entry(n)), digest)) for n in range(facts)]
    began = time.perf_counter()
    for start in range(0, facts, batch):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO record VALUES (?, ?)", rows[start : start + batch])
        connection.execute("COMMIT")
    took = time.perf_counter() - began
    connection.close()
    return facts / took


async def writer_rate(path: Path, facts: int, in_flight: int) -> tuple[float, int]:
    """Facts a second through the threaded writer with so many in flight, and the mean batch that it made of them."""
    journal = Journal.open(path, table="bench")
    writer = Writer(journal)
    entries = [entry(n) for n in range(facts)]
    done = asyncio.get_running_loop().create_future()
    sent = stored = 0

    def one_more(_: object) -> None:
        nonlocal stored
        stored += 1
        if stored == facts:
            done.set_result(None)
        elif sent < facts:
            send()

    def send() -> None:
        nonlocal sent
        writer.submit(entries[sent], one_more)
        sent += 1

    commits = _count_commits(journal)
    began = time.perf_counter()
    for _ in range(min(in_flight, facts)):
        send()
    await done
    took = time.perf_counter() - began
    await writer.close()
    journal.close()
    return facts / took, round(facts / len(commits))


def _count_commits(journal: Journal) -> list[int]:
    sizes: list[int] = []
    append = journal.append

    def counted(batch):  # type: ignore[no-untyped-def]
        sizes.append(len(batch))
        return append(batch)

    journal.append = counted  # type: ignore[method-assign]
    return sizes


def measure() -> list[Measured]:
    lines = []
    for name, (in_flight, facts) in LOADS.items():
        rates, floors, batches = [], [], []
        for _ in range(REPEATS):
            with folder() as directory:
                rate, batch = asyncio.run(writer_rate(directory / "journal.db", facts, in_flight))
                rates.append(rate)
                batches.append(batch)
                floors.append(floor_rate(directory / "floor.db", facts, max(1, batch)))
        rate, floor = statistics.median(rates), statistics.median(floors)
        met = rate >= GOAL * floor
        note = f"batches of {statistics.median(batches):.0f}; floor: SQLite storing the same rows in the same batches"
        lines.append(Measured(f"durable facts, {name}", rate, "/s", floor, f">= {GOAL:g} x floor", met, note))
    return lines
