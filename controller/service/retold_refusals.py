"""Why the table refused facts of a journal.  It has only the wish: the facts are followed again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from controller.journal.errors import JournalError
from controller.journal.records import Record
from controller.journal.store import Journal
from controller.service import snapshots
from controller.service.closed_cards import CardsClosed
from controller.service.follower import Follower
from controller.service.missing_game import GameMissing
from controller.service.round_store import Waypoint
from controller.table.effects import Refused

NOTHING: Final[Mapping[int, Refused]] = {}


def _no_waypoint(_before: int) -> Waypoint:
    return Waypoint()


def _no_rest() -> None:
    pass


class RetoldRefusals:
    """The refusals of one journal, quickest for whoever reads it from the front to the back.

    `waypoint` gives a table that was kept before a fact, and `rest` is called after each fact that is followed.  With
    `far` only so many facts are followed for one answer: of records that stand farther apart the last ones are told.
    """

    def __init__(
        self,
        journal: Journal,
        waypoint: Callable[[int], Waypoint] = _no_waypoint,
        rest: Callable[[], None] = _no_rest,
        far: int | None = None,
    ) -> None:
        self._journal, self._waypoint, self._rest, self._far = journal, waypoint, rest, far
        self._follower: Follower | None = None
        self._ahead: Iterator[Record] = iter(())
        self._lock = threading.Lock()
        self.untold: GameMissing | CardsClosed | JournalError | None = None  # why nobody can say what was refused

    def of(self, records: Sequence[Record]) -> Mapping[int, Refused]:
        """Returns the refusals among these records by their numbers; the records are in order."""
        if not records or self.untold is not None:
            return NOTHING
        if self._far is not None:
            records = [record for record in records if records[-1].seq - record.seq < self._far]
        refused: dict[int, Refused] = {}
        with self._lock:
            try:
                self._follow(records, refused)
            except (GameMissing, CardsClosed, JournalError) as error:
                self.untold = error
        return refused

    def _follow(self, records: Sequence[Record], refused: dict[int, Refused]) -> None:
        """Follows these records, and all between them; adds those that were refused."""
        follower = self._before(records[0].seq)
        if self._far is not None and records[0].seq - follower.seq > self._far:
            return
        for record in records:
            while follower.seq < record.seq:
                follower.retell(next(self._ahead))
                self._rest()
            if (why := follower.refusals.of(record.seq)) is not None:
                refused[record.seq] = why

    def _before(self, first: int) -> Follower:
        """Returns a table before `first`: the one that follows, or one that was kept and is nearer."""
        now = self._follower
        if now is not None and now.seq >= first:
            now = None
        kept = self._kept(first, 0 if now is None else now.seq)
        if kept is not None or now is None:
            self._follower = now = kept or Follower()
            self._ahead = self._journal.iterate(now.seq + 1)
        return now

    def _kept(self, first: int, behind: int) -> Follower | None:
        """Returns the newest table that was kept before `first` and can be believed; None when none is `behind`."""
        waypoint = self._waypoint(first)
        for seq, snapshot in reversed(self._journal.snapshots()):
            if not max(waypoint.seq, behind) < seq < first or snapshot is None:
                continue
            if (
                snapshots.vouched(self._journal, snapshot)
                and (table := self._restored(snapshot.payload, seq)) is not None
            ):
                return table
        return self._restored(waypoint.state, waypoint.seq) if waypoint.seq > behind else None

    def _restored(self, state: bytes, seq: int) -> Follower | None:
        try:
            return Follower(snapshots.table_of(self._journal, state), seq)
        except msgspec.DecodeError:
            return None  # of another version, or its key is not there
