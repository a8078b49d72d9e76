"""One table through its week: people come and go, devices fail, money is counted, and deeds are planted."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator

from benchmarks.week.around import Around
from benchmarks.week.chips import BANK, Chips
from benchmarks.week.crew import Crew
from benchmarks.week.crown import WeekCrownDealer
from benchmarks.week.cup import play_cup
from benchmarks.week.dealer import WeekDealer
from benchmarks.week.planted import CARDS, CHIPS, COUNTED, Habit, Kind
from benchmarks.week.staff import dealer_of, staff
from benchmarks.week.told import Alarm, Plan, Told
from controller.errors import FeltError
from controller.games import defaults, find
from controller.guard import cards
from controller.house.game import HouseGame
from controller.service.retelling import Retelling
from controller.sim.floor import SimFloor, SimulatedTable
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, Key, ProtectionRaised, Started
from controller.table.state import Table
from controller.views.record import RoundRecord

MONDAY = 1_795_413_600_000_000  # 2026-11-23 06:00 UTC, in microseconds since 1970
SECOND = 1_000_000
HOUR = 3600 * SECOND
SHIFTS = 2  # a day
SLOW = 0.5  # seconds of wire time for a wire that loses or delays frames
DEALT_WITH = ("sensor", "shoe", "shuffler", "lamps", "console")
ENOUGH = 200  # rounds in which a place that wins three of four wagers is sure to be found


class WeekTable:
    """A table on simulated devices, and everybody around it."""

    def __init__(
        self, plan: Plan, seed: int, days: int, rounds: int, show: Callable[[str], None], until: float = float("inf")
    ) -> None:
        self.plan, self.days, self.per_shift = plan, days, max(1, rounds // SHIFTS)
        self._show, self._until = show, until  # by time.monotonic()
        self.chance = random.Random(f"{seed}/{plan.name}")
        self.told = Told(plan)
        self.floor = SimFloor(self._followed, now=MONDAY)
        self._seed = self.chance.randrange(1 << 30)
        self._kinds, self._tricks = self._deeds_in_turn(), self._in_turn(list(CARDS))
        self._bad_wire = ""
        self._raked = 0  # commission that was counted

    # ---- the week

    async def run(self) -> SimulatedTable:
        """Lives through the week, or until time is up; the table is still there afterwards, with its journal."""
        await self._open()
        if self.plan.cup:
            await self._cup()
        for day in range(self.days):
            if self._time_is_up:
                break
            await self._begin_day(day)
            for shift in range(SHIFTS):
                await self._shift(day, shift)
            await self._end_day(day)
        self._look_back()
        return self.table

    @property
    def _time_is_up(self) -> bool:
        return time.monotonic() >= self._until

    async def _open(self) -> None:
        table = await self.floor.open(self.plan.name, self.plan.games[0], self.plan.options)
        self.table = table
        table.service.sign_in.people = staff(self.plan.name)
        table.service.protection.start()
        self._retelling = Retelling(table.journal)
        self.crew = Crew(self.floor, table, self.told)
        self.chips = Chips(table.sim, random.Random(self._seed + 7))
        self.chips.meter = table.state.jackpot.meter
        self._meet()

    def _meet(self) -> None:
        """Gives the table a dealer for its game."""
        kind = WeekDealer if isinstance(find(self.table.state.game), HouseGame) else WeekCrownDealer
        self.around = Around(
            *(self.table.sim, self.table.service.engine, self._a_moment, self.chips, self.crew, self._passes),
            random.Random(self._seed + 2),
            *(self.told.planted, self.told.innocents, self.told.troubles),
        )
        self.dealer: WeekDealer | WeekCrownDealer = kind(self.around, self._seed)
        self._seed += 11

    async def _begin_day(self, day: int) -> None:
        await self.floor.move_clock(max(0, MONDAY + day * 24 * HOUR - self.floor.now))
        game = self.plan.game_on(day)
        if game != self.table.state.game:
            self.table.begin = Started(game, {**defaults(game), **self.plan.options}, self.table.begin.house)
            await self.table.service.engine.start(self.table.begin)
            await self.floor.join(self.table)
            await self.rest()
            assert self.table.state.game == game, f"{self.plan.name} does not play {game}"
            self._meet()
            self.crew.did("another game")
        if not self.table.state.open:
            await self.crew.sign_in("dealer 1")
            await self.crew.press("open-table")
            self.dealer.replaced()
            self.crew.did("table opened")
        if self.plan.lucky and day == 1:
            self.around.lucky, self.around.trick = self.plan.lucky, None  # one does not prepare such a shoe
            self.around.plant(Kind.LUCKY, self.plan.lucky)

    async def _end_day(self, day: int) -> None:
        await self.crew.sign_in("area manager")
        for place in sorted(self.table.state.seats):
            await self.crew.press("leave", place)
        await self.crew.press("close-table")
        self.crew.did("table closed")
        self.told.days += not self._time_is_up
        rounds, deeds, alarms = sum(self.told.rounds.values()), len(self.told.planted), len(self.told.alarms)
        self._show(f"{self.plan.name} day {day + 1} of {self.days}: {rounds} rounds, {deeds} deeds, {alarms} alerts")

    def _look_back(self) -> None:
        """Notes what is only known at the end."""
        for deed in self.told.planted:
            if deed.kind is Kind.LUCKY:
                deed.within = self.table.state.number - deed.round >= ENOUGH
        terms = self.table.state.options.typed.terms
        if terms is not None:
            expected = self.chips.meter + self.chips.slots // terms.cost * terms.increment
            self.told.meter = expected, self.table.state.jackpot.meter

    async def _shift(self, day: int, shift: int) -> None:
        number = day * SHIFTS + shift
        await self.crew.move_float("opening", self.chips.tray)
        opened = self.table.service.engine.seq
        box = self.chips.box
        marks = sorted(self.chance.sample(range(self.per_shift), k=min(3, self.per_shift)))
        gap = 8 * HOUR // self.per_shift  # a shift lasts as long however many rounds are played in it
        for index in range(self.per_shift):
            if self._time_is_up:
                break
            if index in (0, self.per_shift // 2):
                await self.crew.sign_in(dealer_of(number, index > 0))
                self.crew.did("dealer changed")
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
        await self.crew.clear_alerts()
        await self.crew.move_float("closing", self.chips.tray)
        commission = self._commission()
        dropped = self.chips.box - box
        stolen = self._stolen_from_box(dropped)
        self.chips.box += commission
        if dropped + commission:
            await self.crew.move_float("drop", dropped + commission - stolen)
        for each in self.told.planted:
            each.shift = each.shift or opened
        fill = BANK - self.chips.tray
        if abs(fill) > BANK // 2:
            self.chips.fill(fill)
            self.crew.did("float brought back to its bank")

    def _stolen_from_box(self, dropped: int) -> int:
        if self.around.deed is not Kind.BOX or dropped < 100_00:
            return 0
        self.around.plant(Kind.BOX, cents=-50_00)
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
        await self.crew.sign_in("supervisor")
        await self.crew.press("replaced")  # the dealers of the day come with cards of their own
        self.crew.did("tournament")

    async def _free(self) -> None:
        await self.crew.sign_in("area manager")

    # ---- rounds

    async def _round(self, index: int) -> None:
        around, dealer = self.around, self.dealer
        self._plan_round()
        try:
            if around.deed is Kind.COUNT:
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
        await self._put_on_record()
        if self.chance.random() < 0.1:
            await self._somebody_leaves()
        if self.table.state.protection.waiting and not around.left:
            await self.crew.clear_alerts()

    def _plan_round(self) -> None:
        """Says what goes wrong from now on; beside a slow dealer nothing else does, for that would be a reason."""
        around = self.around
        if around.deed is None and self.chance.random() < self._rate:
            around.deed = next(self._kinds)
        if around.deed is Kind.SLOW:
            around.trick, around.habit, around.jam = None, None, False
            return
        if around.trick is None and not around.lucky and self.chance.random() < self._rate:
            around.trick = next(self._tricks)
        if around.deed is Kind.TRAY:
            self._steal()
        around.habit = self.chance.choice(list(Habit)) if self.chance.random() < 0.04 else None
        if self.chance.random() < 0.03:
            around.jam = True
        self._bad_wire = self._trouble() if self.chance.random() < 0.03 else ""

    async def _put_on_record(self) -> None:
        """Tells whoever watches rounds what was played, as the keeper of rounds does it in a daemon."""
        for record in self.table.journal.iterate(self._retelling.seq + 1):
            for news in self._retelling.tell(record):
                if isinstance(news, RoundRecord):
                    self.table.service.protection.round_over(news, False)
        await self.rest()

    @property
    def _rate(self) -> float:
        return 0.9 if self.days == 1 else 0.15  # a short run has every kind of deed too

    def _deeds_in_turn(self) -> Iterator[Kind]:
        """Returns what goes wrong one after the other with chips and money."""
        poker = not isinstance(find(self.plan.games[0]), HouseGame)
        kinds = [*COUNTED, Kind.SLOW] if poker else [*CHIPS, *COUNTED, Kind.SLOW]
        if self.plan.options.get("shoe") == "shuffler":
            kinds.append(Kind.COUNT)
        return self._in_turn(kinds)

    def _in_turn(self, kinds: list[Kind]) -> Iterator[Kind]:
        while True:
            self.chance.shuffle(kinds)
            yield from kinds

    def _steal(self) -> None:
        self.chips.tray -= 100_00
        self.chips.pockets += 100_00
        self.around.plant(Kind.TRAY, cents=-100_00)

    async def _miscount(self) -> None:
        """Takes a card out of the machine; the supervisor puts in others when the machine has counted."""
        machine = self.table.sim.device("shuffler")
        self.around.plant(Kind.COUNT)
        machine.fault("count-wrong")
        machine.do("shuffle")
        await self.rest()
        await self.crew.sign_in("supervisor")
        machine.do("replace")
        await self.crew.press("replaced")
        machine.do("shuffle")
        await self.rest()
        await self.crew.sign_in("dealer 1")
        self.dealer.replaced()
        self.crew.did("cards replaced")

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
            await self.crew.move_float("fill", 5_000_00)

    async def _change_limits(self) -> None:
        least = self.table.state.options.typed.min
        change = f"min={2 * least // 100 if least <= 10_00 else least // 2 // 100}"
        before = await self.crew.sign_in("area manager")
        await self.crew.press("notice", change)
        await self.floor.move_clock(21 * 60 * SECOND)
        await self.crew.press("set", change)
        await self.crew.sign_in(before)
        self.crew.did("limits changed")

    async def _somebody_leaves(self) -> None:
        if isinstance(self.dealer, WeekDealer) and self.chips.racks:
            place = self.chance.choice(sorted(self.chips.racks))
            if not any(left == place for left, _ in self.around.left):
                self.chips.leave(place)
                self.crew.did("player went home")

    # ---- the table

    async def rest(self) -> None:
        """Waits until the table has taken in what was done, and whoever watches it has looked."""
        await self.crew.rest()

    async def _a_moment(self) -> None:
        """Waits until the table has taken in what was done; a bad wire needs longer."""
        await self.floor.rest(SLOW if self._bad_wire else 0.0)

    def _passes(self, seconds: float) -> None:
        self.floor.now += round(seconds * SECOND * self.chance.uniform(0.5, 1.5))

    def _followed(self, table: SimulatedTable, seq: int, fact: AnyFact, state: Table, effects: list[AnyEffect]) -> None:
        if isinstance(fact, ProtectionRaised):
            about = fact.kind, fact.about, fact.text, fact.round
            card = _too_often(fact.about, state) if fact.kind == "cards" else ""
            self.told.alarms.append(Alarm(self.plan.name, *about, state.number, seq, card))
            if fact.kind == "win":
                self.around.lucky = ""  # whoever wins so much is asked to go
        for effect in effects:
            if isinstance(effect, Refused):
                what = f"key {fact.key}" if isinstance(fact, Key) else type(fact).__name__
                self.told.refused[f"{what}: {effect.why}"] += 1


def _too_often(about: str, table: Table) -> str:
    """Returns the card that came or lies too often, of an alert about that; "" for another one."""
    if about.split()[0] not in ("twice", "hands"):
        return ""
    found = (each for each in cards.find(table, find(table.game)) if each.about == about)
    return next((each.cards[0].card for each in found), "")
