"""The part of a journal's check that goes by its rounds: each is told again, and compared with the index of rounds.

The index is what people read: what every wager came to, and by which rule.  The journal has only what happened, so the
settlements are computed anew from it.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import msgspec

from controller.counts import many
from controller.journal.store import Journal
from controller.service.closed_cards import CardsClosed
from controller.service.missing_game import GameMissing
from controller.service.retelling import settled_again
from controller.service.round_store import RoundsDamaged, RoundStore, StoredRound
from controller.service.snapshots import our_version
from controller.views import record as form
from controller.views.float_form import FloatEntry
from controller.views.record import RoundRecord

Progress = Callable[[int, int], None]
# By whoever keeps it, after trouble with its disk.
OPENED_ANEW: Final = "the index of rounds was opened anew meanwhile, and not compared: check once more"


class Difference(NamedTuple):
    """A round of which the index says something else than the facts: the record that opened it, and what differs."""

    seq: int
    cause: str


class RoundCheck:
    """Tells the rounds of a journal again, up to where the index is, and compares."""

    def __init__(self, journal: Journal, store: RoundStore, end: int, progress: Progress | None) -> None:
        self.notes: list[str] = []
        self._journal, self._store, self._progress = journal, store, progress
        self._end = min(end, store.position.seq)
        self._retold: dict[int, tuple[bytes, str]] = {}  # by the record that opened it: the round, and by which version
        self._floats: dict[int, FloatEntry] = {}  # by their records
        self._others: set[str] = set()  # versions that settled otherwise
        self._complete = True

    def difference(self) -> Difference | None:
        """Returns the first round that differs; None when none does."""
        try:
            self._tell_again()
            return self._compare() or self._compare_floats()
        except (sqlite3.Error, msgspec.DecodeError, zlib.error, RoundsDamaged):
            if self._store.closed:
                self.notes.append(OPENED_ANEW)
                return None
            return Difference(0, "the index of rounds cannot be read")

    def _tell_again(self) -> None:
        try:
            for record, version in settled_again(self._journal, self._end, self._progress):
                if isinstance(record, FloatEntry):
                    self._floats[record.at.seq] = record
                elif record.ended is not None and record.opened.seq > self._store.gone:
                    self._retold[record.opened.seq] = zlib.compress(form.encode(record), 1), version
        except (CardsClosed, GameMissing):  # the check of the states has said which
            self._complete = False
            self.notes.append("rounds that could not be told again were not compared with the index of rounds")

    def _compare(self) -> Difference | None:
        compared = 0
        for kept in self._store.stored():
            record = kept.record
            if record.last > self._end:
                self._retold.pop(record.opened.seq, None)
                continue  # it was kept, or changed, while we looked
            packed, version = self._retold.pop(kept.columns[0], (b"", ""))
            if not packed:
                if self._complete:
                    return Difference(record.opened.seq, f"the index has a round {record.number} that never was")
                continue
            wrong = ", ".join(_different(kept, StoredRound.of(form.decode(zlib.decompress(packed)))))
            if not wrong:
                compared += 1
            elif version == our_version():
                cause = f"round {record.number} in the index of rounds is not what the facts come to: {wrong}"
                return Difference(record.opened.seq, cause)
            else:
                self._others.add(version or "unknown")
        gone = self._store.gone  # read behind the rounds: what was let go while we looked is not missed
        for opened in filter(lambda opened: opened > gone, self._retold):
            return Difference(opened, f"the index of rounds lacks the round that record {opened} opened")
        self.notes.append(f"{many(compared, 'round')} settled again: the index of rounds says the same")
        for version in sorted(self._others):
            self.notes.append(f"rounds of version {version} differ from what this version makes of them")
        return None

    def _compare_floats(self) -> Difference | None:
        kept = {each.at.seq: each for each in self._store.floats() if each.at.seq <= self._end}
        if not self._complete:
            return None
        for seq in sorted(kept.keys() | self._floats.keys()):
            if kept.get(seq) != self._floats.get(seq):
                return Difference(seq, "what the index says of the float is not what the facts come to")
        return None


def _different(kept: StoredRound, retold: StoredRound) -> Iterator[str]:
    """Yields the fields that differ, by name: what they say may be secret to whoever reads a report."""
    for name in RoundRecord.__struct_fields__:
        if getattr(kept.record, name) != getattr(retold.record, name):
            yield name.replace("_", " ")
    if kept.columns != retold.columns:
        yield "the line in the list"
