"""Rounds of Casino War as facts, for benchmarks that need many of them without wires."""

from __future__ import annotations

import asyncio
from pathlib import Path

from benchmarks.measure import happened
from controller.config.begin import begin
from controller.config.load import load_config
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.service.engine import Engine, EventId
from controller.table.effects import Refused
from controller.table.facts import AnyFact, CardOut, Chips, Key, Spot

EPOCH = 3
PLAYERS = 7
SECOND = 1_000_000  # table time between two facts, in microseconds

Report = tuple[str, AnyFact]  # the device that told it, and what


def a_round(players: int = PLAYERS) -> list[Report]:
    """Bets on so many areas, the deal, the settlement."""
    reports: list[Report] = [(f"sensor.{n}", Chips(n, (Spot("war", 1, 1000),))) for n in range(1, players + 1)]
    reports.append(("console", Key("no-more-bets")))
    reports += [("shuffler", CardOut(f"{rank}h")) for rank in "23456789"[:players]]
    reports += [("shuffler", CardOut("Th")), ("console", Key("settle"))]
    return reports


class Teller:
    """Tells rounds to an engine, as devices would."""

    def __init__(self, journal: Journal, config: Path) -> None:
        self._begin = begin(load_config(config))
        self._now = 0
        self._counters: dict[str, int] = {}
        self.engine = Engine(journal, InlineWriter(journal), self._clock)

    def _clock(self) -> int:
        self._now += SECOND
        return self._now

    def origin(self, device: str) -> EventId:
        """The next event of a device."""
        counter = self._counters[device] = self._counters.get(device, 0) + 1
        return EventId(device, EPOCH, counter)

    async def start(self) -> None:
        self.engine.recover()
        await self.engine.start(self._begin)

    async def tell(self, reports: list[Report]) -> None:
        submitted = [self.engine.submit(fact, self.origin(device)) for device, fact in reports]
        for (_, fact), followed in zip(reports, await asyncio.gather(*submitted), strict=True):
            refused = any(isinstance(effect, Refused) for effect in followed.effects)
            happened(followed.seq > 0 and not refused, f"{fact} was not followed: {followed}")
        happened(self.engine.defect is None, f"the table stands still: {self.engine.defect}")
