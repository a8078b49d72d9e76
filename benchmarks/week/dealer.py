"""A dealer with a tray: takes and pays on the spots, with players who have racks; now and then something is wrong."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence

from benchmarks.week.chips import Chips
from benchmarks.week.planted import Habit, Innocent, Kind, Planted, new_deck, riffled
from controller.cards import DECK
from controller.places import JACKPOT, area_of, bettor_of
from controller.service.engine import Engine
from controller.sim.dealer import CUTTING_CARD_AT, LivelyDealer
from controller.table.requests import Press
from controller.table.state import Line
from hw_sim.table import SimTable

DECIDED = ("win", "lose", "stand-off", "surrender", "void", "returned")
ENOUGH = 14  # cards that make an order plain
MUCH = 5_00  # cents by which payments are wrong, at least


class WeekDealer(LivelyDealer):
    """Deals, takes and pays; `deed` is what goes wrong as soon as there is an occasion."""

    def __init__(
        self,
        sim: SimTable,
        engine: Engine,
        rest: Callable[[], Awaitable[None]],
        seed: int,
        chips: Chips,
        bought: Callable[[str, int], Awaitable[None]],
        passes: Callable[[float], None],
        rule: Callable[[Press], Awaitable[None]],
    ) -> None:
        super().__init__(sim, engine, rest, seed)
        self._chips, self._bought, self._passes, self._rule = chips, bought, passes, rule
        self._chance = random.Random(seed + 2)
        self.deed: Kind | None = None
        self.trick: Kind | None = None  # the same of the cards: as soon as a shoe is filled
        self.habit: Habit | None = None
        self.planted: list[Planted] = []
        self.innocents: list[Innocent] = []
        self.left: list[tuple[str, str]] = []  # lost wagers that were not taken: somebody lifts them later
        self._before: list[str] = []  # the cards of the last shoe, the first one first
        self._came = 0  # of the cards of this shoe
        self._paid: dict[tuple[str, str], int] = {}  # of this round
        self._seen = 0  # lines of this round
        self._late: tuple[str, str] | None = None  # where chips came late
        self._dark = ""

    # ---- the round

    async def round(self, places: Sequence[str]) -> None:
        """Plays one round; who still has chips of the last one on the layout does not wager."""
        self._paid, self._seen, self._late = {}, 0, None
        sitting_out = {place for place, _ in self.left}
        free = [str(area) for area in range(1, 7) if str(area) not in sitting_out]
        await super().round([place for place in places if place not in sitting_out] or free[:1])
        if self._table.round is not None and self._table.round.outcome != "settled":
            await self.clear()  # everybody takes their wagers back

    def replaced(self) -> None:
        """Begins with other cards: there is no order before theirs."""
        self._came = 0

    async def clear(self) -> None:
        """Lets everybody lift what lies on the layout."""
        for place in list(self._chips.racks):
            for spot in self._game.spots:
                await self._lift(place, spot)

    async def _press(self, key: str, *args: str) -> None:
        if key != "settle":
            await super()._press(key, *args)
            self._passes(4 if key == "no-more-bets" else 1)
            if key == "no-more-bets":
                await self._lift_what_was_left()
            return
        if not self._seen:
            await self._before_settlement()
        await super()._press(key, *args)
        self._passes(3)
        await self._take_and_pay()

    async def _bet(self, place: str, wagers: Mapping[str, int]) -> None:
        self._passes(2)
        wanted = sum(cents - self._chips.lying(place, spot) for spot, cents in wagers.items())
        if more := self._chips.short_of(place, wanted):
            self._chips.buy(place, more)
            await self._bought(place, more)
        self._chips.racks[place] -= wanted
        await super()._bet(place, wagers)

    async def _draw(self) -> None:
        self._passes(1.5)
        if not self._stack:
            self._fill_shoe()
        if not self._cut_shown and len(self._stack) <= CUTTING_CARD_AT:
            self._cut_shown = True
            await self._do("cards", "draw", "cut")
        self._came += 1
        await self._do("cards", "draw", self._stack.pop())

    def _over(self, before: int) -> bool:
        """Tells whether the round is over; chips that a player leaves lying may have opened the next one."""
        return self._table.number > before + 1 or super()._over(before)

    async def _next_deed(self) -> None:
        """Does what is next; where only a ruling lets the round go on, somebody from the floor rules."""
        press = next((request for request in self._game.waiting(self._table) if isinstance(request, Press)), None)
        if press is None:
            await super()._next_deed()
            return
        await self._rule(press)

    # ---- cards

    def _fill_shoe(self) -> None:
        decks = self._table.options.typed.decks
        cards = list(DECK) * decks
        self._random.shuffle(cards)
        # Few cards say nothing of their order (docs/protection.md): such a round is no occasion.
        came, self._came = self._came, 0
        enough = decks > 1 or len({place for place, _ in self._round_wagers()}) >= 5
        if enough and (other := self._prepared(cards, decks, came)):
            cards = other
            self._plant_cards(within=self.trick is not Kind.FOREIGN or decks == 1)
        self._before = cards
        self._stack = cards[::-1]
        self._cut_shown = self._table.options.typed.shoe != "hand"

    def _prepared(self, cards: list[str], decks: int, came: int) -> list[str]:
        """Returns the cards as somebody has prepared them; nothing when nobody has."""
        match self.trick:
            case Kind.UNSHUFFLED:
                return new_deck(decks)
            case Kind.RIFFLED:
                return riffled(new_deck(decks), self._chance)
            case Kind.REPEATED if came >= ENOUGH:
                return list(self._before)
            case Kind.FOREIGN:
                return [*cards[:4], cards[1], *cards[5:]]
        return []

    def _round_wagers(self) -> Mapping[tuple[str, str], int]:
        return self._table.round.wagers if self._table.round is not None else {}

    # ---- chips

    async def _before_settlement(self) -> None:
        wagers = self._round_wagers()
        mine = [(place, spot) for (place, spot), cents in wagers.items() if spot != JACKPOT and cents >= 2 * MUCH]
        mine = [at for at in mine if self._chips.lying(*at) == wagers[at]]
        if not mine:
            return
        place, spot = self._chance.choice(mine)
        lies = wagers[place, spot]
        if self.deed is Kind.LATE:
            more = self._chance.choice((1, 2)) * 5_00
            if missing := self._chips.short_of(place, more):
                self._chips.buy(place, missing)
                await self._bought(place, missing)
            self._chips.racks[place] -= more
            self._late = place, spot
            await self._lay(place, spot, lies + more)
            self._plant(Kind.LATE, place)
        elif self.deed is Kind.PINCHED:
            part = lies // 2 // 100 * 100
            self._chips.racks[place] += part
            await self._lay(place, spot, lies - part)
            self._plant(Kind.PINCHED, place)
        elif self.habit is Habit.DARK:
            self._dark = f"sensor.{area_of(place)}"
            self._sim.device(self._dark).fault("dark")
            await self._rest()
            self._note(Habit.DARK, place)

    async def _take_and_pay(self) -> None:
        r = self._table.round
        assert r is not None
        lines, self._seen = r.lines[self._seen :], len(r.lines)
        decided = [line for line in lines if line.result in DECIDED and line.spot != JACKPOT]
        lost = [line for line in decided if self._due(line) < 0]
        for line in [*lost, *(line for line in decided if line not in lost)]:
            self._passes(2)
            due = self._due(line)
            self._paid[line.at] = line.net
            await self._hand(line, due)
        for line in decided:
            await self._collect(line)
        if self._dark:
            self._sim.device(self._dark).clear()
            self._dark = ""
            await self._rest()

    def _due(self, line: Line) -> int:
        """Returns what the tray gives for this line now; negative: takes."""
        return line.net - self._paid.get(line.at, 0)

    def _spot(self, line: Line) -> str:
        return self._game.required[0] if line.spot in self._game.without_chips else line.spot

    async def _hand(self, line: Line, due: int) -> None:
        """Takes or pays one line, rightly unless something is planted."""
        place, spot = line.place, self._spot(line)
        lies = self._chips.lying(place, spot)
        if due < 0:
            await self._take(place, spot, lies, -due)
        elif due > 0:
            await self._pay(place, spot, lies, due)

    async def _take(self, place: str, spot: str, lies: int, due: int) -> None:
        whole = due >= lies
        if whole and self.deed is Kind.LEFT:
            self.left.append((place, spot))
            self._plant(Kind.LEFT, place, -due)
            return
        if whole and self.deed is Kind.SNATCHED and lies == due:
            self._chips.racks[place] += due
            await self._lay(place, spot, 0)
            self._plant(Kind.SNATCHED, place, -due, within=False)
            return
        if whole and self.deed is Kind.PAID_LOSER and lies == due:
            self._chips.tray -= due
            await self._lay(place, spot, lies + due)
            self._plant(Kind.PAID_LOSER, place, -2 * due)
            return
        taken = min(lies, due)
        if taken < due:
            self._last(place).cents -= due - taken  # of a wager that was pinched
        if self._late == (place, spot) and lies > due:
            self._last(place).cents += lies - due  # a dealer takes what lies there
            taken = lies
        self._chips.tray += taken
        await self._lay(place, spot, lies - taken)

    async def _pay(self, place: str, spot: str, lies: int, due: int) -> None:
        wrong = 0
        if self.deed is Kind.SHORT and due > MUCH:
            wrong = -MUCH
            self._plant(Kind.SHORT, place, MUCH)
        elif self.deed is Kind.OVERPAID:
            wrong = max(MUCH, due // 100 * 100)
            self._plant(Kind.OVERPAID, place, -wrong)
        if not wrong and self.habit in (Habit.CORRECTED, Habit.ANEW):
            first = lies + due if self.habit is Habit.CORRECTED else lies
            self._note(self.habit, place)
            await self._lay(place, spot, lies + due + MUCH)
            self._passes(5)
            await self._lay(place, spot, first)
        if not wrong and self.habit is Habit.EXCHANGED:
            self._note(Habit.EXCHANGED, place)
            await self._lay(place, spot, 0)
        self._chips.tray -= due + wrong
        await self._lay(place, spot, lies + due + wrong)

    async def _collect(self, line: Line) -> None:
        """Lets a player lift what is decided."""
        place, spot = line.place, self._spot(line)
        lies = self._chips.lying(place, spot)
        if not lies or (place, spot) in self.left:
            return
        single = tuple(self._game.required) == (spot,)
        if line.result == "stand-off" and self.habit is Habit.ADDED and single:
            more = self._table.options.typed.min
            if self._chips.racks[place] >= more:
                self._note(Habit.ADDED, place)
                self._chips.racks[place] -= more
                await self._lay(place, spot, lies + more)
                await self._lift(place, spot)
                return
        if line.net > 0 and self.habit is Habit.PIECES:
            self._note(Habit.PIECES, place)
            self._chips.racks[place] += lies - line.stake
            await self._lay(place, spot, line.stake)
        await self._lift(place, spot)

    async def _lift(self, place: str, spot: str) -> None:
        if lies := self._chips.lying(place, spot):
            self._passes(1)
            self._chips.racks[place] += lies
            await self._lay(place, spot, 0)

    async def _lift_what_was_left(self) -> None:
        left, self.left = self.left, []
        for place, spot in left:
            await self._lift(place, spot)

    async def _lay(self, place: str, spot: str, cents: int) -> None:
        sensor = self._sim.device(f"sensor.{area_of(place)}")
        sensor.do("bet", {(spot, bettor_of(place)): cents})
        await self._rest()

    # ---- the book of what is planted

    def _plant(self, kind: Kind, place: str = "", cents: int = 0, *, within: bool = True) -> None:
        number = self._table.number
        self.planted.append(Planted("", kind, number, self._engine.seq, place, cents, within=within))
        self.deed = None

    def _plant_cards(self, *, within: bool) -> None:
        assert self.trick is not None
        self.planted.append(Planted("", self.trick, self._table.number, self._engine.seq, within=within))
        self.trick = None

    def _note(self, habit: Habit, place: str) -> None:
        self.innocents.append(Innocent("", habit, self._table.number, self._engine.seq, place))
        self.habit = None

    def _last(self, place: str) -> Planted:
        return next(each for each in reversed(self.planted) if each.place == place)
