"""The one owner of a device's connection: open, identify, verify, configure, resynchronise; and again, for ever."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias, TypeVar

from drivers.bugs import bug
from drivers.driver import Channel, Driver
from drivers.serials import Serials
from firmware_bridge.address import AddressError
from firmware_bridge.attention import patient
from firmware_bridge.diagnostics import Stats, Trace, new_trace
from firmware_bridge.extensions import THEIRS
from firmware_bridge.link import Immediate, Link, LinkError, LinkListener, MakeLink, Remembering, Timing, native
from firmware_bridge.messages import TAMPERED, Event, Fault, Identity
from firmware_bridge.speed import Ladder
from firmware_bridge.transport import Transport, TransportError
from firmware_bridge.version import version_key

T = TypeVar("T")
Phase: TypeAlias = Literal[
    "opening", "identifying", "ready", "lost", "wrong-device", "old-firmware", "unpaired", "stopped"
]
WithoutKey: TypeAlias = Literal["used", "greeted", "refused"]  # what happens to a device while it has no key
LinkWord: TypeAlias = Literal["sealed", "insecure", "unpaired", "vendor", "internal"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a reading comes from.  Counter 0: the answer to a command, which is neither repeated nor acknowledged."""

    device: str
    serial: str
    epoch: int
    counter: int


@dataclass(frozen=True, slots=True)
class LossCause:
    """Why a device is not there: a stable code, and words for people.  `at`: since when, in the loop's time."""

    code: str
    text: str
    at: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class DeviceState:
    """How far a device has come: connected, lost and why, or refused.

    `first` is what took it away and is kept until it is ready again; `latest` is what failed last, since it began to
    fail so.  `code` and `cause` are what goes on record: the first cause, or which wrong device stands there.
    """

    device: str
    phase: Phase
    first: LossCause | None = None
    latest: LossCause | None = None
    identity: Identity | None = None

    @property
    def code(self) -> str:
        """The code of what goes on record; empty when nothing is wrong."""
        return self.shown.code if self.shown is not None else ""

    @property
    def cause(self) -> str:
        """The words of what goes on record; empty when nothing is wrong."""
        return self.shown.text if self.shown is not None else ""

    @property
    def shown(self) -> LossCause | None:
        """The cause behind `code`; None when nothing is wrong."""
        refused = self.latest is not None and self.latest.code in REFUSED  # also while it is tried again
        return self.latest if refused else self.first


@dataclass(frozen=True, slots=True)
class Backoff:
    """Pauses between attempts, in seconds; a device that stayed ready for `longest` starts anew at `shortest`."""

    shortest: float = 0.1
    longest: float = 2.0
    jitter: float = 0.2  # up to this share more or less, so that devices do not come back in step


UNPAIRED = "keys.unpaired"
INSECURE: Final[LinkWord] = "insecure"
REFUSED = (
    "device.wrong-family",
    "device.wrong-serial",
    "device.same-serial",
    "device.old-firmware",
    "keys.missing",
    UNPAIRED,
)
TAKE_AGAIN = 0.2  # seconds before a link that remembers is asked again for what could not be stored
RECONNECT = "device.reconnect"  # we let go of it ourselves, and greet it again
CONFIGURE_DEADLINE = 5.0
CLOSE_DEADLINE = 2.0


