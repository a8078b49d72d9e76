"""The hold'em decisions on a few boards, against the same decisions worked out card by card.

With only the boards that are a royal flush, or four cards of one and a deuce of another suit, the flops, turns and
rivers are few enough to list, and there is something to decide everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any, TypeAlias

import numpy as np
import pytest

from controller.cards import DECK, SUITS
from controller.hands import Category, best
from controller.house.state import CHECK, FOLD
from controller.odds import holdem, showdown, ultimate, wsop_bonus
from controller.odds.deck import Kinds
from controller.odds.progress import silent
from controller.odds.rounds import Move, Rounds
from controller.places import DEALER
from controller.table.telling import COMMUNITY

Cards: TypeAlias = frozenset[str]
Line: TypeAlias = tuple[Move, ...]
Worth: TypeAlias = Callable[[Cards, Cards, Line], int]  # board, hole cards, decisions -> net against all dealers

BOARDS = (["Ac", "Kc", "Qc", "Jc", "Tc"], ["Ac", "Kc", "Qc", "Jc", "2d"])
WEIGHTS = (4, 12)


@pytest.fixture(autouse=True)
def few_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = np.array([sorted(DECK.index(card) for card in board) for board in BOARDS])
    few = Kinds(sets, np.array(WEIGHTS))
    monkeypatch.setattr(holdem, "kinds", lambda cards: few)
    monkeypatch.setattr(showdown, "kinds", lambda cards: few)


def renamed(cards: Cards, suits: dict[str, str]) -> Cards:
    return frozenset(card[0] + suits[card[1]] for card in cards)


def listed() -> dict[Cards, tuple[Cards, dict[str, str]]]:
    """All the boards; each with the one of BOARDS that it is, and how suits are called there."""
    found = {}
    for board in map(frozenset, BOARDS):
        for order in permutations(SUITS):
            back = dict(zip(order, SUITS, strict=True))
            there = {there: here for here, there in back.items()}
            found[renamed(board, there)] = board, back
    assert len(found) == sum(WEIGHTS)
    return found


@cache
def compared() -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Each pair of hole cards beside BOARDS: its category and how all dealers compare; and a deal of every kind."""
    against: dict[Any, Any] = {}
    example: dict[Any, Any] = {}
    for board in map(frozenset, BOARDS):
        pairs = map(frozenset, combinations([card for card in DECK if card not in board], 2))
        hands = [(pair, best([*pair, *board])) for pair in pairs]
        dealers = [(pair, hand, hand.category >= Category.PAIR) for pair, hand in hands]
        for mine, hand in hands:
            counts: dict[tuple[int, bool], int] = {}
            for theirs, other, qualifies in dealers:
                if mine.isdisjoint(theirs):
                    outcome = (hand > other) - (hand < other), qualifies
                    if outcome not in counts:
                        example[hand.category, *outcome] = mine, theirs, board
                    counts[outcome] = counts.get(outcome, 0) + 1
            against[board, mine] = hand.category, counts
    return against, example


def worth(rounds: Rounds, wagers: list[str]) -> Worth:
    """Settled by the game, against all dealers."""
    boards, (against, example) = listed(), compared()
    net: dict[tuple[object, ...], int] = {}

    def price(kind: tuple[object, ...], line: Line) -> int:
        if (kind, line) not in net:
            mine, theirs, board = example[kind]
            deal = {"1": sorted(mine), DEALER: sorted(theirs), COMMUNITY: sorted(board)}
            net[kind, line] = rounds.settle(wagers, deal, line).total
        return net[kind, line]

    def value(board: Cards, mine: Cards, line: Line) -> int:
        known, back = boards[board]
        category, counts = against[known, renamed(mine, back)]
        return sum(count * price((category, *outcome), line) for outcome, count in counts.items())

    return value


def hole_cards() -> list[tuple[Cards, int]]:
    """One pair of each kind, and how many there are of it: these boards do not know the names of suits either."""
    found: dict[object, list[Cards]] = {}
    for a, b in combinations(DECK, 2):
        found.setdefault((frozenset(a[0] + b[0]), a[1] == b[1]), []).append(frozenset((a, b)))
    return [(pairs[0], len(pairs)) for pairs in found.values()]


def beside(mine: Cards, boards: list[Cards]) -> list[Cards]:
    return [board for board in boards if not board & mine]


def within(boards: list[Cards], cards: int) -> set[Cards]:
    return {frozenset(c) for board in boards for c in combinations(sorted(board), cards)}


def test_ultimate() -> None:
    rounds, wagers = Rounds("ultimate-texas-holdem-nsw"), ["ante", "blind"]
    value, total = worth(rounds, wagers), 0
    for mine, times in hole_cards():
        boards = beside(mine, list(listed()))
        at_once = max(10 * sum(value(b, mine, (n,)) for b in boards) for n in (3, 4))
        waiting = 0
        for flop in within(boards, 3):
            later = [b for b in boards if flop <= b]
            bet = sum(value(b, mine, (CHECK, 2)) for b in later)
            end = sum(max(value(b, mine, (CHECK, CHECK, d)) for d in (1, FOLD)) for b in later)
            waiting += max(bet, end)
        total += times * max(at_once, waiting)
    expected = Fraction(total, comb(52, 2) * comb(50, 5) * 10 * comb(45, 2) * rounds.stake)
    assert ultimate.ante(rounds, silent) == expected


def test_wsop_bonus() -> None:
    rounds, wagers = Rounds("wsop-bonus-holdem"), ["ante"]
    value, total = worth(rounds, wagers), 0
    for mine, times in hole_cards():
        boards = beside(mine, list(listed()))
        fold = 20 * sum(value(b, mine, (FOLD,)) for b in boards)
        stay = 0
        for flop in within(boards, 3):
            turns = [t for t in within([b for b in boards if flop <= b], 4) if flop <= t]
            stay += max(
                sum(
                    max(sum(value(b, mine, (2, bet, r)) for b in boards if turn <= b) for r in (CHECK, 1))
                    for turn in turns
                )
                for bet in (CHECK, 1)
            )
        total += times * max(fold, stay)
    expected = Fraction(total, comb(52, 2) * comb(50, 5) * 20 * comb(45, 2) * rounds.stake)
    assert wsop_bonus.ante(rounds, silent) == expected
