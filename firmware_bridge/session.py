"""One session of the controller with a device, as pure logic: bytes and time go in, bytes and news come out."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from firmware_bridge.attention import LATE, Attention
from firmware_bridge.diagnostics import Stats, Trace, TraceEntry, new_trace, traceable
from firmware_bridge.frame import (
    ENCRYPTED,
    MAX_NUMBER,
    VERSION,
    BodyError,
    Frame,
    FrameError,
    Kind,
    decode_answer,
    decode_event,
    decode_reply,
    encode,
)
from firmware_bridge.framer import Framer
from firmware_bridge.messages import Command, Hello, Identity, Introduction, Reply, Speed
from firmware_bridge.news import (
    Answered,
    Happened,
    Identified,
    LinkError,
    Lost,
    News,
    SpeedChanged,
    Tampered,
    Unattended,
)
from firmware_bridge.speed import Pace

if TYPE_CHECKING:  # ciphers are loaded only where a device has a key
    from firmware_bridge.guard import Guard

WINDOW: Final = 16  # events a device may have in flight
IN_FLIGHT: Final = 8  # commands it must be able to hold


@dataclass(frozen=True, slots=True)
class Timing:
    """Every wait of the protocol, in seconds."""

    open: float = 2.0  # to open the wire
    hello_retry: float = 0.2
    hello_deadline: float = 2.0
    command_retry: float = 0.2
    command_deadline: float = 1.0
    resend_pause: float = 0.05  # between RESENDs for new gaps
    resend_retry: float = 0.2
    gap_deadline: float = 1.0  # a gap that stays open so long will not be repaired
    ping: float = 0.25  # of silence before the first PING
    ping_retry: float = 0.1  # between further ones, so that a few lost frames do not look like a dead device
    silent: float = 0.75
    unattended: float = 1.5  # without a word of ours: a device takes its outputs to their safe state after 2 s


@dataclass(slots=True)
class _Request:
    """A command that is not answered yet."""

    wire: Frame
    deadline: float
    sent: float = 0.0
    tries: int = 0


class Session:
    """One session, from HELLO to the first fault.

    Call `receive`, `tick`, `ack` and `request`; then empty `outbox`, and `news` after it.  With a `guard`, which must
    greet with the same nonce and hello, every frame is encrypted.  With a `pace` the line gets faster where it can.

    Every wait counts the time in which the owner was there: while it comes late to a `tick`, nobody can be heard, and a
    device is not lost because we were slow.  Inside, all times are such ones; only the trace has the owner's.
    """

    def __init__(
        self,
        nonce: int,
        now: float,
        hello: Hello | None = None,
        timing: Timing | None = None,
        stats: Stats | None = None,
        trace: Trace | None = None,
        guard: Guard | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.outbox: list[bytes] = []
        self.news: deque[News] = deque()
        self.stats = stats if stats is not None else Stats()
        self.trace = trace if trace is not None else new_trace()
        self.dead = False
        self.due_earlier = True  # something is due earlier than `deadline` told last
        self.identity: Identity | None = None
        self._timing = timing or Timing()
        self._hello = hello or Hello(VERSION)
        self._guard = guard
        self._pace = pace
        self._greeting = Frame(Kind.HELLO, nonce, encode(self._hello)) if guard is None else guard.greeting
        self._framer = Framer()
        self._errors_before = self.stats.errors.copy()
        self._received_at = self._greeted = self._began = now
        self._attention = Attention()
        self._tick_at = float("inf")  # when `tick` is due, as the owner knows, by its clock
        self._said_at = now  # when the device heard of us last, by the owner's clock
        self._spoke = now  # the same, by the time that counts
        self._reprieved = False  # one more moment was given, because we came late in the last one
        # events
        self._next: int | None = None  # the counter to hand up next; None: whichever comes first
        self._base = 1  # the first counter of this session
        self._acked = 0
        self._highest = 0  # newest counter seen
        self._gap_since: float | None = None
        self._asked = float("-inf")  # when RESEND was last sent
        self._recent: dict[int, bytes] = {}  # bodies handed up, to tell a repeat from a reused counter
        # requests
        self._last_request = 0
        self._waiting: deque[int] = deque()
        self._requests: dict[int, _Request] = {}
        self._in_flight = 0
        # heartbeat
        self._ping = 0
        self._pinged = now
        self._put(self._greeting, now)

    @property
    def fast(self) -> bool:
        """Whether the line has a higher speed than at the greeting, as far as we know."""
        return self._pace is not None and self._pace.fast and self._pace.steady and not self.dead

    # ---- what the owner does

    def ack(self, counter: int, now: float) -> None:
        """Tells the device that every event up to this one is durable.

        A counter that this session has not handed up is ignored.
        """
        if self.dead or self._next is None or not self._acked < counter < self._next:
            return
        now = self._attention.at(now)
        self._acked = counter
        self._send(Frame(Kind.ACK, counter), now)

    def request(self, command: Command, now: float) -> int:
        """Sends a command as soon as fewer than eight are in flight, and returns its number.

        The end of the command is an `Answered` with this number.
        """
        now = self._attention.at(now)
        self._last_request = self._last_request % MAX_NUMBER + 1
        number = self._last_request
        frame = Frame(Kind.COMMAND, number, encode(command))
        self._requests[number] = _Request(frame, now + self._timing.command_deadline)
        self._expect(now + self._timing.command_deadline)
        self._waiting.append(number)
        self._send_waiting(now)
        return number

    # ---- what the wire and the clock do

    def receive(self, data: bytes, now: float) -> None:
        """Takes bytes from the wire."""
        now = self._attention.at(now)
        for item in self._framer.feed(data):
            if self.dead:
                return
            if isinstance(item, FrameError):
                self.trace.append(TraceEntry(self._attention.real(now), "in", item))
                self.stats.errors[item.code] += 1
                if self._pace is not None:
                    self._pace.damaged(now)
                continue
            frame = self._open(item, now)
            self.trace.append(TraceEntry(self._attention.real(now), "in", traceable(frame or item)))
            if frame is not None:
                self.stats.frames_in += 1
                self._take(frame, now)

    def _open(self, frame: Frame, now: float) -> Frame | None:
        """Returns the frame that the device sent; None when it did not send this one, or nobody can read it."""
        if self._guard is None:
            if not frame.flags & ENCRYPTED:
                return frame
            self.stats.errors["link.sealed"] += 1  # no key is known for it
            return None
        opened = self._guard.open(frame)
        if isinstance(opened, Frame):
            return opened
        match opened.value:
            case "ignored":
                pass
            case "proven":
                self._greeting = self._guard.greeting
                self._greeted = now
                self._send(self._greeting, now)
            case code:
                self.stats.errors[code] += 1
                if code == "link.tampered":
                    self.news.append(Tampered(frame.kind))
        return None

    def tick(self, now: float) -> None:
        """Does what is due by now."""
        if self.dead:
            return
        timing = self._timing
        now = self._attention.at(now)
        if self.identity is None:
            self._tick_greeting(now)
        elif self._pace is not None and not self._pace.steady:
            self._tick_speed(self._pace, now)
        elif self._is_silent(now):
            self._lose("link.silent", f"nothing heard for {timing.silent:g} s")
        else:
            self._tick_open(now)

    def _tick_greeting(self, now: float) -> None:
        """Does what is due before the device is known."""
        if now >= self._began + self._timing.hello_deadline:
            self._lose(*self._no_identity())
        elif now >= self._greeted + self._timing.hello_retry:
            self._greeted = now
            self.stats.retries += 1
            self._send(self._greeting, now)

    def _tick_open(self, now: float) -> None:
        """Does what is due while all is well."""
        timing = self._timing
        if self._gap_since is not None:
            if now >= self._gap_since + timing.gap_deadline:
                self._lose("link.gap", f"event {self._next} never came; the device has sent {self._highest}")
                return
            if now >= self._asked + timing.resend_retry:
                self.stats.retries += 1
                self._ask_again(now)
        self._tick_requests(now)
        if now >= self._ping_due():
            self._ping = self._ping % MAX_NUMBER + 1
            self._pinged = now
            self._send(Frame(Kind.PING, self._ping), now)
        if self._pace is not None and self._pace.wants():
            self._go_on(now)

    def _is_silent(self, now: float) -> bool:
        """Tells whether nothing was heard for too long; once, when we came late, its word may still lie unread."""
        if now < self._received_at + self._timing.silent:
            return False
        if self._reprieved or self._attention.late <= LATE:
            return True
        self._reprieved = True
        self._received_at += self._timing.ping_retry
        return False

    def deadline(self) -> float | None:
        """Returns when `tick` is due next; None when this session has ended."""
        self.due_earlier = False
        if self.dead:
            return None
        self._tick_at = self._attention.expect(self._due())
        return self._tick_at

    def _expect(self, due: float) -> None:
        if self._attention.real(due) < self._tick_at:
            self.due_earlier = True

    def _due(self) -> float:
        timing = self._timing
        if self.identity is None:
            return min(self._began + timing.hello_deadline, self._greeted + timing.hello_retry)
        if self._pace is not None and not self._pace.steady:
            return self._pace.due()
        due = min(self._received_at + timing.silent, self._ping_due())
        if self._gap_since is not None:
            due = min(due, self._gap_since + timing.gap_deadline, self._asked + timing.resend_retry)
        for request in self._requests.values():
            due = min(due, request.deadline)
            if request.tries:
                due = min(due, request.sent + timing.command_retry)
        return due

    def _ping_due(self) -> float:
        due = self._received_at + self._timing.ping
        if self._pace is not None:
            due = min(due, self._spoke + self._pace.word)
        return max(due, self._pinged + self._timing.ping_retry)

    def end(self, why: LinkError) -> None:
        """Ends the session and every open request: the wire is gone, or the owner has had enough."""
        if self.dead:
            return
        self.dead = self.due_earlier = True
        for number in self._requests:
            self.news.append(Answered(number, LinkError("link.lost", str(why))))
        self._requests.clear()
        self._waiting.clear()
        self.news.append(Lost(why))

    # ---- frames by kind

    def _take(self, frame: Frame, now: float) -> None:
        if self.identity is None:
            if frame.kind is Kind.IDENTITY and frame.number == self._greeting.number:
                self._received_at = now
                self._take_identity(frame, now)
            return
        if self._pace is not None and not self._pace.steady:
            self._take_in_change(self._pace, frame, now)
        match frame.kind:
            case Kind.EVENT:
                self._take_event(frame, now)
            case Kind.REPLY:
                self._take_reply(frame, now)
            case Kind.PONG:
                if frame.number == self._ping:
                    self.stats.round_trips.append(now - self._pinged)
            case Kind.IDENTITY:
                self._take_second_identity(frame)
            case _:  # our own words: a loop in the cable, or another controller on it; no sign of life
                self.stats.errors["link.direction"] += 1
                return
        self._received_at, self._reprieved = now, False

    def _take_identity(self, frame: Frame, now: float) -> None:
        identity = self._identity(frame)
        if identity is None:
            return
        known = self._hello.counter if identity.epoch == self._hello.epoch != 0 else 0
        if identity.last < known:
            cause = f"the device has produced {identity.last} events, but {known} are in the journal"
            self._lose("link.counter", cause)
            return
        if identity.first:
            self._next = max(identity.first, known + 1)
            if known:
                self.stats.skipped += self._next - known - 1
        elif known:
            self._next = known + 1
        if self._next is not None:
            self._begin_at(self._next)
        if self._greeted == self._began:
            self.stats.round_trips.append(now - self._began)
        self.identity, self.due_earlier = identity, True
        self._pinged = now
        self.news.append(Identified(identity))
        self._go_on(now)

    def _take_second_identity(self, frame: Frame) -> None:
        """Checks that a second answer to a repeated HELLO comes from the same device and the same memory."""
        if frame.number != self._greeting.number or self.identity is None:
            return
        identity = self._identity(frame)
        if identity is None:
            return
        if identity.serial != self.identity.serial:
            both = f"{self.identity.serial} and {identity.serial}"
            self._lose("link.twice", f"two devices answer at this address, with serial numbers {both}")
        elif identity.epoch != self.identity.epoch:
            self._lose("link.restarted", "the device introduced itself again, with another event memory")

    def _identity(self, frame: Frame) -> Identity | None:
        try:
            answer = decode_answer(frame.body)
        except BodyError as error:
            self._lose("link.body", f"identity cannot be read: {error.cause}")
            return None
        if isinstance(answer, Introduction):
            self._lose("link.sealed", f"it encrypts its frames, and no key is known for serial number {answer.serial}")
            return None
        return answer

    def _begin_at(self, counter: int) -> None:
        self._next = self._base = counter
        self._acked = self._highest = counter - 1

    def _take_event(self, frame: Frame, now: float) -> None:
        counter = frame.number
        if self._next is None:
            self._begin_at(counter)
        assert self._next is not None
        low = max(self._base, self._next - WINDOW)
        # Lower: forgotten long ago, so it is another event. Higher: beyond what may be in flight.
        if not low <= counter <= self._acked + WINDOW:
            cause = f"event {counter} came, {self._next} was next; the device may have restarted"
            self._lose("link.counter", cause)
        elif counter < self._next:
            self._take_repeat(frame, now)
        elif counter > self._next:
            self._highest = max(self._highest, counter)
            if self._gap_since is None:
                self._gap_since, self.due_earlier = now, True
            if now >= self._asked + self._timing.resend_pause:
                self._ask_again(now)
        else:
            self._hand_up(frame, now)

    def _hand_up(self, frame: Frame, now: float) -> None:
        try:
            event = decode_event(frame.body)
        except BodyError as error:
            self._lose("link.body", f"event {frame.number} cannot be read: {error.cause}")
            return
        counter = frame.number
        if not event.private:  # nor is it kept here
            self._recent[counter] = frame.body
        self._recent.pop(counter - WINDOW, None)
        self._next = counter + 1
        self._highest = max(self._highest, counter)
        if self._gap_since is not None:
            self._gap_since = now if self._highest > counter else None
        self.news.append(Happened(counter, event))

    def _take_repeat(self, frame: Frame, now: float) -> None:
        self.stats.duplicates += 1
        if self._recent.get(frame.number, frame.body) != frame.body:
            cause = f"event {frame.number} came twice with different content; the device may have restarted"
            self._lose("link.counter", cause)
        elif frame.number <= self._acked:
            self._send(Frame(Kind.ACK, self._acked), now)

    def _take_reply(self, frame: Frame, now: float) -> None:
        request = self._requests.get(frame.number)
        if request is None or not request.tries:
            return  # the answer to a repeat, or after the deadline
        try:
            reply = decode_reply(frame.body)
        except BodyError as error:
            self._lose("link.body", f"reply {frame.number} cannot be read: {error.cause}")
            return
        if request.tries == 1:
            self.stats.round_trips.append(now - request.sent)
        self._finish(frame.number, reply)
        if self._waiting or self._pace is not None:
            self._go_on(now)

    # ---- the speed of the line

    def _go_on(self, now: float) -> None:
        """Asks for another speed when one is wanted and nothing is under way; else sends the requests that wait."""
        pace = self._pace
        speed = pace.wants() if pace is not None else 0
        if pace is None or not speed or self._in_flight or self._gap_since is not None:
            self._send_waiting(now)
            return
        self._last_request = self._last_request % MAX_NUMBER + 1
        self._send(Frame(Kind.COMMAND, self._last_request, encode(Speed(speed if speed != pace.base else 0))), now)
        if pace.steady:
            pace.asks(self._last_request, now)
        self.due_earlier = True

    def _take_in_change(self, pace: Pace, frame: Frame, now: float) -> None:
        """Takes what a frame says about the change of speed that is under way."""
        if pace.step == "asking" and frame.kind is Kind.REPLY and frame.number == pace.request:
            try:
                reply = decode_reply(frame.body)
            except BodyError as error:
                self._lose("link.body", f"reply {frame.number} cannot be read: {error.cause}")
                return
            if pace.answered(reply.ok, reply.detail, now):
                self._change_speed(pace)
            else:
                self._go_on_steady(pace, now)
        elif pace.step != "asking" and frame.kind is Kind.PONG and frame.number >= pace.ping:
            pace.proved(now)  # nothing older: that may have come at the speed before
            self._go_on_steady(pace, now)

    def _change_speed(self, pace: Pace) -> None:
        """Has our end changed to the speed of the pace."""
        pace.ping, self.due_earlier = self._ping + 1, True
        self.news.append(SpeedChanged(pace.speed))

    def _tick_speed(self, pace: Pace, now: float) -> None:
        """Does what is due in a change of speed."""
        match pace.tick(now):
            case "ping":
                self._ping = self._ping % MAX_NUMBER + 1
                self._pinged = now
                self._put(Frame(Kind.PING, self._ping), now)
            case "back":
                self.stats.errors["link.speed"] += 1
                self._change_speed(pace)
            case "silent":
                self._lose("link.silent", "nothing heard after a change of the line's speed")

    def _go_on_steady(self, pace: Pace, now: float) -> None:
        """Goes on when the line has one speed again; the time of the change counts in no wait."""
        changed = now - pace.since
        for request in self._requests.values():
            request.deadline += changed
            request.sent += changed
        if self._gap_since is not None:
            self._gap_since += changed
        self._received_at, self.due_earlier = now, True
        if pace.acks_held:
            pace.acks_held = False
            self._send(Frame(Kind.ACK, self._acked), now)
        self._go_on(now)

    def _may_send(self, pace: Pace, frame: Frame, now: float) -> bool:
        """Tells whether a frame may be sent now: in a change of speed nothing may, an ACK is sent after it."""
        if pace.steady and self._attention.real(now) >= self._said_at + pace.mute:
            pace.retreats(now)
            self._change_speed(pace)
        if not pace.steady and frame.kind is Kind.ACK:
            pace.acks_held = True
        return pace.steady

    # ---- sending

    def _send(self, frame: Frame, now: float) -> None:
        """Sends a frame, unless the line is between two speeds: what matters is said after it."""
        if self._pace is None or self._may_send(self._pace, frame, now):
            self._put(frame, now)

    def _put(self, frame: Frame, now: float) -> None:
        at = self._attention.real(now)
        self._spoke = now
        if self.identity is not None and at >= self._said_at + self._timing.unattended:
            self.news.append(Unattended())
        self._said_at = at
        self.trace.append(TraceEntry(at, "out", frame))
        self.stats.frames_out += 1
        self.outbox.append((frame if self._guard is None else self._guard.encrypt(frame)).to_wire())

    def _ask_again(self, now: float) -> None:
        assert self._next is not None
        self._asked = now
        self._send(Frame(Kind.RESEND, self._next), now)

    def _send_waiting(self, now: float) -> None:
        while self._waiting and self._in_flight < IN_FLIGHT and self._may_ask:
            request = self._requests[self._waiting.popleft()]
            request.sent, request.tries = now, 1
            self._in_flight += 1
            self._expect(now + self._timing.command_retry)
            self._send(request.wire, now)

    @property
    def _may_ask(self) -> bool:
        open_now = self.identity is not None and not self.dead
        return open_now and (self._pace is None or self._pace.steady)

    def _finish(self, number: int, result: Reply | LinkError) -> None:
        if self._requests.pop(number).tries:
            self._in_flight -= 1
        else:
            self._waiting.remove(number)
        self.news.append(Answered(number, result))

    def _tick_requests(self, now: float) -> None:
        for number, request in list(self._requests.items()):
            if now >= request.deadline:
                cause = f"no reply within {self._timing.command_deadline:g} s"
                self._finish(number, LinkError("link.timeout", cause))
            elif request.tries and now >= request.sent + self._timing.command_retry:
                request.sent, request.tries = now, request.tries + 1
                self.stats.retries += 1
                self._send(request.wire, now)
        self._send_waiting(now)

    def _lose(self, code: str, cause: str) -> None:
        if self._pace is not None and code == "link.silent":
            self._pace.lost()
        self.end(LinkError(code, cause))
        self.stats.errors[code] += 1

    def _no_identity(self) -> tuple[str, str]:
        """Returns code and cause of a greeting in vain, from what came instead of an answer."""
        errors = self.stats.errors - self._errors_before
        if errors["link.key"]:
            return "link.key", "it could not prove that it has its key: another device, or it was paired elsewhere"
        if errors["link.unsealed"]:
            return "link.unsealed", "it does not encrypt its frames, but a key is kept for it"
        return "link.no-answer", f"no identity within {self._timing.hello_deadline:g} s{self._suspicion(errors)}"

    def _suspicion(self, errors: Counter[str]) -> str:
        if errors["link.sealed"]:
            return "; it encrypts its frames, and no key is known for it"
        if errors["frame.version"]:
            return "; it speaks another version of the protocol"
        if errors.total():
            return "; what came cannot be read: check the baud rate, the cable and the address"
        if self._guard is not None:
            return "; a key is kept for it: firmware that cannot encrypt does not answer"
        return ""
