"""How often game protection is wrong: fair rounds of all games, with everything watched, and the shoes of a long time.

Nothing in here is wrong on purpose, so every alert is a false one.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

import msgspec

from benchmarks import honest_dealers
from benchmarks.honest_dealers import LOW, Habits, HonestTable
from benchmarks.measure import Measured, happened
from benchmarks.watched import WatchedPokerTable, WatchedTable
from controller.cards import DECK
from controller.games import GAMES
from controller.guard.order import OrderWatch
from controller.poker.hand.course import HOLE
from controller.table.facts import CuttingCard

ROUNDS = int(os.environ.get("FELT_ALARMS", "100"))  # of each game
TAKES = int(os.environ.get("FELT_TAKES", ROUNDS))  # of each game whose takes and pays are counted
MINUTES = float(os.environ.get("FELT_ALARMS_MINUTES", "inf"))  # for the fair rounds: so many as there is time for
BATCH = 100  # rounds of one game between two looks at the clock
YEAR = 60 * 24 * 365  # rounds of a table that is never closed, one a minute
SECONDS = 30.0  # of shoes


def play(game: str, rounds: int, seed: int) -> WatchedTable:
    """Plays fair rounds."""
    *_, table = itertools.islice(course(game, seed), rounds)
    return table


def course(game: str, seed: int) -> Iterator[WatchedTable]:
    """Yields a table after each of its fair rounds; a shoe of several decks lasts until its cutting card."""
    table = (WatchedPokerTable if game in HOLE else WatchedTable)(game)
    chance, decks = random.Random(seed), table.table.options.typed.decks
    shoe: list[str] = []
    while True:
        shoe = _shuffled(shoe, decks, chance)
        table.round(shoe)
        if decks > 1 and len(shoe) < LOW:
            table.tell(CuttingCard())
        yield table


def fair(rounds: int, minutes: float) -> tuple[int, Counter[str]]:
    """Plays rounds of each game, or those there is time for: how many of each were played, and all alerts by kind."""
    courses = {game: course(game, n) for n, game in enumerate(sorted(GAMES))}
    played, until, alerts = 0, time.monotonic() + minutes * 60, dict[str, Counter[str]]()
    while played < rounds and (not played or time.monotonic() < until):
        batch = min(BATCH, rounds - played)
        for game, rest in courses.items():
            *_, table = itertools.islice(rest, batch)
            happened(table.table.number == played + batch, f"{game}: {table.table.number} rounds were played")
            alerts[game] = Counter(kind for kind, _ in table.alerts)
        played += batch
        print(f"{played} rounds of each game: {sum(map(Counter.total, alerts.values()))} alerts", file=sys.stderr)
    return played, sum(alerts.values(), Counter())


def _shuffled(shoe: list[str], decks: int, chance: random.Random) -> list[str]:
    """Returns the cards of the next round: those that are left of a shoe, or fresh ones."""
    return chance.sample(DECK * decks, len(DECK) * decks) if decks == 1 or len(shoe) < LOW else shoe


def takes(game: str, rounds: int, seed: int, habits: Habits) -> HonestTable:
    """Plays fair rounds whose dealer takes and pays rightly, with random wagers and habits."""
    table, chance = HonestTable(game, habits), random.Random(seed)
    decks, shoe = table.table.options.typed.decks, list[str]()
    for _ in range(rounds):
        shoe = _shuffled(shoe, decks, chance)
        honest_dealers.play_round(table, shoe, chance)
    happened(table.table.number >= rounds, f"{game}: {table.table.number} of {rounds} rounds were played")
    happened(bool(table.worked), f"{game}: the dealer worked in none of the ways that are tried")
    return table


def measure() -> list[Measured]:
    """Counts the false alarms of all games, and looks at shoes for half a minute."""
    each, alerts = fair(ROUNDS, MINUTES)
    played = each * len(GAMES)
    note = f"{played} rounds of {len(GAMES)} games, full tables, fair cards: {dict(alerts) or 'no alert'}"
    least = 3 * YEAR / played  # nothing in n trials: with 95 % the rate is below 3/n
    cards, wrong = _shoes(SECONDS)
    honest, coloured = _takes(Habits()), _takes(Habits(exchanged=5, swapped=5))
    return [
        Measured("false alarms in fair rounds", alerts.total(), "alerts", None, "0", not alerts.total(), note),
        Measured("false alarms a year, at most (95 %)", least, "alerts", note="what so many rounds can show"),
        Measured("false alarms of the order of cards", wrong, "alerts", None, "0", not wrong, f"{cards:,} fair cards"),
        honest,
        msgspec.structs.replace(coloured, what=f"{coloured.what}, stakes exchanged too", goal="", met=None),
    ]


def _takes(habits: Habits) -> Measured:
    """Counts the false alarms of honest takes and pays in all games against the house."""
    games = sorted(set(GAMES) - set(HOLE))
    tables = [takes(game, TAKES, n, habits) for n, game in enumerate(games)]
    alerts, worked = Counter[str](), Counter[str]()
    for table in tables:
        alerts.update(kind for kind, _ in table.alerts)
        worked.update(table.worked)
    note = f"{TAKES * len(games)} rounds of {len(games)} games; {dict(alerts) or 'no alert'}; {dict(worked)}"
    return Measured("false alarms of takes and pays", alerts.total(), "alerts", None, "0", not alerts.total(), note)


def _shoes(seconds: float) -> tuple[int, int]:
    chance, until = random.Random(1), time.monotonic() + seconds
    cards = wrong = 0
    before, earlier = list(DECK), list(DECK)
    while time.monotonic() < until:
        shoe, watch = chance.sample(DECK, len(DECK)), OrderWatch(1, before, earlier)
        for card in shoe:
            watch.draw(card)
        cards, wrong = cards + len(shoe), wrong + (watch.alarm is not None)
        before, earlier = shoe, before
    happened(cards > 0, "no shoe was looked at")
    return cards, wrong
