"""Messages longer than a CAN frame: ISO-TP (ISO 15765-2) as pure logic; frames and time go in, frames and messages out.

Normal addressing on classical CAN, both directions at once.  A message that cannot be finished is dropped and counted:
whoever needs it sends it again.

>>> end = IsoTp()
>>> end.send(b"hello", now=0.0)
>>> end.outbox.popleft().hex(" ")
'05 68 65 6c 6c 6f'
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from typing import Final

from firmware_bridge.frame import MAX_ENCODED

FLOW_DEADLINE: Final = 0.15  # seconds that a sender waits for the receiver's word; shorter than the link's own retries
NEXT_DEADLINE: Final = 0.15  # seconds that a receiver waits for the next piece
MOST_WAITS: Final = 10  # times that a receiver may ask for patience
MOST_QUEUED: Final = 64  # messages
MAX_MESSAGE: Final = MAX_ENCODED  # a whole frame of the native protocol, and room for one that is broken
_SINGLE, _FIRST, _NEXT, _FLOW = range(4)
_CLEAR, _WAIT, _OVERFLOW = range(3)
_GO_ON: Final = bytes((_FLOW << 4 | _CLEAR, 0, 0))  # everything at once, as fast as you can
_TOO_LONG: Final = bytes((_FLOW << 4 | _OVERFLOW, 0, 0))
_IN_FRAME, _IN_FIRST, _IN_SINGLE = 7, 6, 7  # bytes of a message


@dataclass(slots=True)
class _Sending:
    """A message on its way out."""

    data: bytes
    due: float  # when to give up, or when the next piece may go
    offset: int = _IN_FIRST
    sequence: int = 1
    waiting: bool = True  # for flow control
    waits: int = 0
    block: int = 0  # pieces until the next flow control; 0: no limit
    gap: float = 0.0  # seconds between pieces


@dataclass(slots=True)
class _Receiving:
    """A message on its way in."""

    length: int
    data: bytearray
    due: float
    sequence: int = 1


class IsoTp:
    """One end of the wire.  Call `send`, `receive` and `tick`; then empty `outbox` (frames) and `inbox` (messages)."""

    def __init__(self) -> None:
        self.outbox: deque[bytes] = deque()
        self.inbox: deque[bytes] = deque()
        self.errors: Counter[str] = Counter()
        self._queue: deque[bytes] = deque()
        self._sending: _Sending | None = None
        self._receiving: _Receiving | None = None

    def send(self, message: bytes, now: float) -> None:
        """Queues a message; it is dropped when the queue is full."""
        if not 0 < len(message) <= MAX_MESSAGE or len(self._queue) >= MOST_QUEUED:
            self.errors["isotp.dropped"] += 1
            return
        self._queue.append(message)
        self._start_next(now)

    def receive(self, frame: bytes, now: float) -> None:
        """Takes the data of one CAN frame from the other end."""
        kind = frame[0] >> 4 if frame else -1
        if kind == _SINGLE:
            self._take_single(frame)
        elif kind == _FIRST:
            self._take_first(frame, now)
        elif kind == _NEXT:
            self._take_next(frame, now)
        elif kind == _FLOW and len(frame) >= len(_GO_ON):
            self._take_flow(frame, now)
        else:
            self.errors["isotp.malformed"] += 1

    def tick(self, now: float) -> None:
        """Does what is due by now."""
        if self._receiving is not None and now >= self._receiving.due:
            self._receiving = None
            self.errors["isotp.unfinished"] += 1
        if (sending := self._sending) is not None and now >= sending.due:
            if sending.waiting:
                self._give_up("isotp.no-flow", now)
            else:
                self._send_pieces(sending, now)

    def deadline(self) -> float | None:
        """Returns when `tick` is due; None when nothing is."""
        due = [each.due for each in (self._sending, self._receiving) if each is not None]
        return min(due) if due else None

    def reset(self) -> None:
        """Forgets everything under way."""
        self._queue.clear()
        self.outbox.clear()
        self.inbox.clear()
        self._sending = self._receiving = None

    # ---- sending

    def _start_next(self, now: float) -> None:
        while self._queue and self._sending is None:
            message = self._queue.popleft()
            if len(message) <= _IN_SINGLE:
                self.outbox.append(bytes((_SINGLE << 4 | len(message),)) + message)
            else:
                head = bytes((_FIRST << 4 | len(message) >> 8, len(message) & 0xFF))
                self.outbox.append(head + message[:_IN_FIRST])
                self._sending = _Sending(message, now + FLOW_DEADLINE)

    def _take_flow(self, frame: bytes, now: float) -> None:
        sending = self._sending
        if sending is None or not sending.waiting:
            self.errors["isotp.stray"] += 1
            return
        status = frame[0] & 0x0F
        if status == _CLEAR:
            sending.waiting, sending.waits = False, 0
            sending.block, sending.gap = frame[1], _gap(frame[2])
            self._send_pieces(sending, now)
        elif status == _WAIT and sending.waits < MOST_WAITS:
            sending.waits += 1
            sending.due = now + FLOW_DEADLINE
        else:
            self._give_up("isotp.refused", now)

    def _send_pieces(self, sending: _Sending, now: float) -> None:
        while True:
            piece = sending.data[sending.offset : sending.offset + _IN_FRAME]
            self.outbox.append(bytes((_NEXT << 4 | sending.sequence,)) + piece)
            sending.offset += len(piece)
            sending.sequence = (sending.sequence + 1) & 0x0F
            if sending.offset >= len(sending.data):
                break
            if sending.block:
                sending.block -= 1
                if not sending.block:
                    sending.waiting, sending.due = True, now + FLOW_DEADLINE
                    return
            if sending.gap:
                sending.due = now + sending.gap
                return
        self._sending = None
        self._start_next(now)

    def _give_up(self, code: str, now: float) -> None:
        self.errors[code] += 1
        self._sending = None
        self._start_next(now)

    # ---- receiving

    def _interrupt(self) -> None:
        if self._receiving is not None:
            self._receiving = None
            self.errors["isotp.interrupted"] += 1

    def _take_single(self, frame: bytes) -> None:
        length = frame[0] & 0x0F
        if not 0 < length <= min(_IN_SINGLE, len(frame) - 1):
            self.errors["isotp.malformed"] += 1
            return
        self._interrupt()
        self.inbox.append(frame[1 : 1 + length])

    def _take_first(self, frame: bytes, now: float) -> None:
        length = (frame[0] & 0x0F) << 8 | frame[1] if len(frame) == 2 + _IN_FIRST else 0
        if length <= _IN_SINGLE:
            self.errors["isotp.malformed"] += 1
            return
        self._interrupt()
        if length > MAX_MESSAGE:
            self.errors["isotp.long"] += 1
            self.outbox.append(_TOO_LONG)
            return
        self._receiving = _Receiving(length, bytearray(frame[2:]), now + NEXT_DEADLINE)
        self.outbox.append(_GO_ON)

    def _take_next(self, frame: bytes, now: float) -> None:
        receiving = self._receiving
        if receiving is None:
            self.errors["isotp.stray"] += 1
            return
        missing = receiving.length - len(receiving.data)
        if frame[0] & 0x0F != receiving.sequence or len(frame) - 1 < min(missing, _IN_FRAME):
            self._receiving = None
            self.errors["isotp.sequence"] += 1
            return
        receiving.data += frame[1 : 1 + missing]
        receiving.sequence = (receiving.sequence + 1) & 0x0F
        receiving.due = now + NEXT_DEADLINE
        if len(receiving.data) == receiving.length:
            self._receiving = None
            self.inbox.append(bytes(receiving.data))


def _gap(code: int) -> float:
    """Returns the seconds between pieces; reserved codes mean the longest."""
    if code <= 0x7F:
        return code / 1000
    return (code - 0xF0) / 10_000 if 0xF1 <= code <= 0xF9 else 0.127
