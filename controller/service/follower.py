"""Follows the facts of a journal, one after the other, and keeps the table that they come to."""

from __future__ import annotations

from collections import deque

import structlog

from controller.errors import FeltError
from controller.games import find, step
from controller.journal.records import Record
from controller.service.closed_cards import followed_fact
from controller.service.disclosure import Disclosure
from controller.service.error_place import error_place
from controller.service.missing_game import playable
from controller.service.refusals import Refusals
from controller.table.effects import AnyEffect, Defective
from controller.table.facts import Amend, AnyFact, Started
from controller.table.rules import Rules
from controller.table.state import Table

log = structlog.get_logger()


class Follower:
    """The table as the facts have it that were followed so far.  It writes nothing."""

    def __init__(self, table: Table | None = None, seq: int = 0) -> None:
        self.table = Table() if table is None else table
        self.seq = seq  # of the last record
        self.steps = 0  # that were taken since the last snapshot
        self.defect: FeltError | None = None  # facts go on being recorded, but act on nothing any more
        self.defects: deque[str] = deque(maxlen=100)  # facts that the table could not follow: refused, or held
        self.disclosure = Disclosure()  # which cards of the facts are public
        self.refusals = Refusals(seq)

    @property
    def game(self) -> Rules:
        """The rules of the game that is played."""
        return find(self.table.game)

    def follow(self, record: Record, fact: AnyFact) -> list[AnyEffect]:
        """Lets a fact that is on record act on the table; returns its effects, none when it could not be followed."""
        self.seq = record.seq
        if self.defect is not None:
            return []
        steps = 1 + len(self.table.history) if isinstance(fact, Amend) else 1  # a correction tells the round again
        try:
            self.table, effects = self._taken(record, fact)
        except Exception as bug:
            self._stop(record, fact, bug)
            return []
        for failed in effects:
            if isinstance(failed, Defective):
                self.defects.append(f"fact {record.seq} ({failed.fact}) could not be followed: {failed.what}")
                log.error("table.defect", cause=self.defects[-1])
        self.steps += steps
        self.refusals.add(record.seq, effects)
        self.disclosure.follow(record.seq, fact, self.table)
        return effects

    def _taken(self, record: Record, fact: AnyFact) -> tuple[Table, list[AnyEffect]]:
        """Returns what the table comes to with this fact, and its effects."""
        return step(self.table, record.seq, record.at_us, fact)

    def replay(self, record: Record) -> None:
        """Follows a record once more; raises GameMissing or CardsClosed where nobody knows what it means."""
        fact = followed_fact(record)
        if isinstance(fact, Started):
            playable(fact.game)
        self.follow(record, fact)

    def retell(self, record: Record) -> None:
        """Replays a record that is only looked at: what it makes public is on record already, or never will be."""
        self.replay(record)
        self.disclosure.take_due()

    def _stop(self, record: Record, fact: AnyFact, bug: Exception) -> None:
        """Lets nothing act any more until a person has looked: never guess on.  Everything is still recorded."""
        self.defect = FeltError(
            "table.defect",
            f"fact {record.seq} ({type(fact).__name__}) could not be followed: {type(bug).__name__}",
            "keep the cards and chips as they are and call the technician: felt doctor",
        )
        self.defect.__cause__ = bug
        log.error("table.defect", cause=self.defect.cause, what=error_place(bug))
