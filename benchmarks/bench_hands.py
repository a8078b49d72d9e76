"""Nanoseconds per hand of the rankings, beside phevaluator (C behind Python) on the same hands in the same run."""

from __future__ import annotations

import random
import sys
import time
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import phevaluator  # noqa: E402
import pytest  # noqa: E402

from controller.cards import DECK  # noqa: E402
from controller.hands import best, best_omaha, best_three, five, low, omaha, three  # noqa: E402
from controller.hands.cards import ints  # noqa: E402

HANDS = 20_000
ROUNDS = 7

_chance = random.Random(52)
NINE = [tuple(_chance.sample(DECK, 9)) for _ in range(HANDS)]
NUMBERS = [ints(cards) for cards in NINE]
THEIRS = [tuple(phevaluator.Card.to_id(card) for card in cards) for cards in NINE]  # its own integers: no parsing

Case = tuple[Callable[..., Any], list[tuple[Any, ...]]]  # what is called, and the arguments of each call

CASES: dict[str, Case] = {
    "5 cards": (five.rank, [(cards[:5],) for cards in NUMBERS]),
    "5 cards, phevaluator": (phevaluator.evaluate_cards, [cards[:5] for cards in THEIRS]),
    "7 cards": (five.rank, [(cards[:7],) for cards in NUMBERS]),
    "7 cards, phevaluator": (phevaluator.evaluate_cards, [cards[:7] for cards in THEIRS]),
    "7 cards as text": (best, [(cards[:7],) for cards in NINE]),
    "7 cards as text, phevaluator": (phevaluator.evaluate_cards, [cards[:7] for cards in NINE]),
    "3 cards": (three.rank, [(cards[:3],) for cards in NUMBERS]),
    "3 cards as text": (best_three, [(cards[:3],) for cards in NINE]),
    "low of 7": (low.rank, [(cards[:7],) for cards in NUMBERS]),
    "Omaha": (omaha.rank, [(cards[:4], cards[4:]) for cards in NUMBERS]),
    "Omaha as text": (best_omaha, [(cards[:4], cards[4:]) for cards in NINE]),
    "Omaha, phevaluator": (phevaluator.evaluate_omaha_cards, [cards[4:] + cards[:4] for cards in THEIRS]),
    "Omaha low": (omaha.rank_low, [(cards[:4], cards[4:]) for cards in NUMBERS]),
}


def run(name: str) -> None:
    call, hands = CASES[name]
    for hand in hands:
        call(*hand)


def tight(hands: list[tuple[int, ...]]) -> None:
    rank = five.rank
    [rank(hand) for hand in hands]


def nanoseconds(work: Callable[[], None]) -> float:
    """The best of a few rounds, per hand: the others measure who else uses the machine."""
    work()
    took = []
    for _ in range(ROUNDS):
        began = time.perf_counter_ns()
        work()
        took.append(time.perf_counter_ns() - began)
    return min(took) / HANDS


def making() -> tuple[int, float, float]:
    """What five cards make, as at every start: entries of the tables, seconds, megabytes."""
    began = time.perf_counter()
    five.rankings()
    five.flushes()
    took = time.perf_counter() - began
    tracemalloc.start()
    tables = five.rankings(), five.flushes()
    megabytes = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    return sum(map(len, tables)), took, megabytes


def test_the_same_hand_wins() -> None:
    """What is timed on both sides is the same work; a low number of phevaluator is a high hand."""
    for (ours, theirs), (other, their_other) in pairwise(zip(NUMBERS[:2000], THEIRS[:2000], strict=True)):
        wins = phevaluator.evaluate_cards(*theirs[:7]) < phevaluator.evaluate_cards(*their_other[:7])
        assert (five.rank(ours[:7]) > five.rank(other[:7])) == wins
        wins = phevaluator.evaluate_omaha_cards(*theirs[4:], *theirs[:4]) < phevaluator.evaluate_omaha_cards(
            *their_other[4:], *their_other[:4]
        )
        assert (omaha.rank(ours[:4], ours[4:]) > omaha.rank(other[:4], other[4:])) == wins


@pytest.mark.parametrize("name", CASES)
def test_speed(benchmark: Any, name: str) -> None:
    run(name)
    benchmark.extra_info["hands"] = HANDS
    benchmark(run, name)


def main() -> None:
    sevens = [cards[:7] for cards in NUMBERS]
    print(f"{'7 cards, list comprehension':32}{nanoseconds(lambda: tight(sevens)):8.0f} ns")
    for name in CASES:
        print(f"{name:32}{nanoseconds(lambda name=name: run(name)):8.0f} ns")  # type: ignore[misc]
    entries, seconds, megabytes = making()
    print(f"the tables of {entries} hands are made in {seconds * 1e3:.0f} ms and take {megabytes:.1f} MB")


if __name__ == "__main__":
    main()
