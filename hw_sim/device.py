"""The device's side of the native protocol: an event memory, a command cache, and nothing of the controller's code."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from firmware_bridge.frame import (
    ENCRYPTED,
    BodyError,
    Frame,
    Kind,
    decode_command,
    decode_greeting,
    decode_hello,
    encode,
)
from firmware_bridge.framer import Framer
from firmware_bridge.messages import (
    TAMPERED,
    Challenge,
    Command,
    Event,
    Fault,
    FaultCleared,
    Identity,
    Pair,
    PairKeep,
    PairReveal,
    Reply,
    Speed,
)
from hw_sim.line import Line, LineSpeed

if TYPE_CHECKING:  # ciphers are loaded only where a device has a key
    from hw_sim.encryption import Encryption

PROTOCOL = 1
WINDOW = 16  # events in flight
FIRST_RESEND = 0.2  # seconds without an ACK until the oldest event is sent again
LAST_RESEND = 1.6  # the pause doubles up to this
KEPT_REPLIES = 32
SLACK = 1e-6  # seconds; a timer may fire a hair before its time
SILENT_AFTER = 2.0  # seconds without a word from the controller
PAIRING = (Pair, PairReveal, PairKeep)

Execute = Callable[[Command], tuple[Reply, Iterable[Event]]]


class End(Protocol):
    """A device's side of whatever protocol it speaks, between a model and a wire."""

    @property
    def pending(self) -> int:
        """How many messages it has still to send."""

    def report(self, events: Iterable[Event]) -> None:
        """Reports what happened at the device."""

    def received(self, data: bytes) -> None:
        """Takes bytes from the controller, in any pieces."""

    def restart(self) -> None:
        """Starts anew: power is cut and comes back."""


