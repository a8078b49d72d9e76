"""A round with everything in it, told as deeds at devices, and the settlement it must come to."""

from __future__ import annotations

from typing import Any

Deed = tuple[str, str, tuple[Any, ...]]  # device, verb, arguments

OPTIONS = {"seats": "3"}

# Two areas, three bettors, a tie, a war, a surrender; the cutting card comes out on the way.
DEEDS: list[Deed] = [
    ("sensor.1", "bet", ({"war": 1000, "tie": 500},)),
    ("sensor.2", "bet", ({"war": 2000},)),
    ("sensor.2", "bet", ({"war.2": 600},)),
    ("console", "press", ("no-more-bets",)),
    ("shoe", "draw", ("Kh",)),
    ("shoe", "draw", ("9d",)),
    ("shoe", "draw", ("cut",)),
    ("shoe", "draw", ("Ks",)),
    ("console", "press", ("settle",)),
    ("sensor.1", "bet", ({"go-to-war": 1000},)),
    ("shoe", "draw", ("Qd",)),
    ("shoe", "draw", ("4c",)),
    ("console", "press", ("settle",)),
]

LINES = {
    ("1", "tie"): ("win", 5000, "5.9"),
    ("2", "war"): ("lose", -2000, "5.7.2"),
    ("2.2", "war"): ("lose", -600, "5.7.2"),
    ("1", "war"): ("stand-off", 0, "5.7.4"),
    ("1", "go-to-war"): ("win", 1000, "5.8.1"),
}
