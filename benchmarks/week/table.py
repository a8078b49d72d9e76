"""One table through its week: people come and go, devices fail, money is counted, and deeds are planted."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from benchmarks.week.chips import BANK, Chips
from benchmarks.week.crown import WeekCrownDealer
from benchmarks.week.cup import Cup, play_cup
from benchmarks.week.dealer import WeekDealer
from benchmarks.week.planted import CARDS, CHIPS, COUNTED, Habit, Innocent, Kind, Planted
from benchmarks.week.staff import PIN, People, dealer_of, staff
from controller.errors import FeltError
from controller.games import find
from controller.house.game import HouseGame
from controller.sim.floor import SimFloor, SimulatedTable
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, FloatMoved, Key, ProtectionRaised, Started
from controller.table.requests import Press
from controller.table.state import Table

MONDAY = 1_795_413_600_000_000  # 2026-11-23 06:00 UTC, in microseconds since 1970
SECOND = 1_000_000
HOUR = 3600 * SECOND
SHIFTS = 2  # a day
SLOW = 0.5  # seconds of wire time for a wire that loses or delays frames
DEALT_WITH = ("sensor", "shoe", "shuffler", "lamps", "console")
LOOK = 0.06  # seconds of wire time in which whoever watches has looked


@dataclass(frozen=True)
class Plan:
    """What stands where: the games by day, and the options."""

    name: str
    games: tuple[str, ...]
    options: dict[str, str]
    seats: int = 6
    cup: bool = False  # its week begins with a tournament


@dataclass
class Alarm:
    """An alert as it was raised."""

    table: str
    kind: str
    about: str
    text: str
    round: int  # of which it tells
    number: int  # the round that was the newest
    seq: int
    why: str = "nothing that was planted"


@dataclass
class Told:
    """What one table's week came to, apart from its journal."""

    plan: Plan
    rounds: Counter[str] = field(default_factory=Counter)
    planted: list[Planted] = field(default_factory=list)
    innocents: list[Innocent] = field(default_factory=list)
    alarms: list[Alarm] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)
    deeds: Counter[str] = field(default_factory=Counter)  # of people: what they did beside the rounds
    refused: Counter[str] = field(default_factory=Counter)
    cup: Cup | None = None
    stuck: list[str] = field(default_factory=list)


