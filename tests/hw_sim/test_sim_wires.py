"""Devices on every wire with every fault: each event once and in order, each command once."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import messages as m
from firmware_bridge.frame import Frame, Kind
from firmware_bridge.transport import TransportError
from hw_sim.errors import SimError
from hw_sim.loop import run
from hw_sim.table import SimTable
from hw_sim.wire import Lane, MemoryWire, PtyWire
from tests.hw_sim.peer import WIRES, Peer, PtyTransport, kept, play, plug, until

CARDS = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
PASSING = [
    [],
    [("split",)],
    [("drop",)],
    [("drop", "4")],
    [("corrupt", 5)],
    [("duplicate", 9)],
    [("reorder", 9)],
    [("delay", "30ms")],
    [("babble",)],
    [("split",), ("drop", 2), ("corrupt", 2), ("duplicate", 3), ("reorder", 2), ("delay", "5ms"), ("babble",)],
]
BREAKING = [[("hang",)], [("unplug",)], [("power",)], [("power",), ("corrupt", 3), ("duplicate", 3)]]


def table_on(wire: Any, directory: Path) -> SimTable:
    table = SimTable(seats=1, dealing="csm", wire=wire, directory=directory)
    table.start()
    return table


def names(faults: list[tuple[Any, ...]]) -> str:
    return "+".join(fault[0] for fault in faults) or "none"


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("faults", PASSING, ids=names)
def test_events_and_commands_come_through_once_and_in_order(
    wire: str, faults: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    async def story() -> None:
        table = table_on(wire, tmp_path)
        shuffler = table.device("shuffler")
        async with kept(shuffler, silence=30) as peer:
            for fault in faults:
                shuffler.fault(*fault)
            for card in CARDS[:20]:
                shuffler.do("draw", card)
            replies = await asyncio.gather(*(peer.command(m.Shuffle()) for _ in range(8)))
            await until(lambda: peer.counter >= 36)
            await until(lambda: shuffler.quiet)
            shuffler.clear()
            shuffler.do("draw", "As")
            await until(lambda: shuffler.quiet)
        table.stop()
        drawn = [event.card for event in peer.events if isinstance(event, m.CardDrawn)]
        assert drawn == [*CARDS[:20], "As"]
        assert sum(isinstance(event, m.ShuffleComplete) for event in peer.events) == 8
        assert all(reply.ok for reply in replies)
        assert peer.counter == 37
        assert peer.sessions == 1
        assert peer.losses == []

    play(wire, story())


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("faults", BREAKING, ids=names)
def test_a_lost_session_loses_no_event(wire: str, faults: list[tuple[Any, ...]], tmp_path: Path) -> None:
    async def story() -> None:
        table = table_on(wire, tmp_path)
        shuffler = table.device("shuffler")
        async with kept(shuffler) as peer:
            for card in CARDS[:10]:
                shuffler.do("draw", card)
            for fault in faults:
                shuffler.fault(*fault)
            for card in CARDS[10:20]:
                shuffler.do("draw", card)
            await asyncio.sleep(0.3)
            shuffler.clear()
            await until(lambda: peer.sessions == 2 or (faults == [("hang",)] and shuffler.quiet))
            shuffler.do("draw", "As")
            await until(lambda: shuffler.quiet)
            assert (await peer.command(m.Lock(True))).ok
        table.stop()
        assert [event.card for event in peer.events if isinstance(event, m.CardDrawn)] == [*CARDS[:20], "As"]

    play(wire, story())


@pytest.mark.parametrize("wire", WIRES)
def test_a_reboot_keeps_what_nobody_acknowledged(wire: str, tmp_path: Path) -> None:
    async def story() -> None:
        table = table_on(wire, tmp_path)
        shuffler = table.device("shuffler")
        async with kept(shuffler, acks=False) as deaf:
            for card in CARDS[:3]:
                shuffler.do("draw", card)
            await until(lambda: deaf.counter == 3)
        assert not shuffler.quiet
        assert shuffler.pending == 3
        shuffler.fault("power")
        async with kept(shuffler) as peer:
            await until(lambda: shuffler.quiet)
        table.stop()
        assert [event.card for event in peer.events if isinstance(event, m.CardDrawn)] == CARDS[:3]
        assert peer.identity is not None
        assert peer.identity.last == 3

    play(wire, story())


@pytest.mark.parametrize("wire", WIRES)
def test_unplugged_and_plugged_in_again_and_again(wire: str, tmp_path: Path) -> None:
    async def story() -> None:
        table = table_on(wire, tmp_path)
        shuffler = table.device("shuffler")
        async with kept(shuffler) as peer:
            for turn in range(3):
                shuffler.do("draw", CARDS[2 * turn])
                shuffler.fault("unplug")
                shuffler.fault("unplug")
                assert shuffler.quiet
                shuffler.do("draw", CARDS[2 * turn + 1])
                await until(lambda: not peer.connected)
                with pytest.raises(TransportError):
                    await Peer(plug(shuffler)).transport.open(peer)
                shuffler.clear()
                await until(lambda: peer.connected)
                await until(lambda: shuffler.quiet)
            assert len(peer.losses) >= 3
            assert peer.sessions == 4
        table.stop()
        assert [event.card for event in peer.events if isinstance(event, m.CardDrawn)] == CARDS[:6]

    play(wire, story())


@pytest.mark.parametrize("wire", WIRES)
def test_a_hung_device_answers_nothing_and_forgets_nothing(wire: str, tmp_path: Path) -> None:
    async def story() -> None:
        table = table_on(wire, tmp_path)
        shuffler = table.device("shuffler")
        async with kept(shuffler) as peer:
            await until(lambda: bool(peer.pongs))
            shuffler.fault("hang")
            shuffler.do("draw", "Kh")
            await asyncio.sleep(0.2)  # what was under way before
            heard = len(peer.pongs)
            await asyncio.sleep(0.4)
            assert len(peer.pongs) == heard
            assert peer.events == []
            assert shuffler.quiet
            assert shuffler.pending == 1
            shuffler.clear()
            await until(lambda: peer.events == [m.CardDrawn("Kh")])
        table.stop()

    play(wire, story())


@pytest.mark.parametrize("wire", WIRES)
def test_noise_is_heard_and_ignored(wire: str, tmp_path: Path) -> None:
    async def story() -> None:
        table = table_on(wire, tmp_path)
        shuffler = table.device("shuffler")
        async with kept(shuffler) as peer:
            shuffler.fault("babble")
            await until(lambda: peer.noise > 3)
            shuffler.clear()
            await asyncio.sleep(0.1)
            noise = peer.noise
            await asyncio.sleep(0.3)
            assert peer.noise - noise <= 1  # the tail of the last noise ends with the next frame
            assert peer.connected
        table.stop()

    play(wire, story())


# ---- memory wires


class Ear:
    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.losses: list[str] = []

    def received(self, data: bytes) -> None:
        self.heard.append(data)

    def lost(self, why: TransportError) -> None:
        self.losses.append(why.code)


def test_a_memory_wire_carries_both_ways_later_never_at_once() -> None:
    async def story() -> None:
        wire, ear, device = MemoryWire(), Ear(), Ear()
        wire.attach(device.received)
        wire.send(b"lost: unplugged")
        with pytest.raises(TransportError) as error:
            await wire.transport.open(ear)
        assert error.value.code == "sim.unplugged"
        wire.plug()
        wire.send(b"lost: nobody has opened it")
        wire.transport.write(b"lost: not opened")
        await wire.transport.open(ear)
        wire.send(b"a")
        wire.send(b"b")
        wire.transport.write(b"c")
        assert ear.heard == device.heard == []
        await asyncio.sleep(0)
        assert ear.heard == [b"a", b"b"]
        assert device.heard == [b"c"]
        with pytest.raises(TransportError) as error:
            await wire.transport.open(ear)
        assert error.value.code == "sim.busy"

    run(story())


def test_bytes_in_flight_vanish_when_unplugged() -> None:
    async def story() -> None:
        wire, ear, device = MemoryWire(latency=0.01), Ear(), Ear()
        wire.attach(device.received)
        wire.plug()
        await wire.transport.open(ear)
        wire.send(b"up")
        wire.transport.write(b"down")
        wire.unplug()
        assert ear.losses == []  # news comes by the loop, too
        wire.plug()
        await asyncio.sleep(1)
        assert (ear.heard, device.heard, ear.losses) == ([], [], ["sim.unplugged"])
        wire.send(b"still closed")
        await wire.transport.open(ear)
        wire.send(b"again")
        await asyncio.sleep(1)
        assert ear.heard == [b"again"]

    run(story())


def test_who_has_closed_hears_nothing_more() -> None:
    async def story() -> None:
        wire, ear = MemoryWire(), Ear()
        wire.plug()
        await wire.transport.open(ear)
        wire.send(b"a")
        await wire.transport.close()
        await wire.transport.close()
        await wire.transport.open(ear)
        wire.unplug()
        await wire.transport.close()
        await asyncio.sleep(1)
        assert (ear.heard, ear.losses) == ([], [])

    run(story())


def test_latency_delays_and_keeps_the_order() -> None:
    async def story() -> list[tuple[float, bytes]]:
        loop = asyncio.get_running_loop()
        log: list[tuple[float, bytes]] = []
        lane = Lane(lambda data: log.append((loop.time(), data)))
        lane.put(b"a", 0.5)
        lane.put(b"b", 0.1)
        lane.put(b"c")
        await asyncio.sleep(0.2)
        lane.put(b"d", 1.0)
        await asyncio.sleep(1)
        lane.deliver_now()
        await asyncio.sleep(0)
        return log

    assert run(story()) == [(0.5, b"a"), (0.5, b"b"), (0.5, b"c"), (1.2, b"d")]


# ---- pseudo-terminals


def test_a_link_keeps_its_place_and_leads_to_a_fresh_terminal(tmp_path: Path) -> None:
    async def story() -> None:
        wire = PtyWire(tmp_path / "shoe")
        wire.link.symlink_to("/nowhere")  # left by a process that was killed
        wire.plug()
        wire.plug()
        assert wire.link.is_char_device()
        descriptor = os.open(wire.link, os.O_RDWR | os.O_NOCTTY)
        wire.unplug()
        wire.unplug()
        assert not wire.plugged
        assert not wire.link.is_symlink()
        wire.send(b"lost")
        with pytest.raises(OSError, match="Input/output error"):
            os.write(descriptor, b"x")
        os.close(descriptor)
        wire.plug()
        assert wire.link.is_char_device()
        wire.unplug()
        assert list(tmp_path.iterdir()) == []

    asyncio.run(story())


def test_a_terminal_carries_every_byte_as_it_is(tmp_path: Path) -> None:
    async def story() -> None:
        wire, ear, device = PtyWire(tmp_path / "shoe"), Ear(), Ear()
        wire.attach(device.received)
        wire.plug()
        peer = Peer(PtyTransport(wire.link))
        await peer.transport.open(ear)
        every = bytes(range(256))
        wire.send(every)
        peer.transport.write(every)
        await until(lambda: b"".join(ear.heard) == every and b"".join(device.heard) == every)
        await peer.transport.close()
        wire.unplug()

    asyncio.run(story())


def test_a_terminal_nobody_reads_never_blocks(tmp_path: Path) -> None:
    async def story() -> None:
        wire = PtyWire(tmp_path / "shoe")
        wire.plug()
        for _ in range(100):
            wire.send(Frame(Kind.PONG, 1, b"x" * 1000).to_wire())
        assert wire.plugged
        wire.unplug()

    asyncio.run(story())


@pytest.mark.parametrize("where", ["taken", "no/such/directory"])
def test_a_link_that_cannot_be_made_is_an_error_and_leaks_nothing(where: str, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("somebody's file")

    async def story() -> None:
        wire = PtyWire(tmp_path / where)
        before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
        with pytest.raises(SimError):
            wire.plug()
        assert not wire.plugged
        assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208

    asyncio.run(story())
    assert (tmp_path / "taken").read_text() == "somebody's file"
