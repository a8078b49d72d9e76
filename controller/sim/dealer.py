"""A dealer who deals by themselves: plain rounds on simulated devices, as the table asks for them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence

from controller.cards import DECK
from controller.errors import FeltError
from controller.places import area_of, bettor_of, place_of
from controller.service.engine import Engine
from controller.sim.floor import SimulatedTable
from controller.sim.gift import Gift
from controller.table.deck import bets_wait
from controller.table.holds import why
from controller.table.requests import Cards, Choice, Decision, Settle
from controller.table.rules import Rules
from controller.table.state import Round, Table
from controller.table.telling import COMMUNITY
from hw_sim.table import SimTable

ONE_LOOK = 0.01  # seconds
ARRIVES_WITHIN = 200  # looks
CUTTING_CARD_AT = 60  # cards from the back: a round never needs more


class Dealer:
    """Plays round after round; the same seed deals the same cards.

    `rest` waits until the table has taken in what was done: in virtual time for scripts, in real time for a show.
    """

    def __init__(self, sim: SimTable, engine: Engine, rest: Callable[[], Awaitable[None]], seed: int = 0) -> None:
        self._sim = sim
        self._engine = engine
        self._rest = rest
        self._random = random.Random(seed)
        self._stack: list[str] = []
        self._cut_shown = True
        self.gift: Gift | None = None  # for somebody in the round that is dealt next

    @property
    def _table(self) -> Table:
        return self._engine.table

    @property
    def _game(self) -> Rules:
        return self._engine.game

    @property
    def _running(self) -> Round | None:
        r = self._table.round
        return None if r is None or r.outcome else r

    async def round(self, places: Sequence[str]) -> None:
        """Plays one round: bets, cards, decisions, settlement."""
        running = self._running
        if running is not None and running.closed == "dealt":
            raise _stuck("the end of the round that is running")
        before = self._table.number - (running is not None)
        if self._table.deck.due or not self._table.deck.seen:
            self._stack = []  # the cards were shuffled, or are before this round
        if bets_wait(self._table, self._engine.game.document):
            await self._draw()  # the burn
        if running is None or not running.closed:
            wagered = {line.place for line in self._game.settled(self._table, running).lines} if running else ()
            for place in places:
                if place not in wagered:
                    await self._bet(place, self.wagers(place))
            await self._press("no-more-bets")
        while not self._over(before):
            if held := why(self._table):
                raise _stuck(f"a supervisor: the table is held ({held.code})")
            seq = self._engine.seq
            await self._next_deed()
            if self._engine.seq == seq:
                raise _stuck("a device that does not answer")
        self.gift = None

    # ---- what the players want

    def wagers(self, place: str) -> Mapping[str, int]:
        """Returns what is wagered at a place before the deal: spot -> cents."""
        return dict.fromkeys(self._game.required, self._table.options.typed.min)

    def key_instead(self, choice: Choice) -> Decision | None:
        """Returns what is decided by a key; None when it is decided with chips."""
        return None

    # ---- what the dealer does

    def _over(self, before: int) -> bool:
        state = self._table
        return state.number > before and state.round is not None and bool(state.round.outcome)

    async def _next_deed(self) -> None:
        waiting = self._game.waiting(self._table)
        for request in waiting:
            if isinstance(request, Choice):
                await self._decide(request)
                return
        for request in waiting:
            if isinstance(request, Settle):
                await self._press("settle")
                return
        if not any(isinstance(request, Cards) for request in waiting):
            raise _stuck(", ".join(type(request).__name__ for request in waiting) or "nothing")
        await self._draw()

    async def _decide(self, choice: Choice) -> None:
        if key := self.key_instead(choice):
            await self._press(key.key, choice.place, *key.args)
        else:
            await self._bet(choice.place, {choice.spot: choice.amount})

    async def _draw(self) -> None:
        self._fill()
        if not self._cut_shown and len(self._stack) <= CUTTING_CARD_AT:
            self._cut_shown = True
            await self._do("cards", "draw", "cut")
        await self._do("cards", "draw", self._card())

    def _fill(self) -> None:
        """Shuffles cards for the shoe, when it has none."""
        if not self._stack:
            self._stack = self._shuffled()
            self._cut_shown = self._table.options.typed.shoe != "hand"

    def _shuffled(self) -> list[str]:
        cards = list(DECK) * self._table.options.typed.decks
        self._random.shuffle(cards)
        return cards

    def _card(self) -> str:
        """Returns the next card; while there is a gift, whoever shall get it gets it."""
        if self.gift is None:
            return self._stack.pop()
        self._stack = self.gift.without(self._stack)
        place = next((request.place for request in self._game.waiting(self._table) if isinstance(request, Cards)), "")
        return self.gift.card_for(place) or self._stack.pop()

    async def _bet(self, place: str, wagers: Mapping[str, int]) -> None:
        bettor = bettor_of(place)
        await self._do(f"sensor.{area_of(place)}", "bet", {(spot, bettor): amount for spot, amount in wagers.items()})

    async def _press(self, key: str, *args: str) -> None:
        await self._do("console", "press", key, *args)

    async def _do(self, device: str, verb: str, *args: object) -> None:
        target = self._sim.cards_from if device == "cards" else self._sim.device(device)
        before = self._engine.seq
        target.do(verb, *args)
        await self._rest()
        for _ in range(ARRIVES_WITHIN):  # a vendor's device does not know when what it sent has arrived
            if self._engine.seq > before:
                break
            await asyncio.sleep(ONE_LOOK)
            await self._rest()


class LivelyDealer(Dealer):
    """A dealer with players who do not always do the same."""

    def __init__(self, sim: SimTable, engine: Engine, rest: Callable[[], Awaitable[None]], seed: int = 0) -> None:
        super().__init__(sim, engine, rest, seed)
        self._mood = random.Random(seed + 1)

    async def players(self, areas: Sequence[int]) -> list[str]:
        """Returns who plays the next round."""
        count = self._mood.randint(1, len(areas))
        return [str(area) for area in sorted(self._mood.sample(list(areas), count))]

    def give(self, place: str) -> None:
        """Deals a royal flush to this place in the next round, or as much of one as the game has cards."""
        self.gift = Gift(place, COMMUNITY)

    async def part(self) -> None:
        """Does nothing: whoever plays against the house leaves nothing behind."""

    def wagers(self, place: str) -> Mapping[str, int]:
        least = self._table.options.typed.min
        game = self._game
        wagers = dict.fromkeys(game.required, least * self._mood.choice((1, 1, 2, 4, 5)))
        return wagers | {side: least for side in game.opening if side not in wagers and self._mood.random() < 0.25}

    def key_instead(self, choice: Choice) -> Decision | None:
        lucky = self.gift is not None and choice.place == self.gift.place
        return choice.words[0] if choice.words and self._mood.random() < 0.25 and not lucky else None


def _stuck(waits: str) -> FeltError:
    return FeltError("sim.stuck", f"a plain round came to wait for {waits}")


def taken(table: SimulatedTable) -> list[str]:
    """Returns every place where somebody sits."""
    return sorted({place_of(area_of(p)) for p in table.state.seats}, key=int)
