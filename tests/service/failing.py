"""A real daemon on simulated devices whose disk fails when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.config.load import load_config
from controller.daemon.compose import Daemon, running
from controller.journal import Duplicate, Entry, Journal, JournalError, Record
from controller.sim.addresses import schemes, simulated_table
from controller.table import facts
from controller.table.facts import AnyFact
from hw_sim.table import SimTable
from tests.daemon.house import table_toml

PATIENCE = 20.0


class Disk:
    """Between the journal and its file."""

    def __init__(self, journal: Journal) -> None:
        self._append = journal.append
        self.failing = False
        self.chance: Callable[[], bool] = lambda: False  # of each commit to fail
        self.failures = 0
        journal.append = self.append  # type: ignore[method-assign]

    def append(self, batch: Sequence[Entry]) -> list[Record | Duplicate]:
        if self.failing or self.chance():
            self.failures += 1
            raise JournalError("journal.io", "storing records: disk I/O error")
        return self._append(batch)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - it depends on devices and a disk
            await asyncio.sleep(0.002)


@dataclass
class Table:
    """A table that runs, and its hardware."""

    daemon: Daemon
    sim: SimTable
    disk: Disk

    def told(self) -> list[AnyFact]:
        """Everything that is on record."""
        return [facts.decode(record.payload) for record in self.daemon.journal]

    def cards(self) -> list[str]:
        return [fact.card for fact in self.told() if isinstance(fact, facts.CardOut)]

    def stored_or_failed(self, card: str, failures: int) -> bool:
        return self.disk.failures > failures or card in self.cards()

    async def rest(self) -> None:
        await until(lambda: self.ready() and self.sim.quiet and self.daemon.service.quiet)

    def ready(self) -> bool:
        return all(device.state.phase == "ready" for device in self.daemon.service.fleet.devices.values())


def config_text(directory: Path, shoe: str = "", options: str = "", state: Path | None = None) -> Path:
    """The usual table; `shoe` goes behind the address of its shoe: a wire, a protocol."""
    path = table_toml(directory, options=options, state=state)
    path.write_text(path.read_text().replace('address = "sim://shoe"', shoe or 'address = "sim://shoe"'))
    return path


@asynccontextmanager
async def table(path: Path, sim: SimTable | None = None) -> AsyncIterator[Table]:
    """The daemon runs; with `sim` on devices that have lived before."""
    config = load_config(path)
    if sim is not None:
        async with running(config, schemes(sim)) as daemon:
            yield Table(daemon, sim, Disk(daemon.journal))
        return
    async with simulated_table(config) as (made, _), running(config, schemes(made)) as daemon:
        yield Table(daemon, made, Disk(daemon.journal))
