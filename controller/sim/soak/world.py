"""All that outlives a process of the daemon: devices and wires, the disk, the computer's clocks, and the one seed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Final

from msgspec.structs import replace

from controller.games import begun_with, defaults, find
from controller.service.day_keys import DayKeys, in_memory
from controller.sim.dealing import dealing_at
from controller.sim.soak.clocks import WorldClocks
from controller.sim.soak.disk import SimDisk
from controller.sim.soak.meter import MeterReach
from controller.sim.soak.process import Process
from controller.table.facts import Started
from controller.table.jackpot.outbox import METER
from controller.table.state import Table
from hw_sim.table import SimTable
from hw_sim.wire import MemoryWire

LATENCY: Final = 0.0003  # seconds on a wire
MOMENT: Final = 0.002  # seconds after which to look again
PATIENCE: Final = 3.0  # seconds for what does not come to rest
DEAD: Final = 1.0  # seconds until the service manager starts the daemon again
_DAY: Final = 86_400_000_000  # microseconds
_FIRST: Final = 1_767_225_600_000_000  # the first of January 2026, in microseconds since 1970


class World:
    """One table's world, for one day.  Whatever is left to chance comes from its seed."""

    def __init__(self, seed: str, day: int, game: str, options: dict[str, str], directory: Path) -> None:
        self.seed = seed
        self._bytes = self.chance("bytes")
        self.random_bytes = self._bytes.randbytes
        self.clocks = WorldClocks(_FIRST + day * _DAY)
        self.disk = SimDisk(self.chance("disk"))
        self.keys = DayKeys(in_memory, random_bytes=self.random_bytes)  # they are on another disk
        self.begin = Started(game, {**defaults(game), **options}, meter="own")
        typed = begun_with(self.begin)
        self.meter = MeterReach() if typed.jackpot is not None else None
        if self.meter is None:
            self.begin = replace(self.begin, meter="")
        self.sim = SimTable(
            seats=typed.seats,
            dealing=dealing_at(find(game), typed),
            cards=52 * typed.decks,
            seed=self.chance("devices").getrandbits(62),
        )
        for device in self.sim.devices.values():
            assert isinstance(device.wire, MemoryWire)
            device.wire.latency = LATENCY
        self._directory = directory
        self.process: Process | None = None
        self.lives = 0

    def chance(self, what: str) -> Random:
        """Returns a source of chance of its own for this purpose: what one draws changes nothing for another."""
        return Random(f"{self.seed}/{what}")

    @property
    def running(self) -> Process:
        """The process that runs."""
        assert self.process is not None
        return self.process

    @property
    def table(self) -> Table:
        """The table as the process that runs has it."""
        return self.running.service.engine.table

    def begin_life(self) -> Process:
        """Makes the next process, on what is durable; `start` of it is the caller's."""
        self.lives += 1
        self.process = Process(self, self._directory)
        return self.process

    @property
    def meter_told(self) -> bool:
        """Whether the prize meter system is reached, and knows all that the table has told it."""
        return METER not in self.table.faults and not self.table.jackpot.outbox and self.table.jackpot.joined

    @property
    def quiet(self) -> bool:
        """Whether nothing is on its way from a device to the table."""
        process = self.running
        engine_idle = not process.writer.busy and not process.service.engine.pending
        return engine_idle and not process.service.fleet.checking and self.sim.quiet

    async def rest(self) -> None:
        """Waits until what was done has arrived; for so long as people wait who see that nothing happens."""
        loop = asyncio.get_running_loop()
        rests, until = loop.create_future(), loop.time() + PATIENCE

        def look() -> None:
            if rests.done():
                return
            if self.quiet or loop.time() >= until:
                rests.set_result(None)
            else:
                loop.call_later(MOMENT, look)

        loop.call_later(MOMENT, look)
        await rests