class DeviceEnd:
    """The device's side of the native protocol: bytes in through `received`, whole frames out through `send`.

    It needs a running loop only for its timers.  `identity` says who the device is; `last` and `first` are filled in
    here.  `execute` carries out a command and returns the reply and the events that it causes.  `on_silent` is called
    when the controller falls silent in a session.  With a `key` every session is encrypted.  While its `pairing` switch
    is on the device is out of play: it keeps its events to itself and does nothing but agree on a new key, also with a
    controller that does not know the present one.  Where its wire is a `line`, it can have a higher speed.
    """

    def __init__(
        self,
        identity: Identity,
        execute: Execute,
        send: Callable[[bytes], None],
        on_silent: Callable[[], None],
        key: bytes | None = None,
        line: Line | None = None,
    ) -> None:
        self._identity = identity
        self._execute = execute
        self._send = send
        self._on_silent = on_silent
        # Non-volatile: survives `restart`.
        self._memory: deque[Frame] = deque()  # unacknowledged events, counters without a gap
        self._last = identity.last
        self._encryption: Encryption | None = None
        if key is not None:
            self._ensure_encryption().key = key
        # Volatile: the session.
        self.line = LineSpeed(line, self._may_speak)
        self._framer = Framer()
        self._greeted = False
        self._encrypted = False  # this session
        self._tampering_reported = False  # in this session
        self._pairing = False
        self._sent = 0  # counter of the newest event sent in this session
        self._replies: dict[int, Frame] = {}
        self._pause = FIRST_RESEND
        self._timer: asyncio.TimerHandle | None = None
        self._received_at = 0.0
        self._watch: asyncio.TimerHandle | None = None

    @property
    def pending(self) -> int:
        """How many events it keeps because nobody has acknowledged them."""
        return len(self._memory)

    @property
    def last(self) -> int:
        """The counter of its newest event."""
        return self._last

    @property
    def epoch(self) -> int:
        """The number of its event memory."""
        return self._identity.epoch

    def set_firmware(self, firmware: str) -> None:
        """Records that other firmware was started."""
        self._identity = replace(self._identity, firmware=firmware)

    @property
    def keyed(self) -> bool:
        """Whether it has a key."""
        return self._encryption is not None and self._encryption.key is not None

    @property
    def tampered(self) -> int:
        """How many frames it dropped because nobody with the key can have sent them."""
        return self._encryption.tampered if self._encryption is not None else 0

    @property
    def code(self) -> str:
        """What it shows for the person who pairs it; empty when nothing is to be compared."""
        return self._encryption.pairing.code if self._encryption is not None else ""

    @property
    def pairing(self) -> bool:
        """Whether its pairing switch is on."""
        return self._pairing

    @pairing.setter
    def pairing(self, on: bool) -> None:
        if on != self._pairing:
            self._pairing = on
            encryption = self._ensure_encryption()
            encryption.key = encryption.pairing.operated() or encryption.key
            self._end_session()  # the controller greets anew, and sets the outputs again
            self._on_silent()

    def report(self, events: Iterable[Event]) -> None:
        """Stores events and sends what the window allows; BodyError (and nothing stored) when one fits no frame."""
        bodies = [encode(event) for event in events]
        for body in bodies:
            self._last += 1
            self._memory.append(Frame(Kind.EVENT, self._last, body))
        self._fill_window()

    def received(self, data: bytes) -> None:
        """Takes bytes from the controller, in any pieces."""
        for item in self._framer.feed(data):
            if not isinstance(item, Frame):
                continue  # noise gets no answer
            encrypted = bool(item.flags & ENCRYPTED)
            before = self.tampered
            frame = self._decrypted(item) if encrypted else self._admitted(item)
            if frame is not None:
                self._handle(frame, encrypted)
            elif self.tampered > before and not self._tampering_reported:
                self._tampering_reported = True
                self.report((Fault(TAMPERED), FaultCleared(TAMPERED)))

    def restart(self) -> None:
        """Starts anew as after a power cut: the session is gone, the event memory and the key stay."""
        self._framer.reset()
        if self._encryption is not None:
            self._encryption.restart()
        self._end_session()

    def _end_session(self) -> None:
        self._greeted = self._encrypted = False
        self.line.back()
        self._replies.clear()
        self._stop_timer()
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    # ---- who may speak

    def _ensure_encryption(self) -> Encryption:
        if self._encryption is None:
            from hw_sim.encryption import Encryption

            self._encryption = Encryption(self._identity.serial)
        return self._encryption

    def _decrypted(self, frame: Frame) -> Frame | None:
        return self._encryption.open(frame) if self._encryption is not None else None

    def _admitted(self, frame: Frame) -> Frame | None:
        """Returns a frame that is not encrypted, but only where there is no key, or to agree on one; else None."""
        if frame.kind is Kind.HELLO and (challenge := _challenge(frame)) is not None:
            if answer := self._ensure_encryption().answer(frame.number, challenge):
                self._send(answer.to_wire())
            return None
        if not self.keyed or (self._pairing and (frame.kind is Kind.HELLO or not self._encrypted)):
            return frame
        encryption = self._ensure_encryption()
        if frame.kind is Kind.HELLO:
            self._send(encryption.ask_for_challenge(frame.number).to_wire())
        elif self._encrypted:
            encryption.tampered += 1
        return None

    def _send_frame(self, frame: Frame) -> None:
        if self.line.mute:
            return  # what matters is sent again
        self._send((self._ensure_encryption().close(frame) if self._encrypted else frame).to_wire())

    # ---- what is said

    def _handle(self, frame: Frame, encrypted: bool) -> None:
        if frame.kind is Kind.HELLO:
            self._hello(frame, encrypted)
        if not self._greeted:
            return
        loop = asyncio.get_running_loop()
        self._received_at = loop.time()
        self.line.controller_spoke()
        if self._watch is None:
            self._watch = loop.call_at(self._received_at + SILENT_AFTER, self._check_silence)
        if frame.kind is Kind.ACK:
            self._acknowledged(frame.number)
        elif frame.kind is Kind.RESEND:
            self._send_again(frame.number)
        elif frame.kind is Kind.COMMAND:
            self._command(frame)
        elif frame.kind is Kind.PING:
            self._send_frame(Frame(Kind.PONG, frame.number))

    def _hello(self, frame: Frame, encrypted: bool) -> None:
        try:
            hello = decode_hello(frame.body)
        except BodyError:
            return
        if hello.protocol != PROTOCOL:
            return
        self._greeted = True
        self.line.greeted()
        self._encrypted = encrypted
        self._tampering_reported = False
        self._replies.clear()
        self._stop_timer()
        if hello.epoch == self._identity.epoch and (encrypted or not self.keyed):
            self._forget(hello.counter)
        self._sent = self._last - len(self._memory)
        body = encode(replace(self._identity, last=self._last, first=self._sent + 1))
        self._send_frame(Frame(Kind.IDENTITY, frame.number, body))
        self._fill_window()

    def _command(self, frame: Frame) -> None:
        if (known := self._replies.get(frame.number)) is not None:
            self._send_frame(known)
            return
        if len(self._replies) == KEPT_REPLIES and frame.number < min(self._replies):
            return  # it was answered long ago
        reply, events = self._carry_out(frame.body)
        try:
            body = encode(reply)
        except BodyError:
            body = encode(Reply(False, "reply-too-long"))
        answer = Frame(Kind.REPLY, frame.number, body)
        self._replies[frame.number] = answer
        if len(self._replies) > KEPT_REPLIES:
            del self._replies[next(iter(self._replies))]
        self._send_frame(answer)
        self.line.replied()
        self.report(events)

    def _carry_out(self, body: bytes) -> tuple[Reply, Iterable[Event]]:
        try:
            command = decode_command(body)
        except BodyError:
            return Reply(False, "unknown-command"), ()
        if self._pairing:
            return self._ensure_encryption().pairing.execute(command), ()
        if isinstance(command, PAIRING):
            return Reply(False, "pairing-switch-off"), ()
        if isinstance(command, Speed):
            refusal = self.line.takes(command.baud)
            return Reply(not refusal, refusal), ()
        return self._execute(command)

    def _check_silence(self) -> None:
        """Notices that the controller fell silent: one timer for many frames looks how long ago the last one was."""
        loop = asyncio.get_running_loop()
        due = self._received_at + SILENT_AFTER
        if due > loop.time() + SLACK:
            self._watch = loop.call_at(due, self._check_silence)
        else:
            self._watch = None
            self._on_silent()

    # ---- events

    def _acknowledged(self, counter: int) -> None:
        if not self._pairing and self._forget(counter):
            self._sent = max(self._sent, counter)
            self._stop_timer()
            self._fill_window()

    def _forget(self, counter: int) -> bool:
        """Drops the events up to this one; a counter that it never reached is nonsense and drops none."""
        oldest = self._last - len(self._memory) + 1
        if not oldest <= counter <= self._last:
            return False
        for _ in range(oldest, counter + 1):
            self._memory.popleft()
        return True

    def _fill_window(self) -> None:
        if not self._greeted or not self._memory or self._pairing or self.line.mute:
            return
        acknowledged = self._last - len(self._memory)
        newest = min(self._last, acknowledged + WINDOW)
        if newest > self._sent:
            first, self._sent = self._sent, newest
            self._transmit(first - acknowledged, newest - acknowledged)
        if self._timer is None:
            self._start_timer()

    def _may_speak(self) -> None:
        """Sends what it keeps, after a change of speed in which nothing could be said."""
        self._sent = self._last - len(self._memory)
        self._fill_window()

    def _send_again(self, counter: int) -> None:
        acknowledged = self._last - len(self._memory)
        if counter > self._sent or not self._memory or self._pairing or self.line.mute:
            return
        self._transmit(max(counter - acknowledged - 1, 0), self._sent - acknowledged)

    def _transmit(self, start: int, end: int) -> None:
        for event in list(islice(self._memory, start, end)):
            self._send_frame(event)

    def _start_timer(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(loop.time() + self._pause, self._no_answer)

    def _stop_timer(self) -> None:
        self._pause = FIRST_RESEND
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _no_answer(self) -> None:
        self._pause = min(self._pause * 2, LAST_RESEND)
        self._start_timer()
        self._send_frame(self._memory[0])


def _challenge(frame: Frame) -> Challenge | None:
    try:
        greeting = decode_greeting(frame.body)
    except BodyError:
        return None
    return greeting if isinstance(greeting, Challenge) and greeting.protocol == PROTOCOL else None
