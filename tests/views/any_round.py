"""Rounds of every game without devices, with players who do not always do the same: for what must hold at each step."""

from __future__ import annotations

import random
from collections.abc import Iterator

from controller.cards import DECK
from controller.games import house_game
from controller.house.game import HouseGame
from controller.house.layout import look
from controller.money import short
from controller.places import area_of
from controller.poker.hand.betting import legal
from controller.poker.hand.course import stage
from controller.poker.money.stacks import running
from controller.poker.room.blinds import next_hand
from controller.poker.view import next_reader
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact, CardOut, CardRead, Chips, DeviceFault, DeviceLost, DeviceReady, Key, Spot
from controller.table.requests import Cards, Choice, Settle
from controller.table.rules import Rules
from controller.table.state import Table
from tests.table.telling import Telling

Step = tuple[AnyFact, Table, Rules, list[AnyEffect]]
SLIPS = ("exposed dealer", "exposed 1", "misdeal", "void", "settle", "fold 2")  # pressed now and then, right or wrong


class AnyTable(Telling):
    """A table at which somebody plays; each step of a round can be looked at."""

    def __init__(self, game: str, seed: int, **options: str) -> None:
        super().__init__(game, **options)
        self.chance = random.Random(seed)
        self.cards: list[str] = []

    def step(self, fact: AnyFact) -> Step:
        effects = self.tell(fact)
        return fact, self.table, self.game, effects

    def rounds(self, count: int) -> Iterator[Step]:
        """Yields every step of so many rounds."""
        yield from self._begin()
        for _ in range(count):
            self.cards = self.chance.sample(DECK, len(DECK))
            for _ in range(400):
                fact = self._next()
                if fact is None:
                    break
                yield self.step(fact)
                if self.chance.random() < 0.03:
                    yield from self._trouble()

    def _trouble(self) -> Iterator[Step]:
        """Something that goes wrong, and is mended."""
        slip = self.chance.choice(SLIPS).split()
        cable: list[AnyFact] = [DeviceLost("shoe", "link.silent", "no answer"), DeviceReady("shoe")]
        jam: list[AnyFact] = [DeviceFault("shoe", "shoe.jam", self.cards[0] if self.cards else "")]
        key: list[AnyFact] = [Key(slip[0], tuple(slip[1:]))]
        facts = [key, cable, jam]
        for fact in self.chance.choice(facts):
            yield self.step(fact)

    def _begin(self) -> Iterator[Step]:
        for words in ("checked", "shuffled", "cut"):
            yield self.step(Key(words))
        if not isinstance(self.game, HouseGame):
            for seat in range(1, 5):
                self.key(f"seat {seat} stack=500")

    def _next(self) -> AnyFact | None:
        if self.table.talk is not None or self.table.holds:
            return None
        return self._house() if isinstance(self.game, HouseGame) else self._poker()

    # ---- against the house

    def _house(self) -> AnyFact | None:
        game, r = house_game(self.table.game), self.table.round
        f = look(self.table, game)
        if f is None or r is None or not r.closed:
            return self._bets(game)
        order = (Choice, Settle, Cards)
        request = next((q for kind in order for q in f.waiting if isinstance(q, kind)), None)
        if isinstance(request, Choice):
            if request.words and self.chance.random() < 0.5:
                word = self.chance.choice(request.words)
                return Key(word.key, (request.place, *word.args))
            return Chips(area_of(request.place), (Spot(request.spot, 1, request.amount),))
        if isinstance(request, Settle):
            return Key("settle")
        return CardOut(self.cards.pop()) if isinstance(request, Cards) and self.cards else None

    def _bets(self, game: HouseGame) -> AnyFact | None:
        r, least = self.table.round, self.table.options.typed.min
        if r is not None and not r.outcome and len(r.wagers) >= 3:
            return Key("no-more-bets")
        if r is not None and r.outcome and self.cards != [] and len(self.cards) < len(DECK):
            return None  # the round of these cards is over
        area = 1 + len(r.wagers) if r is not None and not r.outcome else 1
        return Chips(area, tuple(Spot(spot, 1, least) for spot in game.opening))

    # ---- against each other

    def _poker(self) -> AnyFact | None:
        hand = running(self.table)
        if hand is None:
            if len(self.cards) < len(DECK):
                return None
            seat, amount = next(iter(next_hand(self.table).posts.items()))
            self.cards.pop()
            return Key("act", (seat, "post", short(amount)))
        at = stage(self.table)
        match at.what:
            case "blinds":
                seat, amount = next((s, due) for s, due in hand.due.items() if s not in hand.posted)
                return Key("act", (seat, "post", short(amount)))
            case "act":
                assert hand.betting is not None
                may = legal(hand.betting, at.place)
                calm = "check" if may.check else "call"
                return Key("act", (at.place, "fold" if self.chance.random() < 0.2 else calm))
            case "discard":
                return Key("discard", (at.place, hand.cards[at.place][-1]))
            case "burn":
                return Key("burn")
            case "deal" | "board":
                return CardRead(next_reader(self.table), self.cards.pop())
            case "over":
                return Key("settle")
        return None
