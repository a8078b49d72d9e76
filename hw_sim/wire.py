"""Wires between a simulated device and the controller: in memory, and a real pseudo-terminal."""

from __future__ import annotations

import asyncio
import os
import tty
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

from firmware_bridge.transport import Receiver, Transport, TransportError
from hw_sim.errors import SimError
from hw_sim.line import far_speed, garbled

Deliver = Callable[[bytes], None]

_SLACK = 1e-6  # seconds; a timer may fire a hair before its time


class Wire(Protocol):
    """The device's end of a wire.  Bytes sent while it is not plugged in are lost."""

    @property
    def plugged(self) -> bool:
        """Whether it is plugged in."""

    @property
    def address(self) -> str:
        """Where a controller finds the device, as in table.toml; empty when only this process can."""

    def attach(self, received: Deliver) -> None:
        """Sets who gets what the controller sends."""

    def send(self, data: bytes) -> None:
        """Sends bytes to the controller; never blocks."""

    def plug(self) -> None:
        """Plugs the wire in.  Idempotent."""

    def unplug(self) -> None:
        """Unplugs the wire: the controller notices; bytes in flight vanish.  Idempotent."""


@runtime_checkable
class Remembering(Protocol):
    """A wire whose device's end remembers half a message, until its power is cut."""

    def restart(self) -> None:
        """Cuts the power of the device, and gives it back."""


class Lane:
    """One direction of a wire: chunks of bytes arrive later, whole, and in order."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver
        self._queue: deque[tuple[float, bytes]] = deque()
        self._handle: asyncio.Handle | None = None

    def __len__(self) -> int:
        return len(self._queue)

    def put(self, data: bytes, after: float = 0.0) -> None:
        """Delivers bytes in so many seconds, and never before what was put earlier."""
        loop = asyncio.get_running_loop()
        due = loop.time() + after
        if self._queue:
            due = max(due, self._queue[-1][0])
        self._queue.append((due, data))
        if self._handle is None:
            self._schedule(loop)

    def deliver_now(self) -> None:
        """Delivers everything under way at once."""
        chunks = [data for _, data in self._queue]
        self.clear()
        for data in chunks:
            self.put(data)

    def clear(self) -> None:
        """Loses everything that is under way."""
        self._queue.clear()
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _schedule(self, loop: asyncio.AbstractEventLoop) -> None:
        due = self._queue[0][0]
        if due <= loop.time() + _SLACK:
            self._handle = loop.call_soon(self._arrive)
        else:
            self._handle = loop.call_at(due, self._arrive)

    def _arrive(self) -> None:
        loop = asyncio.get_running_loop()
        self._handle = None
        now = loop.time() + _SLACK
        # Only what waits now: answers put meanwhile get a turn of their own, so two ends cannot starve the loop.
        for _ in range(len(self._queue)):
            if not self._queue or self._queue[0][0] > now:
                break
            self._deliver(self._queue.popleft()[1])
        if self._queue and self._handle is None:
            self._schedule(loop)


class MemoryWire:
    """A wire inside one process; `transport` is its controller end."""

    address = ""

    def __init__(self, *, latency: float = 0.0) -> None:
        self.latency = latency
        self._plugged = False
        self._received: Deliver | None = None
        self._end = _MemoryEnd(self)
        self._down = Lane(self._to_device)

    @property
    def transport(self) -> Transport:
        """The controller's end."""
        return self._end

    @property
    def plugged(self) -> bool:
        return self._plugged

    def attach(self, received: Deliver) -> None:
        self._received = received

    def send(self, data: bytes) -> None:
        if self._plugged:
            self._end.carry(data)

    def write(self, data: bytes) -> None:
        """Takes what the controller end writes."""
        if self._plugged:
            self._down.put(data, self.latency)

    def plug(self) -> None:
        self._plugged = True

    def unplug(self) -> None:
        if self._plugged:
            self._plugged = False
            self._down.clear()
            self._end.lose()

    def _to_device(self, data: bytes) -> None:
        if self._received is not None:
            self._received(data)


