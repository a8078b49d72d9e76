"""Rounds of random cards told to the real table, fact by fact, for what they settle."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from controller.cards import DECK
from controller.games import step
from controller.house.layout import lay_out
from controller.odds.rounds import Deal, Move
from controller.places import DEALER
from controller.table.facts import AnyFact, CardOut, Chips, Key, Spot
from controller.table.requests import Cards, Choice, Settle
from controller.table.telling import COMMUNITY
from tests.table.telling import Telling

STAKE = 100
SIZES = {
    "casino-war": {"1": 2, DEALER: 2},
    "three-card-poker": {"1": 3, DEALER: 3},
    "caribbean-stud": {"1": 5, DEALER: 5},
    "mississippi-stud": {"1": 2, COMMUNITY: 3},
    "ultimate-texas-holdem-nsw": {"1": 2, DEALER: 2, COMMUNITY: 5},
    "ultimate-texas-holdem-vic": {"1": 2, DEALER: 2, COMMUNITY: 5},
    "wsop-bonus-holdem": {"1": 2, DEALER: 2, COMMUNITY: 5},
}


class Quick(Telling):
    """Without the checks after every fact: they have tests of their own."""

    def tell(self, fact: AnyFact) -> list:  # type: ignore[type-arg]
        self.seq += 1
        self.table, effects = step(self.table, self.seq, self.at, fact)
        return effects


class Played(NamedTuple):
    """What was decided, and what the table settled: net by spot."""

    decisions: tuple[Move, ...]
    net: dict[str, int]


def random_deal(game: str, chance: random.Random) -> Deal:
    """Different cards for everybody; in Casino War often a tie, from several decks."""
    if game == "casino-war":
        ranks = chance.choices("23456789TJQKA", k=4)
        if chance.random() < 0.6:
            ranks[1] = ranks[0]
        if chance.random() < 0.3:
            ranks[3] = ranks[2]
        return {"1": [f"{ranks[0]}c", f"{ranks[2]}d"], DEALER: [f"{ranks[1]}h", f"{ranks[3]}s"]}
    sizes = SIZES[game]
    cards = iter(chance.sample(DECK, sum(sizes.values())))
    return {place: [next(cards) for _ in range(size)] for place, size in sizes.items()}


def at_the_table(game: str, wagers: Sequence[str], deal: Deal, chance: random.Random, **options: str) -> Played:
    """Chips, keys and cards as they come at a table; decisions are left to chance."""
    t = Quick(game, **options)
    t.tell(Chips(1, tuple(Spot(spot, 1, 100 * STAKE) for spot in wagers)))
    t.tell(Key("no-more-bets"))
    decisions: list[Move] = []
    while t.table.round is not None and not t.table.round.outcome:
        felt = lay_out(t.table, t.table.round, t.game)
        choice = next((q for q in felt.waiting if isinstance(q, Choice)), None)
        card = next((q for q in felt.waiting if isinstance(q, Cards)), None)
        if choice is not None:
            amounts = sorted({choice.amount, *choice.amounts})
            either: list[Move] = [*choice.words, *(a // (100 * STAKE) for a in amounts)]
            move = chance.choice(either)
            decisions.append(move)
            if isinstance(move, int):
                t.tell(Chips(1, (Spot(choice.spot, 1, move * 100 * STAKE),)))
            else:
                t.tell(Key(move.key, ("1", *move.args)))
        elif card is not None:
            t.tell(CardOut(deal[card.place][len(felt.hands.get(card.place, []))]))
        else:
            assert any(isinstance(q, Settle) for q in felt.waiting), felt.waiting
            t.tell(Key("settle"))
    assert t.table.round is not None and t.table.round.outcome == "settled"
    net: dict[str, int] = {}
    for line in t.table.round.lines:
        net[line.spot] = net.get(line.spot, 0) + line.net
    return Played(tuple(decisions), net)
