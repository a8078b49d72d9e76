"""A table on a bench: its devices on any kind of wire, the service that runs it, and a hand that swaps devices."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from controller.games import defaults
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.poker.state import room_in
from controller.service.quota import Quota
from controller.service.table import TableService
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact, CardOut, CardRead, Chips, CuttingCard, Key, Pushed, Started
from controller.table.state import Table
from drivers.device_spec import DeviceSpec
from firmware_bridge.address import Address, open_transport, parse
from firmware_bridge.link import Timing
from firmware_bridge.schemes.usb import open_usb
from firmware_bridge.transport import Transport
from hw_sim import loop
from hw_sim.table import SimDevice, SimTable
from tests.system.a_round import LINES, OPTIONS, POKER_STAKES, Deed

# The protocol's waits, shorter: what breaks in real time is noticed and mended within a blink.
QUICK = Timing(hello_retry=0.05, hello_deadline=0.25, command_retry=0.05, ping=0.04, ping_retry=0.02, silent=0.12)
NAMES = ("shoe", "shuffler", "sensor.1", "sensor.2", "sensor.3", "console", "lamps", "display", "sign")
READERS = ("reader.1", "reader.2", "reader.3", "reader.board")
KEYS = {f"SIM-{name}": bytes([number]) * 32 for number, name in enumerate((*NAMES, *READERS))}
STRANGER = bytes([255]) * 32  # the key of a device that was paired elsewhere
PATIENCE = 10.0  # seconds
# A kind of wire that is named here goes through everything.  Only memory has a clock that jumps.
JUMPING = ("memory",)
REAL = ("pty", "usb", "tcp", "can", "slcan")


class Bench:
    """One table and everything that happened on it."""

    def __init__(
        self,
        wire: str,
        directory: Path,
        dealing: str = "hand",
        wires: Mapping[str, str] | None = None,
        encrypted: bool = False,
        timing: Timing = QUICK,
        quota: Quota | None = None,
    ) -> None:
        self.wire = wire
        self.timing = timing
        self.encrypted = encrypted
        kind: Any = dealing
        seats = int(OPTIONS["seats"])
        self.sim = SimTable(
            seats=seats,
            dealing=kind,
            wire=wire,
            wires=dict(wires or {}),
            directory=directory,
            cards=312,
            keys=KEYS if encrypted else {},
        )
        self.at = {name: name for name in self.sim.devices}  # which device stands at the place of each
        self.happened: list[AnyFact] = []
        self.journal = Journal.open(None, table="T1")
        poker = dealing == "readers"
        begin = Started("holdem", {**defaults("holdem"), **OPTIONS}) if poker else _casino_war(dealing)
        specs = {name: self._spec(device) for name, device in self.sim.devices.items()}
        self.service = TableService(
            begin, self.journal, InlineWriter(self.journal), specs, lambda: time.monotonic_ns() // 1000, quota=quota
        )
        self.service.engine.listeners.append(self._heard)

    def _spec(self, device: SimDevice) -> DeviceSpec:
        def make_transport() -> Transport:
            there = self.sim.devices[self.at[device.name]]
            return open_transport(parse(there.address), {"usb": self._usb}) if there.address else there.transport()

        place = device.name.partition(".")[2]
        area = int(place) if place.isdigit() else 0
        key = KEYS[device.serial] if self.encrypted else None
        return DeviceSpec(device.family, make_transport, area=area, serial=device.serial, key=key, timing=self.timing)

    def _usb(self, address: Address) -> Transport:
        return open_usb(address, self.sim.cabling.usb, wait=20)

    def _heard(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if isinstance(fact, CardOut | CardRead | Chips | CuttingCard | Key | Pushed):
            self.happened.append(fact)

    # ---- what is done

    def do(self, deed: Deed) -> None:
        name, verb, args = deed
        self.sim.device(name).do(verb, *args)

    async def rest(self) -> None:
        """Every device is there, everything was heard, and everything is shown."""
        devices = self.service.fleet.devices.values()
        await until(
            lambda: self.sim.quiet and self.service.quiet and all(device.state.phase == "ready" for device in devices)
        )

    async def phase(self, name: str, *phases: str) -> None:
        """Wait until the device has come to one of these."""
        await until(lambda: self.service.fleet.devices[name].state.phase in phases)

    async def swapped(self, name: str, meanwhile: Callable[[], None]) -> None:
        """Another device of its kind is connected in its place; it is noticed; then the right one is back."""
        right = self.sim.device(name)
        key = STRANGER if self.encrypted else None
        spare = SimDevice("spare", type(right.model)(), self.sim.cabling.wire(self.wire, "spare"), key=key)
        self.sim.devices["spare"] = spare
        right.fault("unplug")
        self.at[name] = "spare"
        spare.start()
        meanwhile()
        wrong = (
            "link.key" if self.encrypted else "device.wrong-serial"
        )  # an encrypted stranger does not even say who it is
        await until(
            lambda: (latest := self.service.fleet.devices[name].state.latest) is not None and latest.code == wrong
        )
        self.at[name] = name
        spare.stop()
        right.clear()

    def tampering_cleared(self) -> bool:
        """Somebody looks at every cable; was there tampering on record?"""
        return bool({name for name in self.service.fleet.devices if self.service.fleet.tampering.clear(name)})

    def check(self, deeds: list[Deed]) -> None:
        """The round has come to its settlement, and everything happened exactly once."""
        table = self.service.engine.table
        assert table.round is not None and table.round.outcome == "settled"
        room = room_in(table)
        if room is None:
            assert {(x.place, x.spot): (x.result, x.net, x.rule) for x in table.round.lines} == LINES
        else:
            assert room.stakes == POKER_STAKES
        assert len(self.happened) == len(deeds)
        assert not table.faults
        assert not any(device.pending for device in self.sim.devices.values())


def _casino_war(dealing: str) -> Started:
    return Started("casino-war", {**defaults("casino-war"), **OPTIONS, "shoe": dealing})


def play(wire: str, story: Coroutine[Any, Any, None]) -> None:
    """On the clock that goes with the wire."""
    if wire in JUMPING:
        loop.run(story)
    else:
        asyncio.run(story)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - it depends on many devices
            await asyncio.sleep(0.001)


@asynccontextmanager
async def bench(
    wire: str,
    directory: Path,
    dealing: str = "hand",
    wires: Mapping[str, str] | None = None,
    *,
    encrypted: bool = False,
    timing: Timing = QUICK,
    quota: Quota | None = None,
    prepare: Callable[[Bench], None] = lambda _: None,
) -> AsyncIterator[Bench]:
    """A table that is ready; at the end everything is put away.  `prepare` gets it before anything is plugged in."""
    table = Bench(wire, directory, dealing, wires, encrypted, timing, quota)
    prepare(table)
    table.sim.start()
    await table.service.start()
    try:
        await table.rest()
        yield table
    finally:
        await table.service.stop()
        table.sim.stop()
        table.journal.close()
