"""What devices tell all at once, as after a pause of the table: flushes, and time until all of it is acknowledged."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.deeds import BETWEEN_ROUNDS, SEATS, TEN, Deed, Deeds, deed
from benchmarks.journal import count_commits, entry
from benchmarks.latency import served
from benchmarks.measure import Measured, folder, happened, percentile, priority
from benchmarks.plan import Plan, war_begin
from benchmarks.processes import PATIENCE
from benchmarks.slow_disk import slow_down
from controller.journal.store import Journal
from controller.journal.writer import Writer
from firmware_bridge.messages import BetChanged, DoorChanged, Event, Spot
from firmware_bridge.session import WINDOW

TIMES = 50
FACTS = len(TEN) * WINDOW  # the most that ten devices tell without an answer
FLUSHES = 2
GOAL = 5.0  # milliseconds beside the flushes

Burst = tuple[float, int]  # seconds until the last answer, and flushes


def tellings() -> Iterator[Deed]:
    """Yields what ten devices tell at once: chips that are changed, doors that are opened and shut."""
    for device, family in TEN.items():
        for turn in range(WINDOW):
            event: Event = DoorChanged(turn % 2 == 0)
            if family == "bet-sensor":
                event = BetChanged((Spot("war", ((1000 + 500 * (turn % 2), 1),)),))
            yield deed(device, event)


def plan(times: int) -> Plan:
    first, *others = tellings()
    deeds = [Deed(first.device, first.event, rest=BETWEEN_ROUNDS), *others] * times
    return Plan("casino-war", war_begin(), Deeds(TEN, deeds, times), SEATS)


async def _on_wires(directory: Path, times: int) -> list[Burst]:
    async with served(directory, plan(times), "bursts") as table:
        commits = count_commits(table.journal)
        table.ends.go()
        line = await asyncio.to_thread(table.ends.line, PATIENCE + times)
    bursts = json.loads(line)
    happened(len(bursts) == times, f"{len(bursts)} of {times} bursts were answered")
    return [(end - began, _between(commits, began, end)) for began, end in bursts]


def _between(commits: list[tuple[float, int]], began: float, end: float) -> int:
    """Counts the commits of one burst, which must have all of its facts."""
    sizes = [size for at, size in commits if began <= at <= end]
    happened(sum(sizes) >= FACTS, f"{sum(sizes)} of {FACTS} facts were made durable")
    return len(sizes)


async def _in_writer(directory: Path, times: int) -> list[Burst]:
    """The journal alone: so many entries submitted at once."""
    journal = Journal.open(directory / "journal.db", table="bench")
    writer, bursts = Writer(journal), list[Burst]()
    commits = count_commits(journal)
    for burst in range(times):
        waiting, last = [FACTS], asyncio.get_running_loop().create_future()

        def stored(_: object, waiting: list[int] = waiting, last: asyncio.Future[float] = last) -> None:
            waiting[0] -= 1
            if not waiting[0]:
                last.set_result(time.monotonic())

        entries = [entry(burst * FACTS + n) for n in range(FACTS)]
        began = time.monotonic()
        for each in entries:
            writer.submit(each, stored)
        end = await asyncio.wait_for(last, PATIENCE)
        bursts.append((end - began, _between(commits, began, end)))
        await asyncio.sleep(BETWEEN_ROUNDS)
    await writer.close()
    happened(journal.head.seq == times * FACTS, f"{journal.head.seq} of {times * FACTS} facts are in the journal")
    journal.close()
    return bursts


def flush(directory: Path, times: int) -> float:
    """The median time in seconds in which the disk makes an append of all these facts durable."""
    took = []
    with (directory / "flush").open("wb", buffering=0) as file:
        for _ in range(times):
            time.sleep(BETWEEN_ROUNDS / 4)
            file.write(bytes(FACTS * 160))
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            took.append(time.perf_counter() - began)
    return statistics.median(took)


def lines(times: int, where: str = "", goal: float | None = GOAL) -> list[Measured]:
    """Bursts through the wires of ten devices and of the journal alone, beside the two flushes that they may take."""
    with folder() as directory:
        slow_down(directory)
        floor = FLUSHES * flush(directory, times) * 1e3
        alone = asyncio.run(_in_writer(directory, times))
    with folder() as directory:
        wired = asyncio.run(_on_wires(directory, times))
    out = []
    for what, bursts in (("the journal alone", alone), ("ten devices", wired)):
        value, most = percentile([took for took, _ in bursts], 0.5) * 1e3, percentile([took for took, _ in bursts], 1.0)
        note = (
            f"{times} bursts, the longest {most * 1e3:.1f} ms, {priority()}; floor: {FLUSHES} flushes of as many bytes"
        )
        words, met = "", None
        if goal is not None:
            words, met = f"<= {FLUSHES} flushes + {goal:g} ms", value <= floor + goal
        out.append(Measured(f"burst of {FACTS} facts, {what}{where}", value, "ms", floor, words, met, note))
        flushes = [float(count) for _, count in bursts]
        typical, worst = percentile(flushes, 0.5), max(flushes)
        out.append(
            Measured(
                f"flushes of such a burst, {what}{where}",
                typical,
                "flushes",
                None,
                f"<= {FLUSHES}",
                typical <= FLUSHES,
                f"at most {worst:.0f}",
            )
        )
    return out


def measure() -> list[Measured]:
    return lines(TIMES)
