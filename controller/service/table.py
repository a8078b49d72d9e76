"""One running table: the engine, the devices, what is shown on them, and the prize meter, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from secrets import token_bytes

from controller.errors import Coded
from controller.games import begun_with
from controller.journal.store import Journal
from controller.journal.writer import JournalWriter
from controller.people.people import People
from controller.service.clock_watch import ClockWatch
from controller.service.door_hold import DoorHold
from controller.service.doorkeeper import Doorkeeper
from controller.service.engine import Engine
from controller.service.fleet import Fleet
from controller.service.head_watch import HeadWatch
from controller.service.journal_encoding import RandomBytes
from controller.service.machine import Machine
from controller.service.meter_sync import MeterSync
from controller.service.outputs import Outputs
from controller.service.program_watch import ProgramWatch
from controller.service.protection import ProtectionWatch
from controller.service.quota import Quota
from controller.service.sign_in import SignIn
from controller.service.storage import Storage
from controller.service.tournaments import Tournaments
from controller.table.facts import Started
from controller.views.meter_face import MeterStyle
from drivers.device_spec import DeviceSpec

SHUFFLER = "shuffler"  # the device that shuffles


class TableService:
    """The service of one table, from `start` to `stop`."""

    def __init__(
        self,
        begin: Started,
        journal: Journal,
        writer: JournalWriter,
        devices: Mapping[str, DeviceSpec],
        clock: Callable[[], int],
        style: MeterStyle = MeterStyle(),  # noqa: B008 - frozen
        quota: Quota | None = Quota(),  # noqa: B008 - frozen; None: devices may tell as much as they like
        people: People | None = None,  # None: nobody can sign in
        random_bytes: RandomBytes = token_bytes,
    ) -> None:
        self.begin = begin
        self.engine = Engine(journal, writer, clock, random_bytes)
        self.storage = Storage(self.engine)  # the first to hear of a fact: the others show what is true now
        self.sign_in = SignIn(self.engine, people or People())
        self.doorkeeper = Doorkeeper(self.engine, self.sign_in)
        seats = begun_with(begin).seats
        self.fleet = Fleet(self.engine, self.storage, journal, devices, seats, quota, self.sign_in, random_bytes)
        self.door_hold = DoorHold(self.engine, self.fleet.devices)
        self.outputs = Outputs(self.engine, self.storage, self.fleet, style)
        self.machine = Machine(self.engine, self.storage, self.fleet.devices.get(SHUFFLER))
        self.meter_sync: MeterSync | None = None  # where there is a prize meter
        self.two_people = frozenset(name for name, spec in devices.items() if spec.two_people)
        self.protection = ProtectionWatch(self.engine, self.storage, self.two_people)  # begins when the daemon says so
        self.head_watch: HeadWatch | None = None  # where there is a head file
        self.clock_watch: ClockWatch | None = None  # where the clock is the computer's own
        self.tournaments: Tournaments | None = None  # where the game's document knows any
        self.program = ProgramWatch(self.engine, on_record=False)  # begins when the daemon says so
        self.test = False  # for technicians' tests: nothing that happens here counts
        self.closed_doors: dict[str, Coded] = {}  # why nobody can ask or look there although it is wished
        self.fleet.on_ready = self._device_ready

    async def start(self) -> None:
        """Recovers the table, then opens the devices: nothing is read before the table knows where it was."""
        self.engine.recover()
        self.fleet.recover()
        begin = self.begin if self.clock_watch is None else self.clock_watch.recovered(self.begin)
        await self.engine.start(begin)
        if self.clock_watch is not None and self.engine.table.game:
            self.clock_watch.start()
        self.doorkeeper.start()
        if self.head_watch is not None and self.engine.table.game:
            await self.head_watch.start()
        if self.meter_sync is not None and self.engine.table.game:
            await self.meter_sync.start()
        if self.tournaments is not None:
            self.tournaments.start()
        self.door_hold.start()
        self.fleet.start()
        self.machine.run()
        self.outputs.show()

    async def stop(self) -> None:
        """Closes the devices and the prize meter.  What was not delivered stays in the journal."""
        self.protection.stop()
        if self.clock_watch is not None:
            self.clock_watch.stop()
        await self.program.stop()
        self.doorkeeper.stop()
        self.storage.stop()
        await self.outputs.displays.stop()
        await self.fleet.stop()
        self.outputs.devices_stopped()
        if self.meter_sync is not None:
            await self.meter_sync.stop()
        if self.head_watch is not None:
            await self.head_watch.stop()
        if self.tournaments is not None:
            await self.tournaments.stop()

    async def all_ready(self, patience: float = 5.0) -> bool:
        """Waits until every device is ready; False when one is not in time."""
        return await self.fleet.all_ready(patience)

    @property
    def quiet(self) -> bool:
        """Whether nothing is on its way in, and every device that is ready shows what it should."""
        waiting = self.engine.pending or self.machine.busy or self.fleet.checking
        return not waiting and self.fleet.settled and self.outputs.at_rest

    def _device_ready(self, device: str) -> None:
        self.machine.run()
        self.outputs.displays.ready(device)
