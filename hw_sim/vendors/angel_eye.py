"""An Angel Eye II-EX shoe, byte by byte: it reports three times and forgets."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from firmware_bridge.messages import (
    CardDrawn,
    CardsTogether,
    CuttingCardSeen,
    Event,
    Fault,
    FaultCleared,
    Lock,
    Reply,
)
from firmware_bridge.vendors.angel_eye import (
    ACK,
    NAK,
    STX,
    Operation,
    Refused,
    Report,
    card_byte,
    place_byte,
    read_operation,
)
from hw_sim.models.base import Model
from hw_sim.vendors.register import speaks

COPIES: Final = 3
BETWEEN: Final = 0.02  # seconds from one report to the next: about a line of 4800 baud
PATIENCE: Final = 0.2  # seconds after which the rest of a command will not come
UNREADABLE: Final = 1
ERRORS: Final = {"shoe.jam": 7}  # faults of the model that it has a number for
_PLAYER: Final = 0
_INDEXES: Final = 10
_COMMAND: Final = 10  # bytes
_DIGITS: Final = b"0123456789"
_PAYLOAD: Final = 0x80
_ERROR_MODE: Final = 0x40


@speaks("angel-eye", "shoe")
class AngelEyeEnd:
    """The shoe's side of the protocol.

    `with_stx`: how it computes the checksum of a command.  `copies`: how often it sends a report.  `refusals`: codes
    with which it will refuse the next commands.
    """

    def __init__(self, model: Model, send: Callable[[bytes], None]) -> None:
        self.with_stx = True
        self.copies = COPIES
        self.refusals: deque[int] = deque()
        self._model = model
        self._send = send
        self._seq = 0
        self._cards = 0
        self._errors: set[int] = set()
        self._waiting: deque[bytes] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._command = b""
        self._received_at = 0.0

    @property
    def pending(self) -> int:
        """How many reports it has still to send, repeats included."""
        return len(self._waiting) + (self._timer is not None)

    def report(self, events: Iterable[Event]) -> None:
        for event in events:
            for kind, data in self._reports_of(event):
                self.send_report(kind, data)

    def send_report(self, kind: str, data: bytes = b"") -> None:
        """Sends any report at all."""
        self._seq = (self._seq + 1) % len(_DIGITS)
        self._waiting.extend([Report(_DIGITS[self._seq], kind, data).to_wire()] * self.copies)
        if self._timer is None:
            self._send_next()

    def received(self, data: bytes) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._received_at > PATIENCE:
            self._command = b""
        self._received_at = now
        self._command += data
        while (start := self._command.find(STX)) >= 0 and len(self._command) >= start + _COMMAND:
            wire, self._command = self._command[start : start + _COMMAND], self._command[start + _COMMAND :]
            self._answer(wire)
        self._command = self._command[start:] if start >= 0 else b""  # what stands before belongs to no command

    def restart(self) -> None:
        """Starts anew and reports it: power comes back, and it counts from the beginning."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._waiting.clear()
        self._errors.clear()
        self._command = b""
        self._seq = self._cards = 0
        for _ in range(self.copies):
            self._send(Report(_DIGITS[0], "S").to_wire())

    def _send_next(self) -> None:
        self._timer = None
        if self._waiting:
            self._send(self._waiting.popleft())
            self._timer = asyncio.get_running_loop().call_later(BETWEEN, self._send_next)

    def _reports_of(self, event: Event) -> list[tuple[str, bytes]]:
        match event:
            case CardDrawn("") | CardDrawn(face_up=True) | CardsTogether():
                return self._error(UNREADABLE)
            case CardDrawn(card):
                self._cards = self._cards % _INDEXES + 1
                return [("D", bytes([place_byte(_PLAYER, self._cards), card_byte(card)]))]
            case CuttingCardSeen():
                return [("C", b"")]
            case Fault(code) if code in ERRORS:
                return self._error(ERRORS[code])
            case FaultCleared(code) if ERRORS.get(code) in self._errors:
                return self._over(ERRORS[code])
        return []  # it has no word for that

    def _error(self, number: int) -> list[tuple[str, bytes]]:
        self._errors.add(number)
        return [("E", bytes([_PAYLOAD | _ERROR_MODE | number]))]

    def _over(self, number: int) -> list[tuple[str, bytes]]:
        self._errors.discard(number)
        return [("e", bytes([_PAYLOAD | number]))]

    # ---- commands

    def _answer(self, wire: bytes) -> None:
        operation = read_operation(wire, with_stx=self.with_stx)
        if self.refusals:
            operation = Refused(self.refusals.popleft())
        if isinstance(operation, Refused):
            self._send(bytes([NAK, operation.code]))
            return
        refused, reports = self._carry_out(operation)
        self._send(bytes([NAK, refused]) if refused else bytes([ACK]))
        for kind, data in reports:
            self.send_report(kind, data)

    def _carry_out(self, operation: Operation) -> tuple[int, list[tuple[str, bytes]]]:
        match operation:
            case Operation("LK", "01" | "02" as data):
                reply: Reply = self._model.execute(Lock(data == "02"))[0]
                return (0, [("L", bytes([_PAYLOAD | (data == "02")]))]) if reply.ok else (0xFF, [])
            case Operation("EC", data) if data.isdigit():
                return 0, self._over(int(data)) if int(data) in self._errors else []
            case Operation("GP", "00"):
                return 0, []
        return 0x14, []
