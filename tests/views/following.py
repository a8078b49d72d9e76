"""Records of rounds in a test: facts in short words, each of them followed."""

from __future__ import annotations

from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.views.record import RoundRecord
from controller.views.recorder import LaterLines, News, Recorder
from controller.views.round_notes import Happened
from tests.table.telling import Telling

SECOND = 1_000_000


class Following(Telling):
    """Tells facts, a second apart, and keeps what is recorded of the rounds."""

    def __init__(self, game: str = "casino-war", **options: str) -> None:
        self.recorder = Recorder("T1", self._defect)
        self.news: list[News] = []
        super().__init__(game, **options)

    def _defect(self, number: int, bug: Exception) -> None:
        raise bug

    def tell(self, fact: AnyFact) -> list[AnyEffect]:
        before = self.table
        effects = super().tell(fact)
        self.news += self.recorder.follow(Happened(self.seq, self.at, "", fact, before, self.table, effects))
        self.at += SECOND
        return effects

    @property
    def records(self) -> list[RoundRecord]:
        return [news for news in self.news if isinstance(news, RoundRecord)]

    @property
    def last(self) -> RoundRecord:
        return self.records[-1]

    @property
    def later(self) -> list[LaterLines]:
        return [news for news in self.news if isinstance(news, LaterLines)]
