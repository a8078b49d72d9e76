"""Whole hands of poker a second, act by act and each act checked, beside pokerkit on the same hands in the same run."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time
from typing import Any

import msgspec
import pokerkit

from benchmarks.measure import Measured, happened
from controller.cards import DECK
from controller.poker.hand.betting import active, legal, total
from controller.poker.state import Structure
from controller.poker.words import Act, Limit
from tests.poker.playout import Playout

HANDS = 100
TURNS = 5  # the two engines take turns, and the best of each counts
PLAYERS = 6
BLINDS = (50, 100)
STACKS = (2000, 5000, 10_000)
GOAL = 50
ALIKE = 0.9  # of all hands; the others are those in which the document differs from pokerkit (docs/poker.md)

_BY_HAND = (pokerkit.Automation.HOLE_DEALING, pokerkit.Automation.BOARD_DEALING, pokerkit.Automation.CARD_BURNING)
_AUTOMATIONS = tuple(a for a in pokerkit.Automation if a not in _BY_HAND)


class Kind(msgspec.Struct, frozen=True):
    """A game on both sides."""

    name: str
    game: str
    limit: Limit
    hole: int
    theirs: Any


KINDS = (
    Kind("no-limit hold'em", "holdem", "no-limit", 2, pokerkit.NoLimitTexasHoldem),
    Kind("pot-limit Omaha", "omaha", "pot", 4, pokerkit.PotLimitOmahaHoldem),
)


class Recorded(msgspec.Struct, frozen=True):
    """A hand that both engines play."""

    stacks: dict[str, int]
    acts: list[tuple[Act, int]]
    hands: dict[str, list[str]]
    board: list[str]
    burns: list[str]


def record(kind: Kind, chance: random.Random) -> Recorded:
    stacks = {str(n): chance.choice(STACKS) for n in range(PLAYERS)}
    play, acts = begun(kind, stacks), []
    while play.turn is not None:
        acts.append(decided(play, chance))
        play.act(*acts[-1])
    deck = chance.sample(DECK, len(DECK))
    hands = {seat: [deck.pop() for _ in range(kind.hole)] for seat in stacks}
    return Recorded(stacks, acts, hands, deck[:5], deck[5:8])


def begun(kind: Kind, stacks: dict[str, int]) -> Playout:
    return Playout(kind.game, [Structure(kind.limit, BLINDS[-1])] * 4, stacks, BLINDS)


def decided(play: Playout, chance: random.Random) -> tuple[Act, int]:
    b, seat = play.betting, play.turn
    assert seat is not None
    may = legal(b, seat)
    words: list[Act] = ["check" if may.check else "call"] * 2
    if not may.check:
        words.append("fold")
    answered = any(total(b, other) > b.level for other in active(b) if other != seat)
    if may.raise_to is not None and answered:  # pokerkit offers no raise that nobody can call
        words.append("raise")
    word = chance.choice(words)
    if word == "raise":
        assert may.raise_to is not None
        least, most = may.raise_to
        return word, chance.choice((least, min(3 * least, most), most))
    return word, 0


def ours(kind: Kind, hand: Recorded) -> list[int]:
    play = begun(kind, hand.stacks)
    for word, to in hand.acts:
        play.act(word, to)
    play.finish(hand.hands, hand.board)
    return list(play.stacks.values())


def theirs(kind: Kind, hand: Recorded) -> list[int]:
    stacks = tuple(hand.stacks.values())
    state = kind.theirs.create_state(_AUTOMATIONS, True, 0, BLINDS, BLINDS[-1], stacks, PLAYERS)
    for cards in hand.hands.values():
        state.deal_hole("".join(cards))
    acts, burns = iter(hand.acts), iter(hand.burns)
    while state.status:
        if state.actor_index is None:
            dealt = len(state.board_cards)
            state.burn_card(next(burns))
            state.deal_board("".join(hand.board[dealt : dealt + (1 if dealt else 3)]))
            continue
        word, to = next(acts, ("check", 0))  # it may ask who has nobody left to bet against
        if word == "fold":
            state.fold()
        elif word == "raise":
            state.complete_bet_or_raise_to(to)
        else:
            state.check_or_call()
    return list(state.stacks)


def best(play: Callable[[Kind, Recorded], object], kind: Kind, hands: list[Recorded], so_far: float) -> float:
    """Hands a second of processor time: what else runs on the machine would hit the slower engine more often."""
    began = process_time()
    for hand in hands:
        play(kind, hand)
    return max(so_far, len(hands) / (process_time() - began))


def measure() -> list[Measured]:
    """For each game."""
    lines = []
    for kind in KINDS:
        chance = random.Random(kind.name)
        hands = [record(kind, chance) for _ in range(HANDS)]
        same = sum(ours(kind, hand) == theirs(kind, hand) for hand in hands)
        happened(same >= ALIKE * HANDS, f"{kind.name}: only {same} of {HANDS} hands were paid as pokerkit pays them")
        ourselves = floor = 0.0
        for _ in range(TURNS):
            ourselves = best(ours, kind, hands * GOAL, ourselves)  # for about as long
            floor = best(theirs, kind, hands, floor)
        acts = sum(len(hand.acts) for hand in hands) / HANDS
        lines.append(
            Measured(
                f"poker hands, {kind.name}, {PLAYERS} players",
                ourselves,
                "/s",
                floor,
                f">= {GOAL} x pokerkit",
                ourselves >= GOAL * floor,
                f"{acts:.1f} acts a hand; {same} of {HANDS} hands paid the same to the cent",
            )
        )
    return lines
