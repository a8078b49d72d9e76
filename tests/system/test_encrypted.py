"""A whole round on a table whose devices all seal: it settles the same, and the wire tells nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from controller.service.tampering import TAMPERED
from controller.sim import floor as floors
from controller.sim.floor import SimFloor, SimulatedTable
from drivers.device_spec import DeviceSpec
from firmware_bridge.frame import ENCRYPTED, Frame, Kind, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import CardDrawn, SetLamps
from firmware_bridge.transport import Receiver, Transport, TransportError
from hw_sim.loop import run
from hw_sim.table import SimDevice, SimTable
from tests.system.a_round import DEEDS, LINES, OPTIONS

KEYS = {
    f"SIM-{name}": bytes([number + 1]) * 32
    for number, name in enumerate(("shoe", "sensor.1", "sensor.2", "sensor.3", "console", "lamps", "display", "sign"))
}


class Recorder:
    """Writes down everything that passes, and can say something itself."""

    def __init__(self, inner: Transport, record: list[bytes]) -> None:
        self.inner, self.record = inner, record
        self.receiver: Receiver

    async def open(self, receiver: Receiver) -> None:
        self.receiver = receiver
        await self.inner.open(self)

    def write(self, data: bytes) -> None:
        self.record.append(data)
        self.inner.write(data)

    async def close(self) -> None:
        await self.inner.close()

    def received(self, data: bytes) -> None:
        self.record.append(data)
        self.receiver.received(data)

    def lost(self, why: TransportError) -> None:
        self.receiver.lost(why)


class Sealed:
    """A floor whose tables seal and are recorded."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.record: list[bytes] = []
        self.taps: dict[str, Recorder] = {}
        plain = floors._spec
        monkeypatch.setattr(floors, "SimTable", lambda **options: SimTable(keys=KEYS, **options))
        monkeypatch.setattr(floors, "_spec", lambda device: self._spec(plain(device), device))
        self.floor = SimFloor(lambda *_: None)

    def _spec(self, spec: DeviceSpec, device: SimDevice) -> DeviceSpec:
        def transport() -> Transport:
            tap = self.taps[device.name] = Recorder(device.transport(), self.record)
            return tap

        return replace(spec, make_transport=transport, key=KEYS[device.serial])

    async def round(self) -> SimulatedTable:
        table = await self.floor.open("T1", "casino-war", dict(OPTIONS))
        for device, verb, args in DEEDS:
            table.sim.device(device).do(verb, *args)
            await self.floor.rest()
        return table


def settled(table: SimulatedTable) -> bool:
    r = table.state.round
    assert r is not None and r.outcome == "settled"
    return {(x.place, x.spot): (x.result, x.net, x.rule) for x in r.lines} == LINES


def test_a_sealed_round_settles_the_same_and_the_wire_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        encrypted = Sealed(monkeypatch)
        table = await encrypted.round()
        try:
            assert settled(table) and not table.state.faults
            frames = [f for data in encrypted.record for f in Framer().feed(data) if isinstance(f, Frame)]
            assert all(f.flags & ENCRYPTED or f.kind in (Kind.HELLO, Kind.IDENTITY) for f in frames)
            bodies = [f.body for f in frames if f.flags & ENCRYPTED]
            assert len(set(bodies)) == len(bodies) > len(DEEDS)
            cards = [str(args[0]) for device, _, args in DEEDS if device == "shoe" and args[0] != "cut"]
            everything = b"".join(encrypted.record)
            assert not any(encode(CardDrawn(card)) in everything for card in cards)
            assert b"no-more-bets" not in everything
        finally:
            await encrypted.floor.close()

    run(story())


def test_a_forged_card_is_not_dealt_and_the_technician_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        encrypted = Sealed(monkeypatch)
        table = await encrypted.round()
        try:
            before = table.state.number
            tap = encrypted.taps["shoe"]
            tap.receiver.received(Frame(Kind.EVENT, 99, encode(CardDrawn("As"))).to_wire())
            tap.receiver.received(sealed_frame(encrypted.record))
            await encrypted.floor.rest()
            assert TAMPERED in table.state.faults["shoe"]
            assert settled(table) and table.state.number == before
            await asyncio.sleep(3)
            assert table.service.fleet.devices["shoe"].state.phase == "ready"
            assert table.service.fleet.tampering.clear("shoe") and not table.service.fleet.tampering.clear("shoe")
            await encrypted.floor.rest()
            assert not table.state.faults
        finally:
            await encrypted.floor.close()

    run(story())


def test_a_forged_command_to_a_device_is_seen_too(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        encrypted = Sealed(monkeypatch)
        table = await encrypted.round()
        try:
            encrypted.taps["lamps"].inner.write(Frame(Kind.COMMAND, 5, encode(SetLamps(((0, 1),)))).to_wire())
            await encrypted.floor.rest(at_least=0.1)
            assert list(table.state.faults["lamps"]) == [TAMPERED]
        finally:
            await encrypted.floor.close()

    run(story())


def sealed_frame(record: list[bytes]) -> bytes:
    """An event that was recorded earlier."""
    for data in record:
        for item in Framer().feed(data):
            if isinstance(item, Frame) and item.kind is Kind.EVENT:
                return data
    raise AssertionError("nothing was recorded")
