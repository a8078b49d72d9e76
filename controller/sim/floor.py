"""A floor of simulated tables: one clock, and for each table its devices and the daemon that serves it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from controller.games import begun_with, defaults, due_at, find
from controller.jackpot import linking
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.places import family_and_place
from controller.service.card_veil import CardVeil
from controller.service.day_keys import DayKeys, in_memory
from controller.service.table import TableService
from controller.sim.dealing import dealing_at
from controller.sim.people import simulated_people
from controller.sim.tournaments import Desks
from controller.table.effects import AnyEffect, HouseChoice, MeterChanged, MeterMoved, SystemClosed
from controller.table.facts import AnyFact, HouseChanged, MeterIs, Started, Tick
from controller.table.floor import DEALT
from controller.table.options import Options, jackpot_options
from controller.table.state import Table, cards_lie
from controller.tournament.deeds import TournamentAsked
from drivers.device_spec import DeviceSpec
from hw_sim.table import SimDevice, SimTable

PATIENCE = 3.0  # seconds of wire time for devices that do not come to rest
MOMENT = 0.002  # seconds of wire time after which to look again; all that can be done at once is done before
NOTICE = 1.5  # seconds of wire time after which every link has noticed a loss

FloorListener = Callable[["SimulatedTable", int, AnyFact, Table, list[AnyEffect]], None]


@dataclass
class SimFloor:
    """All tables of one run."""

    listener: FloorListener
    now: int = 0  # microseconds; stands still unless moved
    tables: dict[str, SimulatedTable] = field(default_factory=dict)
    house: dict[str, str] = field(default_factory=dict)
    meters: dict[str, int] = field(default_factory=dict)  # prize meter systems by name
    resets: dict[str, int] = field(default_factory=dict)  # how often each of them has begun anew

    refused: list[str] = field(default_factory=list)  # tables that no tournament can have

    def __post_init__(self) -> None:
        self.desks = Desks(self)  # of tournaments

    async def open_for(self, tournament: str, name: str, game: str, options: dict[str, str]) -> None:
        """Starts a table of a tournament; one that it cannot have does not start."""
        if not self.desks.may_designate(tournament, name, game, options):
            self.tables.pop(name, None)
            self.refused.append(name)
            return
        table = await self.open(name, game, options)
        if table.state.game:
            self.desks.designate(tournament, table)
            await self.rest()

    async def open(self, name: str, game: str, options: dict[str, str]) -> SimulatedTable:
        """Starts a table; whether the rules allow it is seen as a refusal."""
        one_method = _one_method(game)
        house = self.house if one_method else {}  # what is not said follows the house
        begin = Started(game, {**defaults(game), **house, **options}, {**house, **self.systems(None)})
        table = SimulatedTable(self, name, begin)
        self.tables[name] = table
        await table.start()
        await self.join(table)
        if one_method and table.state.open:
            self.house.setdefault("method", table.state.options.typed.method)
            for other in self.tables.values():
                self.tell_dealt(other)
        return table

    def tell_dealt(self, table: SimulatedTable) -> None:
        """Tells the other tables of a game with one method for all whether cards of a round lie on this one."""
        option, value = DEALT + table.name, "yes" if cards_lie(table.state) else ""
        for other in self.tables.values() if _one_method(table.begin.game) else ():
            if other is table or other.begin.game != table.begin.game:
                continue
            if not other.state.house.knows(option, value, unsaid=""):
                other.service.engine.submit(HouseChanged(option, value))

    async def join(self, table: SimulatedTable) -> None:
        """Joins a table to its group: it shows what the group's meter holds; the first one brings its seed."""
        table.joined = table.group
        if table.group in self.meters:
            table.service.engine.submit(MeterIs(self.meters[table.group], resets=self.resets.get(table.group, 0)))
        elif table.group:
            self.meters[table.group] = table.state.jackpot.meter
        await self.tell_systems()

    async def tell_systems(self) -> None:
        """Tells every table how the prize meter systems of the others are set up, and what they announce."""
        for table in self.tables.values():
            now = self.systems(table) | self.closings(table) if table.state.game else {}
            known = [linking.SYSTEM + name for name in table.state.house.systems]
            now |= {name: "" for name in known if name not in now}  # nobody else is in it any more
            for name, words in now.items():
                if not table.state.house.knows(name, words):
                    table.service.engine.submit(HouseChanged(name, words))
        await self.rest()

    def systems(self, but: SimulatedTable | None) -> dict[str, str]:
        """Returns the prize meter systems that other tables are in."""
        running = [t for t in self.tables.values() if t.group and t is not but and not t.state.jackpot.closed]
        out = {}
        for table in running:
            linked = [t for t in running if t.group == table.group]
            methods = [t.state.options.typed.method or "A" for t in linked]
            games = [t.begin.game for t in linked]
            if (terms := table.state.options.typed.terms) is not None:
                out[linking.SYSTEM + table.group] = linking.described(terms, methods, games)
        return out

    def closings(self, table: SimulatedTable) -> dict[str, str]:
        """Returns since when every table of a system announces that it will be closed."""
        if not table.group:
            return {}
        since = []
        for other in (t for t in self.tables.values() if t.group == table.group):
            since.append(min((n.shown for n in other.state.notices if n.closing == "jackpot"), default=None))
        announced = [at for at in since if at is not None]
        return {linking.CLOSING + table.group: str(max(announced)) if len(announced) == len(since) else ""}

    def set_meter(self, by: SimulatedTable | None, value: int, group: str = "") -> None:
        """Sets a meter, and tells every table of its group what it holds."""
        group = by.group if by is not None else group
        if group:
            self.meters[group] = value
        for table in self.tables.values():
            if group and table is not by and table.group == group:
                table.service.engine.submit(MeterIs(value, resets=self.resets.get(group, 0)))

    async def move_clock(self, microseconds: int) -> None:
        """Lets time pass; each table is woken whenever it wants to be, as the daemon does it."""
        until, woken_at = self.now + microseconds, dict[str, int]()  # the last fact of tables that were woken
        while True:
            due = {
                name: at for name, table in self.tables.items() if (at := table.due(woken_at.get(name, 0))) is not None
            }
            now = min(due.values(), default=until + 1)
            if now > until:
                break
            self.now = max(self.now, now)
            woken = [self.tables[name] for name, at in due.items() if at <= self.now]
            for table in woken:
                table.service.engine.submit(Tick())
            await self.rest()
            woken_at |= {table.name: table.service.engine.seq for table in woken}
        self.now = until
        self.desks.time_passed()
        await self.rest()

    async def rest(self, at_least: float = 0.0) -> None:
        """Waits until nothing is under way anywhere."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while True:
            elapsed = loop.time() - begun
            if elapsed >= PATIENCE or (elapsed >= at_least and all(t.quiet for t in self.tables.values())):
                return
            await asyncio.sleep(MOMENT)

    async def wait_for(self, table: SimulatedTable, device: str) -> None:
        """Waits until a device that was mended is ready: between two attempts its link rests for up to two seconds."""
        loop = asyncio.get_running_loop()
        begun, link = loop.time(), table.service.fleet.devices.get(device)
        while True:
            ready = link is None or link.state.phase == "ready"
            if ready or loop.time() - begun >= PATIENCE:
                break
            await asyncio.sleep(MOMENT)
        await self.rest()

    async def close(self) -> None:
        """Stops every table."""
        for table in self.tables.values():
            await table.stop()


class SimulatedTable:
    """One table: simulated devices on memory wires, and the same service that runs on a real table."""

    def __init__(self, floor: SimFloor, name: str, begin: Started) -> None:
        self.floor = floor
        self.name = name
        self.begin = begin
        options = begun_with(begin)
        self.sim = SimTable(
            seats=options.seats, dealing=dealing_at(find(begin.game), options), cards=52 * options.decks
        )
        self.joined = ""  # the prize meter system it was in last
        self.journal = Journal.open(None, table=name or "table", veil=CardVeil(DayKeys(in_memory)))
        self.service = TableService(
            begin,
            self.journal,
            InlineWriter(self.journal),
            {n: _spec(device) for n, device in self.sim.devices.items()},
            clock=lambda: floor.now,
            quota=None,  # time stands still here: whatever a script tells comes at once
            people=simulated_people(),
        )
        self.service.engine.listeners.append(self._followed)

    @property
    def group(self) -> str:
        """The prize meter system of this table; one of its own unless said otherwise."""
        options = self.state.options.typed
        return "" if options.terms is None else options.group or self.name or "table"

    @property
    def state(self) -> Table:
        """The table as its facts have it."""
        return self.service.engine.table

    @property
    def quiet(self) -> bool:
        """Whether nothing is under way at the table and its devices."""
        return self.service.quiet and self.sim.quiet

    def due(self, woken: int) -> int | None:
        """Returns when it wants to be woken; never twice for the same, if nothing has happened since fact `woken`."""
        due = due_at(self.state)
        again = due is not None and due <= self.state.now and self.service.engine.seq == woken
        return None if again else due

    async def start(self) -> None:
        """Starts the devices and the service, and waits until all is quiet."""
        self.sim.start()
        await self.service.start()
        await self.service.all_ready()
        await self.floor.rest()

    async def stop(self) -> None:
        """Stops the service and the devices, and closes the journal."""
        await self.service.stop()
        self.sim.stop()
        self.journal.close()

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        self.floor.listener(self, seq, fact, table, effects)
        self.floor.tell_dealt(self)
        self.floor.desks.follow(self)
        for effect in effects:
            if isinstance(effect, TournamentAsked):
                self.floor.desks.asked(self, effect)
            if isinstance(effect, MeterMoved) and effect.to in self.floor.meters:
                self.floor.set_meter(None, self.floor.meters[effect.to] + effect.value, effect.to)
            if isinstance(effect, MeterChanged):
                self.floor.resets[self.group] = effect.resets
                self.floor.set_meter(self, effect.value)
            if isinstance(effect, SystemClosed):
                closed = HouseChanged(linking.SYSTEM + effect.group, linking.CLOSED)
                self._tell_others(closed, [t for t in self.floor.tables.values() if t.group == effect.group])
            if isinstance(effect, HouseChoice):
                self._choose(effect)

    def _choose(self, choice: HouseChoice) -> None:
        """Tells other tables what was chosen here: the same game, or when it is about the Jackpot all its systems."""
        changed, tables, options = HouseChanged(choice.option, choice.value), self.floor.tables.values(), self._options
        if choice.option in jackpot_options(type(options)):
            self._tell_others(changed, [t for t in tables if t._options.jackpot == options.jackpot])
        else:
            self.floor.house[choice.option] = choice.value
            self._tell_others(changed, [t for t in tables if t.begin.game == self.begin.game])

    @property
    def _options(self) -> Options:
        return self.state.options.typed

    def _tell_others(self, changed: HouseChanged, tables: list[SimulatedTable]) -> None:
        for table in tables:
            if table is not self:
                table.service.engine.submit(changed)


def _one_method(game: str) -> bool:
    """Tells whether all tables of the floor play this game by one method."""
    return find(game).document.policy.house_method


def _spec(device: SimDevice) -> DeviceSpec:
    _, place = family_and_place(device.name)
    area = int(place) if place.isdigit() else 0
    return DeviceSpec(device.family, device.transport, area=area, serial=device.serial)