class _MemoryEnd:
    """The controller's end of a MemoryWire: a Transport."""

    def __init__(self, wire: MemoryWire) -> None:
        self._wire = wire
        self._receiver: Receiver | None = None
        self._up = Lane(self._to_receiver)
        self._loss: asyncio.Handle | None = None

    async def open(self, receiver: Receiver) -> None:
        if not self._wire.plugged:
            raise _unplugged()
        if self._receiver is not None:
            raise TransportError("sim.busy", "the simulated wire is already open")
        self._receiver = receiver

    def write(self, data: bytes) -> None:
        if self._receiver is not None:
            self._wire.write(data)

    async def close(self) -> None:
        self._receiver = None
        self._up.clear()
        if self._loss is not None:
            self._loss.cancel()
            self._loss = None

    def carry(self, data: bytes) -> None:
        """Carries bytes from the device; a port that nobody has opened gets nothing."""
        if self._receiver is not None:
            self._up.put(data, self._wire.latency)

    def lose(self) -> None:
        """Reports to the receiver that the wire was unplugged; bytes in flight vanish."""
        self._up.clear()
        if self._receiver is not None:
            self._loss = asyncio.get_running_loop().call_soon(self._receiver.lost, _unplugged())
            self._receiver = None

    def _to_receiver(self, data: bytes) -> None:
        if self._receiver is not None:
            self._receiver.received(data)


class PtyWire:
    """A pseudo-terminal behind a link that keeps its place: what the controller opens is `link`.

    Each plug makes a fresh one.  The wire holds the far side open as well, so that a controller that comes and goes
    looks like a port being closed and opened, not like a cable being pulled.  A pseudo-terminal has no parity and no
    modem lines.  It carries any speed; once a device has set its own, an end that has another one hears noise.
    """

    def __init__(self, link: Path) -> None:
        self.link = link
        self._received: Deliver | None = None
        self._ends: tuple[int, int] | None = None  # master, slave
        self._speed: int | None = None  # of the device's end: higher than its base speed, or 0; None: it has none
        self._base = 0  # the speed at which the controller greets, where that is a high one

    @property
    def plugged(self) -> bool:
        return self._ends is not None

    @property
    def address(self) -> str:
        return f"serial://{self.link}"

    def attach(self, received: Deliver) -> None:
        self._received = received

    def send(self, data: bytes) -> None:
        if self._ends is None:
            return
        try:
            os.write(self._ends[0], self._as_heard(data))
        except BlockingIOError:
            pass  # nobody reads and the buffer is full: a serial line has no flow control, the bytes are lost
        except OSError:
            self.unplug()

    def plug(self) -> None:
        if self._ends is not None:
            return
        if self.link.exists() and not self.link.is_symlink():
            raise SimError(f"{self.link} is in the way: it is not a link to a simulated device")
        loop = asyncio.get_running_loop()
        master, slave = self._ends = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        loop.add_reader(master, self._readable)
        fresh = self.link.with_name(f".{self.link.name}.new")
        try:
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(os.ttyname(slave))
            fresh.replace(self.link)  # at no moment is there half a link, or an old one
        except OSError as error:
            self.unplug()
            raise SimError(f"{self.link} cannot be made: {error.strerror}") from error

    def unplug(self) -> None:
        if self._ends is None:
            return
        master, slave = self._ends
        self._ends = None
        asyncio.get_running_loop().remove_reader(master)
        self.link.unlink(missing_ok=True)
        os.close(master)
        os.close(slave)

    def _readable(self) -> None:
        if self._ends is None:
            return
        try:
            data = os.read(self._ends[0], 4096)
        except BlockingIOError:
            return
        except OSError:
            self.unplug()
            return
        if self._received is not None:
            self._received(self._as_heard(data))

    def set_speed(self, baud: int) -> None:
        """Gives the device's end this speed; 0: its base speed, which is whatever the controller greets with."""
        if self._speed is None and self._ends is not None:
            self._base = far_speed(self._ends[0])
        self._speed = baud

    def _as_heard(self, data: bytes) -> bytes:
        if self._speed is None or self._ends is None:
            return data
        far = far_speed(self._ends[0])
        return data if far == self._speed or (far == self._base and not self._speed) else garbled(data)


def _unplugged() -> TransportError:
    return TransportError("sim.unplugged", "the simulated device is not plugged in")
