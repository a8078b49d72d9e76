"""How fast the journal stores facts and starts again, beside the floor that SQLite and the disk set in the same run."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from controller.journal import Entry, Journal, Writer  # noqa: E402
from controller.journal.writer import MAX_BATCH  # noqa: E402

PAYLOAD = bytes(range(48))  # a card fact is about this long
IN_FLIGHT = 2 * MAX_BATCH  # one batch committing, one waiting: what group commit is for
TAIL = 1000  # facts after the last snapshot
ROUNDS = 5


def entry(number: int) -> Entry:
    return Entry(at_us=number * 1000, payload=PAYLOAD, device=f"shoe-{number % 4}", epoch=7, counter=number // 4 + 1)


def floor_rate(folder: Path, facts: int, batch: int) -> float:
    """Facts a second of bare executemany: same fields, same batch, same disk, no checksum, no chain, no index."""
    connection = sqlite3.connect(folder / "floor.db", isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(
        "CREATE TABLE record"
        " (seq INTEGER PRIMARY KEY, at_us INTEGER, device TEXT, epoch INTEGER, counter INTEGER, payload BLOB)"
    )
    rows = [(n + 1, n * 1000, f"shoe-{n % 4}", 7, n // 4 + 1, PAYLOAD) for n in range(facts)]
    began = time.perf_counter()
    for start in range(0, facts, batch):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)", rows[start : start + batch])
        connection.execute("COMMIT")
    took = time.perf_counter() - began
    connection.close()
    return facts / took


def append_rate(folder: Path, facts: int, batch: int) -> float:
    """Facts a second of Journal.append alone, without the asyncio front."""
    journal = Journal.open(folder / "append.db", table="bench")
    entries = [entry(n) for n in range(facts)]
    began = time.perf_counter()
    for start in range(0, facts, batch):
        journal.append(entries[start : start + batch])
    took = time.perf_counter() - began
    journal.close()
    return facts / took


async def writer_rate(folder: Path, facts: int, in_flight: int) -> tuple[float, float]:
    """Facts a second through Writer with so many in flight, and the mean batch it made of them."""
    journal = Journal.open(folder / "writer.db", table="bench")
    commits = 0
    append = journal.append

    def counted(batch):  # type: ignore[no-untyped-def]
        nonlocal commits
        commits += 1
        return append(batch)

    journal.append = counted  # type: ignore[method-assign]
    writer = Writer(journal)
    entries = [entry(n) for n in range(facts)]
    done = asyncio.get_running_loop().create_future()
    sent = stored = 0

    def more(_: object = None) -> None:
        nonlocal sent, stored
        if _ is not None:
            stored += 1
        while sent < facts and sent - stored < in_flight:
            writer.submit(entries[sent]).add_done_callback(more)
            sent += 1
        if stored == facts:
            done.set_result(None)

    began = time.perf_counter()
    more()
    await done
    took = time.perf_counter() - began
    await writer.close()
    journal.close()
    return facts / took, facts / commits


def fill_and_die(path: Path, facts: int) -> None:
    """In a child: write the journal and end as kill -9 does, leaving the write-ahead log behind."""
    journal = Journal.open(path, table="bench")
    kept = max(0, facts - TAIL)
    for start in range(0, kept, 20_000):
        journal.append([entry(n) for n in range(start, min(start + 20_000, kept))])
    journal.snapshot(kept, bytes(256 * 1024))
    for start in range(kept, facts, 10):
        journal.append([entry(n) for n in range(start, min(start + 10, facts))])
    os._exit(9)


def restart_seconds(path: Path, facts: int) -> float:
    began = time.perf_counter()
    journal = Journal.open(path, table="bench")
    snapshot, _ = journal.latest_snapshot()
    tail = list(journal.iterate(1 if snapshot is None else snapshot.seq + 1))
    took = time.perf_counter() - began
    assert journal.head.seq == facts and len(tail) == min(TAIL, facts)
    journal.close()
    return took


def read_seconds(path: Path) -> float:
    """The floor of a restart that reads everything: SQLite hands over every row and nobody looks at it."""
    connection = sqlite3.connect(path)
    began = time.perf_counter()
    for _ in connection.execute("SELECT * FROM record"):
        pass
    took = time.perf_counter() - began
    connection.close()
    return took


def fdatasync_us(folder: Path) -> float:
    """What the disk itself takes to make a page durable: the dearer it is, the closer all ratios come to one."""
    times = []
    with (folder / "sync").open("wb") as file:
        for _ in range(100):
            file.write(bytes(4096))
            file.flush()
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - began)
    return statistics.median(times) * 1e6


def throughput(facts: int, in_flight: int) -> dict[str, float]:
    writer, floor, append, batch, sync = [], [], [], [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(dir=ROOT, prefix=".bench-") as name:
            rate, mean = asyncio.run(writer_rate(Path(name), facts, in_flight))
            writer.append(rate)
            batch.append(mean)
            floor.append(floor_rate(Path(name), facts, round(mean)))
            append.append(append_rate(Path(name), facts, round(mean)))
            sync.append(fdatasync_us(Path(name)))
    ratios = [ours / bare for ours, bare in zip(writer, floor, strict=True)]
    return {
        "facts": facts,
        "in_flight": in_flight,
        "batch": round(statistics.median(batch), 1),
        "fdatasync_us": round(statistics.median(sync)),
        "floor_per_s": round(statistics.median(floor)),
        "append_to_floor": round(statistics.median(a / b for a, b in zip(append, floor, strict=True)), 3),
        "append_per_s": round(statistics.median(append)),
        "writer_per_s": round(statistics.median(writer)),
        "writer_to_floor": round(statistics.median(ratios), 3),
    }


def restart(facts: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".bench-") as name:
        path = Path(name) / "restart.db"
        began = time.perf_counter()
        subprocess.run([sys.executable, __file__, "--fill", str(path), "--facts", str(facts)], check=False)
        filled = time.perf_counter() - began
        seconds = restart_seconds(path, facts)
        again = statistics.median(restart_seconds(path, facts) for _ in range(3))
        whole = read_seconds(path)
        size = path.stat().st_size
    return {
        "facts": facts,
        "bytes_per_fact": round(size / facts, 1),
        "fill_s": round(filled, 2),
        "after_kill_s": round(seconds, 4),
        "after_close_s": round(again, 4),
        "read_all_floor_s": round(whole, 4),
        "restart_to_read_all": round(seconds / whole, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=1_000_000, help="facts in the journal that is started again")
    parser.add_argument("--durable", type=int, default=20_000, help="facts stored in each throughput run")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--fill", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fill:
        fill_and_die(options.fill, options.facts)
    result = {
        "burst": throughput(options.durable, IN_FLIGHT),
        "table": throughput(max(1, options.durable // 4), 32),
        "single": throughput(max(1, options.durable // 20), 1),
        "restart": restart(options.facts),
    }
    if options.json:
        print(json.dumps(result))
        return
    for title, numbers in result.items():
        print(title)
        for name, value in numbers.items():
            print(f"  {name:22} {value:>14,}")


if __name__ == "__main__":
    main()
