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

# A hand of Hold'em between three players: blinds, a raise, a fold, chips pushed forward, a showdown.
POKER_DEEDS: list[Deed] = [
    ("console", "press", ("seat", "1-3", "stack=500")),
    ("console", "press", ("act", "1", "post", "5")),
    ("console", "press", ("act", "2", "post", "10")),
    ("reader.1", "lay", ("Kh",)),
    ("reader.2", "lay", ("9c",)),
    ("reader.3", "lay", ("As",)),
    ("reader.1", "lay", ("7d",)),
    ("reader.2", "lay", ("9d",)),
    ("reader.3", "lay", ("Ad",)),
    ("console", "press", ("act", "3", "raise", "30")),
    ("console", "press", ("act", "1", "fold")),
    ("console", "press", ("act", "2", "call")),
    ("console", "press", ("burn",)),
    ("reader.board", "lay", ("2c",)),
    ("reader.board", "lay", ("5h",)),
    ("reader.board", "lay", ("Jd",)),
    ("sensor.2", "push", (2500, 500)),
    ("console", "press", ("act", "3", "call")),
    ("console", "press", ("burn",)),
    ("reader.board", "lay", ("3s",)),
    ("console", "press", ("act", "2", "check")),
    ("console", "press", ("act", "3", "check")),
    ("console", "press", ("burn",)),
    ("reader.board", "lay", ("9h",)),
    ("console", "press", ("act", "2", "check")),
    ("console", "press", ("act", "3", "check")),
    ("console", "press", ("settle",)),
]

POKER_STAKES = {"1": 49_500, "2": 56_500, "3": 44_000}
