"""A dealer of Crown Poker whose players buy chips and go home with them; now and then the cards are not right."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence

from benchmarks.week.chips import Chips
from benchmarks.week.planted import Innocent, Kind, Planted, new_deck, riffled
from controller.cards import DECK
from controller.money import cents
from controller.poker.hand.course import Stage
from controller.poker.room.seats import room_of
from controller.service.engine import Engine
from controller.sim.crown_dealer import LivelyCrownDealer
from controller.table.requests import Press
from hw_sim.table import SimTable


class WeekCrownDealer(LivelyCrownDealer):
    """Deals hands; chips of a seat are with the table, so racks hold what people bought and took home."""

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
        self.trick: Kind | None = None
        self.planted: list[Planted] = []
        self.innocents: list[Innocent] = []
        self.left: list[tuple[str, str]] = []
        self._before: list[str] = []

    @property
    def behind(self) -> int:
        """What lies in front of the players, in cents."""
        return sum(room_of(self._table).stakes.values())

    async def round(self, places: Sequence[str]) -> None:
        """Plays one hand; then somebody may go home."""
        await super().round(places)
        if self._chance.random() < 0.05 and self._table.seats:
            await self._press("leave", self._chance.choice(sorted(self._table.seats)))

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
            await self._rule(Press("", "settle", "supervisor"))

    def _card(self) -> str:
        if not self._stack:
            self._stack = self._new_stack()[::-1]
        self._passes(1.2)
        return self._stack.pop()

    def _new_stack(self) -> list[str]:
        cards = list(DECK)
        self._random.shuffle(cards)
        match self.trick:
            case Kind.UNSHUFFLED:
                cards = new_deck(1)
            case Kind.RIFFLED:
                cards = riffled(new_deck(1), self._chance)
            case Kind.REPEATED if self._before:
                cards = list(self._before)
            case Kind.FOREIGN:
                cards = [*cards[:3], cards[0], *cards[4:]]
            case _:
                self._before = cards
                return cards
        self.planted.append(Planted("", self.trick, self._table.number, self._engine.seq))
        self.trick, self._before = None, cards
        return cards

    async def _press(self, key: str, *args: str) -> None:
        self._passes(3)
        before, seated = self.behind, key in ("seat", "leave")
        await super()._press(key, *args)
        if not seated:
            return
        change = self.behind - before
        if change > 0:  # bought at the table
            assert change == cents(args[1].partition("=")[2])
            self._chips.buy(args[0], change)
            self._chips.racks[args[0]] -= change
            await self._bought(args[0], change)
        self._chips.cashed += max(0, -change)
