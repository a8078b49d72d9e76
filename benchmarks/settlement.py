"""How long the settlement of a full table takes: the step of the dealer's last `settle`, for every game."""

from __future__ import annotations

import random
from statistics import median
from time import perf_counter

from benchmarks.measure import Measured, happened
from controller.cards import DECK
from controller.games import GAMES, defaults, house_game, step
from controller.house.layout import look
from controller.money import short
from controller.places import area_of
from controller.poker.hand.betting import legal
from controller.poker.hand.course import HOLE, stage
from controller.poker.hand.showdown import OMAHA
from controller.poker.money.stacks import running
from controller.poker.room.blinds import next_hand
from controller.poker.state import hand_in
from controller.poker.view import next_reader
from controller.table.effects import Refused
from controller.table.facts import AnyFact, CardOut, CardRead, Chips, Key, Spot, Started
from controller.table.requests import Cards, Choice, Settle
from controller.table.state import Table

ROUNDS = 30
GOAL = 1000  # microseconds
OMAHA_GOAL = 500
STACK = 1_000_000  # dollars: nobody runs out of chips


class FullTable:
    """A full table without devices."""

    def __init__(self, game: str, **options: str) -> None:
        self.table = Table()
        self.seq = 0
        self.tell(Started(game, {**defaults(game), **options}))
        self.seats = self.table.options.typed.seats

    def tell(self, fact: AnyFact) -> float:
        """How long the step takes, in seconds."""
        self.seq += 1
        begun = perf_counter()
        self.table, effects = step(self.table, self.seq, 0, fact)
        took = perf_counter() - begun
        for effect in effects:
            happened(not isinstance(effect, Refused), f"{fact} was refused: {effect}")
        return took

    def round(self, cards: list[str]) -> float:
        """One round; the time of its last settlement, in seconds."""
        least, game = self.table.options.typed.min, house_game(self.table.game)
        for area in range(1, self.seats + 1):
            self.tell(Chips(area, tuple(Spot(spot, 1, least) for spot in game.required)))
        self.tell(Key("no-more-bets"))
        took = 0.0
        while (f := look(self.table, game)) is not None:
            request = next(q for kind in (Choice, Settle, Cards) for q in f.waiting if isinstance(q, kind))
            if isinstance(request, Choice):
                spot = Spot(request.spot, 1, request.amount)
                self.tell(Chips(area_of(request.place), (spot,)))
            elif isinstance(request, Settle):
                took = self.tell(Key("settle"))
            else:
                self.tell(CardOut(cards.pop()))
        r = self.table.round
        served = {line.place for line in r.lines} if r is not None and r.outcome == "settled" else set()
        happened(len(served) == self.seats, f"{self.table.game}: {len(served)} of {self.seats} areas were settled")
        return took


class FullPokerTable(FullTable):
    """A full table whose players all stay in to the showdown."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        for seat in range(1, self.seats + 1):
            self.tell(Key("seat", (str(seat), f"stack={STACK}")))

    def round(self, cards: list[str]) -> float:
        """One hand; the time of its settlement, in seconds."""
        self.tell(self._post(dict(next_hand(self.table).posts)))
        took = 0.0
        while (hand := running(self.table)) is not None:
            at = stage(self.table)
            if at.what == "over":
                happened(len(hand.dealt) == self.seats, f"{self.table.game}: {len(hand.dealt)} players were dealt in")
                happened(not hand.out, f"{self.table.game}: seats {', '.join(hand.out)} did not come to the showdown")
                took = self.tell(Key("settle"))
            else:
                self.tell(self._deed(cards))
        r = self.table.round
        played = hand_in(r) if r is not None and r.outcome == "settled" else None
        pots = played.pots if played is not None else []
        happened(any(pot.won for pot in pots), f"{self.table.game}: no pot was won")
        return took

    def _deed(self, cards: list[str]) -> AnyFact:
        hand, at = running(self.table), stage(self.table)
        assert hand is not None
        match at.what:
            case "blinds":
                return self._post({seat: due for seat, due in hand.due.items() if seat not in hand.posted})
            case "act":
                assert hand.betting is not None
                return Key("act", (at.place, "check" if legal(hand.betting, at.place).check else "call"))
            case "discard":
                return Key("discard", (at.place, hand.cards[at.place][-1]))
            case "burn":
                cards.pop()
                return Key("burn")
            case "deal" | "board":
                return CardRead(next_reader(self.table), cards.pop())
            case other:
                raise RuntimeError(f"{self.table.game}: a plain hand came to wait for {other}")

    def _post(self, due: dict[str, int]) -> Key:
        seat, amount = next(iter(due.items()))
        return Key("act", (seat, "post", short(amount)))


def measure() -> list[Measured]:
    """The median of some rounds, for each game."""
    out = []
    for name in sorted(GAMES):
        full, chance = (FullPokerTable if name in HOLE else FullTable)(name), random.Random(1)
        took = median(full.round(chance.sample(DECK, len(DECK))) for _ in range(ROUNDS)) * 1e6
        happened(full.table.number == ROUNDS, f"{name}: {full.table.number} of {ROUNDS} rounds were played")
        goal = OMAHA_GOAL if name in OMAHA else GOAL
        out.append(Measured(f"settlement, {name}, {full.seats} hands", took, "us", None, f"< {goal:,} us", took < goal))
    return out
