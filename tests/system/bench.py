"""A table on a bench: its devices on any kind of wire, the service that runs it, and a hand that swaps devices."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from controller.daemon.service import DeviceSpec, TableService
from controller.games.catalogue import defaults
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.table.facts import AnyFact, CardOut, Chips, CuttingCard, Key, Started
from firmware_bridge.address import Address, open_transport, open_usb, parse
from firmware_bridge.link import Timing, native
from firmware_bridge.transport import Transport
from hw_sim.table import SimDevice, SimTable
from tests.system.a_round import LINES, OPTIONS, Deed

# The protocol's waits, shorter: what breaks in real time is noticed and mended within a blink.
QUICK = Timing(hello_retry=0.05, command_retry=0.05, ping=0.04, ping_retry=0.02, silent=0.12)
PATIENCE = 10.0  # seconds


class Bench:
    """One table and everything that happened on it."""

    def __init__(
        self, wire: str, directory: Path, dealing: str = "hand", wires: Mapping[str, str] | None = None
    ) -> None:
        self.wire = wire
        kind: Any = dealing
        seats = int(OPTIONS["seats"])
        self.sim = SimTable(
            seats=seats, dealing=kind, wire=wire, wires=dict(wires or {}), directory=directory, cards=312
        )
        self.at = {name: name for name in self.sim.devices}  # which device stands at the place of each
        self.happened: list[AnyFact] = []
        self.journal = Journal.open(None, table="T1")
        begin = Started("casino-war", {**defaults("casino-war"), **OPTIONS, "shoe": dealing})
        specs = {name: self._spec(device) for name, device in self.sim.devices.items()}
        self.service = TableService(
            begin, self.journal, InlineWriter(self.journal), specs, clock=lambda: time.monotonic_ns() // 1000
        )
        self.service.desk.listeners.append(self._heard)

    def _spec(self, device: SimDevice) -> DeviceSpec:
        def make_transport() -> Transport:
            there = self.sim.devices[self.at[device.name]]
            return open_transport(parse(there.address), {"usb": self._usb}) if there.address else there.transport()

        link = native(QUICK, lambda: secrets.randbits(32))
        area = int(device.name.partition(".")[2] or 0)
        return DeviceSpec(device.family, make_transport, area=area, serial=device.serial, make_link=link)

    def _usb(self, address: Address) -> Transport:
        return open_usb(address, self.sim.cabling.usb, wait=20)

    def _heard(self, _seq: int, fact: AnyFact, *_: object) -> None:
        if isinstance(fact, CardOut | Chips | CuttingCard | Key):
            self.happened.append(fact)

    # ---- what is done

    def do(self, deed: Deed) -> None:
        name, verb, args = deed
        self.sim.device(name).do(verb, *args)

    async def rest(self) -> None:
        """Every device is there, everything was heard, and everything is shown."""
        devices = self.service.devices.values()
        await until(
            lambda: self.sim.quiet and self.service.quiet and all(device.state.phase == "ready" for device in devices)
        )

    async def phase(self, name: str, *phases: str) -> None:
        """Wait until the device has come to one of these."""
        await until(lambda: self.service.devices[name].state.phase in phases)

    async def swapped(self, name: str, meanwhile: Callable[[], None]) -> None:
        """Another device of its kind is connected in its place; it is noticed; then the right one is back."""
        right = self.sim.device(name)
        spare = SimDevice("spare", type(right.model)(), self.sim.cabling.wire(self.wire, "spare"))
        self.sim.devices["spare"] = spare
        right.fault("unplug")
        self.at[name] = "spare"
        spare.start()
        meanwhile()
        await self.phase(name, "wrong-device")
        assert self.service.devices[name].state.code == "device.wrong-serial"
        self.at[name] = name
        spare.stop()
        right.clear()

    def check(self, deeds: list[Deed]) -> None:
        """The round has come to its settlement, and everything happened exactly once."""
        table = self.service.desk.table
        assert table.round is not None and table.round.outcome == "settled"
        assert {(x.place, x.spot): (x.result, x.net, x.rule) for x in table.round.lines} == LINES
        assert len(self.happened) == len(deeds)
        assert not table.faults
        assert not any(device.pending for device in self.sim.devices.values())


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - it depends on many devices
            await asyncio.sleep(0.001)


@asynccontextmanager
async def bench(
    wire: str, directory: Path, dealing: str = "hand", wires: Mapping[str, str] | None = None
) -> AsyncIterator[Bench]:
    """A table that is ready; at the end everything is put away."""
    table = Bench(wire, directory, dealing, wires)
    table.sim.start()
    await table.service.start()
    try:
        await table.rest()
        yield table
    finally:
        await table.service.stop()
        table.sim.stop()
        table.journal.close()
