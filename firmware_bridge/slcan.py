"""The port to a CAN bus behind an SLCAN adapter on a serial line.

Over our own serial transport: python-can's reads byte by byte, waits in every send until the line has drained, takes a
refusal for a success and fails for ever once the adapter is unplugged.
"""

from __future__ import annotations

import asyncio
from typing import Final

from firmware_bridge.can_frame import BITRATES, CanFrame, from_line, to_line
from firmware_bridge.can_ports import Listener
from firmware_bridge.serial import SerialTransport
from firmware_bridge.transport import TransportError

ANSWER: Final = 0.5  # seconds within which an adapter answers
STATUS_EVERY: Final = 0.2  # seconds between looks at its state
MOST_UNANSWERED: Final = 3  # looks, before the adapter is given up
LONGEST_LINE: Final = 64  # bytes, generously
_WARNING, _PASSIVE, _BUS_ERROR = 0x04, 0x20, 0x80  # bits of its status


class SlcanPort:
    """The port of one adapter, from its greeting until it is gone."""

    def __init__(self, path: str, bitrate: int, baud: int) -> None:
        self._path = path
        self._speed = BITRATES[bitrate]
        self._serial = SerialTransport(path, baud)
        self._listener: Listener | None = None
        self._rest = b""
        self._answers: asyncio.Queue[bytes | TransportError] | None = None  # while it is being set up
        self._timer: asyncio.TimerHandle | None = None
        self._asked = 0  # how often for its status, without an answer so far
        self._refused = False  # a frame, since its last status

    async def open(self, listener: Listener) -> None:
        await self._serial.open(self)
        self._answers = asyncio.Queue()
        try:
            await self._ask("", starts=None)  # end whatever half a command somebody left
            await self._ask("C", starts=None)
            await self._ask("V", starts=b"V")
            await self._ask(self._speed)
            await self._ask("O")
        except BaseException:
            await self._serial.close()
            raise
        finally:
            self._answers = None
        self._listener = listener
        self._arm()

    def send(self, frame: CanFrame) -> bool:
        self._serial.write(to_line(frame) + b"\r")
        return True  # it waits in the serial transport, which notices a stall

    async def close(self) -> None:
        if self._listener is not None:
            self._serial.write(b"C\r")
        self._detach()
        await self._serial.close()

    async def _ask(self, command: str, starts: bytes | None = b"\r") -> None:
        """Sends a command and waits for its answer; with `starts` None it does not wait."""
        self._serial.write(command.encode() + b"\r")
        if starts is None:
            return
        assert self._answers is not None
        try:
            async with asyncio.timeout(ANSWER):
                while not (answer := await self._next_answer(self._answers)).startswith(starts):
                    if starts == b"\r" and answer[-1:] == b"\a":
                        cause = f"{self._path}: the adapter refuses the command {command}"
                        raise TransportError("can.refused", cause)
        except TimeoutError:
            cause = f"{self._path}: no SLCAN adapter answers there: check the address and the adapter's baud rate"
            raise TransportError("can.no-adapter", cause) from None

    @staticmethod
    async def _next_answer(answers: asyncio.Queue[bytes | TransportError]) -> bytes:
        answer = await answers.get()
        if isinstance(answer, TransportError):
            raise answer
        return answer

    # ---- from the serial transport

    def received(self, data: bytes) -> None:
        text = (self._rest + data).replace(b"\a", b"\a\r")
        *lines, self._rest = text.split(b"\r")
        self._rest = self._rest[-LONGEST_LINE:]
        frames = []
        for line in lines:
            if (frame := from_line(line)) is not None:
                frames.append(frame)
            elif self._answers is not None:
                self._answers.put_nowait(line or b"\r")
            elif line[-1:] == b"\a":
                if not self._refused:  # why: it says once for all of them
                    self._refused = True
                    self._ask_status()
            elif line[:1] == b"F":
                self._take_status(line)
        if frames and self._listener is not None:
            self._listener.frames(frames)

    def lost(self, why: TransportError) -> None:
        if self._answers is not None:
            self._answers.put_nowait(why)
        listener = self._listener
        self._detach()
        if listener is not None:
            listener.lost(why)

    # ---- its state

    def _arm(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(STATUS_EVERY, self._look)

    def _look(self) -> None:
        if self._asked >= MOST_UNANSWERED:
            cause = f"{self._path}: the adapter has stopped answering"
            listener = self._listener
            self._detach()
            if listener is not None:
                listener.lost(TransportError("can.adapter-silent", cause))
            return
        self._ask_status()
        self._arm()

    def _ask_status(self) -> None:
        if self._listener is not None:
            self._asked += 1
            self._serial.write(b"F\r")

    def _take_status(self, line: bytes) -> None:
        self._asked = 0
        refused, self._refused = self._refused, False
        try:
            status = int(line[1:3], 16)
        except ValueError:
            return
        if self._listener is None:
            return
        if status & _BUS_ERROR and refused:
            self._listener.health("bus-off")
        elif status & _PASSIVE:
            self._listener.health("passive")
        else:
            self._listener.health("warning" if status & _WARNING else "active")

    def _detach(self) -> None:
        self._listener = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
