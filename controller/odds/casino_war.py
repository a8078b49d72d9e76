"""Casino War: every pair of ranks, and every second pair after a tie, weighed by how often they come from the shoe."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from controller.cards import RANKS
from controller.odds.progress import Progress
from controller.odds.rounds import Move, Rounds


def tie(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns the expected net of the Tie wager by itself."""
    return sum((chance * _net(rounds, "tie", [pair]) for pair, chance in _pairs(rounds, "")), Fraction(0))


def war(rounds: Rounds, progress: Progress) -> Fraction:
    """Returns the expected net of the Casino War wager, and after a tie of the better of surrender and war."""
    expected = Fraction(0)
    for done, (pair, chance) in enumerate(_pairs(rounds, "")):
        progress(done, len(RANKS) ** 2)
        expected += chance * (_after_tie(rounds, pair) if pair[0] == pair[1] else _net(rounds, "war", [pair]))
    return expected


def _after_tie(rounds: Rounds, tied: str) -> Fraction:
    start = {"1": [f"{tied[0]}c"], "dealer": [f"{tied[1]}d"]}
    values = []
    for decision in rounds.decisions(["war"], start):
        if not isinstance(decision, int):
            values.append(_net(rounds, "war", [tied], decision))
        else:
            seconds = _pairs(rounds, tied)
            values.append(sum((p * _net(rounds, "war", [tied, pair], decision) for pair, p in seconds), Fraction(0)))
    return max(values)


def _net(rounds: Rounds, spot: str, pairs: list[str], *decisions: Move) -> Fraction:
    """Returns what a wager nets with these cards, in units of the stake; suits do not matter."""
    cards = {"1": [f"{pair[0]}c" for pair in pairs], "dealer": [f"{pair[1]}d" for pair in pairs]}
    return Fraction(rounds.settle([spot], cards, decisions).total, rounds.stake)


def _pairs(rounds: Rounds, gone: str) -> Iterator[tuple[str, Fraction]]:
    """Yields the ranks of player and dealer from a full shoe without some cards, each with how likely it is."""
    each = 4 * rounds.options.decks
    cards = each * len(RANKS) - len(gone)
    for players, dealers in product(RANKS, repeat=2):
        first = each - gone.count(players)
        second = each - gone.count(dealers) - (players == dealers)
        yield players + dealers, Fraction(first * second, cards * (cards - 1))
