"""The devices of one running table: supervised, read, acknowledged, and their losses put on record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from secrets import token_bytes
from typing import Final

import structlog
from msgspec.structs import replace

from controller.journal.store import Journal
from controller.service.console_watch import ConsoleWatch
from controller.service.displays import DIFFERS
from controller.service.encrypted_links import EncryptedLinks
from controller.service.engine import Engine, EventId, Submitted
from controller.service.journal_encoding import RandomBytes
from controller.service.journal_gaps import JournalGaps
from controller.service.pin_gate import PinGate
from controller.service.quota import BABBLES, Quota, Quotas
from controller.service.sign_in import SignIn
from controller.service.storage import Storage
from controller.service.stuck_keys import StuckKeys
from controller.service.tampering import TAMPERED, Tampering
from controller.service.translate import is_dealing, to_fact
from controller.service.trunks import trunks_of
from controller.table.facts import AnyFact, DeviceCleared, DeviceFault, DeviceLost, DeviceReady, Hold, Noted, Pushed
from controller.table.faults import LOST
from controller.table.state import round_runs
from drivers import supervisor
from drivers.bugs import UNREAD
from drivers.device_spec import DeviceSpec
from drivers.driver import Driver
from drivers.families import FAMILIES
from drivers.serials import Serials
from drivers.supervisor import RECONNECT, REFUSED, DeviceState, Phase, Supervisor
from firmware_bridge.extensions import THEIRS, failed
from firmware_bridge.messages import BadgeRead, Event, KeyPressed

log = structlog.get_logger()

OURS: Final = (LOST, DIFFERS, BABBLES, TAMPERED)  # faults that are found here, and cleared by who found them
POST_MORTEM = 24  # frames that are logged when a device is lost
GONE: Final[tuple[Phase, ...]] = ("lost", "wrong-device", "old-firmware", "unpaired")  # it cannot be used


class Fleet:
    """All devices of a table, from `start` to `stop`.  What they send becomes facts, in one order.

    `on_ready` gets the name of each device that is ready, before its return is on record.
    """

    def __init__(
        self,
        engine: Engine,
        storage: Storage,
        journal: Journal,
        specs: Mapping[str, DeviceSpec],
        seats: int,
        quota: Quota | None,
        sign_in: SignIn,
        random_bytes: RandomBytes = token_bytes,
    ) -> None:
        self._engine = engine
        self._random_bytes = random_bytes
        self._storage = storage
        self._specs = dict(specs)
        self._seats = seats
        self.on_ready: Callable[[str], None] = lambda device: None
        self.gaps = JournalGaps(journal, lambda: engine.table)
        self.tampering = Tampering(storage)
        self._quotas = Quotas(quota, _time, _call_later, self._babbles)
        self._stuck_keys = StuckKeys()
        self._sign_in = sign_in
        self._consoles = frozenset(name for name, spec in specs.items() if spec.family == "console")
        self._pins = PinGate(sign_in, self._take, self._submit)
        self._console_watch = ConsoleWatch(engine, self._consoles)
        self._lost: set[str] = set()  # devices whose loss is on record
        self._serials = Serials({spec.serial: name for name, spec in specs.items() if spec.serial})
        self.devices = {name: self._supervise(name, spec) for name, spec in specs.items()}
        self.trunks = {name: trunks_of(spec.address) for name, spec in specs.items()}
        required = frozenset(name for name, spec in specs.items() if spec.encrypted)
        self.links = EncryptedLinks(engine, self.devices, required, lambda name: journal.epoch_of(name) != 0)

    def _supervise(self, name: str, spec: DeviceSpec) -> Supervisor:
        make_driver = spec.make_driver or partial(FAMILIES.find(spec.family).at_table, self._seats)
        return Supervisor(
            name,
            spec.family,
            spec.make_transport,
            _made(make_driver),
            expect_serial=spec.serial,
            resume=lambda: self.gaps.resume(name),
            on_reading=self._event,
            on_state=self._state,
            timing=spec.timing,
            chance=Random(self._random_bytes(8)),
            nonce=lambda: int.from_bytes(self._random_bytes(4)),
            make_link=spec.make_link,
            key=spec.key,
            tapped=spec.tapped,
            min_firmware=spec.min_firmware,
            on_tampered=self.tampering.detected,
            serials=self._serials,
        )

    # ---- life

    def recover(self) -> None:
        """Takes over what the table knows of its devices; before the first fact of this start."""
        table = self._engine.table
        self._lost = {device for device, codes in table.faults.items() if LOST in codes}
        self.tampering.recover(table)
        self._quotas.recovered(table.faults)
        self._stuck_keys.recover(table)

    def start(self) -> None:
        """Opens every device; nothing is read before the table knows where it was."""
        if self._engine.table.game:
            self.links.start()
        self._console_watch.start()
        for device in self.devices.values():
            device.start()

    async def stop(self) -> None:
        """Closes every device; harmless twice."""
        self._console_watch.stop()
        await self._pins.stop()
        await asyncio.gather(*(device.stop() for device in self.devices.values()))

    async def all_ready(self, patience: float) -> bool:
        """Waits until every device is ready; False when one is not in time."""
        deadline = _time() + patience
        while any(device.state.phase != "ready" for device in self.devices.values()):
            if _time() >= deadline:
                return False
            await asyncio.sleep(0.005)
        return True

    @property
    def settled(self) -> bool:
        """Whether every device that is ready shows what it should."""
        return all(device.driver.settled for device in self.devices.values())

    @property
    def checking(self) -> bool:
        """Whether a PIN is being checked."""
        return self._pins.busy

    def address(self, device: str) -> str:
        """Returns where the device is, as table.toml says."""
        return self._specs[device].address

    def note(self, device: str, what: str, account: int = -1) -> None:
        """Records what came of somebody's work on a device."""
        self._storage.record(Noted(device, what, account))

    # ---- what devices say

    def _event(self, origin: supervisor.Origin, event: Event) -> None:
        if origin.device not in self._consoles or not origin.counter or not self._pins.keeps(origin, event):
            self._take(origin, event)

    def _take(self, origin: supervisor.Origin, event: Event) -> None:
        """Records what an event says; one of a console that must not wait for a PIN."""
        if isinstance(event, BadgeRead):
            fact: AnyFact = self._sign_in.badge(event.number)
        else:
            if isinstance(event, KeyPressed):
                self._sign_in.look_at_console()
            fact = to_fact(origin.device, self._specs[origin.device].area, event)
            fact = self._stuck_keys.as_recorded(origin.device, fact)
        if not origin.counter:
            self._storage.record(fact)
            return
        submitted = self._submit(origin, fact)
        if origin.device in self._consoles:
            self._pins.latest[origin.device] = submitted

    def _submit(self, origin: supervisor.Origin, fact: AnyFact) -> Submitted:
        """Records the fact of an event under its counter; then the device may forget it."""
        device = self.devices[origin.device]
        return self._engine.submit(
            _late(fact, device, origin.counter),
            EventId(origin.device, origin.epoch, origin.counter),
            partial(self._acknowledge, device, origin.epoch, origin.counter),
            partial(self._unstored, device),
        )

    def _unstored(self, device: Supervisor) -> None:
        """Takes nothing more from a device before it has sent again what was not stored, with all that followed."""
        self._pins.forget(device.name)
        device.take_again()

    def _acknowledge(self, device: Supervisor, epoch: int, counter: int) -> None:
        """Acknowledges an event, never above a gap: a device forgets everything up to the counter that it gets."""
        through = min(counter, self.gaps.through(device.name, epoch))
        self._quotas.after(device.name, lambda: device.ack(through, epoch))

    def _babbles(self, device: str, really: bool) -> None:
        """Records that a device sends too much, or no longer does: it may be broken."""
        if really:
            log.warning(BABBLES, device=device)
            cause = "it tells more than a device of a table can have to tell"
            self._storage.record(DeviceFault(device, BABBLES, cause))
        else:
            self._storage.record(DeviceCleared(device, BABBLES))

    # ---- whether they are there

    def _state(self, state: DeviceState) -> None:
        """Records the first loss of a device and its return; the attempts between them are no facts."""
        if state.phase == "ready":
            self._ready(state)
            return
        if state.code in REFUSED:
            self.trunks[state.device] = ()  # it answers: what it shares with others is neither without power nor cut
        if state.phase == "lost" and state.latest is not None and state.latest.code == UNREAD:
            self._hold(Hold(UNREAD, state.latest.text, state.device))
        if state.phase in GONE and state.device not in self._lost and not _let_go(state):
            self._gone(state)

    def _ready(self, state: DeviceState) -> None:
        log.info("device.ready", device=state.device, link=self.devices[state.device].link)
        self.trunks[state.device] = trunks_of(self.address(state.device)) or self.trunks[state.device]
        self._forget_former(state)
        self._compare(state)
        self.on_ready(state.device)
        if state.device in self._lost:
            self._lost.discard(state.device)
            self._storage.record(DeviceReady(state.device))

    def _hold(self, hold: Hold) -> None:
        """Holds the round for something that a device sent and nobody read: it may have been a card."""
        table = self._engine.table
        known = any((held.code, held.device) == (hold.code, hold.device) for held in table.holds.values())
        if not known and is_dealing(hold.device) and round_runs(table):
            self._storage.record(hold)

    def _gone(self, state: DeviceState) -> None:
        log.warning("device.lost", device=state.device, code=state.code, cause=state.cause)
        self._log_last_frames(state.device)
        self._lost.add(state.device)
        self._storage.record(DeviceLost(state.device, state.code, state.cause))

    def _forget_former(self, state: DeviceState) -> None:
        """Clears what another memory reported: the device was replaced, or began anew, and tells what is wrong now."""
        before, _ = self.gaps.resume(state.device)
        if state.identity is None or before in (0, state.identity.epoch) or not self.devices[state.device].native:
            return
        for code in self._engine.table.faults.get(state.device, {}):
            if code not in OURS:
                self._storage.record(self._stuck_keys.as_recorded(state.device, DeviceCleared(state.device, code)))

    def _compare(self, state: DeviceState) -> None:
        """Checks that the journal has all that the device let go of, before anything is read from it."""
        missed = self.gaps.compare(state.device, state.identity) if state.identity is not None else None
        if missed is not None:
            log.error(missed.code or "device.memory", device=missed.device, cause=missed.text)
            self._engine.submit(missed, unstored=self.devices[state.device].take_again)

    def _log_last_frames(self, device: str) -> None:
        """Logs what passed before the loss, decoded, without cards; once for each loss."""
        trace = self.devices[device].trace
        if frames := [entry.text() for _, entry in trace.after(trace.last - POST_MORTEM)]:
            log.warning("device.frames", device=device, frames=frames)


def _made(make_driver: Callable[[], Driver]) -> Driver:
    """Returns a new driver; raises ExtensionError when it comes from a package, and its code fails."""
    try:
        return make_driver()
    except THEIRS as error:
        theirs = failed(error)
        if theirs is None:
            raise
        raise theirs from error


def _let_go(state: DeviceState) -> bool:
    """Tells whether we closed the link ourselves, to greet the device again at once."""
    return state.phase == "lost" and state.latest is not None and state.latest.code == RECONNECT


def _late(fact: AnyFact, device: Supervisor, counter: int) -> AnyFact:
    """Returns the fact; chips that were pushed before this session began are marked as late."""
    identity = device.state.identity
    if isinstance(fact, Pushed) and identity is not None and counter <= identity.last:
        return replace(fact, late=True)
    return fact


def _time() -> float:
    return asyncio.get_running_loop().time()


def _call_later(seconds: float, deed: Callable[[], None]) -> object:
    return asyncio.get_running_loop().call_later(seconds, deed)
