"""Dealers of a simulation in which anything may fail: they do what is next as the table stands, one deed at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, Protocol

from controller.errors import FeltError
from controller.places import JACKPOT
from controller.service.engine import Engine
from controller.sim.dealer import LivelyDealer
from controller.sim.soak.house import set_due
from controller.table.deck import bets_wait
from controller.table.duties import deck_key
from controller.table.holds import why
from controller.table.state import meter_works
from hw_sim.models.shuffler import Shuffler
from hw_sim.table import SimTable

CARD_BY_CARD: Final = 0.1  # how often a set is drawn so
Rest = Callable[[], Awaitable[None]]


class StepDealer(Protocol):
    """A dealer who does one thing after the other, and can be interrupted between any two."""

    def serves(self, engine: Engine) -> None:
        """Goes on with the daemon that was started again."""

    def begin(self) -> None:
        """Begins a round: whatever was played before is over."""

    def over(self) -> bool:
        """Tells whether the round that was begun is over."""

    async def deed(self, places: Sequence[str]) -> None:
        """Does what is next; raises FeltError when a dealer alone cannot go on."""


class HouseStepDealer(LivelyDealer):
    """The dealer of a game against the house."""

    def __init__(self, sim: SimTable, engine: Engine, rest: Rest, seed: int, on_deed: Callable[[], None]) -> None:
        super().__init__(sim, engine, rest, seed)
        self._on_deed, self._before = on_deed, 0

    def serves(self, engine: Engine) -> None:
        self._engine = engine

    def begin(self) -> None:
        self._before = self._table.number - (self._running is not None)

    def over(self) -> bool:
        return self._over(self._before) or self._table.number > self._before + 1

    async def deed(self, places: Sequence[str]) -> None:
        if held := why(self._table):
            raise waits_for(f"somebody who resumes: {held.code}")
        if self._table.talk is not None:
            raise waits_for("an answer")
        running = self._running
        if running is not None and running.closed:
            await self._next_deed()
            return
        if self._table.deck.due or not self._table.deck.seen:
            self._stack = []  # the cards were shuffled, or are before this round
        if (key := deck_key(self._table, self._game)) in ("checked", "shuffled", "cut"):
            await self._press(key)
            return
        if bets_wait(self._table, self._game.document):
            await self._draw()
            return
        wagered = {place for place, _ in running.wagers} if running is not None else set()
        for place in places:
            if place not in wagered:
                await self._bet(place, self.wagers(place))
        await self._press("no-more-bets")

    def wagers(self, place: str) -> Mapping[str, int]:
        wagers, terms = super().wagers(place), self._table.options.typed.terms
        if terms is None or not meter_works(self._table) or self._mood.random() < 0.5:
            return {spot: cents for spot, cents in wagers.items() if spot != JACKPOT}
        return {**wagers, JACKPOT: terms.cost}

    async def _draw(self) -> None:
        """Takes the next card; of a machine that gives out sets mostly a whole one."""
        wanted = self._set_due()
        if not wanted or self._mood.random() < CARD_BY_CARD:
            await super()._draw()
            return
        self._fill()
        if len(self._stack) < wanted:
            self._stack = self._shuffled()
        await self._do("cards", "dispense", *(self._card() for _ in range(wanted)))

    def _set_due(self) -> int:
        """Returns how many cards come together from a machine that gives out sets; else 0."""
        machine = isinstance(self._sim.cards_from.model, Shuffler)
        return set_due(self._table, self._game) if machine else 0

    async def _do(self, device: str, verb: str, *args: object) -> None:
        target = self._sim.cards_from if device == "cards" else self._sim.device(device)
        self._on_deed()
        if not target.pending:  # else it still has to tell what was done there before
            target.do(verb, *args)
        await self._rest()


def waits_for(for_: str) -> FeltError:
    """Returns the error of a dealer who alone cannot go on."""
    return FeltError("sim.stuck", f"the dealer waits for {for_}")
