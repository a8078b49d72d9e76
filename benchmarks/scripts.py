"""How fast scripts are played: every deed as bytes through simulated devices, in virtual time."""

from __future__ import annotations

import statistics
import time

from benchmarks.measure import Measured, happened
from controller.script import parse
from controller.script.play import play

ROUNDS = 150
REPEATS = 3
START_REPEATS = 50
GOAL = 50.0  # rounds a second
START_GOAL = 30.0  # milliseconds


def _seconds(script: str, rounds: int = 0) -> float:
    began = time.perf_counter()
    played = play("bench", parse(script, "bench").runs[0])
    took = time.perf_counter() - began
    (table,) = played.tables.values()
    happened(table.number == rounds, f"{table.number} of {rounds} rounds were played")
    return took


def _rate(players: int) -> float:
    """Rounds a second, the start of the table left out."""
    opening = f"table casino-war shoe=csm seats=9\nseat {','.join(str(n) for n in range(1, players + 1))}\n"
    return ROUNDS / (_seconds(f"{opening}play {ROUNDS}\n", ROUNDS) - _seconds(opening))


def measure() -> list[Measured]:
    lines = []
    for players in (1, 7):
        rate = statistics.median(_rate(players) for _ in range(REPEATS))
        what = f"script rounds, {players} player{'s' if players > 1 else ''}"
        lines.append(Measured(what, rate, "/s", None, f">= {GOAL:g} /s", rate >= GOAL, "through twelve devices"))
    start = statistics.mean(_seconds("table casino-war seats=9\n") for _ in range(START_REPEATS)) * 1e3
    note = "a table with nine seats opens and closes; the mean, garbage collection included"
    lines.append(Measured("shortest script", start, "ms", None, f"< {START_GOAL:g} ms", start < START_GOAL, note))
    return lines
