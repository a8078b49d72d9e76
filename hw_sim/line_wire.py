"""A serial line inside one process: a wire in memory with a speed at each end, whose bytes can take their time."""

from __future__ import annotations

import asyncio
from typing import Final

from firmware_bridge.transport import Receiver, Transport
from hw_sim.line import BASE, SPEEDS, garbled
from hw_sim.wire import Deliver, Lane, MemoryWire

BITS: Final = 10  # for a byte: one to begin, eight, one to end


class LineWire(MemoryWire):
    """A serial line inside one process, with a speed at each end; with `paced` every byte takes its time."""

    def __init__(self, *, paced: bool = False) -> None:
        super().__init__()
        self.near = BASE  # the speed of the controller's end
        self._far = BASE
        self._line_end = _LineEnd(self, super().transport)
        self._lanes = (_Paced(super().send, paced), _Paced(super().write, paced))

    @property
    def transport(self) -> Transport:
        return self._line_end

    def set_speed(self, baud: int) -> None:
        """Gives the device's end this speed; 0: its base speed."""
        self._far = baud or BASE

    def send(self, data: bytes) -> None:
        if self.plugged:
            self._lanes[0].put(self._as_heard(data), self._far)

    def write(self, data: bytes) -> None:
        """Takes what the controller's end writes."""
        if self.plugged:
            self._lanes[1].put(self._as_heard(data), self.near)

    def unplug(self) -> None:
        for lane in self._lanes:
            lane.clear()
        super().unplug()

    def _as_heard(self, data: bytes) -> bytes:
        return data if self.near == self._far else garbled(data)


class _Paced(Lane):
    """One direction of a line: bytes arrive when the last of them has passed."""

    def __init__(self, deliver: Deliver, paced: bool) -> None:
        super().__init__(deliver)
        self._paced = paced
        self._free = 0.0  # when the line is free again

    def put(self, data: bytes, speed: float = 0.0) -> None:
        if not self._paced:
            self._deliver(data)
            return
        now = asyncio.get_running_loop().time()
        self._free = max(now, self._free) + len(data) * BITS / speed
        super().put(data, self._free - now)


class _LineEnd:
    """The controller's end of a LineWire: a Transport with a speed."""

    low_latency = None

    def __init__(self, wire: LineWire, end: Transport) -> None:
        self._wire = wire
        self._end = end

    @property
    def speed(self) -> int:
        return self._wire.near

    def faster(self) -> tuple[int, ...]:
        return tuple(sorted(SPEEDS[1:], reverse=True))

    def set_speed(self, baud: int) -> None:
        self._wire.near = baud

    async def open(self, receiver: Receiver) -> None:
        self._wire.near = BASE
        await self._end.open(receiver)

    def write(self, data: bytes) -> None:
        self._end.write(data)

    async def close(self) -> None:
        await self._end.close()
