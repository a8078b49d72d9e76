"""A controller in one page, written against the protocol alone: it greets, dedups, acknowledges and repeats itself."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from firmware_bridge.frame import Frame, Kind, decode_answer, decode_event, decode_reply, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import Command, Event, Hello, Identity, Reply
from firmware_bridge.transport import Receiver, Transport, TransportError
from hw_sim import loop
from hw_sim.table import SimDevice

WIRES = ("memory", "pty")
REPEAT = 0.1


def identity_in(frame: Frame) -> Identity:
    """Returns who the device is, by its answer to a greeting."""
    answer = decode_answer(frame.body)
    assert isinstance(answer, Identity)
    return answer


SILENCE = 0.75


class PtyTransport:
    """Opens the link as a serial port would be opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.descriptor: int | None = None

    async def open(self, receiver: Receiver) -> None:
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError as error:
            raise TransportError("test.open", str(error)) from error
        self.descriptor = descriptor

        def readable() -> None:
            try:
                data = os.read(descriptor, 4096)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if data:
                receiver.received(data)
            else:
                self._close()
                receiver.lost(TransportError("test.lost", "hung up"))

        asyncio.get_running_loop().add_reader(descriptor, readable)

    def write(self, data: bytes) -> None:
        if self.descriptor is not None:
            try:
                os.write(self.descriptor, data)
            except OSError:
                pass  # the reader tells

    async def close(self) -> None:
        self._close()

    def _close(self) -> None:
        if self.descriptor is not None:
            asyncio.get_running_loop().remove_reader(self.descriptor)
            os.close(self.descriptor)
            self.descriptor = None


class Peer:
    """`events` are handed up once and in order; `seen` has every counter that came over the wire."""

    def __init__(self, transport: Transport, *, acks: bool = True, silence: float = SILENCE) -> None:
        self.transport = transport
        self.acks = acks
        self.silence = silence
        self.events: list[Event] = []
        self.seen: list[int] = []
        self.losses: list[str] = []
        self.identity: Identity | None = None
        self.noise = 0
        self.sessions = 0
        self.pongs: list[int] = []
        self._framer = Framer()
        self._opened = False
        self._nonce = 1000
        self._greeted = False
        self._heard = 0.0
        self._requests = 0
        self._waiting: dict[int, tuple[bytes, asyncio.Future[Reply]]] = {}

    @property
    def counter(self) -> int:
        return len(self.events)

    @property
    def connected(self) -> bool:
        return self._opened and self._greeted

    async def keep(self) -> None:
        """Stay connected, whatever happens."""
        while True:
            now = asyncio.get_running_loop().time()
            if not self._opened:
                try:
                    await self.transport.open(self)
                except TransportError as error:
                    self.losses.append(error.code)
                else:
                    self._opened = True
                    self._framer.reset()
                    self.hello()
            elif not self._greeted or now - self._heard > self.silence:
                self.hello()
            else:
                self.send(Kind.PING, 7)
                for wire, _ in self._waiting.values():
                    self.transport.write(wire)
            await asyncio.sleep(REPEAT)

    def hello(self) -> None:
        self._greeted = False
        self._nonce += 1
        self._heard = asyncio.get_running_loop().time()
        epoch = self.identity.epoch if self.identity else 0
        self.send(Kind.HELLO, self._nonce, encode(Hello(1, epoch, self.counter if self.acks else 0)))

    def send(self, kind: Kind, number: int, body: bytes = b"") -> None:
        self.transport.write(Frame(kind, number, body).to_wire())

    async def command(self, command: Command) -> Reply:
        """Repeated until it is answered; only within one session."""
        self._requests += 1
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        wire = Frame(Kind.COMMAND, self._requests, encode(command)).to_wire()
        self._waiting[self._requests] = wire, future
        self.transport.write(wire)
        return await future

    def received(self, data: bytes) -> None:
        for frame in self._framer.feed(data):
            if not isinstance(frame, Frame):
                self.noise += 1
                continue
            if frame.kind is Kind.IDENTITY and frame.number == self._nonce:
                self.identity = identity_in(frame)
                self._greeted = True
                self.sessions += 1
            if not self._greeted:
                continue
            self._heard = asyncio.get_running_loop().time()
            if frame.kind is Kind.EVENT:
                self._event(frame)
            elif frame.kind is Kind.REPLY and frame.number in self._waiting:
                self._waiting.pop(frame.number)[1].set_result(decode_reply(frame.body))
            elif frame.kind is Kind.PONG:
                self.pongs.append(frame.number)

    def lost(self, why: TransportError) -> None:
        self.losses.append(why.code)
        self._opened = self._greeted = False

    def _event(self, frame: Frame) -> None:
        self.seen.append(frame.number)
        if frame.number == self.counter + 1:
            self.events.append(decode_event(frame.body))
        elif frame.number > self.counter + 1:
            self.send(Kind.RESEND, self.counter + 1)
        if self.acks and self.counter:
            self.send(Kind.ACK, self.counter)


def plug(device: SimDevice) -> Transport:
    return PtyTransport(device.path) if device.path is not None else device.transport()


@asynccontextmanager
async def kept(device: SimDevice, **options: Any) -> AsyncIterator[Peer]:
    """A peer that is connected and stays so."""
    peer = Peer(plug(device), **options)
    task = asyncio.create_task(peer.keep())
    try:
        await until(lambda: peer.connected)
        yield peer
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await peer.transport.close()


async def until(condition: Callable[[], bool], limit: float = 20.0) -> None:
    """Wait for it in small steps of the loop's own time."""
    async with asyncio.timeout(limit):
        while not condition():  # noqa: ASYNC110 - any condition at all, and the loop's time is what must pass
            await asyncio.sleep(0.005)


def play(wire: str, story: Coroutine[Any, Any, None]) -> None:
    """Memory wires in jumping time; a pseudo-terminal is the kernel's and needs real time."""
    if wire == "memory":
        loop.run(story)
    else:
        asyncio.run(story)
