"""Rounds recorded on one shared prize meter, beside the least a server can do: pgbench updating a single row."""

from __future__ import annotations

import asyncio
import bisect
import re
import statistics
import subprocess
import sys
import time

import msgspec
import psycopg

from benchmarks.measure import ROOT, Measured, happened, percentile, python
from controller.jackpot.ledger import Movement
from controller.jackpot.rules import Terms
from controller.jackpot.stores.postgres import PostgresStore
from tools.postgres import OwnServer, binaries

CLIENTS, PROCESSES = 8, 2
TURNS, SECONDS = 11, 1.0  # many and short: whatever else the machine does disturbs all alike
LATEST = 2.0  # seconds in which a listener hears of the last round
WAGERS = 3  # in a round
TERMS = Terms("nsw", 1, 20_000, 500)
GROUP, WORDS = "BENCH", "nsw 1 20000 5 A caribbean-stud"
FLOOR = "UPDATE bench_row SET value = value + 28610 WHERE id = 1;\n"
SAME = (  # what our own client sends
    f"\\set first :first + {WAGERS}\n"
    f"CALL jackpot_contribute('{GROUP}', 'bare.' || :client_id, '', :first,"
    f" array_fill(:first::bigint, ARRAY[{WAGERS}]), '{{1,2,3}}', 28610, false, NULL);\n"
)

Moments = list[tuple[float, int]]  # when, and how many movements the meter had


def measure() -> list[Measured]:
    """Turn by turn with the floor, on one server."""
    if binaries() is None:
        return [Measured("rounds on one shared meter: this machine has no PostgreSQL", 0, "/s")]
    server = OwnServer()
    try:
        return _measure(server)
    finally:
        server.remove()


def _measure(server: OwnServer) -> list[Measured]:
    dsn = server.dsn()
    with psycopg.connect(dsn) as conn:
        conn.execute("CREATE TABLE bench_row (id int PRIMARY KEY, value bigint)")
        conn.execute("INSERT INTO bench_row VALUES (1, 0)")
    asyncio.run(_prepare(dsn))
    listener, *tables = Child("listen", dsn), *(Child("record", dsn, str(process)) for process in range(PROCESSES))
    floors, bare, ours, commits = list[float](), list[float](), list[float](), Moments()
    for _ in range(TURNS):
        floors.append(_pgbench(server, FLOOR))
        bare.append(_pgbench(server, SAME, f"first={1 - WAGERS + _told(server)}"))
        turn = _turn(tables)
        happened(bool(turn), "no round reached the shared meter")
        ours.append(len(turn) / SECONDS)
        commits += turn
    time.sleep(LATEST)
    waits = _waits(commits, listener.end())
    for table in tables:
        table.end()
    p50, p99 = (percentile(waits, share) * 1_000 for share in (0.5, 0.99))
    return [
        *_beside("rounds on one shared meter", ours, floors),
        *_beside("the same with pgbench as client: the server's part", bare, floors),
        Measured("commit to a listener elsewhere, under that load, p50", p50, "ms"),
        Measured("commit to a listener elsewhere, under that load, p99", p99, "ms", None, "< 1000 ms", p99 < 1_000),
    ]


def _beside(what: str, rates: list[float], floors: list[float]) -> list[Measured]:
    """The medians; and the median of the ratios, each of two neighbours in time, by which the goal is judged."""
    ratios = sorted(rate / floor for rate, floor in zip(rates, floors, strict=True))
    ratio = statistics.median(ratios)
    note = f"{CLIENTS} clients, {WAGERS} wagers a round; turns from {ratios[0]:.2f} to {ratios[-1]:.2f}"
    return [
        Measured(what, statistics.median(rates), "/s", statistics.median(floors)),
        Measured(f"{what}, ratio turn by turn", ratio, "x", None, ">= 0.8 x floor", ratio >= 0.8, note),
    ]


async def _prepare(dsn: str) -> None:
    store = PostgresStore(dsn)
    await store.open()
    for client in range(CLIENTS):
        await store.join(GROUP, f"bare.{client}", TERMS, WORDS)
    await store.close()


