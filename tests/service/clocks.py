"""A machine whose clocks a test sets, and a whole daemon that runs on it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from controller.cli.demo import demo_config
from controller.config import TableConfig
from controller.daemon.compose import Daemon, running
from controller.service.clock import SYSTEM_CLOCKS, SystemClocks
from controller.service.clock_trust import ClockTrust
from controller.sim.addresses import schemes, simulated_table
from controller.table import facts
from controller.table.facts import UNSYNCHRONISED, AnyFact, Trust
from hw_sim.table import SimTable

PATIENCE = 20.0  # seconds; a busy machine makes nothing fail
SECOND = 1_000_000_000  # nanoseconds


class Clocks:
    """Both clocks run as the real ones do; `passes` lets time pass at once, `set` moves the wall clock alone."""

    def __init__(self) -> None:
        self._passed = self._set = self._gained = 0
        self.trust: Trust = UNSYNCHRONISED
        self.boot = "first"
        self._timers: list[tuple[int, Callable[[], None], asyncio.TimerHandle]] = []

    def system(self) -> SystemClocks:
        return SystemClocks(
            self._wall,
            self._monotonic,
            self._later,
            lambda: ClockTrust(self.trust, source="test"),
            lambda: self.boot,
            lambda: self._monotonic() - self._gained,
        )

    def starts_anew(self) -> None:
        """The computer starts again: it counts from the beginning."""
        self.boot += "+"
        self._set += self._passed + time.monotonic_ns()
        self._passed = -time.monotonic_ns()

    def gains(self, seconds: float, of: float) -> None:
        """So much time passes, of which some was none: somebody made both clocks run faster."""
        self._gained += round(of * SECOND)
        self.passes(seconds)

    def _wall(self) -> int:
        return time.time_ns() + self._passed + self._set

    def _monotonic(self) -> int:
        return time.monotonic_ns() + self._passed

    def _later(self, seconds: float, ring: Callable[[], None]) -> asyncio.TimerHandle:
        at = self._monotonic() + round(seconds * SECOND)
        handle = asyncio.get_running_loop().call_later(seconds, self._rings, at, ring)
        self._timers.append((at, ring, handle))
        return handle

    def _rings(self, at: int, ring: Callable[[], None]) -> None:
        self._timers = [timer for timer in self._timers if timer[:2] != (at, ring)]
        ring()

    def passes(self, seconds: float) -> None:
        """So much time passes now; what was to ring in it rings."""
        self._passed += round(seconds * SECOND)
        over = [timer for timer in self._timers if timer[0] <= self._monotonic()]
        self._timers = [timer for timer in self._timers if timer not in over]
        for _, ring, handle in over:
            if not handle.cancelled():
                handle.cancel()
                asyncio.get_running_loop().call_soon(ring)

    def set(self, seconds: float) -> None:
        """Somebody sets the wall clock: ahead, or back."""
        self._set += round(seconds * SECOND)


class Table:
    """A daemon that runs, its devices, and what is on its record."""

    def __init__(self, daemon: Daemon, sim: SimTable) -> None:
        self.daemon, self.sim, self.engine = daemon, sim, daemon.service.engine

    async def do(self, device: str, verb: str, *args: Any) -> None:
        self.sim.device(device).do(verb, *args)
        await until(lambda: self.daemon.service.quiet and self.sim.quiet)

    async def press(self, *words: str) -> None:
        await self.do("console", "press", *words)

    async def dealt(self) -> None:
        """Three players, the blinds, two cards each: seat 3 is to act."""
        await self.press("seat", "1-3", "stack=500")
        await self.press("act", "1", "post", "5")
        await self.press("act", "2", "post", "10")
        for cards in (("Kh", "9c", "As"), ("7d", "9d", "Ad")):
            for seat, card in enumerate(cards, 1):
                await self.do(f"reader.{seat}", "lay", card)

    def told(self, rule: str) -> int:
        """How many prompts by this rule stand there."""
        return sum(prompt.rule == rule for prompt in self.engine.table.prompts)

    def facts(self, kind: type[AnyFact] | tuple[type[AnyFact], ...]) -> list[Any]:
        """Everything of this kind that is on record."""
        read = (facts.decode(record.payload) for record in self.daemon.journal.iterate(1))
        return [fact for fact in read if isinstance(fact, kind)]


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.001)


def poker(directory: Path, **options: str) -> TableConfig:
    return with_options(demo_config(directory, game="holdem"), **options)


def with_options(config: TableConfig, **options: str) -> TableConfig:
    """The same table with these options besides."""
    more = {name.replace("_", "-"): value for name, value in options.items()}
    return config.model_copy(update={"options": {**config.options, **more}})


@asynccontextmanager
async def table(config: TableConfig, clocks: SystemClocks = SYSTEM_CLOCKS) -> AsyncIterator[Table]:
    """The whole daemon on simulated devices, all ready."""
    async with simulated_table(config) as (sim, _), running(config, schemes(sim), clocks) as daemon:
        assert await daemon.service.all_ready(PATIENCE)
        yield Table(daemon, sim)
