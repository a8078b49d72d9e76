"""What a whole floor costs the server of its prize meters: processor time for each table, however many there are."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from contextlib import aclosing
from pathlib import Path

import msgspec

from benchmarks.measure import ROOT, Measured, happened, percentile, python
from controller.jackpot.lease import Holder, LeaseClaim
from controller.jackpot.ledger import Movement
from controller.jackpot.rules import Terms
from controller.jackpot.stores.postgres import PostgresStore
from controller.service.table_lease import RENEW
from tools.postgres import OwnServer, binaries

FLOORS = (100, 1_000)
GROUP = 20  # tables at one meter
EACH = 30.0  # seconds between two rounds of a table
SECONDS = 20.0  # that are measured
WAGERS = 3  # in a round
TERMS = Terms("nsw", 1, 20_000, 500)
WORDS = "nsw 1 20000 5 A caribbean-stud"
GOAL = 1.25  # what a table of the largest floor costs, beside one of the smallest
SOON = 1.0  # seconds until every table of a meter knows


class Seen(msgspec.Struct, frozen=True):
    """What the tables of a floor saw: rounds that were recorded, seconds until another table knew of each, failures."""

    rounds: int
    waits: list[float]
    failures: list[str]


def measure() -> list[Measured]:
    """Floors of different sizes, one after the other, each with a server of its own."""
    if binaries() is None:
        return [Measured("a floor at one server: this machine has no PostgreSQL", 0, "us")]
    lines, costs = [], list[float]()
    for tables in FLOORS:
        cost, seen = _floor(tables)
        happened(not seen.failures, f"{len(seen.failures)} calls of {tables} tables failed: {seen.failures[:1]}")
        happened(seen.rounds > tables * SECONDS / EACH / 2, f"only {seen.rounds} rounds were recorded")
        costs.append(cost)
        latest = percentile(seen.waits, 0.99)
        note = f"{tables // GROUP} meters, a round each {EACH:g} s at each table, {seen.rounds} rounds in {SECONDS:g} s"
        what = f"{tables:,} tables at one server"
        lines += [
            Measured(f"{what}: the server's time for a table and second", cost * 1e6, "us", costs[0] * 1e6, note=note),
            Measured(
                f"{what}: a round known at another table, p99", latest * 1e3, "ms", None, "< 1000 ms", latest < SOON
            ),
        ]
    growth = costs[-1] / costs[0]
    lines.append(Measured("growth of a table's cost", growth, "x", None, f"<= {GOAL:g}", growth <= GOAL))
    return lines


def _floor(tables: int) -> tuple[float, Seen]:
    """Returns the server's processor seconds for a table and second, and what the tables saw."""
    server = OwnServer({"max_connections": str(2 * tables + 20)}, in_memory=True)
    try:
        command = python("-m", "benchmarks.floor", server.dsn(), str(tables))
        child = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert child.stdin is not None
        assert child.stdout is not None
        happened(child.stdout.readline() == b"ready\n", "the tables did not come up")
        before, began = _server_seconds(server), time.monotonic()
        child.stdin.write(b"go\n")
        child.stdin.flush()
        seen = msgspec.json.decode(child.stdout.readline(), type=Seen)
        cost = (_server_seconds(server) - before) / (time.monotonic() - began) / tables
        child.communicate()
        return cost, seen
    finally:
        server.remove()


def _server_seconds(server: OwnServer) -> float:
    """Returns the processor seconds that all processes of the server have had, also those that have ended."""
    first = int((server.directory / "data" / "postmaster.pid").read_text().split()[0])
    times = Path(f"/proc/{first}/stat").read_text().rpartition(")")[2].split()
    ended = sum(map(int, times[13:15])) / os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    return ended + sum(_seconds(Path(f"/proc/{pid}/schedstat")) for pid in [str(first), *children])


def _seconds(schedstat: Path) -> float:
    try:
        return int(schedstat.read_text().split()[0]) / 1e9
    except FileNotFoundError:  # it has just ended
        return 0.0


class Table:
    """A table of the floor, as far as the server hears of it."""

    def __init__(self, dsn: str, number: int, told: dict[str, dict[int, float]]) -> None:
        self.name, self.meter = f"T{number}", f"M{number // GROUP}"
        self._told = told[self.meter]  # when each state of the meter was recorded
        self._store = PostgresStore(dsn, deadline=60.0)
        self._claim = LeaseClaim(Holder(self.name))
        self._chance = random.Random(number)
        self._last = 0
        self.rounds = 0
        self.waits: list[float] = []

    async def join(self) -> None:
        await self._store.open()
        await self._store.join(self.meter, self.name, TERMS, WORDS)
        await self._store.claim(self.meter, self.name, self._claim)
        await self._store.record(self.meter, self.name, [])

    async def live(self) -> None:
        """Plays, renews its lease and hears of the others until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._play())
            group.create_task(self._renew())
            group.create_task(self._listen())

    async def _play(self) -> None:
        await asyncio.sleep(self._chance.uniform(0, EACH))
        while True:
            self.rounds += 1
            numbers = range(self._last + 1, self._last + WAGERS + 1)
            batch = [Movement(n, self.rounds, "contribution", str(n), TERMS.increment) for n in numbers]
            done = await self._store.record(self.meter, self.name, batch)
            self._told[done.meter.recorded] = time.monotonic()
            self._last = done.last
            await self._store.glance(self.meter)
            await asyncio.sleep(EACH)

    async def _renew(self) -> None:
        await asyncio.sleep(self._chance.uniform(0, RENEW))
        while True:
            await self._store.renew(self.meter, self.name, self._claim)
            await asyncio.sleep(RENEW)

    async def _listen(self) -> None:
        async with aclosing(self._store.changes(self.meter)) as changes:
            async for meter in changes:
                if at := self._told.get(meter.recorded):
                    self.waits.append(time.monotonic() - at)

    async def leave(self) -> None:
        await self._store.close()


async def main(dsn: str, tables: int) -> None:
    """A child's part: all tables, from the word on."""
    told: dict[str, dict[int, float]] = {f"M{meter}": {} for meter in range(tables // GROUP + 1)}
    floor = [Table(dsn, number, told) for number in range(tables)]
    for table in floor:
        await table.join()
    living = [asyncio.create_task(table.live()) for table in floor]
    await asyncio.sleep(tables / 200)  # until all of them listen
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    before = sum(table.rounds for table in floor)
    await asyncio.sleep(SECONDS)
    ended = [task.exception() for task in living if task.done() and not task.cancelled()]
    failures = [str(error.exceptions[0]) for error in ended if isinstance(error, BaseExceptionGroup)]
    rounds, waits = sum(table.rounds for table in floor) - before, [wait for table in floor for wait in table.waits]
    for task in living:
        task.cancel()
    sys.stdout.buffer.write(msgspec.json.encode(Seen(rounds, waits, failures)) + b"\n")
    sys.stdout.buffer.flush()
    await asyncio.gather(*living, return_exceptions=True)
    for table in floor:
        await table.leave()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
