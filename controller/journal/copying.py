"""A second copy of the journal on another disk: the same records with the same hashes, some moments behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.errors import FeltError
from controller.journal.copy_check import CopyCheck
from controller.journal.errors import JournalError
from controller.journal.records import Entry, Record
from controller.journal.store import Journal

MISSING = "copy.missing"
DIFFERS = "copy.differs"
UNWRITABLE = "copy.unwritable"
UNUSABLE = "copy.unusable"
BATCH = 200  # records in memory at once
_DAMAGED = ("journal.corrupt", "journal.foreign", "journal.newer", "journal.other-table")


class JournalCopy:
    """The copy, opened when it can be; one thread uses it.

    It is a journal of its own: whoever has only the copy can verify it, read it and put it in the journal's place.
    """

    def __init__(self, journal: Journal, path: Path) -> None:
        self._journal, self._path = journal, path
        self._copy: Journal | None = None
        self._file: tuple[int, int] = (0, 0)  # which file was opened: a stick that comes back is another one
        self._check = CopyCheck(journal)
        self._trouble: tuple[FeltError, tuple[int, int]] | None = None  # what was wrong in the middle, of which file

    @property
    def copied(self) -> int:
        """The newest record that the copy has; 0 while it is not open."""
        return self._copy.head.seq if self._copy is not None else 0

    def go_on(self) -> bool:
        """Copies the next records; tells whether there are more.  Raises FeltError when it cannot."""
        self.check_trouble()
        with self._closed_on_trouble():
            copy = self._opened()
        check_same_course(self._journal, copy, self._path)
        records = self._journal.read_stored(copy.head.seq + 1, BATCH)
        with self._closed_on_trouble():
            copy.append([_entry(record) for record in records])
        return copy.head.seq < self._journal.head.seq

    def check_trouble(self) -> None:
        """Raises FeltError when something was wrong in the middle of the file that stands there."""
        if self._trouble is not None and self._trouble[1] == _identity(self._path):
            raise self._trouble[0]

    def look_again(self) -> None:
        """Reads the next slice of the copy; raises FeltError when it is not as it was written.

        So does every `go_on` then: the copy is closed, so that it is one file, and nothing more is copied until that
        was moved away.
        """
        if self._copy is None:
            return
        try:
            differs = self._check.go_on(self._copy)
            code = DIFFERS
        except JournalError as error:
            differs, code = error.cause, UNUSABLE
        if differs:
            trouble = FeltError(code, f"{self._path}: {differs}")
            self._trouble = trouble, self._file
            self.close()
            raise trouble

    def close(self) -> None:
        """Closes the copy; harmless twice, and whatever its disk says."""
        copy, self._copy = self._copy, None
        if copy is not None:
            try:
                copy.close()
            except JournalError:
                return  # what was copied is durable; the rest is copied again

    @contextmanager
    def _closed_on_trouble(self) -> Iterator[None]:
        """Closes the copy after any trouble with it, so that the next attempt begins anew, and names that."""
        try:
            yield
        except JournalError as error:
            self.close()
            code = UNUSABLE if error.code in _DAMAGED else UNWRITABLE
            raise FeltError(code, f"{self._path}: {error.cause}") from error

    def _opened(self) -> Journal:
        """Returns the copy, which is still the file that stands there."""
        if self._copy is not None and self._file == _identity(self._path):
            return self._copy
        self.close()
        if not self._path.parent.is_dir():
            raise FeltError(MISSING, f"there is no folder {self._path.parent}")
        copy = self._copy = Journal.open(self._path, table=self._journal.table)
        self._file = _identity(self._path)
        return copy


def check_same_course(journal: Journal, copy: Journal, path: Path) -> None:
    """Raises FeltError when a copy is not the beginning of this journal, which its newest hash proves."""
    seq, digest = copy.head
    if seq > journal.head.seq:
        raise FeltError(DIFFERS, f"{path} has {seq} records, and the journal only {journal.head.seq}")
    if journal.hash_at(seq) != digest:
        raise FeltError(DIFFERS, f"record {seq} of {path} is another one than in the journal")


def _entry(record: Record) -> Entry:
    return Entry(record.at_us, record.payload, record.device, record.epoch, record.counter)


def _identity(path: Path) -> tuple[int, int]:
    """Returns which file stands at a path; (0, 0) for none."""
    try:
        info = path.stat()
    except OSError:
        return (0, 0)
    return info.st_dev, info.st_ino
