"""A command and its answer over every kind of wire: the native link beside the same bytes over the bare transport."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from benchmarks.measure import Measured, folder, happened, percentile
from firmware_bridge.address import open_transport, parse
from firmware_bridge.frame import Frame, FrameError, Kind, encode
from firmware_bridge.framer import Framer
from firmware_bridge.link import HostLink
from firmware_bridge.messages import Identity, Reply, SelfTest
from firmware_bridge.schemes.usb import open_usb
from firmware_bridge.transport import Transport, TransportError
from hw_sim.cabling import Cabling
from hw_sim.wire import Wire

KINDS = {"pty": "pseudo-terminal", "tcp": "TCP", "usb": "simulated USB", "can": "virtual CAN"}
GOAL, GOAL_ON = 1.3, "pty"
BATCH = 50  # link and bare wire take turns
BATCHES = 30
PATIENCE = 5.0


class Device:
    """Answers in the wire's own turn of the loop, as plainly as can be; the same for the link and the bare wire."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._framer = Framer()
        self._identity = encode(Identity("shoe", "bench", "BENCH", "1.0.0", 7, 0))
        self._reply = encode(Reply(True))
        wire.attach(self._take)

    def _take(self, data: bytes) -> None:
        for frame in self._framer.feed(data):
            if isinstance(frame, FrameError):
                raise SystemExit(f"a bad frame: {frame}")
            if frame.kind is Kind.HELLO:
                self._wire.send(Frame(Kind.IDENTITY, frame.number, self._identity).to_wire())
            elif frame.kind is Kind.PING:
                self._wire.send(Frame(Kind.PONG, frame.number).to_wire())
            elif frame.kind is Kind.COMMAND:
                self._wire.send(Frame(Kind.REPLY, frame.number, self._reply).to_wire())


class Bare:
    """The same bytes there and back without a link: no session, no decoding, no timers."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._command = Frame(Kind.COMMAND, 1, encode(SelfTest())).to_wire()
        self._wanted = len(Frame(Kind.REPLY, 1, encode(Reply(True))).to_wire())
        self._got = 0
        self._answered: asyncio.Future[None] | None = None

    async def open(self) -> None:
        await self._transport.open(self)

    async def ask(self) -> None:
        self._got = 0
        self._answered = asyncio.get_running_loop().create_future()
        self._transport.write(self._command)
        await self._answered

    async def close(self) -> None:
        await self._transport.close()

    def received(self, data: bytes) -> None:
        self._got += len(data)
        if self._got == self._wanted and self._answered is not None:
            self._answered.set_result(None)

    def lost(self, why: TransportError) -> None:
        raise SystemExit(f"the wire was lost: {why}")


class Linked:
    """The link as the daemon has it."""

    def __init__(self, transport: Transport) -> None:
        self._link = HostLink(transport, on_event=lambda counter, event: None, on_lost=self._lost)

    async def open(self) -> None:
        await self._link.open()

    async def ask(self) -> None:
        await self._link.request(SelfTest())

    async def close(self) -> None:
        await self._link.close()

    def _lost(self, why: Exception) -> None:
        raise SystemExit(f"the link was lost: {why}")


async def _times(asker: Bare | Linked, many: int) -> list[float]:
    took = []
    await asker.open()
    try:
        for _ in range(many):
            began = time.perf_counter()
            await asker.ask()
            took.append(time.perf_counter() - began)
    finally:
        await asker.close()
    return took[1:]  # the first one warms up


async def round_trips(kind: str, directory: Path, batches: int, batch: int) -> tuple[list[float], list[float]]:
    """Seconds of each round trip: over the link, and over the bare wire of this kind."""
    cabling = Cabling(directory)
    wire = cabling.wire(kind, "bench")
    Device(wire)
    cabling.plug()
    wire.plug()

    def transport() -> Transport:
        address = parse(wire.address)
        return open_usb(address, cabling.usb) if kind == "usb" else open_transport(address)

    linked: list[float] = []
    bare: list[float] = []
    try:
        async with asyncio.timeout(PATIENCE * batches):
            for _ in range(batches):
                linked += await _times(Linked(transport()), batch)
                bare += await _times(Bare(transport()), batch)
    finally:
        wire.unplug()
        cabling.unplug()
    return linked, bare


def measure(batches: int = BATCHES, batch: int = BATCH) -> list[Measured]:
    lines = []
    for kind, words in KINDS.items():
        with folder() as directory:
            linked, bare = asyncio.run(round_trips(kind, directory, batches, batch))
        asked = batches * (batch - 1)
        happened(len(linked) == len(bare) == asked, f"{words}: {len(linked)} and {len(bare)} of {asked} were answered")
        value, floor = percentile(linked, 0.5) * 1e6, percentile(bare, 0.5) * 1e6
        goal = f"<= {GOAL:g} x floor" if kind == GOAL_ON else ""
        met = value <= GOAL * floor if goal else None
        slow = percentile(linked, 0.99) * 1e6
        note = f"{len(linked)} commands, p99 {slow:.0f} us; floor: the same bytes over the bare transport"
        lines.append(Measured(f"command and answer, {words}, p50", value, "us", floor, goal, met, note))
    return lines
