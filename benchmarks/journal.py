"""How many facts a second become durable, beside what SQLite takes of the same rows in the same batches."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import Measured, folder, happened
from controller.journal import schema
from controller.journal.counters import device_crc
from controller.journal.records import Duplicate, Entry, Record, chained, genesis, pack, seal
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


Rows = tuple[list[tuple[int, bytes]], list[tuple[str, int, int, str, int, int]]]  # records; what is known of devices


def batches(facts: int, size: int) -> list[Rows]:
    """What the journal stores of these facts, batch by batch: each record, and a row for each device that told some."""
    made, digest = [], genesis("bench")
    for start in range(0, facts, size):
        records, told = [], {}
        for n in range(start, min(start + size, facts)):
            each, body = entry(n), pack(n + 1, entry(n))
            digest = chained(digest, body)
            records.append((n + 1, seal(body, digest)))
            told[each.device] = (each.device, each.epoch, each.counter, "", n + 1)
        made.append((records, [(*row, device_crc(*row)) for row in told.values()]))
    return made


def floor_rate(path: Path, facts: int, batch: int) -> float:
    """Rows a second of bare executemany: rows of the journal made beforehand, no hashing, no thread, no loop."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    schema.create(connection)
    made = batches(facts, batch)
    began = time.perf_counter()
    for records, told in made:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO record VALUES (?, ?)", records)
        connection.executemany("INSERT OR REPLACE INTO device VALUES (?, ?, ?, ?, ?, ?)", told)
        connection.execute("COMMIT")
    took = time.perf_counter() - began
    stored, newest = connection.execute("SELECT count(*), max(seq) FROM record").fetchone()
    happened(stored == newest == facts, f"{stored} of {facts} rows were stored")
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

    commits = count_commits(journal)
    began = time.perf_counter()
    for _ in range(min(in_flight, facts)):
        send()
    await done
    took = time.perf_counter() - began
    await writer.close()
    happened(journal.head.seq == facts, f"{journal.head.seq} of {facts} facts are in the journal")
    journal.close()
    return facts / took, round(facts / len(commits))


def count_commits(journal: Journal) -> list[tuple[float, int]]:
    """Returns a list that grows with every commit: when it was done, and how many facts it had."""
    done: list[tuple[float, int]] = []
    append = journal.append

    def counted(batch: Sequence[Entry]) -> list[Record | Duplicate]:
        results = append(batch)
        done.append((time.monotonic(), len(batch)))
        return results

    journal.append = counted  # type: ignore[method-assign]
    return done


def measure() -> list[Measured]:
    lines = []
    for name, (in_flight, facts) in LOADS.items():
        rates, floors, sizes = [], [], []
        for _ in range(REPEATS):
            with folder() as directory:
                rate, batch = asyncio.run(writer_rate(directory / "journal.db", facts, in_flight))
                rates.append(rate)
                sizes.append(batch)
                floors.append(floor_rate(directory / "floor.db", facts, max(1, batch)))
        rate, floor = statistics.median(rates), statistics.median(floors)
        met = rate >= GOAL * floor
        note = f"batches of {statistics.median(sizes):.0f}; floor: SQLite storing the same rows in the same batches"
        lines.append(Measured(f"durable facts, {name}", rate, "/s", floor, f">= {GOAL:g} x floor", met, note))
    return lines