class Supervisor:
    """Keeps one device connected from `start` to `stop`, whatever happens to it."""

    def __init__(
        self,
        name: str,
        family: str,
        make_transport: Callable[[], Transport],
        driver: Driver,
        *,
        expect_serial: str | None,
        resume: Callable[[], tuple[int, int]],
        on_reading: Callable[[Origin, Event], None],
        on_state: Callable[[DeviceState], None],
        timing: Timing = Timing(),  # noqa: B008 - frozen
        backoff: Backoff = Backoff(),  # noqa: B008 - frozen
        chance: random.Random | None = None,
        nonce: Callable[[], int] = lambda: secrets.randbits(32),
        make_link: MakeLink | None = None,  # None: the native protocol
        key: bytes | None = None,  # with one the link is encrypted, always
        tapped: bool = True,  # somebody could sit on its wire
        min_firmware: str = "",  # any
        on_tampered: Callable[[str], None] = lambda name: None,
        serials: Serials | None = None,  # shared with the other devices of the table
    ) -> None:
        self.name = name
        self.family = family
        self.driver = driver
        self.stats = Stats()
        self.trace: Trace = new_trace()
        self.state = DeviceState(name, "stopped")
        self._ladder = Ladder()
        self._make_transport = make_transport
        self.expect_serial = expect_serial
        self._resume = resume
        self._on_reading = on_reading
        self._on_state = on_state
        if key is not None and make_link is not None:
            raise ValueError("only the native protocol can be encrypted")  # and never quietly without
        self.key = key
        self.without_key: WithoutKey = "used"
        self._tapped = tapped
        self.native = make_link is None
        self._make_link = make_link or native(timing, nonce, lambda: self.key)
        self._plain_link = make_link or native(timing, nonce)
        self._min_firmware = min_firmware
        self._on_tampered = on_tampered
        self._serials = serials if serials is not None else Serials()
        self._wire = asyncio.Lock()  # held by whoever talks to the device
        self._backoff = backoff
        self._chance = chance or random.Random()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._connection: _Connection | None = None

    @property
    def encrypted(self) -> bool:
        """Whether nobody on the wire can read or forge what passes."""
        return self.native and self.key is not None

    @property
    def link(self) -> LinkWord:
        """The word for how well its link is protected."""
        return link_word(self.encrypted, self.native, self.without_key != "used", self._tapped)

    def start(self) -> None:
        """Begins to keep the device connected; needs a running loop."""
        if self._task is None:
            self._stopping = False
            self._task = asyncio.get_running_loop().create_task(self._run(), name=f"supervisor {self.name}")

    async def stop(self) -> None:
        """Takes the outputs to their safe state if the device is there, lets go of it, and ends.  Idempotent."""
        task, self._task = self._task, None
        if task is None:
            return
        self._stopping = True
        if self._connection is not None and self.state.phase == "ready":
            self._connection.signal.set()
            await asyncio.wait([task], timeout=CONFIGURE_DEADLINE)
        task.cancel()
        await asyncio.wait([task], timeout=CONFIGURE_DEADLINE)
        self._enter("stopped")

    def ack(self, counter: int, epoch: int | None = None) -> None:
        """Tells the device that every event up to this one is durable; with `epoch` only if it has that memory."""
        connection = self._connection
        if connection is None or connection.identity is None or self.state.phase != "ready":
            return  # it will be said in the next greeting
        if epoch is None or epoch == connection.identity.epoch:
            connection.link.ack(counter)

    def reconnect(self) -> None:
        """Greets the device again, so that it sends everything that was not acknowledged."""
        if self._connection is not None and self.state.phase == "ready":  # else a greeting is on its way already
            self._connection.end(LossCause(RECONNECT, "asked again for what could not be stored"))

    def take_again(self) -> None:
        """Takes nothing more from the device before it has told again everything that was not acknowledged.

        The wire to a device without a memory of its own stays open: our end remembers, and what it says now counts.
        """
        connection = self._connection
        if connection is not None and self.state.phase == "ready" and isinstance(connection.link, Remembering):
            connection.take_again(connection.link)
        else:
            self.reconnect()

    # ---- in the workshop

    @asynccontextmanager
    async def out_of_play(self) -> AsyncIterator[None]:
        """Gives the device to the technician for this block, where `visit` may be called; for the table it is lost."""
        if self._connection is not None:
            self._connection.end(LossCause("device.service", "the technician works on it"))
        async with self._wire:
            yield

    async def visit(self, work: Callable[[Link, Identity], Awaitable[T]], *, encrypted: bool = True) -> T:
        """Greets the device, does one piece of work with it, lets it go, and returns what the work returned.

        Its events stay with it.  LinkError when the wire fails.
        """
        try:
            transport = self._make_transport()
        except (AddressError, TransportError) as error:
            raise LinkError(error.code, error.cause) from error
        make = self._make_link if encrypted else self._plain_link
        nothing = LinkListener(
            on_event=lambda counter, event: None,
            on_lost=lambda why: None,
            on_opened=lambda: None,
            stats=self.stats,
            trace=self.trace,
            on_tampered=lambda: self._on_tampered(self.name),
            ladder=self._ladder,
        )
        link = make(transport, nothing)
        try:
            return await work(link, await link.open())
        finally:
            await self._close_link(link)

    async def _close_link(self, link: Link) -> None:
        try:
            async with asyncio.timeout(CLOSE_DEADLINE):
                await link.close()
        except TimeoutError:
            self.stats.errors["link.close"] += 1  # the wire hangs; a new one will be made

    # ---- the life of the device

    async def _run(self) -> None:
        pause = self._backoff.shortest
        loop = asyncio.get_running_loop()
        while not self._stopping:
            async with self._wire:
                connection = self._connection = _Connection(self)
                try:
                    failure = await connection.live()
                except THEIRS as error:  # a bug must not end the supervision: it is named, latched and retried
                    failure = _bug(error)
                finally:
                    self._connection = None
            if self._stopping:
                return
            self._fail(failure, connection)
            since = connection.ready_since
            if since is not None and loop.time() - since >= self._backoff.longest:
                pause = self._backoff.shortest
            spread = self._backoff.jitter
            await asyncio.sleep(pause * self._chance.uniform(1 - spread, 1 + spread))
            pause = min(pause * 2, self._backoff.longest)

    def _fail(self, cause: LossCause, connection: _Connection) -> None:
        refused = connection.ends_as != "lost"  # then it is good to know who it is
        identity = connection.identity if refused else None
        cause = replace(cause, at=asyncio.get_running_loop().time())
        latest = self.state.latest if self.state.latest == cause else cause  # the same again is not news
        first = self.state.first if self.state.first is not None and self.state.first.code != RECONNECT else cause
        self._enter(connection.ends_as, first, latest, identity)

    def _enter(
        self,
        phase: Phase,
        first: LossCause | None = None,
        latest: LossCause | None = None,
        identity: Identity | None = None,
    ) -> None:
        state = DeviceState(self.name, phase, first, latest, identity)
        if state == self.state:
            return
        self.state = state
        try:
            self._on_state(state)
        except Exception as error:  # nor may a listener's
            context = {"message": f"{self.name}: on_state failed", "exception": error}
            asyncio.get_running_loop().call_exception_handler(context)


