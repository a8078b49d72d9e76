"""How long the settlement of a full table takes: the step of the dealer's last `settle`, for each house game."""

from __future__ import annotations

import random
from statistics import median
from time import perf_counter

from benchmarks.measure import Measured
from controller.cards import DECK
from controller.games.catalogue import GAMES, defaults, find
from controller.money import cents
from controller.table.facts import AnyFact, CardOut, Chips, Key, Spot, Started
from controller.table.felt import Cards, Choice, Settle, look
from controller.table.state import Table, area_of
from controller.table.step import step

ROUNDS = 30
GOAL = 1000  # microseconds


class Play:
    """A full table without devices."""

    def __init__(self, game: str) -> None:
        self.table = Table()
        self.game = find(game)
        self.seq = 0
        self.tell(Started(game, defaults(game)))

    def tell(self, fact: AnyFact) -> float:
        self.seq += 1
        begun = perf_counter()
        self.table, _ = step(self.table, self.seq, 0, fact)
        return perf_counter() - begun

    def round(self, cards: list[str]) -> float:
        """One round; the time of its last settlement, in seconds."""
        least = cents(self.table.options["min"])
        for area in range(1, int(self.table.options["seats"]) + 1):
            self.tell(Chips(area, tuple(Spot(spot, 1, least) for spot in self.game.required)))
        self.tell(Key("no-more-bets"))
        took = 0.0
        while (f := look(self.table, self.game)) is not None:
            request = next(q for kind in (Choice, Settle, Cards) for q in f.waiting if isinstance(q, kind))
            if isinstance(request, Choice):
                spot = Spot(request.spot, 1, request.amount)
                self.tell(Chips(area_of(request.place), (spot,)))
            elif isinstance(request, Settle):
                took = self.tell(Key("settle"))
            else:
                self.tell(CardOut(cards.pop()))
        return took


def measure() -> list[Measured]:
    """The median of some rounds, for each game."""
    out = []
    for name in sorted(GAMES):
        play, chance = Play(name), random.Random(1)
        took = median(play.round(chance.sample(DECK, len(DECK))) for _ in range(ROUNDS)) * 1e6
        seats = play.table.options["seats"]
        out.append(Measured(f"settlement, {name}, {seats} hands", took, "us", None, "< 1,000 us", took < GOAL))
    return out
