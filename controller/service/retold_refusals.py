"""Why the table refused facts of a journal that is only read.  It has only the wish: the facts are followed again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from controller.journal.errors import JournalError
from controller.journal.records import Record
from controller.journal.store import Journal
from controller.service import snapshots
from controller.service.follower import Follower
from controller.service.missing_game import GameMissing, restored
from controller.table.effects import Refused
from controller.table.state import Table

NOTHING: Final[Mapping[int, Refused]] = {}


class RetoldRefusals:
    """The refusals of one journal, for whoever reads it from the front to the back."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._follower: Follower | None = None
        self._rest: Iterator[Record] = iter(())
        self.untold: GameMissing | JournalError | None = None  # why nobody can say what was refused

    def of(self, records: Sequence[Record]) -> Mapping[int, Refused]:
        """Returns the refusals among these records by their numbers; the records come behind those of the last call."""
        if not records or self.untold is not None:
            return NOTHING
        refused: dict[int, Refused] = {}
        try:
            follower = self._follower or self._begin(records[0].seq)
            for record in records:
                while follower.seq < record.seq:
                    follower.retell(next(self._rest))
                if (why := follower.refusals.of(record.seq)) is not None:
                    refused[record.seq] = why
        except (GameMissing, JournalError) as error:
            self.untold = error
        return refused

    def _begin(self, first: int) -> Follower:
        """Returns a table at the newest snapshot before `first` that can be believed, or at the beginning."""
        self._follower = Follower(*self._before(first))
        self._rest = self._journal.iterate(self._follower.seq + 1)
        return self._follower

    def _before(self, first: int) -> tuple[Table | None, int]:
        for seq, snapshot in reversed(self._journal.snapshots()):
            if seq < first and snapshot is not None and snapshots.vouched(self._journal, snapshot):
                try:
                    return restored(snapshot.payload), seq
                except msgspec.DecodeError:
                    continue  # of another version
        return None, 0
