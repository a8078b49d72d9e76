"""The full check of a journal: any record altered, removed, reordered, or cut off behind an anchor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.errors import step_for
from controller.journal.counters import StoredEvents, device_crc
from controller.journal.errors import SCHEMA, JournalError
from controller.journal.records import Anchor, Record, Row, chained, genesis, parts, unsealed
from controller.journal.store import Journal
from controller.journal.verify_tree import NOTHING, Evidence, TreeCheck, Unsound

ALTERED = "record.altered"
REMOVED = "record.removed"
REORDERED = "record.reordered"
REPEATED = "record.repeated"
UNCHAINED = "record.unchained"
TRUNCATED = "journal.truncated"
DEVICES = "journal.devices"
ANCHOR_MISMATCH = "anchor.mismatch"
ANCHOR_OTHER_TABLE = "anchor.other-table"

_CHUNK = 2000


class Report(msgspec.Struct, frozen=True):
    """The result of a check.  When `ok` is false the other fields name the first thing that is wrong."""

    ok: bool
    checked: int  # sound records, from the first on
    head: Anchor  # the last sound record
    first_bad: int | None = None
    code: str = ""
    cause: str = ""
    next_step: str = ""
    notes: tuple[str, ...] = ()  # what is worth knowing and no trouble


def verify(
    journal: Journal | Path,
    anchor: Anchor | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    alone: bool = False,
    evidence: Evidence = NOTHING,
) -> Report:
    """Checks every record; `progress` gets (records checked, records to check) now and then.

    `evidence`: a checkpoint that was kept elsewhere, and the key that must have signed it.

    An open journal is checked up to its head of this moment while it goes on growing, unless nobody else has it
    (`alone`); a path must be free.

    Raises JournalError only when there is no journal to check (locked, foreign, newer, unreadable header).
    """
    if isinstance(journal, Journal):
        return _Check(journal, anchor, evidence, progress).run(alone=alone)
    opened = Journal.inspect(journal)
    try:
        return _Check(opened, anchor, evidence, progress).run(alone=True)
    finally:
        opened.close()


def export_anchor(journal: Journal | Path) -> Anchor:
    """Returns the head of the journal, to be kept somewhere else."""
    if isinstance(journal, Journal):
        return Anchor(journal.table, *journal.head)
    opened = Journal.inspect(journal)
    try:
        return export_anchor(opened)
    finally:
        opened.close()


class _Check:
    def __init__(
        self,
        journal: Journal,
        anchor: Anchor | None,
        evidence: Evidence,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.journal = journal
        self.anchor = anchor
        self.progress = progress
        self.end = journal.head.seq
        self.tree = TreeCheck(journal, evidence)
        self.seq = 0  # the last sound record, and its hash
        self.hash = genesis(journal.table)
        self.seen: dict[tuple[str, int], tuple[StoredEvents, int]] = {}  # as the device rows must say: events, newest

    def run(self, *, alone: bool) -> Report:
        """Runs all checks, and reports the first thing that is wrong."""
        try:
            self._anchor_belongs()
            self.tree.begin()
            self._chain()
            self._end()
            self._tables()
            if alone:
                self._devices()
                self._pages()
        except Unsound as bad:
            return self._report(bad.code, bad.seq, bad.cause)
        except JournalError as error:  # SQLite could not even read on
            first_bad = self.seq + 1 if self.seq < self.end else None
            why = self.journal.strange()  # then that is the cause of it
            return self._report(SCHEMA if why else error.code, first_bad, why or error.cause)
        return Report(ok=True, checked=self.seq, head=self._reached(), notes=self.tree.notes(self.seq))

    def _report(self, code: str, first_bad: int | None, cause: str) -> Report:
        return Report(False, self.seq, self._reached(), first_bad, code, cause, step_for(code))

    def _reached(self) -> Anchor:
        return Anchor(self.journal.table, self.seq, self.hash)

    def _anchor_belongs(self) -> None:
        if self.anchor and self.anchor.table != self.journal.table:
            cause = f"the anchor is of table {self.anchor.table!r}, the journal of {self.journal.table!r}"
            raise Unsound(ANCHOR_OTHER_TABLE, None, cause)
        self._meets_anchor(0, self.hash)

    def _chain(self) -> None:
        while self.seq < self.end:
            rows = self.journal.rows(self.seq + 1 if self.seq else -(2**63), min(_CHUNK, self.end - self.seq))
            if not rows:
                raise Unsound(REMOVED, self.seq + 1, f"record {self.seq + 1} is missing")
            for row in rows:
                self._record(row)
            if self.progress:
                self.progress(self.seq, self.end)

    def _record(self, row: Row) -> None:
        place = self.seq + 1
        stands_as, sealed = row
        if stands_as != place:
            raise Unsound(REMOVED, place, f"record {place} is missing; the next one there is {stands_as}")
        record = unsealed(sealed)
        if record is None:
            raise Unsound(ALTERED, place, f"record {place} does not match its checksum")
        if record.seq != place:
            raise Unsound(REORDERED, place, f"what stands as record {place} was written as record {record.seq}")
        body, stored = parts(sealed)
        digest = chained(self.hash, body)
        if digest != stored:
            raise Unsound(UNCHAINED, place, f"record {place} does not follow from record {self.seq}")
        self._meets_anchor(place, digest)
        self.tree.take(place, body)
        self._count(record)
        self.seq, self.hash = place, digest

    def _count(self, record: Record) -> None:
        if not record.device:
            return
        source = (record.device, record.epoch)
        seen, _ = self.seen.get(source, (StoredEvents(), 0))
        if seen.has(record.counter):
            cause = f"record {record.seq} repeats event {record.counter} of device {record.device}"
            raise Unsound(REPEATED, record.seq, cause)
        self.seen[source] = (seen.plus(record.counter), record.seq)

    def _meets_anchor(self, place: int, digest: bytes) -> None:
        if self.anchor and place == self.anchor.seq and digest != self.anchor.hash:
            cause = f"record {place} is sound in itself but not the one the anchor was exported from"
            raise Unsound(ANCHOR_MISMATCH, place, cause)

    def _end(self) -> None:
        marks = [*self.journal.marks(), *self.tree.marks(), *([("the anchor", self.anchor.seq)] if self.anchor else [])]
        for what, seq in marks:
            # An open journal grows while it is checked, so compare with where it ends now.
            if seq > self.journal.head.seq:
                cause = f"{what} stands on record {seq}, but the journal ends at {self.seq}"
                raise Unsound(TRUNCATED, self.seq + 1, cause)
        self.tree.end(self.seq)

    def _tables(self) -> None:
        if why := self.journal.strange():
            raise Unsound(SCHEMA, None, f"the records are sound, but {why}")

    def _devices(self) -> None:
        """Checks the stored counters of the devices; only when nobody appends meanwhile."""
        expected = [
            (
                device,
                epoch,
                seen.counter,
                gaps := seen.gaps_text(),
                seq,
                device_crc(device, epoch, seen.counter, gaps, seq),
            )
            for (device, epoch), (seen, seq) in sorted(self.seen.items(), key=lambda item: item[1][1])
        ]
        if self.journal.device_rows() != expected:
            raise Unsound(DEVICES, None, "what the journal says of the devices' counters is not what its records say")

    def _pages(self) -> None:
        if problem := self.journal.check_pages():
            raise JournalError("journal.corrupt", f"the records are sound, but the file is not: {problem}")
