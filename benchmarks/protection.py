"""How often game protection is wrong: fair rounds of all games, with everything watched, and the shoes of a long time.

Nothing in here is wrong on purpose, so every alert is a false one.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter

from benchmarks.measure import Measured, happened
from benchmarks.settlement import FullPokerTable, FullTable
from controller.cards import DECK
from controller.games import GAMES, find, step
from controller.guard.order import OrderWatch
from controller.guard.suspicions import Suspicion
from controller.guard.watching import TableGuard
from controller.poker.hand.course import HOLE
from controller.table.effects import Refused
from controller.table.facts import AnyFact, CuttingCard, ProtectionRaised
from controller.views.record import RoundRecord
from controller.views.recorder import Recorder
from controller.views.round_notes import Happened
from controller.views.round_watch import RoundsGuard

ROUNDS = int(os.environ.get("FELT_ALARMS", "100"))  # of each game
YEAR = 60 * 24 * 365  # rounds of a table that is never closed, one a minute
SECONDS = 30.0  # of shoes
LOW = 60  # cards that are left when the cutting card comes
STEP = 1_000_000  # microseconds between two facts
Alert = Suspicion | ProtectionRaised


class WatchedTable(FullTable):
    """A full table that is watched as a daemon watches it."""

    def __init__(self, game: str) -> None:
        self.guard, self.rounds, self.recorder = TableGuard(), RoundsGuard(), Recorder("bench")
        self.alerts: dict[tuple[str, str], Alert] = {}
        super().__init__(game)

    def tell(self, fact: AnyFact) -> float:
        """Tells a fact, and looks at the table as a daemon would."""
        self.seq += 1
        begun, before, at = time.perf_counter(), self.table, self.seq * STEP
        self.table, effects = step(self.table, self.seq, at, fact)
        for effect in effects:
            happened(not isinstance(effect, Refused), f"{fact} was refused: {effect}")
        for alert in self.guard.look(self.table, find(self.table.game)):
            self.alerts[alert.kind, alert.about] = alert
        for news in self.recorder.follow(Happened(self.seq, at, "", fact, before, self.table, effects)):
            for raised in self.rounds.follow(news) if isinstance(news, RoundRecord) else ():
                self.alerts[raised.kind, raised.about] = raised
        return time.perf_counter() - begun


class WatchedPokerTable(WatchedTable, FullPokerTable):
    """The same of a table where players play each other."""


def play(game: str, rounds: int, seed: int) -> WatchedTable:
    """Plays fair rounds; a shoe of several decks lasts until its cutting card."""
    table = (WatchedPokerTable if game in HOLE else WatchedTable)(game)
    chance, decks = random.Random(seed), table.table.options.typed.decks
    shoe: list[str] = []
    for _ in range(rounds):
        if decks == 1 or len(shoe) < LOW:
            shoe = chance.sample(DECK * decks, len(DECK) * decks)
        table.round(shoe)
        if decks > 1 and len(shoe) < LOW:
            table.tell(CuttingCard())
    return table


def measure() -> list[Measured]:
    """Counts the false alarms of all games, and looks at shoes for half a minute."""
    alerts: Counter[str] = Counter()
    for n, game in enumerate(sorted(GAMES)):
        alerts.update(kind for kind, _ in play(game, ROUNDS, n).alerts)
    played = ROUNDS * len(GAMES)
    note = f"{played} rounds of {len(GAMES)} games, full tables, fair cards: {dict(alerts) or 'no alert'}"
    least = 3 * YEAR / played  # nothing in n trials: with 95 % the rate is below 3/n
    cards, wrong = _shoes(SECONDS)
    return [
        Measured("false alarms in fair rounds", alerts.total(), "alerts", None, "0", not alerts.total(), note),
        Measured("false alarms a year, at most (95 %)", least, "alerts", note="what so many rounds can show"),
        Measured("false alarms of the order of cards", wrong, "alerts", None, "0", not wrong, f"{cards:,} fair cards"),
    ]


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
    return cards, wrong
