"""What the record of a round costs: the table's own thread with and without it, the thread that keeps it, the disk."""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path

import msgspec

from benchmarks.measure import Measured, folder, happened
from benchmarks.processes import configure
from benchmarks.rounds import Teller, a_round
from controller.journal.store import Journal
from controller.service.round_keeper import RoundKeeper
from controller.service.round_store import FILE

ROUNDS = 200
TURNS = 5
GOAL = 1.05  # of the table's own thread


class Turn(msgspec.Struct, frozen=True):
    """Seconds of CPU for one round, and bytes on the disk."""

    table: float
    keeper: float = 0.0
    size: float = 0.0


async def _turn(directory: Path, kept: bool) -> Turn:
    journal = Journal.open(directory / "journal.db", table="bench")
    try:
        teller = Teller(journal, configure(directory))
        await teller.start()
        keeper = RoundKeeper(journal, teller.engine, directory / FILE)
        if kept:
            keeper.start()
        before, all_before = time.thread_time(), time.process_time()
        for _ in range(ROUNDS):
            await teller.tell(a_round())
        table = time.thread_time() - before
        happened(teller.engine.table.number == ROUNDS, f"{teller.engine.table.number} of {ROUNDS} rounds were played")
        if not kept:
            return Turn(table / ROUNDS)
        await asyncio.to_thread(keeper.fresh, 120.0)
        others = time.process_time() - all_before - (time.thread_time() - before)
        happened(keeper.store.count() == ROUNDS, "not every round is on record")
        await keeper.stop()
        return Turn(table / ROUNDS, others / ROUNDS, (directory / FILE).stat().st_size / ROUNDS)
    finally:
        journal.close()


def _measured(kept: bool) -> Turn:
    with folder() as directory:
        return asyncio.run(_turn(directory, kept))


def measure() -> list[Measured]:
    """Measures turn about, so that what else the machine does hits both alike."""
    turns = [(_measured(kept=False), _measured(kept=True)) for _ in range(TURNS)]
    without = statistics.median(bare.table for bare, _ in turns) * 1e6
    table = statistics.median(kept.table for _, kept in turns) * 1e6
    keeper = statistics.median(kept.keeper for _, kept in turns) * 1e6
    size = statistics.median(kept.size for _, kept in turns)
    note = f"CPU; {ROUNDS} rounds of 7 players without a pause, {TURNS} turns; floor: without records"
    met = table <= GOAL * without
    return [
        Measured(
            "a round in the table's thread, kept on record", table, "us", without, f"<= {GOAL:g} x floor", met, note
        ),
        Measured("a round in the thread of records", keeper, "us", note="CPU, behind the table"),
        Measured("a round on record, on disk", size, "bytes"),
    ]