class _Connection:
    """One attempt: from opening the wire until it is lost."""

    def __init__(self, owner: Supervisor) -> None:
        self.owner = owner
        self.signal = asyncio.Event()  # lost, stopping, or something to sync
        self.identity: Identity | None = None
        self.ready_since: float | None = None
        self.ends_as: Phase = "lost"
        self._failure: LossCause | None = None
        self._pausing = False  # what comes now stays with the link
        self._shows_unknown = False  # its outputs may be in their safe state
        self._held: list[tuple[int, Event]] = []  # events that came before the device was verified; at most a window
        self.link: Link

    async def live(self) -> LossCause:
        """Connects to the device, serves it until the end, and returns why it ended."""
        owner = self.owner
        if owner.without_key == "refused" and not owner.encrypted:
            return LossCause("keys.missing", "its link was encrypted, and its key is not there: it is not spoken to")
        owner._enter("opening", owner.state.first, owner.state.latest)
        try:
            transport = owner._make_transport()
        except (AddressError, TransportError) as error:
            return LossCause(error.code, error.cause)
        self.link = owner._make_link(
            transport,
            LinkListener(
                on_event=self._event,
                on_lost=self._lost,
                on_opened=lambda: owner._enter("identifying", owner.state.first, owner.state.latest),
                stats=owner.stats,
                trace=owner.trace,
                on_tampered=lambda: owner._on_tampered(owner.name),
                on_unattended=self._unattended,
                ladder=owner._ladder,
            ),
        )
        try:
            return await self._serve()
        except LinkError as error:
            return self.failure() or LossCause(error.code, error.cause)
        finally:
            owner.driver.detach()
            owner._serials.release(owner.name)
            await owner._close_link(self.link)

    async def _serve(self) -> LossCause:
        owner, driver = self.owner, self.owner.driver
        epoch, counter = owner._resume()
        self.identity = await self.link.open(epoch, counter)
        if refused := self._refused(self.identity):
            return refused
        begin = self.link.begin if isinstance(self.link, Immediate) else None
        driver.attach(Channel(self.link.request, self._report, self.signal.set, begin))
        if late := await self._sync():
            return late
        if failure := self.failure():
            return failure
        self.ready_since = asyncio.get_running_loop().time()
        owner._enter("ready", identity=self.identity)
        held, self._held = self._held, []
        for number, event in held:
            self._hand_up(number, event)
        while not self._done():
            await self.signal.wait()
            self.signal.clear()
            if not self._done() and (late := await self._sync()):
                return late
            if self._shows_unknown and not self._done():
                self._shows_unknown = False
                driver.show_again()
                self.signal.set()
        if self.failure() is None:
            driver.make_safe()
            await self._sync()
        return self.failure() or LossCause("device.stopped", "stopped by the controller")

    def _refused(self, identity: Identity) -> LossCause | None:
        """Returns why this device is not used; None when it is the one that is wanted."""
        owner = self.owner
        if wrong := wrong_device(identity, owner.family, owner.expect_serial):
            self.ends_as = "wrong-device"
            return wrong
        if owner.native and (old := old_firmware(identity, owner._min_firmware)):
            self.ends_as = "old-firmware"
            return old
        if first := owner._serials.claim(owner.name, identity.serial):
            self.ends_as = "wrong-device"
            return same_serial(identity.serial, first)
        if owner.link == "unpaired":
            self.ends_as = "unpaired"
            return unpaired(identity, owner.expect_serial)
        return None

    async def _sync(self) -> LossCause | None:
        try:
            async with patient(CONFIGURE_DEADLINE):
                await self.owner.driver.sync()
        except TimeoutError:
            return LossCause("device.configure", f"the outputs were not set within {CONFIGURE_DEADLINE:g} s")
        if not self.owner.driver.settled:
            self.signal.set()
        return None

    def failure(self) -> LossCause | None:
        """Returns why the link ended; None while it lives."""
        return self._failure

    def _done(self) -> bool:
        return self._failure is not None or self.owner._stopping

    # ---- from the link

    def take_again(self, link: Remembering) -> None:
        """Leaves everything with the link for a moment, then takes it in its order."""
        if not self._pausing:
            self._pausing = True
            asyncio.get_running_loop().call_later(TAKE_AGAIN, self._go_on, link)

    def _go_on(self, link: Remembering) -> None:
        self._pausing = False
        if not self._done():
            link.repeat_events()

    def _event(self, counter: int, event: Event) -> None:
        if self._pausing:
            return
        if self.ready_since is None:
            self._held.append((counter, event))
        else:
            self._hand_up(counter, event)

    def _hand_up(self, counter: int, event: Event) -> None:
        """Hands an event to the owner, but none after a failure.

        To acknowledge a later event would acknowledge the one that failed.
        """
        if self.failure() is not None:
            return
        if isinstance(event, Fault) and event.code == TAMPERED and self.owner.encrypted:
            self.owner._on_tampered(self.owner.name)  # at the device's end of the cable
        try:
            reading = self.owner.driver.read(event)
            self.owner._on_reading(self._origin(counter), reading)
        except THEIRS as error:  # the event stays with the device and comes again
            self.end(_bug(error))

    def _report(self, reading: Event) -> None:
        self.owner._on_reading(self._origin(0), reading)

    def _origin(self, counter: int) -> Origin:
        assert self.identity is not None
        return Origin(self.owner.name, self.identity.serial, self.identity.epoch, counter)

    def _unattended(self) -> None:
        """Has the outputs set once more, when what is under way has ended."""
        self._shows_unknown = True
        self.signal.set()

    def _lost(self, why: LinkError) -> None:
        self.end(LossCause(why.code, why.cause))

    def end(self, cause: LossCause) -> None:
        """Ends this connection with a cause; the first cause counts."""
        self._failure = self._failure or cause
        self.signal.set()