def _told(server: OwnServer) -> int:
    """Starts the tables of `SAME` anew from one number, whatever each of them told before."""
    with psycopg.connect(server.dsn()) as conn:
        sql = "UPDATE jackpot_tables SET last = (SELECT max(last) FROM jackpot_tables) WHERE table_name LIKE 'bare.%%'"
        row = conn.execute(sql + " RETURNING last", ()).fetchone()
    assert row is not None
    return int(row[0])


def _pgbench(server: OwnServer, sql: str, *variables: str) -> float:
    """Transactions a second, with as many clients."""
    script = server.directory / "script.sql"
    script.write_text(sql)
    command = [str(server.home / "pgbench"), "-h", str(server.directory), "-U", "felt", "-n", "-f", str(script)]
    command += [word for variable in variables for word in ("-D", variable)]
    command += ["-M", "prepared", "-c", str(CLIENTS), "-j", str(PROCESSES), "-T", f"{SECONDS:.0f}", "postgres"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rate = re.search(r"tps = ([\d.]+)", output)
    assert rate is not None, output
    return float(rate[1])


def _turn(tables: list[Child]) -> Moments:
    """All tables of all processes, for a while."""
    for child in tables:
        child.go()
    return [moment for child in tables for moment in child.commits()]


def _waits(commits: Moments, notices: Moments) -> list[float]:
    """Seconds until another connection heard of each."""
    seen = [count for _, count in notices]
    return [max(0.0, notices[bisect.bisect_left(seen, count)][0] - at) for at, count in commits]


class Child:
    """A process of this module that is connected, and waits for the word."""

    def __init__(self, *arguments: str) -> None:
        command = python("-m", "benchmarks.meters", *arguments)
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._in, self._out = process, process.stdin, process.stdout
        assert self._out.readline() == b"ready\n"

    def go(self) -> None:
        """One more turn."""
        self._in.write(b"go\n")
        self._in.flush()

    def commits(self) -> Moments:
        """What it saw in this turn."""
        return msgspec.json.decode(self._out.readline(), type=Moments)

    def end(self) -> Moments:
        """What it saw after the last turn."""
        return msgspec.json.decode(self._process.communicate()[0] or b"[]", type=Moments)


async def _word() -> bool:
    """Waits for the word; False at the end."""
    return bool(await asyncio.to_thread(sys.stdin.readline))


def _say(moments: Moments) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(moments) + b"\n")
    sys.stdout.buffer.flush()


async def _record(dsn: str, name: str) -> None:
    """Tables that play as fast as they can."""
    numbers = {f"{name}.{client}": 0 for client in range(CLIENTS // PROCESSES)}
    stores = {table: PostgresStore(dsn) for table in numbers}
    for table, store in stores.items():
        await store.open()
        await store.join(GROUP, table, TERMS, WORDS)
        await store.record(GROUP, table, [])  # from here on it knows where it stands

    async def play(table: str, end: float) -> Moments:
        commits: Moments = []
        while time.monotonic() < end:
            number = numbers[table]
            wagers = range(number + 1, number + WAGERS + 1)
            batch = [Movement(n, number, "contribution", str(n - number), TERMS.increment) for n in wagers]
            done = await stores[table].record(GROUP, table, batch)
            commits.append((time.monotonic(), done.meter.recorded))
            numbers[table] = done.last
        return commits

    print("ready", flush=True)
    while await _word():
        end = time.monotonic() + SECONDS
        turns = await asyncio.gather(*(play(table, end) for table in stores))
        _say([moment for turn in turns for moment in turn])
    for store in stores.values():
        await store.close()


async def _listen(dsn: str) -> None:
    """A display: hears until its owner has heard enough."""
    notices: Moments = []

    async def listen() -> None:
        async for meter in PostgresStore(dsn).changes(GROUP):
            if not notices:
                print("ready", flush=True)
            notices.append((time.monotonic(), meter.recorded))

    listening = asyncio.create_task(listen())
    await _word()
    listening.cancel()
    _say(notices)


def main(role: str, dsn: str, name: str = "") -> None:
    """A child's part."""
    asyncio.run(_listen(dsn) if role == "listen" else _record(dsn, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
