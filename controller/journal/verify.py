"""The full check of a journal: any record altered, removed, reordered, or cut off behind an anchor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.errors import step_for
from controller.journal.archives import beginning, check_row, devices_digest, unseen
from controller.journal.counters import StoredEvents, device_crc
from controller.journal.errors import SCHEMA, JournalError
from controller.journal.records import Anchor, Record, Row, chained, parts, unsealed
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
ANCHOR_ARCHIVED = "anchor.archived"
ARCHIVE_DIFFERS = "archive.differs"

_CHUNK = 2000


class Report(msgspec.Struct, frozen=True):
    """The result of a check.  When `ok` is false the other fields name the first thing that is wrong."""

    ok: bool
    checked: int  # sound records, from the first on that was looked at
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

    Records that left are checked in their archives, all of which must be there, when the journal has a shelf; without
    one the check begins with the first record of the file, and says which it has not seen.

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
        self.base, self.archives, self.device_events = journal.left()  # as it is now: more may leave meanwhile
        self.sealed = {named.archive.last: named.archive for named in self.archives}
        self.whole = journal.shelf is not None
        begin = beginning(journal.table) if self.whole else self.base
        self.tree = TreeCheck(journal, evidence, begin.tree)
        self.begin = self.seq = begin.seq  # the last sound record, and its hash
        self.hash, self.origin = begin.hash, begin.origin
        self.seen = {} if self.whole else dict(self.device_events)  # as the device rows must say: events, newest

    def run(self, *, alone: bool) -> Report:
        """Runs all checks, and reports the first thing that is wrong."""
        try:
            self._anchor_belongs()
            self.tree.begin()
            self._archives()
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
        notes = (*self._unseen(), *self.tree.notes(self.seq))
        return Report(ok=True, checked=self.seq - self.begin, head=self._reached(), notes=notes)

    def _report(self, code: str, first_bad: int | None, cause: str) -> Report:
        checked = self.seq - self.begin
        return Report(False, checked, self._reached(), first_bad, code, cause, step_for(code), self._unseen())

    def _unseen(self) -> tuple[str, ...]:
        return (unseen(self.archives, self.begin),) if self.begin else ()

    def _reached(self) -> Anchor:
        return Anchor(self.journal.table, self.seq, self.hash)

    def _anchor_belongs(self) -> None:
        if self.anchor and self.anchor.table != self.journal.table:
            cause = f"the anchor is of table {self.anchor.table!r}, the journal of {self.journal.table!r}"
            raise Unsound(ANCHOR_OTHER_TABLE, None, cause)
        if self.anchor and self.anchor.seq < self.begin:
            cause = f"record {self.anchor.seq} of the anchor is in an archive, which was not given"
            raise Unsound(ANCHOR_ARCHIVED, None, cause)
        self._meets_anchor(self.begin, self.hash)

    def _archives(self) -> None:
        """Checks that the archives follow each other up to the journal, and that each is the file that was sealed."""
        check_row(self.archives, self.base)
        if self.journal.shelf is not None:
            for named in self.archives:
                self.journal.shelf.check(named.archive)
        self._meets_archive(self.begin)

    def _meets_archive(self, place: int) -> None:
        """Compares what the records come to with what an archive that ends here was sealed with, and with the base."""
        archive = self.sealed.get(place)
        if archive is not None:
            come_to = self.hash, self.tree.now().root(), devices_digest(self.seen), self.origin
            if come_to != (archive.hash, archive.root, archive.devices, archive.origin):
                cause = f"the records up to {place} are not those that {archive.file} was sealed with"
                raise Unsound(ARCHIVE_DIFFERS, place, cause)
        if 0 < place == self.base.seq:
            kept = self.base.hash, self.base.tree, self.device_events, self.base.origin
            if (self.hash, self.tree.now(), self.seen, self.origin) != kept:
                cause = f"what the journal keeps of the records up to {place} is not what they come to"
                raise Unsound(ARCHIVE_DIFFERS, place, cause)

    def _chain(self) -> None:
        while self.seq < self.end:
            rows = self._next_rows(min(_CHUNK, self.end - self.seq))
            if not rows:
                raise Unsound(REMOVED, self.seq + 1, f"record {self.seq + 1} is missing")
            for row in rows:
                self._record(row)
            if self.progress:
                self.progress(self.seq, self.end)

    def _next_rows(self, limit: int) -> list[Row]:
        """Returns the rows that follow; the first ones of the file whatever their numbers are: none may be before."""
        if self.seq < self.base.seq:
            return self.journal.rows(self.seq + 1, min(limit, self.base.seq - self.seq))
        first = self.seq == self.base.seq == self.journal.base.seq
        return self.journal.rows(self.seq + 1, limit) if not first else self.journal.kept_rows(-(2**63), limit)

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
        self.seq, self.hash, self.origin = place, digest, self.origin or digest
        self._meets_archive(place)

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