def link_word(encrypted: bool, native: bool, needs_key: bool, tapped: bool) -> LinkWord:
    """Returns the word for how well a link is protected.

    "vendor": its protocol cannot be encrypted; "internal": nobody can reach the wire.
    """
    if encrypted:
        return "sealed"
    if not native:
        return "vendor"
    if needs_key:
        return "unpaired"
    return INSECURE if tapped else "internal"


def unpaired(identity: Identity, serial: str | None) -> LossCause:
    """Returns why a device without a key is not used; `serial` is what table.toml has of it."""
    known = "" if serial is not None else f'; write serial = "{identity.serial}" to table.toml first'
    return LossCause(UNPAIRED, f"it has no key yet (serial number {identity.serial}){known}")


def wrong_device(identity: Identity, family: str, serial: str | None) -> LossCause | None:
    """Returns why this is not the device that was expected at this address; None when it is."""
    if identity.family != family:
        text = f"a {family} was expected, but this is a {identity.family} (serial number {identity.serial})"
        return LossCause("device.wrong-family", text)
    if serial is not None and identity.serial != serial:
        return LossCause("device.wrong-serial", f"serial number {serial} was expected, but this is {identity.serial}")
    return None


def same_serial(serial: str, first: str) -> LossCause:
    """Returns the cause for a device whose serial number another one has."""
    return LossCause("device.same-serial", f"serial number {serial} belongs to {first}: two devices have it")


def old_firmware(identity: Identity, least: str) -> LossCause | None:
    """Returns why its firmware is too old; None when it is not.  For native devices: those of vendors do not say it."""
    wanted, runs = version_key(least), version_key(identity.firmware)
    if wanted is None or (runs is not None and runs >= wanted):
        return None
    text = f"firmware {least} or later is needed, but it runs {identity.firmware or 'none'}"
    return LossCause("device.old-firmware", text)


def _bug(error: BaseException) -> LossCause:
    named = bug(error)
    return LossCause(named.code, named.cause)
