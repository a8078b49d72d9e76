"""The controller's end of a wire to one device: a protocol session driven by an event loop."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

from firmware_bridge.diagnostics import Stats, Trace, new_trace
from firmware_bridge.frame import VERSION
from firmware_bridge.messages import Command, Event, Hello, Identity, Reply
from firmware_bridge.session import Answered, Happened, Identified, LinkError, Lost, Session, Timing
from firmware_bridge.transport import Transport, TransportError

__all__ = ["HostLink", "LinkError", "Timing"]


class HostLink:
    """Opens the wire, greets the device, and keeps the session alive until `on_lost` or `close`.

    `on_event` gets every event once, in order; `on_lost` is called once, and never for a failed `open`.
    Both are called from the loop and may call `ack`.  After either end the link can be opened again.
    `on_opened`: the wire is open, the greeting begins.  `stats` and `trace` may be handed on from an earlier link.
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
    ) -> None:
        self.stats = stats if stats is not None else Stats()
        self.trace: Trace = trace if trace is not None else new_trace()
        self._transport = transport
        self._on_event = on_event
        self._on_lost = on_lost
        self._timing = timing
        self._nonce = nonce
        self._on_opened = on_opened
        self._session: Session | None = None
        self._opening: asyncio.Future[Identity] | None = None
        self._requests: dict[int, asyncio.Future[Reply]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._draining = False

    async def open(self, epoch: int = 0, counter: int = 0) -> Identity:
        """Greet the device and say that events up to `counter` of `epoch` are durable; LinkError when it fails."""
        if self._session is not None:
            raise LinkError("link.open", "the link is open already")
        loop = asyncio.get_running_loop()
        receiver = _Receiver(self)
        try:
            async with asyncio.timeout(self._timing.open):
                await self._transport.open(receiver)
            if receiver.gone is not None:  # opened and lost before the greeting
                raise receiver.gone
            self._on_opened()
            hello = Hello(VERSION, epoch, counter)
            self._opening = loop.create_future()
            self._session = Session(self._nonce(), loop.time(), hello, self._timing, self.stats, self.trace)
            self._drain()
            return await self._opening
        except TransportError as error:
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

    def ack(self, counter: int) -> None:
        """Every event up to this one is durable: the device may forget it."""
        if self._session is not None:
            self._session.ack(counter, asyncio.get_running_loop().time())
            self._drain()

    async def request(self, command: Command) -> Reply:
        """The device's reply, also when it refuses; LinkError link.timeout or link.lost when there is none."""
        if self._session is None or self._session.dead:
            raise LinkError("link.lost", "the link is not open")
        loop = asyncio.get_running_loop()
        number = self._session.request(command, loop.time())
        future: asyncio.Future[Reply] = loop.create_future()
        self._requests[number] = future
        self._drain()
        return await future

    async def close(self) -> None:
        """End the session and the wire; open requests end with link.lost.  Idempotent."""
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

    # ---- from the wire and the clock

    def _received(self, data: bytes) -> None:
        if self._session is not None:
            self._session.receive(data, asyncio.get_running_loop().time())
            self._drain()

    def _wire_lost(self, why: TransportError) -> None:
        if self._session is not None:
            self.stats.errors[why.code] += 1
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
        """Send and report what the session produced, until nothing is left: callbacks may produce more."""
        if self._draining:
            return
        self._draining = True
        try:
            while (session := self._session) is not None and (session.outbox or session.news):
                if session.outbox:
                    wire, session.outbox = b"".join(session.outbox), []
                    self._transport.write(wire)
                elif session.news:
                    self._report(session.news.popleft())
        finally:
            self._draining = False
            self._arm()

    def _report(self, news: Identified | Happened | Answered | Lost) -> None:
        match news:
            case Happened(counter, event):
                self._on_event(counter, event)
            case Answered(number, result):
                future = self._requests.pop(number, None)
                if future is None or future.done():
                    return  # its caller was cancelled
                if isinstance(result, LinkError):
                    future.set_exception(result)
                else:
                    future.set_result(result)
            case Identified(identity):
                if self._opening is not None and not self._opening.done():
                    self._opening.set_result(identity)
            case Lost(why):
                if self._opening is not None and not self._opening.done():
                    self._opening.set_exception(why)
                else:
                    self._on_lost(why)

    def _arm(self) -> None:
        """One timer, moved only to become earlier: most deadlines pass by unneeded."""
        due = self._session.deadline() if self._session is not None else None
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
    """Hears one opening of the wire; remembers a loss that came before the session."""

    def __init__(self, link: HostLink) -> None:
        self._link = link
        self.gone: TransportError | None = None

    def received(self, data: bytes) -> None:
        self._link._received(data)

    def lost(self, why: TransportError) -> None:
        self.gone = why
        self._link._wire_lost(why)
