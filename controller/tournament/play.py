"""What a table in a tournament keeps beside its game: the word of the record, and what it has to tell the record."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from controller.places import Place
from controller.table.documents import TournamentRules
from controller.table.facts import Chips, TournamentSeat, TournamentTold
from controller.table.rules import Rules
from controller.table.state import Table
from controller.tournament.reports import AnyReport


class TournamentPlay(msgspec.Struct, omit_defaults=True):
    """The tournament as one table knows it.  It changes only inside one step."""

    latest: TournamentTold  # the newest word of the record
    now: TournamentTold  # what is in force: while a round runs, what was in force when it began
    before: dict[str, str]  # the options that the tournament has changed, as they were
    began: int = 0  # the number of the last round that has begun
    ended: int = 0  # and that is over
    settled: dict[Place, int] = {}  # what the last round came to, as the record knows it
    players: dict[Place, str] = {}  # who played in it, and where
    practised: bool = False  # it was for practice
    session: int = 0  # of which it was a round
    absent: list[Place] = []  # need not wager
    passing: list[Place] = []  # do not wager in this round
    all_in: list[Place] = []
    covered: dict[Place, Chips] = {}  # secret wagers of which nobody knows yet
    secrets: list[Place] = []  # who has made one in this round
    numbered: int = 0  # reports so far
    outbox: list[AnyReport] = []  # those that the record does not have yet

    @property
    def unrecorded(self) -> bool:
        """Whether the record does not know yet what came of the last round."""
        return self.numbered > self.latest.recorded

    def seat(self, place: Place) -> TournamentSeat | None:
        """Returns who plays at a place, or has played there."""
        return self.seats.get(place)

    def gone(self, place: Place) -> bool:
        """Tells whether who plays at a place is out: since the round began, too."""
        return any(seat.out for seat in (*self.now.seats, *self.latest.seats) if seat.place == place)

    @property
    def seats(self) -> Mapping[Place, TournamentSeat]:
        """Who plays where, or has played."""
        return {seat.place: seat for seat in self.now.seats}


def play_in(t: Table) -> TournamentPlay | None:
    """Returns the tournament of a table; None when it is in none."""
    return t.mode.read(TournamentPlay)


def chapter(game: Rules) -> TournamentRules:
    """Returns what the document of a game says of tournaments; raises LookupError when it says nothing."""
    if (rules := game.document.tournaments) is None:
        raise LookupError(f"the document of {game.name} knows no tournaments")
    return rules
