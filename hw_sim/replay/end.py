"""The device's side of the protocol as a capture has it: it sends again what was sent, when it was sent.

What the device said by itself comes at its time; what it answered comes when it is asked.  It keeps to the protocol
also where the controller behaves differently from the one in the capture: it keeps events until they are acknowledged,
has no more of them in flight than allowed, and answers what nobody asked in the capture.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from firmware_bridge.errors import topic_of
from firmware_bridge.frame import BodyError, Frame, Kind, decode_command, decode_greeting, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import (
    Challenge,
    Event,
    Hello,
    Indicate,
    Introduction,
    KeyLamps,
    Lock,
    Reply,
    SetLamps,
    ShowAmount,
    ShowPrompts,
    ShowText,
)
from hw_sim.errors import SimError
from hw_sim.replay.capture import HOLE, CapturedRequest, CapturedSession, Replay
from hw_sim.replay.clock import Clock

WINDOW: Final = 16  # events in flight
REPEAT_AFTER: Final = 1.6  # seconds after which an event that nobody acknowledges is sent again, when all else is said
NEAR: Final = 0.06  # seconds between a PING and the one of the capture that it stands for
PATIENCE: Final = 2.0  # seconds beyond a greeting of the capture, until a controller that does not greet is made to
REPLUG: Final = 0.1  # seconds without a wire, to that end
COMMAND_DEADLINE: Final = 1.0  # seconds; a command so near to the capture's end may have been answered after it
SLACK: Final = 1e-6
TOGETHER: Final = 0.002  # seconds; a capture knows no better: what it has before an introduction stays before it
_HARMLESS: Final = (SetLamps, ShowPrompts, KeyLamps, ShowAmount, ShowText, Indicate, Lock)


class ReplayEnd:
    """An `End` that plays a capture.

    `plug` and `unplug` are for the wire; with another `seed` its event memory is another one.
    """

    def __init__(
        self,
        replay: Replay,
        send: Callable[[bytes], None],
        plug: Callable[[], None],
        unplug: Callable[[], None],
        *,
        clock: Clock,
        seed: str = "",
    ) -> None:
        self.replay = replay
        self._send = send
        self._plug = plug
        self._unplug = unplug
        self._clock = clock
        self._seed = seed
        self._framer = Framer()
        self._at = -1  # the session that is being played
        self._cursor = 0  # its next step
        self._kept: dict[int, bytes] = {}  # events that were sent and are not acknowledged
        self._sent_at = 0.0  # when the newest event was sent
        self._acked = 0
        self._first = 0  # the first event of this session
        self._epoch = 0  # as in the capture
        self._nonce: int | None = None
        self._greetings = 0  # greetings in this session
        self._greeted = False
        self._introduced = False  # the introduction of this session was sent
        self._resends = 0
        self._claimed: set[int] = set()  # questions of the capture that were asked again; by identity
        self._replies: dict[int, bytes | None] = {}  # by request id; None: the answer is under way, or never comes
        self._timers: set[asyncio.TimerHandle] = set()
        self._send_timer: asyncio.TimerHandle | None = None
        self._repeat_timer: asyncio.TimerHandle | None = None
        self._finished = False  # the end of this session is prepared

    # ---- the End

    @property
    def pending(self) -> int:
        """How many messages it has still to send, its introductions included, and how many nobody has acknowledged."""
        later = sum(1 + len(session.steps) for session in self.replay.sessions[self._at + 1 :])
        if self._at < 0:
            return later
        introduction = int(self._session.identity is not None and not self._introduced)
        return later + introduction + len(self._session.steps) - self._cursor + len(self._kept)

    def report(self, events: Iterable[Event]) -> None:
        if list(events):
            raise SimError("the device plays a capture: nothing else happens to it")

    def received(self, data: bytes) -> None:
        for item in self._framer.feed(data):
            if isinstance(item, Frame):
                self._take(item)

    def restart(self) -> None:
        """Ends the session: power is cut.  What was sent and not acknowledged is kept."""
        self._framer.reset()
        self._nonce, self._greeted = None, False
        self._stop()

    def state(self) -> dict[str, Any]:
        """Returns how far the capture is played, as plain JSON data."""
        sessions = self.replay.sessions
        steps = sum(len(session.steps) for session in sessions[: max(self._at, 0)]) + self._cursor
        return {
            "replay": {
                "session": self._at + 1,
                "sessions": len(sessions),
                "said": steps,
                "of": sum(len(session.steps) for session in sessions),
                "unread": self.replay.unread,
                "left_out": self.replay.left_out,
            }
        }

    # ---- the controller says

    def _take(self, frame: Frame) -> None:
        if frame.kind is Kind.HELLO:
            self._hello(frame)
        elif not self._greeted:
            return
        elif frame.kind is Kind.ACK:
            self._forget(frame.number)
            self._send_due()
        elif frame.kind is Kind.RESEND:
            self._resends += 1
            if self._resends > self._session.resends:  # else its answer is in the capture
                self._send_kept(counter for counter in self._kept if counter >= frame.number)
        elif frame.kind is Kind.PING:
            self._ping(frame)
        elif frame.kind is Kind.COMMAND:
            self._command(frame)

    def _hello(self, frame: Frame) -> None:
        try:
            hello = decode_greeting(frame.body)
        except BodyError:
            return
        if isinstance(hello, Challenge):  # a capture has no keys
            self._send_frame(Frame(Kind.IDENTITY, frame.number, encode(Introduction(self.replay.identity.serial))))
            return
        if frame.number != self._nonce:
            self._nonce = frame.number
            self._begin()
        self._greetings += 1
        identity = self._session.identity
        if identity is not None and self._greetings >= self._session.greetings:
            self._after(self._session.delay, lambda: self._introduce(frame.number, hello))
        self._send_due()

    def _begin(self) -> None:
        """Begins the next session of the capture; the same one again when it is not over, or when there is no other."""
        self._stop()
        self._greeted, self._finished, self._greetings, self._resends = False, False, 0, 0
        self._replies.clear()
        over = self._at < 0 or self._cursor >= len(self._session.steps)
        if over and self._at + 1 < len(self.replay.sessions):
            self._at, self._cursor, self._introduced = self._at + 1, 0, False
            self._clock.no_earlier(self._session.at)
        else:
            self._greetings = self._session.greetings  # it answers at once
            if not over:
                self._clock.no_earlier(self._session.steps[self._cursor].at)

    def _introduce(self, nonce: int, hello: Hello) -> None:
        """Answers a greeting, with the event memory as it is now."""
        identity = self._session.identity
        if nonce != self._nonce or identity is None:
            return
        if identity.epoch != self._epoch:
            self._epoch, self._acked = identity.epoch, 0
            self._kept.clear()
        if not self._greeted:
            self._send_due(TOGETHER)
        epoch = self._epoch_now()
        if hello.epoch == epoch:
            self._forget(hello.counter)
        played = {step.counter for step in self._session.steps[self._cursor :]}
        self._first = min([*self._kept, max(identity.first, self._acked + 1)])
        last = max([identity.last, self._acked, *self._kept])
        introduced = replace(identity, epoch=epoch, first=self._first, last=last)
        self._send_frame(Frame(Kind.IDENTITY, nonce, encode(introduced)))
        self._greeted = self._introduced = True
        self._send_kept(counter for counter in self._kept if counter not in played)
        self._schedule_repeat()
        self._send_due()

    def _epoch_now(self) -> int:
        """Returns the number of the event memory: never one that a journal may know, and never 0."""
        return zlib.crc32(f"{self._seed}/{self._epoch}".encode()) or 1

    def _ping(self, frame: Frame) -> None:
        then = self._clock.then(asyncio.get_running_loop().time())
        near = [each for each in self._session.pings if id(each) not in self._claimed and abs(each.at - then) <= NEAR]
        if near:
            question = min(near, key=lambda each: abs(each.at - then))
            self._claimed.add(id(question))
            if question.answer is not None:
                self._after(question.after, lambda: self._send_frame(Frame(Kind.PONG, frame.number)))
        elif not self._silent(then):
            self._send_frame(Frame(Kind.PONG, frame.number))

    def _silent(self, then: float) -> bool:
        """Tells whether the device was silent then, before its session was given up.

        Beyond the end of the capture it lives again.
        """
        session = self._session
        beyond = session is self.replay.sessions[-1] and then > session.until
        return topic_of(session.lost) == "link" and then > session.alive and not beyond

    def _command(self, frame: Frame) -> None:
        if frame.number in self._replies:
            if (known := self._replies[frame.number]) is not None:
                self._send_frame(Frame(Kind.REPLY, frame.number, known))
            return
        session = self._session
        question = next(
            (each for each in session.commands if each.body == frame.body and id(each) not in self._claimed), None
        )
        self._replies[frame.number] = None
        if question is None:
            self._reply(frame.number, _usual(frame.body))
            return
        self._claimed.add(id(question))
        if question.answer is not None:
            self._after(question.after, lambda: self._reply(frame.number, question.answer))
        elif self._cut_short(session, question):
            self._reply(frame.number, _usual(frame.body))

    def _cut_short(self, session: CapturedSession, question: CapturedRequest) -> bool:
        """Tells whether the capture ends before the answer could have come."""
        return session is self.replay.sessions[-1] and session.until - question.at < COMMAND_DEADLINE

    def _reply(self, number: int, body: bytes | None) -> None:
        if body is not None:
            self._replies[number] = body
            self._send_frame(Frame(Kind.REPLY, number, body))

    # ---- the device says

    @property
    def _session(self) -> CapturedSession:
        return self.replay.sessions[self._at]

    def _send_due(self, slack: float = SLACK) -> None:
        """Sends what is due, also what is due `slack` later.

        A step that must wait for the controller holds up all that follow.
        """
        if self._send_timer is not None:
            self._send_timer.cancel()
            self._timers.discard(self._send_timer)
            self._send_timer = None
        if self._at < 0 or self._nonce is None:
            return
        steps = self._session.steps
        while self._cursor < len(steps):
            step = steps[self._cursor]
            if self._session.identity is not None and self._cursor >= self._session.gate and not self._greeted:
                return
            if self._acked < step.acked and step.counter > max(self._acked, self._first - 1) + WINDOW:
                return  # no more may be in flight, and none were
            wait = self._clock.due(step.at) - asyncio.get_running_loop().time()
            if wait > slack:
                self._send_timer = self._after(wait, self._send_due)
                return
            self._clock.no_earlier(step.at)
            self._cursor += 1
            if not step.counter or step.counter >= self._first:
                if step.counter > self._acked:
                    self._kept.setdefault(step.counter, step.data)
                    self._sent_at = asyncio.get_running_loop().time()
                    self._schedule_repeat()
                self._send(step.data)
        if not self._finished:
            self._finished = True
            self._finish()

    def _finish(self) -> None:
        """Prepares the end of this session, in which everything has been sent."""
        session, last = self._session, self._at + 1 == len(self.replay.sessions)
        now = asyncio.get_running_loop().time()
        if session.lost and topic_of(session.lost) != "link":
            self._after(self._clock.due(session.until) - now, self._lose_the_wire)
        elif not last:
            following = self.replay.sessions[self._at + 1].at
            self._after(self._clock.due(following) - now + PATIENCE, self._replug)

    def _lose_the_wire(self) -> None:
        """Unplugs as in the capture; plugs in again when the controller of the capture could open it again."""
        session = self._session
        if self._at + 1 == len(self.replay.sessions) and session.lost != HOLE:
            self.restart()
            self._unplug()
            return
        following = self.replay.sessions[self._at + 1].at
        back = REPLUG if session.lost == HOLE else self._clock.due(following) - asyncio.get_running_loop().time()
        self._replug(max(back, REPLUG))

    def _replug(self, back: float = REPLUG) -> None:
        self.restart()
        self._unplug()
        self._after(back, self._plug)

    def _schedule_repeat(self) -> None:
        if self._kept and self._repeat_timer is None:
            self._repeat_timer = self._after(REPEAT_AFTER, self._repeat_oldest)

    def _repeat_oldest(self) -> None:
        """Sends the oldest unacknowledged event again, after the capture.

        While the capture goes on it has the repeats itself.
        """
        self._repeat_timer = None
        rested = asyncio.get_running_loop().time() - self._sent_at >= REPEAT_AFTER - SLACK
        if self._kept and rested and self._cursor >= len(self._session.steps):
            self._send(self._kept[min(self._kept)])
        self._schedule_repeat()

    def _send_kept(self, counters: Iterable[int]) -> None:
        for counter in sorted(counters):
            self._send(self._kept[counter])

    def _forget(self, counter: int) -> None:
        self._acked = max(self._acked, counter)
        self._kept = {kept: data for kept, data in self._kept.items() if kept > counter}

    def _send_frame(self, frame: Frame) -> None:
        self._send(frame.to_wire())

    # ---- time

    def _after(self, seconds: float, then: Callable[[], None]) -> asyncio.TimerHandle | None:
        """Calls a function after so many seconds, and returns the timer; at once, and None, without a wait."""
        if seconds <= SLACK:
            then()
            return None

        def due() -> None:
            self._timers.discard(handle)
            then()

        handle = asyncio.get_running_loop().call_later(seconds, due)
        self._timers.add(handle)
        return handle

    def _stop(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self._send_timer = self._repeat_timer = None


def _usual(body: bytes) -> bytes:
    """Returns the answer to a command that the capture has not: what only shows something is done, all else refused."""
    try:
        command = decode_command(body)
    except BodyError:
        return encode(Reply(False, "unknown-command"))
    return encode(Reply(True) if isinstance(command, _HARMLESS) else Reply(False, "replay"))
