"""Two hundred tables on one PostgreSQL, with kill -9 of tables and crashes of the server: every wager counts once."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import pytest

from controller.jackpot.ledger import Movement, Posting
from controller.jackpot.stores.postgres import PostgresStore
from tests.system.floor_process import GROUP, read, written
from tools.postgres import OwnServer, binaries

ROOT = Path(__file__).resolve().parents[2]
BARE, WHOLE = 190, 10  # tables, see floor_process
PROCESSES, ROUNDS = 4, 6  # the last process has the whole ones
KILLS, CRASHES = 6, 3
SEED, INCREMENT = Fraction(100_000), Fraction(5) * Fraction("0.5722")


@pytest.fixture
def server() -> Iterator[OwnServer]:
    if binaries() is None:
        pytest.skip("this machine has no PostgreSQL")
    own = OwnServer({"max_connections": "600"})
    yield own
    own.remove()


class Floor:
    """Processes with tables in them."""

    def __init__(self, dsn: str, directory: Path) -> None:
        self._dsn, self._directory = dsn, directory
        self.processes = [self._start(number) for number in range(PROCESSES)]

    def _start(self, number: int) -> subprocess.Popen[bytes]:
        share = -(-BARE // (PROCESSES - 1))
        first = number * share
        whole = number == PROCESSES - 1
        tables = ("whole", 0, WHOLE) if whole else ("bare", first, min(share, BARE - first))
        words = [tables[0], self._dsn, str(self._directory), str(tables[1]), str(tables[2]), str(ROUNDS)]
        command = [sys.executable, "-m", "tests.system.floor_process", *words]
        return subprocess.Popen(command, cwd=ROOT)

    def kill(self, number: int) -> None:
        """And start again, whatever it was doing."""
        self.processes[number].kill()
        self.processes[number].wait()
        self.processes[number] = self._start(number)

    def finish(self) -> None:
        assert [process.wait() for process in self.processes] == [0] * PROCESSES

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


def chaos(tables: Floor, server: OwnServer) -> None:
    """Kills and crashes in any order, and then peace."""
    chance = random.Random()
    deeds = ["kill"] * KILLS + ["crash"] * CRASHES
    chance.shuffle(deeds)
    for deed in deeds:
        time.sleep(chance.uniform(0.3, 1.2))
        if deed == "crash":
            server.restart()
        else:
            tables.kill(chance.randrange(PROCESSES))


def model(told: list[tuple[str, Movement]]) -> Fraction:
    """What the meter must hold after these, in this order."""
    value, won = SEED, dict[tuple[str, int], Fraction]()
    for table, m in told:
        before = value
        if m.kind == "outcome":
            tenth = Fraction(floor(ceil(value) * Fraction("0.1") * 10_000), 10_000)
            value = SEED if m.flushes[0][1] == "ROYAL_FLUSH" else value - tenth
            won[table, m.round] = before - value
        elif m.kind == "undo":
            value += won.pop((table, m.round))
        else:
            value += INCREMENT if m.kind == "contribution" else -INCREMENT
    return value


async def history(store: PostgresStore) -> list[Posting]:
    found: list[Posting] = []
    while page := await store.ledger(GROUP, len(found)):
        found += page
    return found


@pytest.mark.timeout(180)
def test_every_wager_counts_once(server: OwnServer, tmp_path: Path) -> None:
    tables = Floor(server.dsn(), tmp_path)
    try:
        chaos(tables, server)
        tables.finish()
    finally:
        tables.end()
    asyncio.run(compare(server, tmp_path))


async def compare(server: OwnServer, directory: Path) -> None:
    """What the tables wrote down before they told it, with what the server recorded."""
    store = PostgresStore(server.dsn(), deadline=30)
    await store.open()
    recorded = await history(store)
    bare, whole = directory.glob("bare???"), directory.glob("whole???.db")
    by_table = {path.name: [m for batch in read(path) for m in batch.movements] for path in bare}
    by_table |= {path.stem: written(path) for path in whole}
    assert len(by_table) == BARE + WHOLE and sum(len(by_table[f"whole{i:03}"]) for i in range(WHOLE)) >= WHOLE
    for table, movements in by_table.items():
        assert [p.movement for p in recorded if p.table == table] == movements
    assert len(recorded) == sum(map(len, by_table.values())) and not any(p.repeat for p in recorded)
    meter = await store.meter(GROUP)
    assert Fraction(meter.value, 10_000) == model([(p.table, p.movement) for p in recorded])
    assert await store.verify(GROUP) == []
    await store.close()
