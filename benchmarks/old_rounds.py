"""How long somebody waits for a round that is older than the index keeps, in a journal of many facts."""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Measured, folder, happened
from benchmarks.processes import configure
from benchmarks.rounds import Teller, a_round
from controller.journal.store import Journal
from controller.service import round_keeper
from controller.service.round_keeper import RoundKeeper
from controller.service.round_store import FILE

FACTS = 200_000
KEPT = 1000  # rounds at hand
ASKED = 15  # rounds, spread over all that are older
PACE = 1.0  # seconds from round to round of a table that is played
TOLD_IN = 1800.0  # seconds: the index is made


async def _told(directory: Path) -> tuple[Journal, Teller, RoundKeeper, int]:
    """Returns a table that has played so many facts, with its index of rounds."""
    journal = Journal.open(directory / "journal.db", table="bench")
    teller = Teller(journal, configure(directory))
    await teller.start()
    rounds = 0
    while journal.head.seq < FACTS:
        await teller.tell(a_round())
        rounds += 1
    keeper = RoundKeeper(journal, teller.engine, directory / FILE, keep=KEPT)
    bite, round_keeper.BITE = round_keeper.BITE, 0.0  # type: ignore[misc]  # no table is played that needs a rest
    keeper.start()
    await asyncio.to_thread(keeper.fresh, TOLD_IN)
    round_keeper.BITE = bite  # type: ignore[misc]
    happened(keeper.store.count() == KEPT, f"{keeper.store.count()} rounds are at hand")
    return journal, teller, keeper, rounds


class Search(NamedTuple):
    """Seconds until a round was found, and those of the processor in this process."""

    took: float
    cpu: float


async def _search(keeper: RoundKeeper, oldest: int) -> list[Search]:
    searches = []
    for number in range(1, oldest, max(oldest // ASKED, 1)):
        began, cpu = time.perf_counter(), time.process_time()
        record = await asyncio.to_thread(keeper.search, number, 0, lambda _done, _all: None)
        searches.append(Search(time.perf_counter() - began, time.process_time() - cpu))
        happened(record is not None and record.number == number, f"round {number} is not found")
    return searches


async def _play(teller: Teller) -> None:
    while True:
        await teller.tell(a_round())
        await asyncio.sleep(PACE)


async def _measured(directory: Path) -> tuple[list[Search], list[Search]]:
    journal, teller, keeper, rounds = await _told(directory)
    alone = await _search(keeper, rounds - KEPT)
    playing = asyncio.create_task(_play(teller))
    beside = await _search(keeper, rounds - KEPT)
    playing.cancel()
    await keeper.stop()
    journal.close()
    return alone, beside


def measure() -> list[Measured]:
    with folder() as directory:
        alone, beside = asyncio.run(_measured(directory))
    note = f"{FACTS:,} facts, rounds of 7 players, {KEPT:,} rounds kept, {len(alone)} older ones asked for"
    return [
        Measured("an older round, found in the journal", statistics.median(s.took for s in alone), "s", note=note),
        Measured("an older round, at the longest", max(s.took for s in alone), "s"),
        Measured("an older round, processor time", statistics.median(s.cpu for s in alone), "s"),
        Measured("an older round, processor time at the longest", max(s.cpu for s in alone), "s"),
        Measured(f"an older round beside a round each {PACE:g} s", statistics.median(s.took for s in beside), "s"),
        Measured("an older round beside that table, at the longest", max(s.took for s in beside), "s"),
    ]
