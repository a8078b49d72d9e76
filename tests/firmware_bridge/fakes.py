"""A wire in memory with faults on it, and a small device at its far end that speaks the native protocol."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from firmware_bridge.frame import (
    Frame,
    FrameError,
    Kind,
    decode_command,
    decode_hello,
    encode,
)
from firmware_bridge.framer import Framer
from firmware_bridge.messages import Command, Event, Identity, Reply
from firmware_bridge.transport import Receiver, TransportError

Fault = Callable[[bytes], list[bytes]]
WINDOW = 16


def clean(data: bytes) -> list[bytes]:
    return [data]


def one_byte(data: bytes) -> list[bytes]:
    return [bytes([byte]) for byte in data]


def silent(data: bytes) -> list[bytes]:
    return []


def duplicating(data: bytes) -> list[bytes]:
    return [data, data]


def lossy(seed: int, share: float) -> Fault:
    chance = random.Random(seed)
    return lambda data: [] if chance.random() < share else [data]


def corrupting(seed: int, share: float) -> Fault:
    chance = random.Random(seed)

    def fault(data: bytes) -> list[bytes]:
        out = bytearray(data)
        if out and chance.random() < share:
            out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
        return [bytes(out)]

    return fault


class MemoryWire:
    """A transport to a fake device.  Order is kept; what happens to the bytes is up to the faults."""

    def __init__(self, device: FakeDevice, *, down: Fault = clean, up: Fault = clean, latency: float = 0.001) -> None:
        self.device = device
        self.down = down
        self.up = up
        self.latency = latency
        self.refuse: TransportError | None = None
        self.opens = 0
        self._receiver: Receiver | None = None
        self._last = 0.0  # when the latest piece arrives
        self._life = 0  # what travels when the wire is closed never arrives
        device.send = self._send_up

    async def open(self, receiver: Receiver) -> None:
        await asyncio.sleep(self.latency)
        self.opens += 1
        if self.refuse is not None:
            raise self.refuse
        self._receiver = receiver
        self._life += 1

    def write(self, data: bytes) -> None:
        self._travel(self.down(data), self.device.received)

    async def close(self) -> None:
        self._receiver = None
        self._life += 1

    def unplug(self) -> None:
        receiver, self._receiver = self._receiver, None
        self._life += 1
        if receiver is not None:
            receiver.lost(TransportError("memory.lost", "unplugged"))

    def _send_up(self, data: bytes) -> None:
        self._travel(self.up(data), self._arrive)

    def _arrive(self, piece: bytes) -> None:
        if self._receiver is not None:
            self._receiver.received(piece)

    def _travel(self, pieces: list[bytes], arrive: Callable[[bytes], None]) -> None:
        life = self._life

        def deliver() -> None:
            for piece in pieces:
                if self._receiver is not None and life == self._life:
                    arrive(piece)

        loop = asyncio.get_running_loop()
        # The loop does not keep the order of timers with the same time: give each its own.
        self._last = max(self._last + 1e-7, loop.time() + self.latency)
        loop.call_at(self._last, deliver)


class FakeDevice:
    """Keeps events until they are acknowledged, executes each request once, answers; all as the protocol says."""

    def __init__(self, family: str = "shoe", serial: str = "S-1", epoch: int = 7) -> None:
        self.family, self.serial, self.epoch = family, serial, epoch
        self.kept: dict[int, bytes] = {}
        self.last = 0
        self.executed: list[Command] = []
        self.answer: Callable[[Command], Reply | None] = lambda command: Reply(True)
        self.heard: list[Frame] = []
        self.errors: list[FrameError] = []
        self.deaf = False
        self.send: Callable[[bytes], None] = lambda data: None
        self._replies: dict[int, Reply] = {}
        self._greeted = False
        self._framer = Framer()
        self._retry = 0.2
        self._timer: asyncio.TimerHandle | None = None

    def happen(self, event: Event) -> int:
        self.last += 1
        self.kept[self.last] = encode(event)
        if self._greeted and self.last < min(self.kept) + WINDOW:
            self._send_event(self.last)
        return self.last

    def restart(self, *, forget: bool = False) -> None:
        """A power cut: the session is gone; the event memory too when it forgets."""
        self._greeted = False
        self._stop_timer()
        if forget:
            self.kept.clear()
            self.last = 0
            self.epoch += 1

    def received(self, data: bytes) -> None:
        for item in self._framer.feed(data):
            if isinstance(item, FrameError):
                self.errors.append(item)
            elif not self.deaf:
                self.heard.append(item)
                self._take(item)

    def put(self, frame: Frame) -> None:
        self.send(frame.to_wire())

    def identity(self) -> Identity:
        first = min(self.kept, default=self.last + 1)
        return Identity(self.family, "fake", self.serial, "1.0", self.epoch, self.last, first)

    def _take(self, frame: Frame) -> None:
        if frame.kind is Kind.HELLO:
            hello = decode_hello(frame.body)
            if hello.epoch == self.epoch:
                self._forget(hello.counter)
            self._greeted = True
            self._replies.clear()
            self.put(Frame(Kind.IDENTITY, frame.number, encode(self.identity())))
            self._send_from(1)
        elif not self._greeted:
            return
        elif frame.kind is Kind.ACK:
            before = min(self.kept, default=0) + WINDOW
            self._forget(frame.number)
            self._stop_timer()
            self._retry = 0.2
            self._send_from(before)  # the window has moved on
            self._start_timer()
        elif frame.kind is Kind.RESEND:
            self._send_from(frame.number)
        elif frame.kind is Kind.PING:
            self.put(Frame(Kind.PONG, frame.number))
        elif frame.kind is Kind.COMMAND:
            self._command(frame)

    def _command(self, frame: Frame) -> None:
        reply = self._replies.get(frame.number)
        if reply is None:
            command = decode_command(frame.body)
            reply = self.answer(command)
            self.executed.append(command)
            if reply is None:
                return
            self._replies[frame.number] = reply
        self.put(Frame(Kind.REPLY, frame.number, encode(reply)))

    def _forget(self, counter: int) -> None:
        self.kept = {kept: body for kept, body in self.kept.items() if kept > counter}

    def _send_from(self, counter: int) -> None:
        for kept in sorted(self.kept)[:WINDOW]:
            if kept >= counter:
                self._send_event(kept)

    def _send_event(self, counter: int) -> None:
        self.put(Frame(Kind.EVENT, counter, self.kept[counter]))
        self._start_timer()

    def _start_timer(self) -> None:
        if self._timer is None and self.kept:
            self._timer = asyncio.get_running_loop().call_later(self._retry, self._again)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _again(self) -> None:
        self._timer = None
        if self._greeted and self.kept:
            self._retry = min(self._retry * 2, 1.6)
            self._send_event(min(self.kept))
