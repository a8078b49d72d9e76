"""A device of the reference firmware whose time is that of the loop: nothing depends on how fast this machine is."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, Self

from firmware_bridge.transport import Receiver
from tests.reference.process import PATIENCE, EndedError, Reference

TURN: Final = 0.005  # seconds: the device looks at everything so often
BEGIN: Final = 2**32 - 8_000  # milliseconds: its clock turns over after eight seconds
PIECE: Final = 4096
MOST: Final = 1 << 17


class Stepped(Reference):
    """A device that runs in steps; its own transport, which may be opened again and again."""

    def __init__(self, *arguments: object, **options: str) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        self._ours: socket.socket | None = None
        self._theirs: socket.socket | None = None
        self.kept = 0  # events that it keeps because nobody has acknowledged them
        self._deliver: Callable[[bytes], None] = _nobody
        self._written = b""
        self._now = BEGIN

    def _wire(self) -> tuple[list[str], list[int]]:
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.settimeout(PATIENCE)
        return ["--wire", str(self._theirs.fileno()), "--steps", str(self._now)], [self._theirs.fileno()]

    def start(self, *more: str) -> Self:
        try:
            return super().start(*more)
        finally:
            if self._theirs is not None:
                self._theirs.close()

    def _end(self) -> int:
        assert self._ours is not None
        self._ours.close()
        self._ours = None
        return super()._end()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Lets its time go on with that of the loop; whoever is inside fails when it ends by itself."""
        async with asyncio.TaskGroup() as group:
            turns = group.create_task(self._turn())
            yield
            turns.cancel()

    async def _turn(self) -> None:
        while True:
            self._step()
            await asyncio.sleep(TURN)

    def _step(self) -> None:
        if self._ours is None:
            self._written = b""  # it has no power
            return
        data, self._written = self._written[:PIECE], self._written[PIECE:]
        answer = self.step(round(asyncio.get_running_loop().time() * 1000), data)
        if answer:
            self._deliver(answer)
        if self._written:
            asyncio.get_running_loop().call_soon(self._step)

    def step(self, at: int, data: bytes = b"") -> bytes:
        """Lets it look at everything once, so many milliseconds after the begin, and returns what it sends."""
        assert self._ours is not None
        self._now = (BEGIN + at) % 2**32
        try:
            self._ours.send(struct.pack("<I", self._now) + data)
            answer = self._ours.recv(MOST)
        except ConnectionError:
            answer = b""
        if not answer:
            return self.ended()
        self.kept = answer[-1]  # it stands behind what was sent
        return answer[:-1]

    def ended(self) -> bytes:
        """Returns what it sends after it has ended by itself."""
        raise EndedError("\n".join(self.lines[-40:]))

    # ---- the transport

    def listen(self, deliver: Callable[[bytes], None]) -> None:
        """Says who gets what it sends."""
        self._deliver = deliver

    async def open(self, receiver: Receiver) -> None:
        self._deliver = receiver.received

    def write(self, data: bytes) -> None:
        if not self._written:
            asyncio.get_running_loop().call_soon(self._step)
        self._written += data

    async def close(self) -> None:
        self._deliver = _nobody


def _nobody(_data: bytes) -> None:
    """Hears what nobody listens to."""


class Mortal(Stepped):
    """A device whose power is cut once; what a hand did to it outlives that."""

    died = 0
    stays = ""  # what a hand did that a cut of the power does not undo

    def start(self, *more: str) -> Mortal:
        try:
            super().start(*more)
        except EndedError:
            self.ended()
        return self

    def ended(self) -> bytes:
        self.cut()
        self.died += 1
        assert self.died == 1
        super().start()
        if self.stays:
            self.hand(self.stays)
        return b""
