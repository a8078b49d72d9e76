"""One life of the daemon in a simulation: from its start on what is durable to its end, in order or by kill."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from controller.journal.errors import JournalError
from controller.journal.store import Journal
from controller.places import family_and_place
from controller.service.card_veil import CardVeil
from controller.service.clock import TableClock
from controller.service.clock_watch import ClockWatch
from controller.service.meter_sync import MeterSync
from controller.service.meter_terms import SyncSettings
from controller.service.table import TableService
from controller.service.timekeeper import Timekeeper
from controller.sim.people import simulated_people
from controller.sim.soak.disk import SimWriter
from controller.sim.soak.meter import SimStore
from drivers.device_spec import DeviceSpec
from hw_sim.table import SimDevice

if TYPE_CHECKING:
    from controller.sim.soak.world import World

NAME = "soak"  # of the table
JOURNAL, METER = "journal.db", "meter.db"


class Process:
    """The daemon's rooms put together as the daemon does it, without its doors: API, pages and records of rounds."""

    def __init__(self, world: World, directory: Path) -> None:
        self._world = world
        self.journal = Journal.open(directory / JOURNAL, table=NAME, veil=CardVeil(world.keys, world.random_bytes))
        self.clock = TableClock(self.journal, world.clocks.system())
        self.writer = SimWriter(self.journal, world.disk, self._failed)
        self.service = TableService(
            world.begin,
            self.journal,
            self.writer,
            {name: _spec(device) for name, device in world.sim.devices.items()},
            self.clock,
            quota=None,  # the people of a simulation are quicker than any device could be
            people=simulated_people(),
            random_bytes=world.random_bytes,
        )
        self.keeper = Timekeeper(self.service.engine, self.clock)
        self.service.clock_watch = ClockWatch(self.service.engine, self.service.storage, self.clock)
        self.store = SimStore(directory / METER, world.meter, world.clocks.wall) if world.meter is not None else None
        if self.store is not None:
            self.service.meter_sync = MeterSync(SyncSettings(NAME), self.service.engine, self.store)

    @property
    def ready(self) -> bool:
        """Whether every device is ready."""
        return all(device.state.phase == "ready" for device in self.service.fleet.devices.values())

    async def start(self) -> None:
        """Recovers the table and opens its devices; raises JournalError when the disk does not let it."""
        await self.service.start()
        self.keeper.start()
        self.service.protection.start()

    async def stop(self) -> None:
        """Ends it in order."""
        self.keeper.stop()
        await self.service.stop()
        await self.writer.close()
        self.journal.close()

    async def kill(self) -> None:
        """Ends it at once: from here on nothing of it reaches the disk or a wire, and what it still does is in vain."""
        self.writer.cut()
        if self.store is not None:
            self.store.cut()
        self.keeper.stop()
        for device in self._world.sim.devices.values():
            await device.transport().close()
        await self.service.stop()
        self.journal.close()

    def _failed(self, error: JournalError) -> None:
        self.clock.unrecorded()
        self.service.storage.failed(error)


def _spec(device: SimDevice) -> DeviceSpec:
    _, place = family_and_place(device.name)
    area = int(place) if place.isdigit() else 0
    return DeviceSpec(device.family, device.transport, area=area, serial=device.serial)
