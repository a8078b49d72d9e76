"""What the links to all vendors' devices share: the wire, one exchange at a time, a look at the device now and then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, TypeVar

import msgspec

from drivers.bugs import guarded, unread
from drivers.vendors.memory import Memory
from drivers.vendors.register import Endpoint, Schemes, Vendor
from firmware_bridge.address import Address, open_transport
from firmware_bridge.attention import LATE, patient
from firmware_bridge.diagnostics import Cut, Note, TraceEntry
from firmware_bridge.extensions import THEIRS
from firmware_bridge.frame import FrameError
from firmware_bridge.link import LinkError, LinkListener, MakeLink
from firmware_bridge.messages import Command, Event, Identity, Reply, as_sent
from firmware_bridge.transport import Transport, TransportError

S = TypeVar("S")  # the settings
OPEN_DEADLINE: Final = 2.0
GREET_DEADLINE: Final = 15.0  # far longer than any greeting takes
NOTHING: Final = Reply(False, "unknown-command the device has no such command")


class VendorLink(Generic[S]):
    """A `Link` to a vendor's device.  A subclass greets it, reads its bytes and carries out commands."""

    about: ClassVar[Vendor]  # set by its decorator

    look_every = 5.0  # seconds between looks at the device; a subclass may take it from its settings

    def __init__(self, transport: Transport, listener: LinkListener, memory: Memory, settings: S) -> None:
        self.family = self.about.families[0]
        self._settings = settings
        self._transport = transport
        self._listener = listener
        self._memory = memory
        self._turn = asyncio.Lock()  # commands and looks take turns: the protocols have no request numbers
        self._receiver: _Receiver | None = None
        self._answer: asyncio.Future[Any] | None = None
        self._failure: LinkError | None = None
        self._identified = False
        self._looking: asyncio.Task[None] | None = None

    # ---- how to get there

    @classmethod
    def endpoint(cls, settings: S, address: Address, schemes: Schemes, family: str) -> Endpoint:
        """Returns how to reach one device with these settings at this address.

        That is over bytes, unless a subclass knows better.
        """
        if address.scheme == "serial":
            address = replace(address, options=MappingProxyType({**cls.about.line, **address.options}))
        return Endpoint(lambda: open_transport(address, schemes), cls.links(settings))

    @classmethod
    def links(cls, settings: S) -> MakeLink:
        """Returns what makes the links to one device, one after the other, with one memory for all of them."""
        memory = Memory()
        return lambda transport, listener: cls(transport, listener, memory, settings)

    # ---- for a subclass

    async def greet(self) -> tuple[str, str, str]:
        """Returns model, serial number and firmware, "" for each that is not told; LinkError when nobody is there."""
        raise NotImplementedError

    def received(self, data: bytes) -> None:
        """Takes bytes from the device, in any pieces."""
        raise NotImplementedError

    async def carry_out(self, command: Command) -> Reply:
        """Carries out one command, from its first byte to its end, and returns the reply."""
        raise NotImplementedError

    async def look(self) -> None:
        """Checks that the device is still there and as we left it; LinkError when not."""
        raise NotImplementedError

    def emit(self, event: Event) -> None:
        """Reports what happened at the device; when the session is over, in the next one.

        An event whose fields are not as declared is reported as a fault: no driver further on could read it.
        """
        event = as_sent(event)
        if self._memory.full:
            self.lose(LinkError("vendor.unsaved", "too many events wait to be stored: is the journal working?"))
            return
        counter = self._memory.add(event)
        if self._failure is None:
            self._listener.on_event(counter, event)

    def send(self, data: bytes, words: str) -> None:
        """Sends bytes to the device while the session lasts; `words` describe them in the trace."""
        if self._failure is not None:
            return
        self._listener.stats.frames_out += 1
        self._note("out", Note(words))
        self._transport.write(data)

    def record(self, item: Note | FrameError) -> None:
        """Counts what came, and keeps it in the trace."""
        if isinstance(item, FrameError):
            self._listener.stats.errors[item.code] += 1
        else:
            self._listener.stats.frames_in += 1
        self._note("in", item)

    async def exchange(self, data: bytes, words: str, wait: float) -> Any:
        """Sends bytes and returns what `answer` brings; None when nothing came in time.

        LinkError when the link ended.
        """
        if self._failure is not None:
            raise self._failure
        loop = asyncio.get_running_loop()
        self._answer = answer = loop.create_future()
        sent = loop.time()
        self.send(data, words)
        try:
            async with patient(wait):
                result = await answer
        except TimeoutError:
            self._listener.stats.retries += 1
            return None
        finally:
            self._answer = None
        self._listener.stats.round_trips.append(loop.time() - sent)
        return result

    def answer(self, value: object) -> None:
        """Hands the answer of the device to whoever asked; without a question it does nothing."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(value)

    def lose(self, why: LinkError) -> None:
        """Ends the session with this cause; the first one counts."""
        if self._failure is not None:
            return
        self._failure = why
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(why)
        if self._identified:
            self._note("in", Cut(why.code, why.cause))
            self._listener.on_lost(why)

    # ---- the Link

    async def open(self, epoch: int = 0, counter: int = 0) -> Identity:
        if self._receiver is not None:
            raise LinkError("link.open", "the link is open already")
        if epoch == self._memory.epoch:
            self._memory.forget(counter)
        first = self._memory.kept[0][0] if self._memory.kept else self._memory.last + 1
        for number, event in self._memory.kept:  # what could not be stored, before anything new
            self._listener.on_event(number, event)
        self._failure, self._identified = None, False
        self._receiver = _Receiver(self._received, self._wire_lost)
        try:
            await self._open_wire(self._receiver)
            async with self._turn:
                model, serial, firmware = await self._greeted()
            if self._failure is not None:
                raise self._failure
        except BaseException:  # cancelled, or it is not there: leave nothing open
            await self.close()
            raise
        self._identified = True
        self._looking = asyncio.get_running_loop().create_task(self._look_out(), name=f"look at {model}")
        return Identity(self.family, model, serial, firmware, self._memory.epoch, self._memory.last, first)

    def ack(self, counter: int) -> None:
        """Forgets the events up to this one: our own memory keeps them, for the device cannot be told."""
        self._memory.forget(counter)

    def repeat_events(self) -> None:
        """Reports once more what could not be stored, before anything new."""
        for number, event in list(self._memory.kept):
            self._listener.on_event(number, event)

    async def request(self, command: Command) -> Reply:
        if self._receiver is None or self._failure is not None:
            raise LinkError("link.lost", "the link is not open")
        async with self._turn:
            if self._failure is not None:
                raise self._failure
            reply = await guarded(self.carry_out(command))
        if not isinstance(reply, Reply):
            raise LinkError("driver.answer", f"the driver of {self.about.name} gave no reply to a command")
        return reply

    async def close(self) -> None:
        self.stop()
        self._identified = False
        self.lose(LinkError("link.closed", "closed by the controller"))
        looking, self._looking = self._looking, None
        if looking is not None:
            looking.cancel()
            await asyncio.wait([looking])
        if self._receiver is not None:
            self._receiver.closed = True
            self._receiver = None
        await self._transport.close()

    def stop(self) -> None:
        """Ends whatever else a subclass has running: the session is over."""

    # ---- inside

    async def _greeted(self) -> tuple[str, str, str]:
        """Greets the device; LinkError when the driver does not come to an end, or returns something else."""
        try:
            async with patient(GREET_DEADLINE):
                identity = await guarded(self.greet())
        except TimeoutError:
            cause = f"the driver of {self.about.name} did not greet the device within {GREET_DEADLINE:g} s"
            raise LinkError("driver.greeting", cause) from None
        try:
            return msgspec.convert(identity, tuple[str, str, str])
        except msgspec.ValidationError:
            cause = f"the driver of {self.about.name} did not say model, serial number and firmware"
            raise LinkError("driver.answer", cause) from None

    def _received(self, data: bytes) -> None:
        """Lets the driver read bytes; when it fails they are lost, and nothing can be read any more."""
        try:
            self.received(data)
        except THEIRS as error:
            self.lose(unread(error))

    async def _open_wire(self, receiver: _Receiver) -> None:
        try:
            async with patient(OPEN_DEADLINE):
                await self._transport.open(receiver)
        except TransportError as error:
            raise LinkError(error.code, error.cause) from error
        except TimeoutError:
            raise LinkError("link.open-timeout", f"the wire did not open within {OPEN_DEADLINE:g} s") from None
        self._listener.on_opened()

    async def _look_out(self) -> None:
        loop = asyncio.get_running_loop()
        while self._failure is None:
            due = loop.time() + self.look_every
            await asyncio.sleep(self.look_every)
            if loop.time() > due + LATE:  # we were away: what it said meanwhile is read first
                await asyncio.sleep(self.look_every)
            async with self._turn:
                try:
                    await guarded(self.look())
                except LinkError as error:  # a bug too: it must not end the watch unheard
                    self.lose(error)

    def _wire_lost(self, why: TransportError) -> None:
        self._listener.stats.errors[why.code] += 1
        self.lose(LinkError(why.code, why.cause))

    def _note(self, way: Any, item: Note | FrameError | Cut) -> None:
        self._listener.trace.append(TraceEntry(asyncio.get_running_loop().time(), way, item))


class _Receiver:
    """Passes on what comes from one opening of the wire, and nothing after its end."""

    def __init__(self, received: Callable[[bytes], None], lost: Callable[[TransportError], None]) -> None:
        self._received = received
        self._lost = lost
        self.closed = False

    def received(self, data: bytes) -> None:
        if not self.closed:
            self._received(data)

    def lost(self, why: TransportError) -> None:
        if not self.closed:
            self._lost(why)
