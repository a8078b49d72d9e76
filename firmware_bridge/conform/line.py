"""The line to the device on trial: bytes and frames go out as they are told, every frame that comes in is looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from firmware_bridge.conform.trial import UntriedError
from firmware_bridge.conform.watch import Watch
from firmware_bridge.conform.wire import Arrival, OpenWire
from firmware_bridge.frame import ENCRYPTED, Frame, FrameError, Kind
from firmware_bridge.transport import Transport, TransportError

if TYPE_CHECKING:
    from firmware_bridge.encryption import SessionKeys

OPEN_AGAIN: Final = 0.2  # seconds between tries
REOPEN: Final = 10.0  # seconds that a device may take to start


@dataclass(slots=True)
class EncryptedSession:
    """The session's keys and counters."""

    keys: SessionKeys = field(repr=False)
    number: int  # of its HELLO
    nonce: bytes  # ours
    sent: int = 0
    received: int = 0


class Line:
    """A wire to the device, opened as often as needed, and the encryption of the session on it."""

    def __init__(self, make_transport: Callable[[], Transport]) -> None:
        self._make_transport = make_transport
        self.watch = Watch()
        self._wire: OpenWire | None = None
        self._encryption: EncryptedSession | None = None

    @property
    def now(self) -> float:
        """The time of the loop."""
        return asyncio.get_running_loop().time()

    # ---- the wire

    @property
    def opened(self) -> bool:
        """Whether there is a wire."""
        return self._wire is not None

    async def open(self, within: float = 0.0) -> None:
        """Opens the wire, again and again for so many seconds; TransportError when it cannot be opened."""
        deadline = self.now + within
        while True:
            wire = OpenWire(self._make_transport())
            try:
                await wire.open()
            except TransportError:
                await wire.close()
                if self.now >= deadline:
                    raise
                await asyncio.sleep(OPEN_AGAIN)
            else:
                self._wire, self._encryption = wire, None
                return

    async def close(self) -> None:
        """Closes the wire; no session is left."""
        if self._wire is not None:
            await self._wire.close()
            self._wire = None

    async def reopen(self) -> None:
        """Closes the wire and opens it again, as after a pulled cable."""
        await self.close()
        await self.open(REOPEN)

    @property
    def faster(self) -> tuple[int, ...]:
        """The higher speeds that our end of the wire can have, the fastest first."""
        return self._wire.faster if self._wire is not None else ()

    def set_speed(self, baud: int = 0) -> None:
        """Gives our end of the wire this speed, or else its base speed."""
        if self._wire is not None:
            self._wire.set_speed(baud)

    def write(self, data: bytes) -> None:
        """Sends bytes as they are."""
        if self._wire is None:
            raise TransportError("link.lost", "the wire is closed")
        self._wire.write(data)

    def send(self, frame: Frame) -> None:
        """Sends a frame, encrypted where the session is."""
        self.write(self.encrypted(frame).to_wire())

    def encrypted(self, frame: Frame) -> Frame:
        """Returns the frame as it goes over the wire of this session."""
        if self._encryption is None:
            return frame
        from firmware_bridge.encryption import close

        self._encryption.sent += 1
        return close(self._encryption.keys.down, self._encryption.sent, frame)

    @property
    def challenged(self) -> tuple[int, bytes]:
        """The number and our nonce of the running session; UntriedError when it is not encrypted."""
        if self._encryption is None:
            raise UntriedError("the session is not encrypted")
        return self._encryption.number, self._encryption.nonce

    def expect(self, kind: Kind, number: int) -> None:
        """Says that a frame with this number is no surprise."""
        self.watch.expected.add((kind, number))

    # ---- what comes

    async def next(self, within: float) -> Arrival | None:
        """Returns the next frame of the device; None when none came in so many seconds."""
        deadline = self.now + within
        while True:
            if self._wire is None:
                raise TransportError("link.lost", "the wire is closed")
            arrival = await self._wire.next(deadline - self.now)
            if arrival is None:
                return None
            if isinstance(arrival.item, FrameError):
                self.watch.damaged(arrival.item)
                continue
            if self._wire.unframed:
                self.watch.note("1.2", "frames had no zero byte of their own before them")
            frame = self._opened(arrival.item)
            if frame is not None:
                return Arrival(arrival.at, frame)

    async def find(self, kind: Kind, number: int | None, within: float) -> Frame | None:
        """Returns the next frame of this kind and number (None: any); None when none came in so many seconds."""
        deadline = self.now + within
        while (arrival := await self.next(deadline - self.now)) is not None:
            assert isinstance(arrival.item, Frame)
            if arrival.item.kind is kind and number in (None, arrival.item.number):
                return arrival.item
        return None

    async def during(self, seconds: float) -> list[tuple[float, Frame]]:
        """Returns every frame that comes in so many seconds, with its time."""
        deadline = self.now + seconds
        frames: list[tuple[float, Frame]] = []
        while (arrival := await self.next(deadline - self.now)) is not None:
            assert isinstance(arrival.item, Frame)
            frames.append((arrival.at, arrival.item))
        return frames

    def _opened(self, frame: Frame) -> Frame | None:
        """Returns a frame in plain; None when it does not belong to this session."""
        session = self._encryption
        if session is None:
            if frame.flags & ENCRYPTED:
                return None  # of an earlier session
            self._looked_at(frame)
            return frame
        from firmware_bridge.encryption import opened

        if not frame.flags & ENCRYPTED:
            if frame.kind is not Kind.IDENTITY:
                self.watch.note("8.10", f"{frame.kind.name} {frame.number} is not encrypted, and the session is")
            return frame if frame.kind is Kind.IDENTITY else None
        decrypted = opened(session.keys.up, frame)
        if decrypted is None:
            if session.received:
                self.watch.note("8.9", f"{frame.kind.name} {frame.number} does not open with the key of the session")
            return None
        counter, plain = decrypted
        if counter != session.received + 1:
            self.watch.note("8.8", f"a frame has the counter {counter}, and {session.received + 1} was next")
        session.received = max(counter, session.received)
        self.watch.encrypted += 1
        self._looked_at(plain)
        return plain

    def _looked_at(self, frame: Frame) -> None:
        if frame.kind is not Kind.EVENT or self.watch.identity is not None:
            self.watch.frame(frame)
