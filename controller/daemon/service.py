"""One table as a service: its desk, its devices under supervision, and what it shows on them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import structlog

from controller.daemon.desk import Desk, Origin
from controller.daemon.translate import to_fact
from controller.journal.errors import JournalError
from controller.journal.store import Journal
from controller.journal.writer import JournalWriter
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import (
    AnyFact,
    Chips,
    DeviceCleared,
    DeviceFault,
    DeviceLost,
    DeviceReady,
    Noted,
    Started,
    Tick,
)
from controller.table.faults import LOST
from controller.table.state import Table
from controller.table.view import lamps, meter_shown, shuffle_wanted, sign_text
from drivers import supervisor
from drivers.bet_sensor import BetSensorDriver
from drivers.console import ConsoleDriver
from drivers.display import DisplayDriver
from drivers.driver import Driver
from drivers.lamps import OFF, ON, LampsDriver, lamp_channels
from drivers.readings import Reading
from drivers.shoe import ShoeDriver
from drivers.shuffler import ShufflerDriver
from drivers.supervisor import DeviceState, Supervisor
from firmware_bridge.link import LinkError, MakeLink
from firmware_bridge.transport import Transport

log = structlog.get_logger()

PROMPTS_SHOWN = 4
POST_MORTEM = 24  # frames that are logged when a device is lost
SIGN = "sign"  # the device that shows the limits
TAMPERED = "link.tampered"
JOURNAL_PAUSE = 1.0  # seconds before devices are asked again for what could not be stored


@dataclass(frozen=True)
class DeviceSpec:
    """One device of the table: what it is, how to reach it, and which one it must be."""

    family: str
    make_transport: Callable[[], Transport]
    area: int = 0
    serial: str | None = None
    make_link: MakeLink | None = None  # None: the native protocol
    make_driver: Callable[[], Driver] | None = None  # None: that of its family
    key: bytes | None = field(default=None, repr=False)  # with one its link is sealed
    min_firmware: str = ""  # any


class TableService:
    """Runs one table from `start` to `stop`."""

    def __init__(
        self,
        begin: Started,
        journal: Journal,
        writer: JournalWriter,
        devices: Mapping[str, DeviceSpec],
        clock: Callable[[], int],
    ) -> None:
        self.begin = begin
        self.desk = Desk(journal, writer, clock)
        self.desk.listeners.append(self._told)
        self.storage: JournalError | None = None  # why nothing can be recorded now
        self._specs = dict(devices)
        self._lost: set[str] = set()  # devices whose loss is on record
        self._forged: set[str] = set()  # devices whose cable was tampered with, as far as it is on record
        self._deeds: set[asyncio.Task[None]] = set()  # what machines were asked for
        self._asked = False  # the machine was asked for the shuffle that is due
        self._lit: set[str] = set()  # lamps; a driver begins with all of them off
        self.devices = {name: self._supervise(name, spec, journal) for name, spec in devices.items()}
        # Lamps first: players wait for them.
        self._outputs = sorted(self.devices.values(), key=lambda device: device.family != LampsDriver.family)

    def _supervise(self, name: str, spec: DeviceSpec, journal: Journal) -> Supervisor:
        return Supervisor(
            name,
            spec.family,
            spec.make_transport,
            spec.make_driver() if spec.make_driver else _driver(spec.family, int(self.begin.options["seats"])),
            expect_serial=spec.serial,
            resume=lambda: journal.last_counter(name),
            on_reading=self._reading,
            on_state=self._state,
            make_link=spec.make_link,
            key=spec.key,
            min_firmware=spec.min_firmware,
            on_tampered=self._tampered,
        )

    # ---- life

    async def start(self) -> None:
        """Recover, then open the devices: nothing is heard before the table knows where it was."""
        self.desk.recover()
        self._lost = {device for device, codes in self.desk.table.faults.items() if LOST in codes}
        self._forged = {device for device, codes in self.desk.table.faults.items() if TAMPERED in codes}
        await self.desk.start(self.begin)
        for device in self.devices.values():
            device.start()
        self._show(self.desk.table)

    async def stop(self) -> None:
        await asyncio.gather(*(device.stop() for device in self.devices.values()))
        self._lit = set()  # all went off, their safe state

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
        return settled and not self.desk.pending and not self._deeds

    def time_passed(self) -> None:
        self.desk.submit(Tick())

    # ---- in

    def _reading(self, origin: supervisor.Origin, reading: Reading) -> None:
        fact = to_fact(origin.device, self._specs[origin.device].area, reading)
        if not origin.counter:
            self.desk.submit(fact)
            return
        device = self.devices[origin.device]
        self.desk.submit(
            fact,
            Origin(origin.device, origin.epoch, origin.counter),
            partial(device.ack, origin.counter, origin.epoch),
        )

    def _state(self, state: DeviceState) -> None:
        """The first loss and the return are facts; the attempts between them are not."""
        if state.phase in ("lost", "wrong-device", "old-firmware") and state.device not in self._lost:
            log.warning("device.lost", device=state.device, code=state.code, cause=state.cause)
            self._post_mortem(state.device)
            self._lost.add(state.device)
            self.desk.submit(DeviceLost(state.device, state.code, state.cause))
        elif state.phase == "ready":
            sealed = self.devices[state.device].sealed
            log.info("device.ready", device=state.device, link="sealed" if sealed else "insecure")
            self._run_machine(self.desk.table)
            if state.device in self._lost:
                self._lost.discard(state.device)
                self.desk.submit(DeviceReady(state.device))

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
            self.desk.submit(DeviceFault(device, TAMPERED, "frames on its cable were forged, altered or replayed"))

    def note(self, device: str, what: str) -> None:
        """What a technician did belongs into the record."""
        self.desk.submit(Noted(device, what))

    def clear_tampering(self, device: str) -> bool:
        """A technician has looked at the cable; False when nothing was wrong with it."""
        if device not in self._forged:
            return False
        self._forged.discard(device)
        self.desk.submit(DeviceCleared(device, TAMPERED))
        return True

    def journal_failed(self, error: JournalError) -> None:
        """What was not stored was not acknowledged: the devices still have it and are asked for it again."""
        log.error("journal.failed", code=error.code, cause=error.cause)
        self.storage = error
        asyncio.get_running_loop().call_later(JOURNAL_PAUSE, self._ask_again)

    def _ask_again(self) -> None:
        for device in self.devices.values():
            device.reconnect()

    def _run_machine(self, table: Table) -> None:
        """When a shuffle is due, the machine is asked for one, once; what it did it says itself."""
        machine = self.devices.get("shuffler")
        if machine is None or not table.game or not shuffle_wanted(table, self.desk.game):
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
        self.storage = None
        if isinstance(fact, Chips):
            self._indicate(fact, accepted=not any(isinstance(e, Refused) for e in effects))
        self._show(table)

    def _indicate(self, fact: Chips, accepted: bool) -> None:
        sensor = self.devices.get(f"sensor.{fact.area}")
        if sensor is not None and isinstance(sensor.driver, BetSensorDriver):
            for spot in fact.spots:
                sensor.driver.indicate(spot.spot, accepted, spot.bettor)

    def _show(self, table: Table) -> None:
        """Lamps and prompts follow from the table: each device is sent what differs."""
        if not table.game:
            return
        self._run_machine(table)
        before, self._lit = self._lit, _lamp_names(lamps(table, self.desk.game))
        for device in self._outputs:
            if isinstance(device.driver, LampsDriver):
                changed = (before ^ self._lit).intersection(device.driver.names)
                device.driver.show({name: ON if name in self._lit else OFF for name in sorted(changed)})
            elif isinstance(device.driver, DisplayDriver) and device.name == SIGN:
                device.driver.show_text(sign_text(table))
            elif isinstance(device.driver, DisplayDriver) and (amount := meter_shown(table)) is not None:
                device.driver.show_amount(amount)
            elif isinstance(device.driver, ConsoleDriver):
                newest = table.prompts[-PROMPTS_SHOWN:][::-1]
                device.driver.show_prompts([_line(p.rule, p.place, p.text) for p in newest])


def _driver(family: str, seats: int) -> Driver:
    if family == "lamps":
        return LampsDriver(lamp_channels(seats))
    drivers: dict[str, type[Driver]] = {
        "shoe": ShoeDriver,
        "shuffler": ShufflerDriver,
        "bet-sensor": BetSensorDriver,
        "console": ConsoleDriver,
        "display": DisplayDriver,
    }
    return drivers[family]()


def _lamp_names(lit: dict[str, list[str]]) -> set[str]:
    """As the lamps' driver names them; bettors of one area share its lamp."""
    return {name if place == "" else f"{name}:{place.partition('.')[0]}" for name, at in lit.items() for place in at}


def _line(rule: str, place: str, text: str) -> str:
    return " ".join(part for part in (f"[{rule}]" if rule else "", f"{place}:" if place else "", text) if part)
