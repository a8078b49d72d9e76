"""A dealer of Crown Poker whose players buy chips and go home with them; now and then the cards are not right."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.week.around import Around
from benchmarks.week.planted import Kind, new_deck, riffled
from controller.cards import DECK
from controller.money import cents
from controller.poker.hand.course import Stage
from controller.poker.room.seats import room_of
from controller.sim.crown_dealer import LivelyCrownDealer
from controller.table.requests import Press


class WeekCrownDealer(LivelyCrownDealer):
    """Deals hands; chips of a seat are with the table, so racks hold what people bought and took home."""

    def __init__(self, around: Around, seed: int) -> None:
        super().__init__(around.sim, around.engine, around.rest, seed)
        self.around, self._chips = around, around.chips
        self._before: list[str] = []
        self._drawn = 0  # in this hand

    @property
    def behind(self) -> int:
        """What lies in front of the players, in cents."""
        return sum(room_of(self._table).stakes.values())

    async def round(self, places: Sequence[str]) -> None:
        """Plays one hand; then somebody may go home."""
        self._drawn = 0
        await super().round(places)
        if self.around.chance.random() < 0.05 and self._table.seats:
            await self._press("leave", self.around.chance.choice(sorted(self._table.seats)))

    def replaced(self) -> None:
        """Begins with other cards: there is no order before theirs."""
        self._before = []

    async def clear(self) -> None:
        """Lets everybody go home."""
        await self.part()

    async def _next_deed(self, at: Stage) -> None:
        """Does what is next; a hand that cannot be settled, for a card lies there twice, is ended by the floor."""
        await super()._next_deed(at)
        if at.what == "over" and self._hand() is not None:
            await self.around.floor.rule(Press("", "settle", "supervisor"))
            self.replaced()

    def _card(self) -> str:
        if not self._stack:
            self._stack = self._new_stack()[::-1]
        self.around.passes(1.2)
        self.around.linger(self._drawn)
        self._drawn += 1
        return self._stack.pop()

    def _new_stack(self) -> list[str]:
        cards = list(DECK)
        self._random.shuffle(cards)
        last, self._before = self._before, cards
        match self.around.trick:
            case Kind.UNSHUFFLED:
                cards = new_deck(1)
            case Kind.RIFFLED:
                cards = riffled(new_deck(1), self.around.chance)
            case Kind.REPEATED if last:
                cards = last
            case Kind.FOREIGN:
                cards = [*cards[:3], cards[0], *cards[4:]]
            case _:
                return cards
        if self.around.trick is not Kind.FOREIGN:  # else they are put right
            self._before = cards
        self.around.plant(self.around.trick, card=cards[0] if self.around.trick is Kind.FOREIGN else "")
        return cards

    async def _press(self, key: str, *args: str) -> None:
        self.around.passes(3)
        before, seated = self.behind, key in ("seat", "leave")
        await super()._press(key, *args)
        if not seated:
            return
        change = self.behind - before
        if change > 0:  # bought at the table
            assert change == cents(args[1].partition("=")[2])
            self._chips.buy(args[0], change)
            self._chips.racks[args[0]] -= change
            await self.around.floor.bought(args[0], change)
        self._chips.cashed += max(0, -change)
