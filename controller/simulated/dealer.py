"""A dealer who deals by themselves: plain rounds on simulated devices, as the table asks for them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from controller.cards import DECK
from controller.money import cents
from controller.simulated.floor import SimulatedTable
from controller.table.felt import Cards, Choice, Settle, look
from controller.table.state import area_of, place_of

CUTTING_CARD_AT = 60  # cards from the back: a round never needs more


class Dealer:
    """Plays round after round; the same seed deals the same cards."""

    def __init__(self, table: SimulatedTable, seed: int = 0) -> None:
        self._table = table
        self._random = random.Random(seed)
        self._stack: list[str] = []
        self._cut_shown = True

    async def round(self, places: Sequence[str]) -> None:
        """One round: bets, cards, decisions, settlement."""
        before = self._table.state.number
        least = cents(self._table.state.options["min"])
        for place in places:
            await self._bet(place, self._table.service.desk.game.opening[0], least)
        await self._press("no-more-bets")
        while not self._over(before):
            await self._next_deed()

    def _over(self, before: int) -> bool:
        state = self._table.state
        return state.number > before and state.round is not None and bool(state.round.outcome)

    async def _next_deed(self) -> None:
        f = look(self._table.state, self._table.service.desk.game)
        waiting = f.waiting if f is not None else ()
        for request in waiting:
            if isinstance(request, Choice):
                await self._bet(request.place, request.spot, request.amount)
                return
        for request in waiting:
            if isinstance(request, Settle):
                await self._press("settle")
                return
        if not any(isinstance(request, Cards) for request in waiting):
            raise RuntimeError(f"a plain round came to {waiting}")
        await self._draw()

    async def _draw(self) -> None:
        if not self._stack:
            decks = self._table.service.desk.game.decks(self._table.state.options)
            self._stack = list(DECK) * decks
            self._random.shuffle(self._stack)
            self._cut_shown = self._table.state.options["shoe"] != "hand"
        if not self._cut_shown and len(self._stack) <= CUTTING_CARD_AT:
            self._cut_shown = True
            await self._do("cards", "draw", "cut")
        await self._do("cards", "draw", self._stack.pop())

    async def after(self) -> None:
        """Between rounds: new cards when the cutting card came out."""
        if self._table.state.deck.due:
            self._stack = []

    async def _bet(self, place: str, spot: str, amount: int) -> None:
        bettor = int(place.partition(".")[2] or 1)
        await self._do(f"sensor.{area_of(place)}", "bet", {(spot, bettor): amount})

    async def _press(self, key: str) -> None:
        await self._do("console", "press", key)

    async def _do(self, device: str, verb: str, *args: object) -> None:
        sim = self._table.sim
        target = sim.cards_from if device == "cards" else sim.device(device)
        target.do(verb, *args)
        await self._table.floor.rest()


def taken(table: SimulatedTable) -> list[str]:
    """Every place where somebody sits."""
    return sorted({place_of(area_of(p)) for p in table.state.seats}, key=int)
