"""What a long round costs: a step after very many facts, a correction, a restart after a device came and went."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

from benchmarks.measure import Measured, folder, happened
from benchmarks.processes import NAME, configure, feltd
from benchmarks.rounds import Teller
from controller.daemon.compose import JOURNAL
from controller.games import defaults, step
from controller.journal.store import Journal
from controller.table.effects import Refused
from controller.table.facts import Amend, AnyFact, CardOut, Chips, DeviceLost, DeviceReady, Key, Spot, Started
from controller.table.state import Table

FEW, MANY = 10, 10_000  # facts of the round
FLAT = 1.2  # how much dearer the step after many may be than the step after few
STEPS = 200  # of which the median is taken
CORRECTED = 2_000  # facts of a round that is told again
CORRECTION = 200.0  # milliseconds
FLAPS = 16_000
STARTS = 5
RESTART = 1.0  # seconds


def flaps() -> Iterator[AnyFact]:
    """A device that comes and goes."""
    return cycle((DeviceLost("lamps", "link.silent", "no answer"), DeviceReady("lamps")))


def chips() -> Iterator[AnyFact]:
    """A player who cannot decide how much to bet."""
    return cycle((Chips(2, (Spot("war", 1, 1000),)), Chips(2, (Spot("war", 1, 2000),))))


class Long:
    """A round that does not end."""

    def __init__(self, kind: Callable[[], Iterator[AnyFact]]) -> None:
        self.table, self._seq, self._facts = Table(), 0, kind()
        self.tell(Started("casino-war", defaults("casino-war")))
        for area in range(1, 8):
            self.tell(Chips(area, (Spot("war", 1, 1000),)))

    def tell(self, fact: AnyFact) -> float:
        self._seq += 1
        began = perf_counter()
        self.table, effects = step(self.table, self._seq, self._seq, fact)
        took = perf_counter() - began
        happened(not any(isinstance(effect, Refused) for effect in effects), f"{type(fact).__name__} was refused")
        return took

    def last(self, facts: int) -> float:
        """Microseconds of a step when the round has so many facts: the median of some."""
        while len(self.table.history) < facts:
            self.tell(next(self._facts))
        took = [self.tell(next(self._facts)) for _ in range(STEPS)]
        return statistics.median(took) * 1e6


def steps(name: str, kind: Callable[[], Iterator[AnyFact]]) -> Measured:
    long = Long(kind)
    few, many = long.last(FEW), long.last(MANY)
    happened(len(long.table.history) >= MANY, "the round did not become long")
    note = f"the floor is the same step after {FEW} facts"
    what, goal = f"one step after {MANY:,} facts, {name}", f"<= {FLAT:g} x floor"
    return Measured(what, many, "us", few, goal, many <= FLAT * few, note)


def correction() -> Measured:
    long = Long(flaps)
    first = long.table.history[0].seq
    long.last(CORRECTED - STEPS)
    facts = len(long.table.history)
    took = long.tell(Amend(first, Chips(1, (Spot("war", 1, 1500),)))) * 1e3
    r = long.table.round
    retold = r is not None and r.wagers["1", "war"] == 1500 and len(long.table.history) == facts
    happened(retold, "the round was not told again")
    return Measured(
        f"correction in a round of {facts:,} facts", took, "ms", None, f"<= {CORRECTION:g} ms", took <= CORRECTION
    )


async def fill(directory: Path, config: Path, many: int, corrected: bool) -> None:
    """A device comes and goes: between rounds, or in a round that is corrected at the end."""
    journal = Journal.open(directory / JOURNAL, table=NAME)
    teller = Teller(journal, config)
    await teller.start()
    if corrected:
        await teller.tell([("sensor.1", Chips(1, (Spot("war", 1, 1000),)))])
        await teller.tell([("console", Key("no-more-bets")), ("shuffler", CardOut("Kh"))])
    facts = flaps()
    for _ in range(0, many, 1000):
        await asyncio.gather(*(teller.engine.submit(fact) for fact in islice(facts, 1000)))
    if corrected:
        await teller.engine.submit(Amend(teller.engine.table.history[0].seq, Chips(1, (Spot("war", 1, 1500),))))
    journal.close()


def starts(many: int, corrected: bool) -> float:
    """Seconds from the start of the daemon until it is ready, the median of some."""
    with folder() as directory:
        config = configure(directory)
        asyncio.run(fill(directory, config, many, corrected))
        took = []
        for _ in range(STARTS):
            with feltd(config) as (_, seconds):
                took.append(seconds)
        journal = Journal.open(directory / JOURNAL, table=NAME)
        happened(journal.head.seq >= many, "the journal did not become long")
        journal.close()
    return statistics.median(took)


def restarts() -> list[Measured]:
    floor, out = starts(0, corrected=False), []
    for corrected, where in ((False, "between rounds"), (True, "in a round that is then corrected")):
        what, value = f"restart, {FLAPS:,} losses and returns {where}", starts(FLAPS, corrected)
        note = "the floor is the start of a table without a past"
        out.append(Measured(what, value, "s", floor, f"<= {RESTART:g} s", value <= RESTART, note))
    return out


def measure() -> list[Measured]:
    return [
        steps("a device that comes and goes", flaps),
        steps("chips", chips),
        correction(),
        *restarts(),
    ]
