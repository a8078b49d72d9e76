"""The controller's end of a wire to one device: what every link offers, and the native one.

A link speaks one protocol.  Whoever keeps a device connected knows only `Link`; vendors' protocols have their own.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, runtime_checkable

from firmware_bridge.attention import patient
from firmware_bridge.diagnostics import Cut, Stats, Trace, TraceEntry, new_trace
from firmware_bridge.extensions import THEIRS, failed
from firmware_bridge.frame import VERSION
from firmware_bridge.messages import Command, Event, Hello, Identity, Reply, Speed
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
from firmware_bridge.session import Session, Timing
from firmware_bridge.speed import Ladder, Line, Pace
from firmware_bridge.transport import Transport, TransportError

__all__ = ["HostLink", "Immediate", "Link", "LinkError", "LinkListener", "MakeLink", "Remembering", "Timing", "native"]


SLOW_DOWN: Final = 0.15  # seconds for a device to go back to its base speed before the wire is closed


class Link(Protocol):
    """A link to one device over one wire: one session after another."""

    async def open(self, epoch: int = 0, counter: int = 0) -> Identity:
        """Greets the device and tells it that events up to `counter` of `epoch` are durable; LinkError if it fails."""

    def ack(self, counter: int) -> None:
        """Tells that every event up to this one is durable: nobody needs to keep it."""

    async def request(self, command: Command) -> Reply:
        """Sends a command and returns the device's reply, also when it refuses; LinkError when there is none."""

    async def close(self) -> None:
        """Ends the session and closes the wire.  Idempotent."""


@runtime_checkable
class Remembering(Protocol):
    """A link that keeps the events of a device without a memory of its own."""

    def repeat_events(self) -> None:
        """Reports every event that was not acknowledged once more, in its order."""


@runtime_checkable
class Immediate(Protocol):
    """A link that can send a command before anybody waits for the reply."""

    def begin(self, command: Command) -> asyncio.Future[Reply]:
        """Sends a command now and returns the reply to come; LinkError when the link is not open."""


@dataclass(frozen=True, slots=True)
class LinkListener:
    """The one that a link serves: what it wants to be told, and the counters and the trace that the link keeps."""

    on_event: Callable[[int, Event], None]
    on_lost: Callable[[LinkError], None]
    on_opened: Callable[[], None]  # the wire is open, the greeting begins
    stats: Stats
    trace: Trace
    on_tampered: Callable[[], None] = lambda: None  # a frame came that the device did not send; it was dropped
    on_unattended: Callable[[], None] = lambda: None  # it heard nothing for long, and may have made its outputs safe
    ladder: Ladder | None = None  # the speeds of its line, and which have failed; None: it keeps the one it has


MakeLink: TypeAlias = Callable[[Transport, LinkListener], Link]


def native(timing: Timing, nonce: Callable[[], int], key: Callable[[], bytes | None] = lambda: None) -> MakeLink:
    """Returns what makes links that speak the native protocol, encrypted where there is a key."""
    return lambda transport, owner: HostLink(
        transport,
        on_event=owner.on_event,
        on_lost=owner.on_lost,
        timing=timing,
        nonce=nonce,
        on_opened=owner.on_opened,
        stats=owner.stats,
        trace=owner.trace,
        key=key(),
        on_tampered=owner.on_tampered,
        on_unattended=owner.on_unattended,
        ladder=owner.ladder,
    )


