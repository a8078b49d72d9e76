"""Full tables without devices that are watched as a daemon watches them: every alert is kept."""

from __future__ import annotations

import time

from benchmarks.measure import happened
from benchmarks.settlement import FullPokerTable, FullTable
from controller.games import find, step
from controller.guard.suspicions import Suspicion
from controller.guard.watching import TableGuard
from controller.table.effects import Refused
from controller.table.facts import AnyFact, ProtectionRaised
from controller.views.record import RoundRecord
from controller.views.recorder import Recorder
from controller.views.round_notes import Happened
from controller.views.round_watch import RoundsGuard

STEP = 1_000_000  # microseconds between two facts
Alert = Suspicion | ProtectionRaised


class WatchedTable(FullTable):
    """A full table that is watched as a daemon watches it."""

    pace = STEP
    strict = True  # a fact that is refused is a mistake of the benchmark

    def __init__(self, game: str, **options: str) -> None:
        self.guard, self.rounds, self.recorder = TableGuard(), RoundsGuard(), Recorder("bench")
        self.alerts: dict[tuple[str, str], Alert] = {}
        super().__init__(game, **options)

    def tell(self, fact: AnyFact) -> float:
        """Tells a fact, and looks at the table as a daemon would."""
        self.seq += 1
        begun, before, at = time.perf_counter(), self.table, self.seq * self.pace
        self.table, effects = step(self.table, self.seq, at, fact)
        for effect in effects:
            refused = self.strict and isinstance(effect, Refused)
            happened(not refused, f"{fact} was refused: {effect}")
        for alert in self.guard.look(self.table, find(self.table.game)):
            self.alerts[alert.kind, alert.about] = alert
        for news in self.recorder.follow(Happened(self.seq, at, "", fact, before, self.table, effects)):
            for raised in self.rounds.follow(news) if isinstance(news, RoundRecord) else ():
                self.alerts[raised.kind, raised.about] = raised
        return time.perf_counter() - begun


class WatchedPokerTable(WatchedTable, FullPokerTable):
    """The same of a table where players play each other."""
