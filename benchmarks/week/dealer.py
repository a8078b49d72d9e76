"""A dealer with a tray: takes and pays on the spots, with players who have racks; now and then something is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.week.around import Around
from benchmarks.week.planted import ORDER, Habit, Kind, new_deck, riffled
from controller.cards import DECK
from controller.places import JACKPOT, area_of, bettor_of
from controller.sim.dealer import CUTTING_CARD_AT, LivelyDealer
from controller.table.requests import Cards, Press
from controller.table.state import Line, meter_works

DECIDED = ("win", "lose", "stand-off", "surrender", "void", "returned")
ENOUGH = 14  # cards that make an order plain
COPIED = 1  # the card of a shoe of which a second copy comes
MUCH = 5_00  # cents by which payments are wrong, at least
MINUTE = 60.0
HELP = 8  # cards of which somebody whom the dealer helps gets the best
STEADY = 50_00  # cents that such a player wagers
RANKS = "23456789TJQKA"


class WeekDealer(LivelyDealer):
    """Deals, takes and pays, rightly unless something is planted."""

    def __init__(self, around: Around, seed: int) -> None:
        super().__init__(around.sim, around.engine, around.rest, seed)
        self.around, self._chips = around, around.chips
        self._before: list[str] = []  # the cards of the last shoe, the first one first
        self._came = 0  # of the cards of this shoe
        self._arranged = False  # somebody has prepared this shoe
        self._drawn = 0  # in this round
        self._paid: dict[tuple[str, str], int] = {}  # of this round
        self._seen = 0  # lines of this round
        self._late: tuple[str, str] | None = None  # where chips came late
        self._dark = ""

    # ---- the round

    async def round(self, places: Sequence[str]) -> None:
        """Plays one round; who still has chips of the last one on the layout does not wager."""
        self._paid, self._seen, self._drawn, self._late = {}, 0, 0, None
        await self._bets_that_are_held()
        sitting_out = {place for place, _ in self.around.left}
        free = [str(area) for area in range(1, 7) if str(area) not in sitting_out]
        helped = {self.around.lucky} - {"", *sitting_out, *places}
        first = len(self.around.planted)
        await super().round([*(place for place in places if place not in sitting_out), *helped] or free[:1])
        for deed in self.around.planted[first:]:
            if deed.kind in ORDER and self._table.options.typed.decks == 1:
                deed.within = self._drawn >= ENOUGH  # fewer cards may say nothing of their order (docs/protection.md)
        if self._table.round is not None and self._table.round.outcome != "settled":
            await self.clear()  # everybody takes their wagers back
        if self._table.jackpot.pending:
            await self.around.floor.confirm()
            await self._take_and_pay()
            self._chips.meter, self._chips.slots = self._table.jackpot.meter, 0

    async def _bets_that_are_held(self) -> None:
        """Lets a player try to wager while a lost wager lies there and the table holds bets; then it is seen to."""
        if self._table.options.typed.takes != "hold" or not self.around.left:
            return
        place = next(str(area) for area in range(1, 7) if str(area) not in {at for at, _ in self.around.left})
        for _ in range(2):
            await self._bet(place, self.wagers(place))
            for spot in (*self._game.spots, JACKPOT):
                await self._lift(place, spot)
            self.around.passes(3 * MINUTE)
        await self.around.floor.clear_alerts()
        await self._lift_what_was_left()

    def replaced(self) -> None:
        """Begins with other cards: there is no order before theirs."""
        self._came = 0

    async def clear(self) -> None:
        """Lets everybody lift what lies on the layout; a lost wager that still lies there nobody will see."""
        for place, _ in self.around.left:
            deed = self.around.last(place)
            deed.kind, deed.within = Kind.SNATCHED, False
        self.around.left.clear()
        for place in list(self._chips.racks):
            for spot in (*self._game.spots, JACKPOT):
                await self._lift(place, spot)

    def wagers(self, place: str) -> Mapping[str, int]:
        """Returns what is wagered there; for the Jackpot its exact cost."""
        if place == self.around.lucky:
            return dict.fromkeys(self._game.required, STEADY)
        wagers, terms = super().wagers(place), self._table.options.typed.terms
        if terms is None or not meter_works(self._table) or self.around.chance.random() < 0.5:
            return wagers
        return {**wagers, JACKPOT: terms.cost}

    async def _press(self, key: str, *args: str) -> None:
        if key != "settle":
            await super()._press(key, *args)
            self.around.passes(4 if key == "no-more-bets" else 1)
            if key == "no-more-bets":
                await self._lift_what_was_left()
            return
        if not self._seen:
            await self._before_settlement()
        await super()._press(key, *args)
        self.around.passes(3)
        await self._take_and_pay()

    async def _bet(self, place: str, wagers: Mapping[str, int]) -> None:
        self.around.passes(2)
        wanted = sum(cents - self._chips.lying(place, spot) for spot, cents in wagers.items())
        if more := self._chips.short_of(place, wanted):
            self._chips.buy(place, more)
            await self.around.floor.bought(place, more)
        self._chips.racks[place] -= wanted
        await super()._bet(place, wagers)

    async def _draw(self) -> None:
        self.around.passes(1.5)
        if not self._stack:
            self._fill_shoe()
        if not self._cut_shown and len(self._stack) <= CUTTING_CARD_AT:
            self._cut_shown = True
            await self._do("cards", "draw", "cut")
        self.around.linger(self._drawn)
        await self._shoe_fails()
        self._came += 1
        self._drawn += 1
        self._help()
        await self._do("cards", "draw", self._stack.pop())

    async def _shoe_fails(self) -> None:
        """Lets what deals the cards jam, or read the next card as another one, when that is to be in this round."""
        source = self._sim.cards_from
        if not self._drawn or source.faults:
            return
        if self.around.jam and "jam" in source.model.FAULTS:
            self.around.jam = False
            source.fault("jam")
            await self._rest()
            self.around.passes(MINUTE)
            source.clear()
            await self._rest()
            self.around.troubles[f"{source.family} jam within a round"] += 1
        elif self.around.habit is Habit.MISREAD and "misread" in source.model.FAULTS:
            read = self.around.chance.choice([card for card in DECK if card != self._stack[-1]])
            source.fault("misread", read)
            self.around.note(Habit.MISREAD, read)

    def _help(self) -> None:
        """Brings the best of the next cards to the top, for somebody whom the dealer helps."""
        to = next((request.place for request in self._game.waiting(self._table) if isinstance(request, Cards)), "")
        if not self.around.lucky or to != self.around.lucky or self._arranged:
            return
        top, next_one = len(self._stack) - 1, len(self._before) - len(self._stack)
        best = max(range(max(0, top - HELP + 1), top + 1), key=lambda n: RANKS.index(self._stack[n][0]))
        for cards, one, other in ((self._stack, top, best), (self._before, next_one, next_one + top - best)):
            cards[one], cards[other] = cards[other], cards[one]

    def _over(self, before: int) -> bool:
        """Tells whether the round is over; chips that a player leaves lying may have opened the next one."""
        return self._table.number > before + 1 or super()._over(before)

    async def _next_deed(self) -> None:
        """Does what is next; where only a ruling lets the round go on, somebody from the floor rules."""
        press = next((request for request in self._game.waiting(self._table) if isinstance(request, Press)), None)
        if press is None:
            await super()._next_deed()
            return
        await self.around.floor.rule(press)
        self.replaced()

    # ---- cards

    def _fill_shoe(self) -> None:
        decks = self._table.options.typed.decks
        cards = list(DECK) * decks
        self._random.shuffle(cards)
        # Few cards say nothing of their order: such a round is no occasion.
        came, self._came = self._came, 0
        enough = decks > 1 or len({place for place, _ in self._round_wagers()}) >= 5
        trick, other = self.around.trick, self._prepared(cards, decks, came) if enough else []
        self._arranged = bool(other)
        self._before = other if other and trick is not Kind.FOREIGN else cards  # a second copy is put right
        if trick is not None and other:
            cards = other
            foreign = trick is Kind.FOREIGN
            self.around.plant(trick, card=cards[COPIED] if foreign else "", within=not foreign or decks == 1)
        self._stack = cards[::-1]
        self._cut_shown = self._table.options.typed.shoe != "hand"

    def _prepared(self, cards: list[str], decks: int, came: int) -> list[str]:
        """Returns the cards as somebody has prepared them; nothing when nobody has."""
        match self.around.trick:
            case Kind.UNSHUFFLED:
                return new_deck(decks)
            case Kind.RIFFLED:
                return riffled(new_deck(decks), self.around.chance)
            case Kind.REPEATED if came >= ENOUGH:
                return list(self._before)
            case Kind.FOREIGN:
                return [*cards[:4], cards[COPIED], *cards[5:]]
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
        place, spot = self.around.chance.choice(mine)
        lies = wagers[place, spot]
        if self.around.deed is Kind.LATE:
            more = self.around.chance.choice((1, 2)) * 5_00
            if missing := self._chips.short_of(place, more):
                self._chips.buy(place, missing)
                await self.around.floor.bought(place, missing)
            self._chips.racks[place] -= more
            self._late = place, spot
            await self._lay(place, spot, lies + more)
            self._plant(Kind.LATE, place)
        elif self.around.deed is Kind.PINCHED:
            part = lies // 2 // 100 * 100
            self._chips.racks[place] += part
            await self._lay(place, spot, lies - part)
            self._plant(Kind.PINCHED, place)
        elif self.around.habit is Habit.DARK:
            self._dark = f"sensor.{area_of(place)}"
            self._sim.device(self._dark).fault("dark")
            await self._rest()
            self.around.note(Habit.DARK, place)

    async def _take_and_pay(self) -> None:
        r = self._table.round
        assert r is not None
        lines, self._seen = r.lines[self._seen :], len(r.lines)
        decided = [line for line in lines if line.result in DECIDED and line.spot != JACKPOT]
        for line in (line for line in lines if line.spot == JACKPOT and line.result in DECIDED):
            await self._jackpot(line)
        lost = [line for line in decided if self._due(line) < 0]
        for line in [*lost, *(line for line in decided if line not in lost)]:
            self.around.passes(2)
            due = self._due(line)
            self._paid[line.at] = line.net
            await self._hand(line, due)
        for line in decided:
            await self._collect(line)
        if self._dark:
            self._sim.device(self._dark).clear()
            self._dark = ""
            await self._rest()

    async def _jackpot(self, line: Line) -> None:
        """Empties the slot of a Jackpot wager; a prize is paid out of the float, and told."""
        self.around.passes(2)
        if line.result not in ("win", "lose"):
            await self._lift(line.place, JACKPOT)
            return
        taken = self._chips.lying(line.place, JACKPOT)
        self._chips.tray += taken
        self._chips.slots += taken
        await self._lay(line.place, JACKPOT, 0)
        if line.prize:
            self._chips.tray -= line.prize
            self._chips.racks[line.place] += line.prize
            await self.around.floor.prized(line.prize)

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
        if whole and self.around.deed is Kind.LEFT:
            self.around.left.append((place, spot))
            self._plant(Kind.LEFT, place, -due)
            return
        if whole and self.around.deed is Kind.SNATCHED and lies == due:
            self._chips.racks[place] += due
            await self._lay(place, spot, 0)
            self._plant(Kind.SNATCHED, place, -due, within=False)
            return
        if whole and self.around.deed is Kind.PAID_LOSER and lies == due:
            self._chips.tray -= due
            await self._lay(place, spot, lies + due)
            self._plant(Kind.PAID_LOSER, place, -2 * due)
            return
        taken = min(lies, due)
        if taken < due:
            self.around.last(place).cents -= due - taken  # of a wager that was pinched
        if self._late == (place, spot) and lies > due:
            self.around.last(place).cents += lies - due  # a dealer takes what lies there
            taken = lies
        self._chips.tray += taken
        await self._lay(place, spot, lies - taken)

    async def _pay(self, place: str, spot: str, lies: int, due: int) -> None:
        wrong = 0
        if self.around.deed is Kind.SHORT and due > MUCH:
            wrong = -MUCH
            self._plant(Kind.SHORT, place, MUCH)
        elif self.around.deed is Kind.OVERPAID:
            wrong = max(MUCH, due // 100 * 100)
            self._plant(Kind.OVERPAID, place, -wrong)
        if not wrong and self.around.habit in (Habit.CORRECTED, Habit.ANEW):
            first = lies + due if self.around.habit is Habit.CORRECTED else lies
            self.around.note(self.around.habit, place)
            await self._lay(place, spot, lies + due + MUCH)
            self.around.passes(5)
            await self._lay(place, spot, first)
        if not wrong and self.around.habit is Habit.EXCHANGED:
            self.around.note(Habit.EXCHANGED, place)
            await self._lay(place, spot, 0)
        self._chips.tray -= due + wrong
        await self._lay(place, spot, lies + due + wrong)

    async def _collect(self, line: Line) -> None:
        """Lets a player lift what is decided."""
        place, spot = line.place, self._spot(line)
        lies = self._chips.lying(place, spot)
        if not lies or (place, spot) in self.around.left:
            return
        single = tuple(self._game.required) == (spot,)
        if line.result == "stand-off" and self.around.habit is Habit.ADDED and single:
            more = self._table.options.typed.min
            if self._chips.racks[place] >= more:
                self.around.note(Habit.ADDED, place)
                self._chips.racks[place] -= more
                await self._lay(place, spot, lies + more)
                await self._lift(place, spot)
                return
        if line.net > 0 and self.around.habit is Habit.PIECES:
            self.around.note(Habit.PIECES, place)
            self._chips.racks[place] += lies - line.stake
            await self._lay(place, spot, line.stake)
        await self._lift(place, spot)

    async def _lift(self, place: str, spot: str) -> None:
        if lies := self._chips.lying(place, spot):
            self.around.passes(1)
            self._chips.racks[place] += lies
            await self._lay(place, spot, 0)

    async def _lift_what_was_left(self) -> None:
        left, self.around.left = self.around.left, []
        for place, spot in left:
            await self._lift(place, spot)

    def _plant(self, kind: Kind, place: str, cents: int = 0, *, within: bool = True) -> None:
        """Notes a deed with chips; a sensor that is dark cannot see it, and then only the count of the float does."""
        self.around.plant(kind, place, cents, within=within and self._dark != f"sensor.{area_of(place)}")

    async def _lay(self, place: str, spot: str, cents: int) -> None:
        sensor = self._sim.device(f"sensor.{area_of(place)}")
        sensor.do("bet", {(spot, bettor_of(place)): cents})
        await self._rest()