class WeekTable:
    """A table on simulated devices, and everybody around it."""

    def __init__(self, plan: Plan, seed: int, days: int, rounds: int, show: Callable[[str], None]) -> None:
        self.plan, self.days, self.per_shift = plan, days, max(1, rounds // SHIFTS)
        self._show = show
        self.chance = random.Random(f"{seed}/{plan.name}")
        self.told = Told(plan)
        self.floor = SimFloor(self._followed, now=MONDAY)
        self.people: People = staff(plan.name)
        self._seed = self.chance.randrange(1 << 30)
        self._kinds, self._tricks = self._deeds_in_turn(), self._in_turn(list(CARDS))
        self._signed = self._bad_wire = ""
        self._raked = 0  # commission that was counted

    # ---- the week

    async def run(self) -> SimulatedTable:
        """Lives through the week; the table is still there afterwards, with its journal."""
        await self._open()
        if self.plan.cup:
            await self._cup()
        for day in range(self.days):
            await self._begin_day(day)
            for shift in range(SHIFTS):
                await self._shift(day, shift)
            await self._end_day(day)
        return self.table

    async def _open(self) -> None:
        table = await self.floor.open(self.plan.name, self.plan.games[0], self.plan.options)
        self.table = table
        table.service.sign_in.people = self.people
        table.service.protection.start()
        self.chips = Chips(table.sim, random.Random(self._seed + 7))
        self._meet()

    def _meet(self) -> None:
        """Gives the table a dealer for its game."""
        kind = WeekDealer if isinstance(find(self.table.state.game), HouseGame) else WeekCrownDealer
        self.dealer: WeekDealer | WeekCrownDealer = kind(
            *(self.table.sim, self.table.service.engine, self._a_moment, self._seed),
            *(self.chips, self._bought, self._passes, self._rule),
        )
        self.dealer.planted, self.dealer.innocents = self.told.planted, self.told.innocents
        self._seed += 11

    async def _begin_day(self, day: int) -> None:
        await self.floor.move_clock(max(0, MONDAY + day * 24 * HOUR - self.floor.now))
        game = self.plan.games[day % len(self.plan.games)]
        if game != self.table.state.game:
            begin = self.table.begin
            self.table.begin = Started(game, {**begin.options}, begin.house)
            await self.table.service.engine.start(self.table.begin)
            await self.rest()
            self._meet()
            self._did("another game")
        if not self.table.state.open:
            await self.sign_in("dealer 1")
            await self.press("open-table")
            self._did("table opened")

    async def _end_day(self, day: int) -> None:
        await self.sign_in("area manager")
        for place in sorted(self.table.state.seats):
            await self.press("leave", place)
        await self.press("close-table")
        self._did("table closed")
        self._show(f"{self.plan.name} day {day + 1}: {sum(self.told.rounds.values())} rounds")

    async def _shift(self, day: int, shift: int) -> None:
        number = day * SHIFTS + shift
        await self._float("opening", self.chips.tray)
        opened = self.table.service.engine.seq
        box = self.chips.box
        marks = sorted(self.chance.sample(range(self.per_shift), k=min(3, self.per_shift)))
        gap = 8 * HOUR // self.per_shift  # a shift lasts as long however many rounds are played in it
        for index in range(self.per_shift):
            if index in (0, self.per_shift // 2):
                await self.sign_in(dealer_of(number, index > 0))
                self._did("dealer changed")
            if index in marks:
                await self._manage(marks.index(index))
            began = self.floor.now
            await self._round(index)
            await self.floor.move_clock(max(SECOND, gap - (self.floor.now - began)))
        await self.dealer.clear()
        for place in list(self.chips.racks):
            self.chips.leave(place)
        await self._count(number, opened, box)

    async def _count(self, number: int, opened: int, box: int) -> None:
        """Counts the float at the end of a shift, and the drop box in the count room."""
        await self._clear_alerts()
        await self._float("closing", self.chips.tray)
        commission = self._commission()
        dropped = self.chips.box - box
        stolen = self._stolen_from_box(dropped, opened)
        self.chips.box += commission
        await self._float("drop", dropped + commission - stolen)
        for each in self.told.planted:
            each.shift = each.shift or opened
        fill = BANK - self.chips.tray
        if abs(fill) > BANK // 2:
            self.chips.fill(fill)
            self._did("float brought back to its bank")

    def _stolen_from_box(self, dropped: int, opened: int) -> int:
        if self.dealer.deed is not Kind.BOX or dropped < 100_00:
            return 0
        self.dealer.deed = None
        engine = self.table.service.engine
        self.told.planted.append(
            Planted("", Kind.BOX, self.table.state.number, engine.seq, cents=-50_00, shift=opened, within=True)
        )
        self.chips.box -= 50_00
        self.chips.pockets += 50_00
        return 50_00

    def _commission(self) -> int:
        """Returns what lies in the slot beside the buy-ins: what players no longer have of what they bought."""
        if not isinstance(self.dealer, WeekCrownDealer):
            return 0
        held = self.chips.cashed + self.dealer.behind
        raked = self.chips.bought - held
        new, self._raked = raked - self._raked, raked
        return new

    async def _cup(self) -> None:
        """Plays a tournament before the table opens for cash; its chips are none of the house's."""
        self.told.cup = await play_cup(self.floor, self.table, self._seed, self.rest, self._free)
        self._did("tournament")

    async def _free(self) -> None:
        await self.sign_in("area manager")

    # ---- rounds

    async def _round(self, index: int) -> None:
        dealer = self.dealer
        if dealer.deed is None and self.chance.random() < self._rate:
            dealer.deed = next(self._kinds)
        if dealer.trick is None and self.chance.random() < self._rate:
            dealer.trick = next(self._tricks)
        if dealer.deed is Kind.TRAY:
            self._steal()
        if isinstance(dealer, WeekDealer):
            dealer.habit = self.chance.choice(list(Habit)) if self.chance.random() < 0.04 else None
        self._bad_wire = self._trouble() if self.chance.random() < 0.03 else ""
        try:
            if dealer.deed is Kind.COUNT:
                await self._miscount()
            await dealer.round(await dealer.players(range(1, self.plan.seats + 1)))
        except FeltError as error:
            self.told.stuck.append(f"{self.plan.name} round {self.table.state.number}: {error.cause}")
            raise
        await self.rest()
        if self._bad_wire:
            self.table.sim.device(self._bad_wire).clear()
            self._bad_wire = ""
            await self.rest()
        self.told.rounds[self.table.state.game] += 1
        if self.chance.random() < 0.1:
            await self._somebody_leaves()
        if self.table.state.protection.waiting and not self.dealer.left:
            await self._clear_alerts()

    @property
    def _rate(self) -> float:
        return 0.9 if self.days == 1 else 0.15  # a short run has every kind of deed too

    def _deeds_in_turn(self) -> Iterator[Kind]:
        """Returns what goes wrong one after the other with chips and money."""
        poker = not isinstance(find(self.plan.games[0]), HouseGame)
        kinds = [*COUNTED] if poker else [*CHIPS, *COUNTED]
        if self.plan.options.get("shoe") == "shuffler":
            kinds.append(Kind.COUNT)
        return self._in_turn(kinds)

    def _in_turn(self, kinds: list[Kind]) -> Iterator[Kind]:
        while True:
            self.chance.shuffle(kinds)
            yield from kinds

    def _steal(self) -> None:
        engine = self.table.service.engine
        self.chips.tray -= 100_00
        self.chips.pockets += 100_00
        self.told.planted.append(Planted("", Kind.TRAY, self.table.state.number, engine.seq, cents=-100_00))
        self.dealer.deed = None

    async def _miscount(self) -> None:
        """Takes a card out of the machine; the supervisor puts in others when the machine has counted."""
        machine = self.table.sim.device("shuffler")
        engine = self.table.service.engine
        self.told.planted.append(Planted("", Kind.COUNT, self.table.state.number, engine.seq))
        self.dealer.deed = None
        machine.fault("count-wrong")
        machine.do("shuffle")
        await self.rest()
        await self.sign_in("supervisor")
        machine.do("replace")
        await self.press("replaced")
        machine.do("shuffle")
        await self.rest()
        await self.sign_in("dealer 1")
        self.dealer.replaced()
        self._did("cards replaced")

    def _trouble(self) -> str:
        """Lets something fail on a wire; whoever deals goes on."""
        name = self.chance.choice([name for name in self.table.sim.devices if name.split(".")[0] in DEALT_WITH])
        fault = self.chance.choice((("drop", 2), ("corrupt", 2), ("duplicate", 2), ("split",)))
        self.told.troubles[f"{name.split('.')[0]} {fault[0]}"] += 1
        self.table.sim.device(name).fault(*fault)
        return name

    async def _unplug(self) -> None:
        """Lets a device be away for a while between two rounds."""
        name = self.chance.choice(sorted(self.table.sim.devices))
        fault = self.chance.choice(("unplug", "hang", "power"))
        self.told.troubles[f"{name.split('.')[0]} {fault}"] += 1
        device = self.table.sim.device(name)
        device.fault(fault)
        await asyncio.sleep(3.0)
        device.clear()
        await self.table.service.all_ready(30.0)
        await self.rest()

    # ---- people

    async def _manage(self, which: int) -> None:
        """Does one of the things that managers do."""
        if which == 0:
            await self._unplug()
        elif which == 1 and isinstance(self.dealer, WeekDealer) and self.chance.random() < 0.5:
            await self._change_limits()
        else:
            self.chips.fill(5_000_00)
            await self._float("fill", 5_000_00)

    async def _change_limits(self) -> None:
        least = self.table.state.options.typed.min
        change = f"min={2 * least // 100 if least <= 10_00 else least // 2 // 100}"
        before = self._signed
        await self.sign_in("area manager")
        await self.press("notice", change)
        await self.floor.move_clock(21 * 60 * SECOND)
        await self.press("set", change)
        await self.sign_in(before)
        self._did("limits changed")

    async def _somebody_leaves(self) -> None:
        if isinstance(self.dealer, WeekDealer) and self.chips.racks:
            place = self.chance.choice(sorted(self.chips.racks))
            if not any(left == place for left, _ in self.dealer.left):
                self.chips.leave(place)
                self._did("player went home")

    async def sign_in(self, name: str) -> None:
        """Lets somebody sign in at the console; who was there signs out by that."""
        if name == self._signed:
            return
        console = self.table.sim.device("console")
        console.do("badge", f"{self.plan.name} {name}")
        console.do("pin", PIN)
        await self.rest()
        self._signed = name
        signed = self.table.state.signed
        assert signed is not None and signed.badge == f"{self.plan.name} {name}", (name, signed)

    async def press(self, key: str, *args: str) -> None:
        """Presses a key of the console."""
        self.table.sim.device("console").do("press", key, *args)
        await self.rest()

    async def _rule(self, wanted: Press) -> None:
        """Lets the casino manager end a round whose cards nobody can believe; then other cards come."""
        before, engine = self._signed, self.table.service.engine
        await self.sign_in("casino manager")
        await self.press("invalidate", "fraud")
        await self.press("replaced")
        await self.sign_in(before)
        self.dealer.replaced()
        self._did("round invalidated, cards replaced")
        r = engine.table.round
        if r is None or not r.outcome:
            raise FeltError("sim.stuck", f"round {engine.table.number} waits for {wanted.key} by {wanted.role}")

    async def _bought(self, place: str, cents: int) -> None:
        self._did("buy-in")
        await self._float("buy-in", cents)

    async def _float(self, deed: str, cents: int) -> None:
        witness = ("supervisor 2", "supervisor") if deed != "buy-in" else ("", "")
        who = {"drop": ("area manager", "area-manager"), "buy-in": ("dealer 1", "dealer")}
        person, role = who.get(deed, ("supervisor", "supervisor"))
        await self.table.service.engine.submit(
            FloatMoved(deed, cents, person, role, "socket", witness=witness[0], witness_role=witness[1])
        )
        await self.floor.rest()
        self._did(deed)

    async def _clear_alerts(self) -> None:
        """Lets the supervisor look at all alerts and clear them."""
        service = self.table.service
        _, session = await service.doorkeeper.sign_in(f"{self.plan.name} supervisor", PIN, "", "socket", 1000)
        for number in list(self.table.state.protection.waiting):
            await service.protection.clear(session, number, "looked at")
        service.doorkeeper.sessions.close(session)
        await self.rest()

    # ---- the table

    async def rest(self) -> None:
        """Waits until the table has taken in what was done, and whoever watches it has looked."""
        await self.floor.rest()
        await asyncio.sleep(LOOK)
        await self.floor.rest()

    async def _a_moment(self) -> None:
        """Waits until the table has taken in what was done; a bad wire needs longer."""
        await self.floor.rest(SLOW if self._bad_wire else 0.0)

    def _passes(self, seconds: float) -> None:
        self.floor.now += round(seconds * SECOND * self.chance.uniform(0.5, 1.5))

    def _did(self, what: str) -> None:
        self.told.deeds[what] += 1

    def _followed(self, table: SimulatedTable, seq: int, fact: AnyFact, state: Table, effects: list[AnyEffect]) -> None:
        if isinstance(fact, ProtectionRaised):
            about = fact.kind, fact.about, fact.text, fact.round
            self.told.alarms.append(Alarm(self.plan.name, *about, state.number, seq))
        for effect in effects:
            if isinstance(effect, Refused):
                what = f"key {fact.key}" if isinstance(fact, Key) else type(fact).__name__
                self.told.refused[f"{what}: {effect.why}"] += 1
