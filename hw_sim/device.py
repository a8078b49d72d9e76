"""The device's side of the native protocol: an event memory, a command cache, and nothing of the controller's code."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice

from msgspec.structs import replace

from firmware_bridge.frame import BodyError, Frame, Kind, decode_command, decode_hello, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import Command, Event, Identity, Reply

PROTOCOL = 1
WINDOW = 16  # events in flight
FIRST_RESEND = 0.2  # seconds without an ACK until the oldest event is sent again
LAST_RESEND = 1.6  # the pause doubles up to this
KEPT_REPLIES = 32
SLACK = 1e-6  # seconds; a timer may fire a hair before its time
DESERTED = 2.0  # seconds without a word from the controller

Execute = Callable[[Command], tuple[Reply, Iterable[Event]]]


class DeviceEnd:
    """Bytes in through `received`, whole frames out through `send`; it needs a running loop only for its timers.

    `identity` says who the device is; `last` and `first` are filled in here.  `execute` carries out a command and
    returns the reply and the events that it causes.  `deserted`: the controller fell silent in a session.
    """

    def __init__(
        self, identity: Identity, execute: Execute, send: Callable[[bytes], None], deserted: Callable[[], None]
    ) -> None:
        self._identity = identity
        self._execute = execute
        self._send = send
        self._deserted = deserted
        # Non-volatile: survives `restart`.
        self._memory: deque[bytes] = deque()  # unacknowledged events as wire bytes, counters without a gap
        self._last = identity.last
        # Volatile: the session.
        self._framer = Framer()
        self._greeted = False
        self._sent = 0  # counter of the newest event sent in this session
        self._replies: dict[int, bytes] = {}
        self._pause = FIRST_RESEND
        self._timer: asyncio.TimerHandle | None = None
        self._heard = 0.0
        self._watch: asyncio.TimerHandle | None = None

    @property
    def pending(self) -> int:
        """How many events it keeps because nobody has acknowledged them."""
        return len(self._memory)

    @property
    def last(self) -> int:
        """The counter of its newest event."""
        return self._last

    def report(self, events: Iterable[Event]) -> None:
        """Store events and send what the window allows; BodyError (and nothing stored) when one fits no frame."""
        bodies = [encode(event) for event in events]
        for body in bodies:
            self._last += 1
            self._memory.append(Frame(Kind.EVENT, self._last, body).to_wire())
        self._fill_window()

    def received(self, data: bytes) -> None:
        """Bytes from the controller, in any pieces."""
        for frame in self._framer.feed(data):
            # Noise gets no answer; and it has no key, so a sealed frame is noise to it.
            if isinstance(frame, Frame) and not frame.flags:
                self._handle(frame)

    def restart(self) -> None:
        """Power is cut and comes back: the session is gone, the event memory stays."""
        self._framer.reset()
        self._greeted = False
        self._replies.clear()
        self._stop_timer()
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def _handle(self, frame: Frame) -> None:
        if frame.kind is Kind.HELLO:
            self._hello(frame)
        if not self._greeted:
            return
        loop = asyncio.get_running_loop()
        self._heard = loop.time()
        if self._watch is None:
            self._watch = loop.call_at(self._heard + DESERTED, self._look_out)
        if frame.kind is Kind.ACK:
            self._acknowledged(frame.number)
        elif frame.kind is Kind.RESEND:
            self._send_again(frame.number)
        elif frame.kind is Kind.COMMAND:
            self._command(frame)
        elif frame.kind is Kind.PING:
            self._send(Frame(Kind.PONG, frame.number).to_wire())

    def _hello(self, frame: Frame) -> None:
        try:
            hello = decode_hello(frame.body)
        except BodyError:
            return
        if hello.protocol != PROTOCOL:
            return
        self._greeted = True
        self._replies.clear()
        self._stop_timer()
        if hello.epoch == self._identity.epoch:
            self._forget(hello.counter)
        self._sent = self._last - len(self._memory)
        body = encode(replace(self._identity, last=self._last, first=self._sent + 1))
        self._send(Frame(Kind.IDENTITY, frame.number, body).to_wire())
        self._fill_window()

    def _command(self, frame: Frame) -> None:
        if (known := self._replies.get(frame.number)) is not None:
            self._send(known)
            return
        reply, events = self._carry_out(frame.body)
        try:
            body = encode(reply)
        except BodyError:
            body = encode(Reply(False, "reply-too-long"))
        wire = Frame(Kind.REPLY, frame.number, body).to_wire()
        self._replies[frame.number] = wire
        if len(self._replies) > KEPT_REPLIES:
            del self._replies[next(iter(self._replies))]
        self._send(wire)
        self.report(events)

    def _carry_out(self, body: bytes) -> tuple[Reply, Iterable[Event]]:
        try:
            command = decode_command(body)
        except BodyError:
            return Reply(False, "unknown-command"), ()
        return self._execute(command)

    def _look_out(self) -> None:
        """One timer for many frames: it looks how long ago the last one was."""
        loop = asyncio.get_running_loop()
        due = self._heard + DESERTED
        if due > loop.time() + SLACK:
            self._watch = loop.call_at(due, self._look_out)
        else:
            self._watch = None
            self._deserted()

    # ---- events

    def _acknowledged(self, counter: int) -> None:
        if self._forget(counter):
            self._sent = max(self._sent, counter)
            self._stop_timer()
            self._fill_window()

    def _forget(self, counter: int) -> bool:
        """Drop the events up to this one; a counter that it never reached is nonsense and drops none."""
        oldest = self._last - len(self._memory) + 1
        if not oldest <= counter <= self._last:
            return False
        for _ in range(oldest, counter + 1):
            self._memory.popleft()
        return True

    def _fill_window(self) -> None:
        if not self._greeted or not self._memory:
            return
        acknowledged = self._last - len(self._memory)
        newest = min(self._last, acknowledged + WINDOW)
        if newest > self._sent:
            first, self._sent = self._sent, newest
            self._transmit(first - acknowledged, newest - acknowledged)
        if self._timer is None:
            self._start_timer()

    def _send_again(self, counter: int) -> None:
        acknowledged = self._last - len(self._memory)
        if counter > self._sent or not self._memory:
            return
        self._transmit(max(counter - acknowledged - 1, 0), self._sent - acknowledged)

    def _transmit(self, start: int, end: int) -> None:
        for wire in list(islice(self._memory, start, end)):
            self._send(wire)

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
        self._send(self._memory[0])
