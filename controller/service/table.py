"""One table as a service: its engine, its devices under supervision, and what it shows on them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

import structlog
from msgspec.structs import replace

from controller.errors import FeltError
from controller.house.layout import Settle, look
from controller.journal.errors import JournalError
from controller.journal.store import Journal
from controller.journal.writer import JournalWriter
from controller.service import console, unwritable
from controller.service.displays import Displays
from controller.service.encrypted_links import EncryptedLinks
from controller.service.engine import Engine, Origin
from controller.service.journal_gaps import JournalGaps
from controller.service.meter_sync import MeterSync
from controller.service.quota import BABBLES, Quota, Quotas
from controller.service.stuck_keys import StuckKeys
from controller.service.translate import to_fact
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import (
    AnyFact,
    Chips,
    DeviceCleared,
    DeviceFault,
    DeviceLost,
    DeviceReady,
    Key,
    Noted,
    Pushed,
    Serviced,
    Started,
    Tick,
    Turned,
)
from controller.table.faults import LOST
from controller.table.state import Table, place_of
from controller.table.state import key as wager_key
from controller.table.view import lamps, shuffle_wanted, sign_text
from controller.views.meter_face import Frame, Style
from drivers import supervisor
from drivers.bet_sensor import BetSensorDriver
from drivers.console import ConsoleDriver
from drivers.device_spec import DeviceSpec
from drivers.display import DisplayDriver
from drivers.families import FAMILIES
from drivers.lamps import OFF, ON, LampsDriver
from drivers.serials import Serials
from drivers.shuffler import ShufflerDriver
from drivers.supervisor import RECONNECT, DeviceState, Supervisor
from firmware_bridge.link import LinkError
from firmware_bridge.messages import Event

log = structlog.get_logger()

POST_MORTEM = 24  # frames that are logged when a device is lost
SIGN = "sign"  # the device that shows the limits
TAMPERED = "link.tampered"
FORGED = "frames on its cable were forged, altered or replayed"
JOURNAL_PAUSE = 1.0  # seconds before the journal is tried again


class TableService:
    """Runs one table from `start` to `stop`."""

    def __init__(
        self,
        begin: Started,
        journal: Journal,
        writer: JournalWriter,
        devices: Mapping[str, DeviceSpec],
        clock: Callable[[], int],
        style: Style = Style(),  # noqa: B008 - frozen
        quota: Quota | None = Quota(),  # noqa: B008 - frozen; None: devices may tell as much as they like
    ) -> None:
        self.begin = begin
        self.clock = clock
        self.engine = Engine(journal, writer, clock)
        self.engine.listeners.append(self._told)
        self.meter_sync: MeterSync | None = None  # to the prize meter system, where there is one
        self.storage: JournalError | None = None  # why nothing can be recorded now
        self.pages: FeltError | None = None  # why no pages are served although they are wished
        self.read_door: FeltError | None = None  # and why nobody can look through the second socket
        self.on_storage: list[Callable[[], None]] = []  # hear that nothing can be recorded now
        self._gaps = JournalGaps(journal, lambda: self.engine.table)
        self._probe: asyncio.TimerHandle | None = None  # when the journal is tried again
        self._unsaid: list[AnyFact] = []  # the service's own facts that could not be stored
        self._quotas = Quotas(quota, _time, _later, self._babbles)
        self._specs = dict(devices)
        self._lost: set[str] = set()  # devices whose loss is on record
        self._stuck = StuckKeys()
        self._unread = False  # the console is to be written anew
        self._forged: set[str] = set()  # devices whose cable was tampered with, as far as it is on record
        self._deeds: set[asyncio.Task[None]] = set()  # what machines were asked for
        self._asked = False  # the machine was asked for the shuffle that is due
        self._lit: set[str] = set()  # lamps; a driver begins with all of them off
        self._refused: list[str] = []  # the key that was pressed last, and why it did nothing
        self._late: dict[int, tuple[str, dict[str, int]]] = {}  # by area: why these chips are no wager
        self._late_in = (0, True)  # the round in which they came, and whether it was over
        self._serials = Serials({spec.serial: name for name, spec in devices.items() if spec.serial})
        self.devices = {name: self._supervise(name, spec) for name, spec in devices.items()}
        required = frozenset(name for name, spec in devices.items() if spec.sealed)
        self.links = EncryptedLinks(self.engine, self.devices, required)
        # Lamps first: players wait for them.
        self._outputs = sorted(self.devices.values(), key=lambda device: device.family != LampsDriver.about.name)
        meters = [d for d in self._outputs if isinstance(d.driver, DisplayDriver) and d.name != SIGN]
        self.displays = Displays(meters, style, self.engine.submit)
        self.engine.on_defect = self._show_meter

    def _supervise(self, name: str, spec: DeviceSpec) -> Supervisor:
        return Supervisor(
            name,
            spec.family,
            spec.make_transport,
            spec.make_driver()
            if spec.make_driver
            else FAMILIES.find(spec.family).at_table(int(self.begin.options["seats"])),
            expect_serial=spec.serial,
            resume=lambda: self._gaps.resume(name),
            on_reading=self._reading,
            on_state=self._state,
            timing=spec.timing,
            make_link=spec.make_link,
            key=spec.key,
            min_firmware=spec.min_firmware,
            on_tampered=self._tampered,
            serials=self._serials,
        )

    # ---- life

    async def start(self) -> None:
        """Recover, then open the devices: nothing is heard before the table knows where it was."""
        self.engine.recover()
        self._lost = {device for device, codes in self.engine.table.faults.items() if LOST in codes}
        self._forged = {device for device, codes in self.engine.table.faults.items() if TAMPERED in codes}
        self._quotas.recovered(self.engine.table.faults)
        self._stuck.recover(self.engine.table)
        await self.engine.start(self.begin)
        if self.meter_sync is not None and self.engine.table.game:
            await self.meter_sync.start()
        if self.engine.table.game:
            self.links.start()
        for device in self.devices.values():
            device.start()
        self._show(self.engine.table)

    async def stop(self) -> None:
        if self._probe is not None:
            self._probe.cancel()
        await self.displays.stop()
        await asyncio.gather(*(device.stop() for device in self.devices.values()))
        self._lit = set()  # all went off, their safe state
        if self.meter_sync is not None:
            await self.meter_sync.stop()

    async def all_ready(self, patience: float = 5.0) -> bool:
        """Wait until every device is there; False when one is not in time."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        while any(device.state.phase != "ready" for device in self.devices.values()):
            if loop.time() >= deadline:
                return False
            await asyncio.sleep(0.005)
        return True

    @property
    def quiet(self) -> bool:
        """Nothing is on its way in, and every device that is there shows what it should."""
        settled = all(device.driver.settled for device in self.devices.values())
        return settled and self.displays.at_rest and not self.engine.pending and not self._deeds and not self._unread

    def time_passed(self) -> None:
        self.engine.submit(Tick())

    # ---- in

    def _reading(self, origin: supervisor.Origin, reading: Event) -> None:
        fact = self._stuck.heard(origin.device, to_fact(origin.device, self._specs[origin.device].area, reading))
        if not origin.counter:
            self._say(fact)
            return
        device = self.devices[origin.device]
        identity = device.state.identity
        if isinstance(fact, Pushed) and identity is not None and origin.counter <= identity.last:
            fact = replace(fact, late=True)  # it happened before this session began
        self.engine.submit(
            fact,
            Origin(origin.device, origin.epoch, origin.counter),
            partial(self._acknowledge, device, origin.epoch, origin.counter),
            device.take_again,  # nothing more is taken from it before it has sent again what was not stored
        )

    def _acknowledge(self, device: Supervisor, epoch: int, counter: int) -> None:
        """Never above a gap: a device forgets everything up to the counter that it is told."""
        through = min(counter, self._gaps.through(device.name, epoch))
        self._quotas.after(device.name, lambda: device.ack(through, epoch))

    def _babbles(self, device: str, really: bool) -> None:
        """A device that tells too much is heard at a walk; people must know, for it may be broken."""
        if really:
            log.warning(BABBLES, device=device)
            self._say(DeviceFault(device, BABBLES, "it tells more than a device of a table can have to tell"))
        else:
            self._say(DeviceCleared(device, BABBLES))

    def _state(self, state: DeviceState) -> None:
        """The first loss and the return are facts; the attempts between them are not."""
        if state.phase == "lost" and state.latest is not None and state.latest.code == RECONNECT:
            return  # we let go of it ourselves, to greet it again at once
        if state.phase in ("lost", "wrong-device", "old-firmware") and state.device not in self._lost:
            log.warning("device.lost", device=state.device, code=state.code, cause=state.cause)
            self._post_mortem(state.device)
            self._lost.add(state.device)
            self._say(DeviceLost(state.device, state.code, state.cause))
        elif state.phase == "ready":
            sealed = self.devices[state.device].sealed
            log.info("device.ready", device=state.device, link="sealed" if sealed else "insecure")
            self._compare(state)
            self._run_machine(self.engine.table)
            self.displays.ready(state.device)
            if state.device in self._lost:
                self._lost.discard(state.device)
                self._say(DeviceReady(state.device))

    def _compare(self, state: DeviceState) -> None:
        """Before anything is heard from a device: does the journal have all that the device let go of?"""
        missed = self._gaps.compare(state.device, state.identity) if state.identity is not None else None
        if missed is not None:
            log.error(missed.code or "device.memory", device=missed.device, cause=missed.text)
            self.engine.submit(missed, unstored=self.devices[state.device].take_again)

    def _say(self, fact: AnyFact) -> None:
        """A fact of the service's own: when it cannot be stored now, it is said again as soon as one can."""
        self.engine.submit(fact, unstored=partial(self._later, fact))

    def _later(self, fact: AnyFact) -> None:
        """Of a device that comes and goes meanwhile only the latest is said."""
        if isinstance(fact, DeviceLost | DeviceReady):
            came_and_went = [f for f in self._unsaid if isinstance(f, DeviceLost | DeviceReady)]
            self._unsaid = [f for f in self._unsaid if f not in came_and_went or f.device != fact.device]
        self._unsaid.append(fact)

    def _post_mortem(self, device: str) -> None:
        """What passed before the loss, decoded, without cards; once for each loss."""
        trace = self.devices[device].trace
        if frames := [entry.text() for _, entry in trace.after(trace.last - POST_MORTEM)]:
            log.warning("device.frames", device=device, frames=frames)

    def _tampered(self, device: str) -> None:
        """Once on record it stays until a technician has looked: also through a restart."""
        if device not in self._forged:
            log.error(TAMPERED, device=device)
            self._forged.add(device)
            self._say(DeviceFault(device, TAMPERED, FORGED))

    async def begin_service(self, record: Serviced) -> None:
        """An entry of the service log; on record before the technician's hand is on the device."""
        await self.engine.submit(record)

    def note(self, device: str, what: str, account: int = -1) -> None:
        """What came of a technician's work belongs into the record."""
        self._say(Noted(device, what, account))

    def address(self, device: str) -> str:
        """Where the device is, as table.toml says."""
        return self._specs[device].address

    def tampered_with(self, device: str) -> bool:
        """Tampering with its cable is on record, and no technician has looked since."""
        return device in self._forged

    def clear_tampering(self, device: str) -> bool:
        """A technician has looked at the cable; False when nothing was wrong with it."""
        if device not in self._forged:
            return False
        self._forged.discard(device)
        self._say(DeviceCleared(device, TAMPERED))
        return True

    def journal_failed(self, error: JournalError) -> None:
        """What was not stored was not acknowledged: whoever sent it is greeted anew and sends it again.

        Until something can be stored again the table takes nothing on, and says so.
        """
        log.error("journal.failed", code=error.code, cause=error.cause)
        self.storage = error
        self._show(self.engine.table)
        for listener in self.on_storage:
            listener()
        if self._probe is None:
            self._probe = asyncio.get_running_loop().call_later(JOURNAL_PAUSE, self._try_again)

    def _try_again(self) -> None:
        """Also when no device has anything to say: the first fact that is stored ends the trouble."""
        self._probe = None
        if self.storage is not None:
            self.engine.submit(Tick())

    def _stored_again(self) -> None:
        self.storage = None
        unsaid, self._unsaid = self._unsaid, []
        for fact in unsaid:
            self._say(fact)

    def _run_machine(self, table: Table) -> None:
        """When a shuffle is due, the machine is asked for one, once; what it did it says itself."""
        machine = self.devices.get("shuffler")
        if machine is None or not table.game or not shuffle_wanted(table, self.engine.game):
            self._asked = False
        elif not self._asked and machine.state.phase == "ready" and isinstance(machine.driver, ShufflerDriver):
            self._asked = True
            deed = asyncio.get_running_loop().create_task(self._shuffle(machine.driver), name="shuffle")
            self._deeds.add(deed)
            deed.add_done_callback(self._deeds.discard)

    async def _shuffle(self, machine: ShufflerDriver) -> None:
        try:
            reply = await machine.shuffle()
        except LinkError as error:
            log.warning("shuffle.failed", code=error.code, cause=error.cause)
            self._asked = False  # asked again when the machine is back
            return
        if not reply.ok:
            log.warning("shuffle.refused", detail=reply.detail)

    # ---- out

    def _told(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if self.storage is not None:
            self._stored_again()
        if isinstance(fact, Chips):
            self._indicate(fact, accepted=not any(isinstance(e, Refused) for e in effects))
            self._remember_late(fact, table, effects)
        elif self._late_in != _round_of(table):
            self._late.clear()
        if not isinstance(fact, Tick | Turned):  # until something else happens
            refused = effects if isinstance(fact, Key) else []
            self._refused = [console.line(e.rule, f"refused: {e.why}") for e in refused if isinstance(e, Refused)]
        self._show(table)

    def _remember_late(self, fact: Chips, table: Table, effects: list[AnyEffect]) -> None:
        self._late.pop(fact.area, None)
        self._late_in = _round_of(table)
        for no in effects:
            lying = {wager_key(place_of(fact.area, x.bettor), x.spot): x.amount for x in fact.spots if x.amount}
            if isinstance(no, Refused) and lying:
                self._late[fact.area] = console.line(no.rule, f"chips refused: {no.why}", f"area {fact.area}"), lying

    def _late_lines(self, table: Table) -> list[str]:
        """Until the chips are read anew, or a rule lets them count after all (002 13.8, 003 11.11)."""
        felt = look(table, self.engine.game) if self._late else None
        due = [line for q in (felt.waiting if felt is not None else ()) if isinstance(q, Settle) for line in q.lines]
        counts = {wager_key(line.place, line.spot): line.stake + line.surplus for line in due}
        return [said for said, lying in self._late.values() if any(counts.get(at) != lying[at] for at in lying)]

    def _indicate(self, fact: Chips, accepted: bool) -> None:
        sensor = self.devices.get(f"sensor.{fact.area}")
        if sensor is not None and isinstance(sensor.driver, BetSensorDriver):
            for spot in fact.spots:
                sensor.driver.indicate(spot.spot, accepted, spot.bettor)

    def _show(self, table: Table) -> None:
        """Lamps and prompts follow from the table: each device is sent what differs."""
        if not table.game:
            return
        if self.storage is None:
            self._run_machine(table)
        before, self._lit = self._lit, self.wanted_lamps()
        for device in self._outputs:
            if isinstance(device.driver, LampsDriver):
                changed = (before ^ self._lit).intersection(device.driver.names)
                device.driver.show({name: ON if name in self._lit else OFF for name in sorted(changed)})
            elif isinstance(device.driver, DisplayDriver) and device.name == SIGN:
                device.driver.show_text(self.wanted_sign())
        self._show_meter()
        if not self._unread:
            self._unread = True
            asyncio.get_running_loop().call_soon(self._show_console)  # lamps are quicker: nobody waits for words

    def _show_console(self) -> None:
        """What the dealer reads, as the table stands now."""
        self._unread = False
        for device in self._outputs:
            if isinstance(device.driver, ConsoleDriver):
                device.driver.show_prompts(self.wanted_console())

    def _show_meter(self) -> None:
        """Also when nothing can be recorded or followed: then the amount may not be what it should be."""
        self.displays.follow(self.engine.table, self._meter_trouble)

    @property
    def _meter_trouble(self) -> bool:
        return self.storage is not None or self.engine.defect is not None

    # ---- what shall be shown, as the table stands now

    def wanted_lamps(self) -> set[str]:
        """Returns the lamps that shall be lit, as their driver names them."""
        return set() if self.storage is not None else _lamp_names(lamps(self.engine.table, self.engine.game))

    def wanted_sign(self) -> list[str]:
        """Returns the lines that the limit sign shall show."""
        return list(unwritable.SIGN) if self.storage is not None else sign_text(self.engine.table)

    def wanted_console(self) -> list[str]:
        """Returns the lines that the dealer shall read."""
        if self.storage is not None:
            return [unwritable.line(self.storage)]
        table = self.engine.table
        return console.lines(table, self.engine.game, [*self._refused, *self._late_lines(table)])

    def wanted_amount(self) -> Frame:
        """Returns the picture that the displays of the prize meter shall show."""
        return self.displays.wanted(self.engine.table, self._meter_trouble)


def _round_of(table: Table) -> tuple[int, bool]:
    return table.number, table.round is None or bool(table.round.outcome)


def _time() -> float:
    return asyncio.get_running_loop().time()


def _later(seconds: float, deed: Callable[[], None]) -> object:
    return asyncio.get_running_loop().call_later(seconds, deed)


def _lamp_names(lit: dict[str, list[str]]) -> set[str]:
    """As the lamps' driver names them; bettors of one area share its lamp."""
    return {name if place == "" else f"{name}:{place.partition('.')[0]}" for name, at in lit.items() for place in at}
