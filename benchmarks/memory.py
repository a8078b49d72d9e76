"""What the daemon holds in memory after many rounds: it must not grow."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from benchmarks.measure import Measured, folder, happened, resident_mib
from benchmarks.peer import REPORT_EVERY
from benchmarks.processes import NAME, configure, feltd, peer, settle
from benchmarks.rounds import Teller, a_round
from controller.daemon.compose import JOURNAL
from controller.journal.store import Journal

GOAL = 80.0  # MiB
FLAT = 0.5  # MiB that it may grow by once SQLite's page cache (2 MiB) is full
WIRE_ROUNDS = 5_000
ENGINE_ROUNDS = 20_000
AT_ONCE = 20  # rounds a commit, so that this measures memory and not the disk
POINTS = 5
FACTS = 6  # of a round that the peer plays
FULL = 4  # the point from which on it must be flat


def through_devices() -> list[float]:
    """feltd at the start and after each fifth of the rounds, through ten devices on pseudo-terminals."""
    with folder() as directory, peer("rounds", str(directory), str(WIRE_ROUNDS)) as devices:
        config = configure(directory)
        with feltd(config) as (process, _):
            settle(config)
            points = [resident_mib(process.pid)]
            devices.go()
            for done in range(REPORT_EVERY, WIRE_ROUNDS + 1, REPORT_EVERY):
                devices.line()
                if done % (WIRE_ROUNDS // POINTS) == 0:
                    points.append(resident_mib(process.pid))
        journal = Journal.open(directory / JOURNAL, table=NAME)
        facts = journal.head.seq
        journal.close()
        happened(facts >= WIRE_ROUNDS * FACTS, f"{facts} facts of {WIRE_ROUNDS} rounds are in the journal")
    return points


async def at_the_desk(directory: Path) -> list[float]:
    """The same for an engine alone, which takes more rounds in less time."""
    journal = Journal.open(directory / JOURNAL, table=NAME)
    teller = Teller(journal, configure(directory))
    await teller.start()
    points = [resident_mib(os.getpid())]
    for done in range(AT_ONCE, ENGINE_ROUNDS + 1, AT_ONCE):
        await teller.tell(a_round(players=1) * AT_ONCE)
        if done % (ENGINE_ROUNDS // POINTS) == 0:
            points.append(resident_mib(os.getpid()))
    happened(teller.engine.table.number == ENGINE_ROUNDS, f"{teller.engine.table.number} rounds were played")
    journal.close()
    return points


def measure() -> list[Measured]:
    wires = through_devices()
    with folder() as directory:
        engine = asyncio.run(at_the_desk(directory))
    lines = [
        Measured(
            "resident memory",
            wires[-1],
            "MiB",
            None,
            f"<= {GOAL:g} MiB",
            wires[-1] <= GOAL,
            f"feltd after {WIRE_ROUNDS:,} rounds through ten devices",
        )
    ]
    for what, points, rounds in (("ten devices", wires, WIRE_ROUNDS), ("engine alone", engine, ENGINE_ROUNDS)):
        grown = points[-1] - points[FULL]
        note = f"from round {rounds // POINTS * FULL:,} to {rounds:,}; at the start and each fifth: {_points(points)}"
        lines.append(Measured(f"growth, {what}", grown, "MiB", None, f"<= {FLAT:g} MiB", grown <= FLAT, note))
    return lines


def _points(values: list[float]) -> str:
    return " ".join(f"{value:.1f}" for value in values)
