"""The suite's end of a wire: bytes go out as they are told, frames come in with their time."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from firmware_bridge.frame import Frame, FrameError
from firmware_bridge.framer import Framer
from firmware_bridge.speed import Line
from firmware_bridge.transport import Transport, TransportError


class Arrival(NamedTuple):
    """A frame, or what is none, and when it came."""

    at: float
    item: Frame | FrameError


class OpenWire:
    """One opened wire.  `unframed` counts frames without a zero byte of their own before them."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._framer = Framer()
        self._queue: asyncio.Queue[Arrival | TransportError] = asyncio.Queue()
        self._lost: TransportError | None = None
        self._zeros = 0
        self._begun = False
        self.unframed = 0
        self.base = 0  # the speed of our end, 0: it has none
        self.faster: tuple[int, ...] = ()  # higher ones that it can have

    async def open(self) -> None:
        """Opens the wire; TransportError when it cannot be opened."""
        await self._transport.open(self)
        if isinstance(self._transport, Line):
            self.base, self.faster = self._transport.speed, self._transport.faster()

    async def close(self) -> None:
        """Closes the wire."""
        await self._transport.close()

    def write(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self._transport.write(data)

    def set_speed(self, baud: int = 0) -> None:
        """Gives our end this speed, or else its base speed; a wire without any stays as it is."""
        if isinstance(self._transport, Line) and self._transport.speed != (baud or self.base):
            self._transport.set_speed(baud or self.base)

    async def next(self, within: float) -> Arrival | None:
        """Returns what comes next; None when nothing came in so many seconds.  TransportError when the wire is lost."""
        if self._queue.empty():
            if self._lost is not None:
                raise self._lost
            if within <= 0:
                return None
        try:
            async with asyncio.timeout(max(within, 0.001)):
                arrival = await self._queue.get()
        except TimeoutError:
            return None
        if isinstance(arrival, TransportError):
            raise arrival
        return arrival

    def received(self, data: bytes) -> None:
        """Takes bytes of the device."""
        self._count_zeros(data)
        now = asyncio.get_running_loop().time()
        for item in self._framer.feed(data):
            self._queue.put_nowait(Arrival(now, item))

    def lost(self, why: TransportError) -> None:
        """Learns that the wire is gone."""
        self._lost = why
        self._queue.put_nowait(why)

    def _count_zeros(self, data: bytes) -> None:
        first, *others = data.split(b"\0")
        if first:
            self._piece()
        for piece in others:
            self._zeros += 1
            if piece:
                self._piece()

    def _piece(self) -> None:
        """Notes that bytes other than zero begin or go on; two frames with one zero between them share it."""
        if self._zeros == 1 and self._begun:
            self.unframed += 1
        self._begun, self._zeros = True, 0
