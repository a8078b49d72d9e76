"""Takes the step of a fact while the disk makes the fact durable, instead of after it.

A step changes nothing but what it returns, so one that was taken in vain is simply forgotten: the table still follows a
fact only when it is on record.
"""

from __future__ import annotations

from typing import NamedTuple

from controller.games import step
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table


class _Foreseen(NamedTuple):
    """A step that was taken, and of what."""

    table: Table
    seq: int
    at: int
    fact: AnyFact
    result: tuple[Table, list[AnyEffect]]


class Foresight:
    """The step of the one fact that is on its way to the journal; none when there are several."""

    def __init__(self) -> None:
        self._expected: tuple[int, AnyFact] | None = None
        self._foreseen: _Foreseen | None = None

    def expect(self, at: int, fact: AnyFact) -> None:
        """Notes the fact that will be followed next, and its time."""
        self._expected, self._foreseen = (at, fact), None

    def look_ahead(self, table: Table, seq: int) -> Table | None:
        """Takes the step of the fact that is expected: it will be number `seq`, on this table.

        Returns the table that it will come to; None when nothing is expected, or the step cannot be taken.
        """
        if self._expected is None:
            return None
        (at, fact), self._expected = self._expected, None
        try:
            self._foreseen = _Foreseen(table, seq, at, fact, step(table, seq, at, fact))
        except Exception:  # it is met again, and told, when the fact is on record
            self._foreseen = None
            return None
        return self._foreseen.result[0]

    def seen(self, table: Table, seq: int, at: int, fact: AnyFact) -> tuple[Table, list[AnyEffect]] | None:
        """Returns the table after a fact that is on record, and its effects, if it was foreseen; None if not."""
        seen, self._foreseen, self._expected = self._foreseen, None, None
        if seen is not None and seen.table is table and seen.fact is fact and (seen.seq, seen.at) == (seq, at):
            return seen.result
        return None