class HostLink:
    """A link that speaks the native protocol: it keeps a session alive from `open` until `on_lost` or `close`.

    `on_event` gets every event once, in order; `on_lost` is called once, and never for a failed `open`.
    Both are called from the loop and may call `ack`.  After either end the link can be opened again.
    `on_opened`: the wire is open, the greeting begins.  `stats` and `trace` may be handed on from an earlier link.
    With a `key` every frame is encrypted, or there is no session; `on_tampered`: a frame came from somebody else.
    `on_unattended`: we were away for so long that the device may have taken its outputs to their safe state.
    With a `ladder` a serial line gets as fast as both ends can.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        on_event: Callable[[int, Event], None],
        on_lost: Callable[[LinkError], None],
        timing: Timing = Timing(),  # noqa: B008 - frozen
        nonce: Callable[[], int] = lambda: secrets.randbits(32),
        on_opened: Callable[[], None] = lambda: None,
        stats: Stats | None = None,
        trace: Trace | None = None,
        key: bytes | None = None,
        on_tampered: Callable[[], None] = lambda: None,
        on_unattended: Callable[[], None] = lambda: None,
        ladder: Ladder | None = None,
    ) -> None:
        self.stats = stats if stats is not None else Stats()
        self.trace: Trace = trace if trace is not None else new_trace()
        self._transport = transport
        self._on_event = on_event
        self._on_lost = on_lost
        self._timing = timing
        self._nonce = nonce
        self._on_opened = on_opened
        self._key = key
        self._on_tampered = on_tampered
        self._on_unattended = on_unattended
        self._ladder = ladder
        self._closing = False
        self._session: Session | None = None
        self._opening: asyncio.Future[Identity] | None = None
        self._requests: dict[int, asyncio.Future[Reply]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._draining = False

    async def open(self, epoch: int = 0, counter: int = 0) -> Identity:
        """Greets the device and tells it that events up to `counter` of `epoch` are durable; LinkError if it fails."""
        if self._session is not None:
            raise LinkError("link.open", "the link is open already")
        loop = asyncio.get_running_loop()
        receiver = _Receiver(self)
        try:
            async with patient(self._timing.open):
                await self._transport.open(receiver)
            if receiver.loss is not None:  # opened and lost before the greeting
                raise receiver.loss
            self._on_opened()
            self._closing = False
            hello = Hello(VERSION, epoch, counter)
            self._opening = loop.create_future()
            self._session = self._new_session(hello, loop.time())
            self._drain()
            return await self._opening
        except TransportError as error:
            self._forget_speeds()
            await self.close()
            raise LinkError(error.code, error.cause) from error
        except TimeoutError:
            await self.close()
            raise LinkError("link.open-timeout", f"the wire did not open within {self._timing.open:g} s") from None
        except BaseException:  # cancelled, or the session ended: leave nothing open
            await self.close()
            raise
        finally:
            self._opening = None

    def _new_session(self, hello: Hello, now: float) -> Session:
        number = self._nonce()
        guard = None
        if self._key is not None:
            from firmware_bridge.guard import Guard  # ciphers take long to load

            guard = Guard(self._key, number, hello, secrets.token_bytes(32))
        return Session(number, now, hello, self._timing, self.stats, self.trace, guard, self._new_pace())

    def _new_pace(self) -> Pace | None:
        """Returns what makes the line faster; None where it has no speed, or none but its own."""
        line = self._transport
        if not isinstance(line, Line):
            return None
        self.stats.speed, self.stats.low_latency = line.speed, line.low_latency
        faster = line.faster() if self._ladder is not None else ()
        return Pace(line.speed, faster, self._ladder) if faster else None

    def _forget_speeds(self) -> None:
        """Begins anew with the speeds: the adapter may come back with another cable."""
        if self._ladder is not None:
            self._ladder.forget()

    def ack(self, counter: int) -> None:
        """Tells the device that every event up to this one is durable, so that it may forget them."""
        if self._session is not None:
            self._session.ack(counter, asyncio.get_running_loop().time())
            self._drain()

    async def request(self, command: Command) -> Reply:
        """Sends a command and returns the device's reply, also when it refuses.

        LinkError link.timeout or link.lost when there is none.
        """
        return await self.begin(command)

    def begin(self, command: Command) -> asyncio.Future[Reply]:
        """Sends a command now and returns the device's reply to come; LinkError link.lost when the link is not open."""
        if self._session is None or self._session.dead:
            raise LinkError("link.lost", "the link is not open")
        loop = asyncio.get_running_loop()
        number = self._session.request(command, loop.time())
        future: asyncio.Future[Reply] = loop.create_future()
        self._requests[number] = future
        self._drain()
        return future

    async def close(self) -> None:
        """Ends the session and closes the wire; open requests end with link.lost.  Idempotent."""
        if self._session is not None and self._session.fast and not self._closing:
            await self._slow_down()
        session, self._session = self._session, None
        self._disarm()
        if session is not None:
            session.end(LinkError("link.closed", "closed by the controller"))
        requests, self._requests = self._requests, {}
        for future in requests.values():
            if not future.done():
                future.set_exception(LinkError("link.lost", "closed by the controller"))
        if self._opening is not None and not self._opening.done():
            self._opening.set_exception(LinkError("link.closed", "closed by the controller"))
        await self._transport.close()

    async def _slow_down(self) -> None:
        """Takes the device back to its base speed, so that whoever greets it next need not wait for that."""
        self._closing = True  # what comes now stays with the device
        try:
            async with asyncio.timeout(SLOW_DOWN):
                await self.begin(Speed(0))
        except (LinkError, TimeoutError):
            pass  # then it goes back by itself

    # ---- from the wire and the clock

    def _received(self, data: bytes) -> None:
        if self._session is not None:
            self._session.receive(data, asyncio.get_running_loop().time())
            self._drain()

    def _wire_lost(self, why: TransportError) -> None:
        if self._session is not None:
            self.stats.errors[why.code] += 1
            self._forget_speeds()
            self._session.end(LinkError(why.code, why.cause))
            self._drain()

    def _tick(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._timer is not None:
            now = max(now, self._timer.when())  # a loop may call a hair too early
            self._timer = None
        if self._session is not None:
            self._session.tick(now)
            self._drain()

    # ---- to the wire and the owner

    def _drain(self) -> None:
        """Sends and reports what the session produced, until nothing is left: callbacks may produce more."""
        if self._draining:
            return
        self._draining = True
        try:
            while (session := self._session) is not None:
                if session.outbox:
                    wire, session.outbox = b"".join(session.outbox), []
                    self._write(wire, session)
                elif session.news:
                    self._report(session.news.popleft())
                else:
                    break
        finally:
            self._draining = False
            self._arm()

    def _write(self, data: bytes, session: Session) -> None:
        """Writes to the wire; when code of a package fails at it, the wire is lost, whoever was writing."""
        try:
            self._transport.write(data)
        except THEIRS as error:
            theirs = failed(error)
            if theirs is None:
                raise
            session.end(LinkError(theirs.code, theirs.cause))

    def _report(self, news: News) -> None:
        match news:
            case Answered(number, result):
                self._answer(number, result)
            case SpeedChanged(baud):
                self._set_speed(baud)
            case _ if not self._closing:
                self._tell(news)

    def _tell(self, news: News) -> None:
        match news:
            case Happened(counter, event):
                self._on_event(counter, event)
            case Identified(identity):
                if self._opening is not None and not self._opening.done():
                    self._opening.set_result(identity)
            case Lost(why):
                self.trace.append(TraceEntry(asyncio.get_running_loop().time(), "in", Cut(why.code, why.cause)))
                if self._opening is not None and not self._opening.done():
                    self._opening.set_exception(why)
                else:
                    self._on_lost(why)
            case Tampered():
                self._on_tampered()
            case Unattended():
                self._on_unattended()

    def _set_speed(self, baud: int) -> None:
        if isinstance(self._transport, Line):
            self.stats.speed = baud
            self._transport.set_speed(baud)

    def _answer(self, number: int, result: Reply | LinkError) -> None:
        future = self._requests.pop(number, None)
        if future is None or future.done():
            return  # its caller was cancelled
        if isinstance(result, LinkError):
            future.set_exception(result)
        else:
            future.set_result(result)

    def _arm(self) -> None:
        """Sets the one timer, which is moved only to become earlier: most deadlines pass by unneeded."""
        due = None
        if (session := self._session) is not None:
            if self._timer is not None and not session.due_earlier:
                return
            due = session.deadline()
        if due is None:
            self._disarm()
        elif self._timer is None or self._timer.when() > due:
            self._disarm()
            self._timer = asyncio.get_running_loop().call_at(due, self._tick)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _Receiver:
    """The receiver of one opening of the wire; it remembers a loss that came before the session."""

    def __init__(self, link: HostLink) -> None:
        self._link = link
        self.loss: TransportError | None = None

    def received(self, data: bytes) -> None:
        self._link._received(data)

    def lost(self, why: TransportError) -> None:
        self.loss = why
        self._link._wire_lost(why)
