"""How long the daemon takes from its start until it is ready, after kill -9 in mid-round, with a million facts."""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from benchmarks.measure import Measured, environment, folder, happened, python
from benchmarks.processes import NAME, configure, feltd, peer, settle
from benchmarks.rounds import Teller, a_round
from controller.daemon.compose import JOURNAL
from controller.journal.records import Entry
from controller.journal.store import Journal
from controller.service import snapshots
from controller.service.engine import SNAPSHOT_EVERY
from controller.table import facts, state

FACTS = 1_000_000
BATCH = 20_000
REAL_ROUNDS = 50
ROUND = 6  # facts of a round that the peer plays
OPEN = 3  # facts of the round that it leaves open
LAST_ROUNDS = (SNAPSHOT_EVERY - 1) // ROUND  # as many as there can be after a snapshot without bringing the next one
KILLS = 5
GOAL = 1.0  # seconds


async def fill(directory: Path, config: Path, many: int) -> None:
    """So many facts, and a snapshot.

    Only the first rounds are played; what follows are the same facts again.  A restart reads none of them, and playing
    them all would take minutes.
    """
    journal = Journal.open(directory / JOURNAL, table=NAME)
    teller = Teller(journal, config)
    await teller.start()
    for _ in range(REAL_ROUNDS):
        await teller.tell(a_round())
    entries = _again(teller, many - journal.head.seq)
    while batch := list(islice(entries, BATCH)):
        journal.append(batch)
    seq, payload = journal.head.seq, state.encode(teller.engine.table)
    journal.snapshot(seq, payload)
    journal.append([Entry(many, facts.encode(snapshots.named(seq, payload)))])
    journal.close()


def _again(teller: Teller, many: int) -> Iterator[Entry]:
    for number, (device, fact) in enumerate(islice(cycle(a_round()), many)):
        origin = teller.origin(device)
        yield Entry(number, facts.encode(fact), origin.device, origin.epoch, origin.counter)


def restarts(directory: Path, config: Path) -> tuple[list[float], list[float]]:
    """Seconds until READY after each kill, and those of a bare interpreter."""
    took, bare = [], []
    with peer("rounds", str(directory), str(LAST_ROUNDS)) as devices:
        with feltd(config):
            settle(config)
            devices.go()
            while devices.line() != b"open\n":
                pass
        # It was killed with a round open and its last facts only in the write-ahead log.  The devices have nothing
        # more to say, so every further start finds the same.
        for _ in range(KILLS):
            with feltd(config) as (_, seconds):
                took.append(seconds)
            began = time.perf_counter()
            subprocess.run(python("-c", "pass"), check=True, env=environment(directory))
            bare.append(time.perf_counter() - began)
    return took, bare


def measure() -> list[Measured]:
    with folder() as directory:
        config = configure(directory)
        last = LAST_ROUNDS * ROUND + OPEN
        asyncio.run(fill(directory, config, FACTS - last))
        took, bare = restarts(directory, config)
        journal = Journal.open(directory / JOURNAL, table=NAME)
        happened(journal.head.seq >= FACTS, f"the journal has {journal.head.seq:,} facts")
        journal.close()
    value, floor = statistics.median(took), statistics.median(bare)
    note = f"feltd, {FACTS:,} facts, {last} after the snapshot; floor: the interpreter alone"
    return [Measured("restart after kill -9", value, "s", floor, f"<= {GOAL:g} s", value <= GOAL, note)]
