"""Makes a sound journal from a damaged one and its copy: every record that both of them prove, in one chain."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, NoReturn

from controller.errors import FeltError
from controller.journal.archives import not_at_hand
from controller.journal.checkpoints import KeptCheckpoint
from controller.journal.database import sync_directory
from controller.journal.errors import LOCKED, JournalError
from controller.journal.growth import leaves_between
from controller.journal.records import Entry, Record, chained, genesis, parts, unsealed
from controller.journal.shelf import Shelf
from controller.journal.store import Journal
from controller.journal.tree import Frontier
from controller.journal.verify import Report, verify

NOT_SOUND = "repair.copy"
NO_MEETING = "repair.differs"
NOT_NEEDED = "repair.sound"
UNWRITABLE = "repair.unwritable"
_BATCH = 500
_MODES = 0o666  # that a journal can have: who else may read or write it, and nothing more


class Repaired(NamedTuple):
    """What a repair did."""

    records: int  # of the new journal
    from_copy: int  # how many of them only the copy had
    behind: int  # readable records of the damaged file that nothing ties to the chain any more
    kept: Path = Path()  # the damaged file, as it was


def repair(damaged: Path, copy: Path, shelf: Shelf | None = None) -> Repaired:
    """Puts a sound journal in the place of a damaged one; its daemon must be stopped.

    It begins with record 1 again: `shelf` has the archives of those that have left both.  The damaged file is kept
    beside it, with its log.  Raises FeltError, and has changed nothing, when the copy is not sound or the two do not
    belong together.
    """
    fresh, kept = damaged.with_name(f"{damaged.name}.repaired"), _name_for(damaged)
    try:
        _keep(damaged, kept)  # first: whoever opens a journal may change its log
        _check(damaged, copy, shelf)
        _remove(fresh)
        done = _merged(damaged, copy, fresh, shelf)
    except OSError as error:
        _remove(fresh, kept)
        raise FeltError(UNWRITABLE, f"{error.filename or damaged}: {error.strerror or error}") from error
    except BaseException:
        _remove(fresh, kept)
        raise
    _put(fresh, damaged)
    return done._replace(kept=kept)


def _check(damaged: Path, copy: Path, shelf: Shelf | None) -> None:
    """Raises FeltError where there is nothing to repair, or nothing to repair it with."""
    if _is_sound(damaged):
        raise FeltError(NOT_NEEDED, f"{damaged} is sound")
    report = verify(copy)
    if not report.ok:
        raise FeltError(NOT_SOUND, f"{copy}: {report.cause}")
    with closing(Journal.inspect(copy)) as second:
        second.shelf = shelf
        if second.begins > 1:
            raise not_at_hand(second.archives[0].archive, 1)


def _is_sound(path: Path) -> bool:
    """Tells whether a journal is sound; not so where it cannot be opened.  Raises JournalError when it is in use."""
    try:
        return verify(path).ok
    except JournalError as error:
        if error.code == LOCKED:
            raise
        return False


def _merged(damaged: Path, copy: Path, fresh: Path, shelf: Shelf | None) -> Repaired:
    """Writes the records of both into a new file, and checks it."""
    second = Journal.inspect(copy)
    first = _inspected(damaged)
    second.shelf = shelf
    try:
        merge = _Merge(first, second, damaged)
        report = _written(merge, Journal.open(fresh, table=second.table))
        behind = merge.behind()
    finally:
        second.close()
        if first is not None:
            first.close()
    if not report.ok or report.head.hash != merge.hash:
        raise FeltError(UNWRITABLE, f"{fresh} is not what was written: {report.cause}")
    return Repaired(report.checked, merge.from_copy, behind)


def _written(merge: _Merge, journal: Journal) -> Report:
    """Writes the records into a new journal, closes it, and returns what its check says."""
    try:
        batch: list[Entry] = []
        for record in merge.records():
            batch.append(Entry(record.at_us, record.payload, record.device, record.epoch, record.counter))
            if len(batch) == _BATCH:
                journal.append(batch)
                batch = []
        journal.append(batch)
        report = verify(journal, alone=True)
        _keep_checkpoints(journal, merge.checkpoints())
        return report
    finally:
        journal.close()


def _keep_checkpoints(journal: Journal, kept: list[KeptCheckpoint]) -> None:
    """Takes over the checkpoints that fit: what they prove, and what stands behind a clean stop, is found as before."""
    tree = Frontier()
    for each in kept:
        if each.seq > journal.head.seq:
            return
        tree = tree.plus(leaves_between(journal, tree.size, each.seq))
        if each.frontier == tree:
            journal.keep_checkpoint(each)


def _inspected(path: Path) -> Journal | None:
    """Returns the damaged journal; None where nothing of it can be read."""
    try:
        return Journal.inspect(path)
    except JournalError:
        return None


class _Merge:
    """Goes through both journals at once, and takes each record from whichever has it sound and in the chain."""

    def __init__(self, first: Journal | None, second: Journal, damaged: Path) -> None:
        if first is not None and first.table != second.table:
            raise FeltError(NO_MEETING, f"{damaged} is of table {first.table!r}, the copy of {second.table!r}")
        self._first, self._second, self._damaged = first, second, damaged
        self.seq, self.hash, self.from_copy = 0, genesis(second.table), 0

    def records(self) -> Iterator[Record]:
        """Yields the records of the chain.  Raises FeltError where both have one at a place, and not the same.

        Behind a hole the damaged journal proves nothing by itself; but its records must lead on from those of the copy.
        """
        astray = 0  # the first record from which on it did not
        while True:
            ours, theirs = self._next(self._first), self._next(self._second)
            if ours is not None and theirs is not None and ours != theirs:
                self._refuse(self.seq + 1)
            proved = ours or theirs
            if proved is None:
                break
            if ours is not None:
                astray = 0
            elif not self._says(proved[1]):
                astray = astray or self.seq + 1
            self.from_copy += ours is None
            record, self.hash = proved
            self.seq = record.seq
            yield record
        if astray:
            self._refuse(astray)

    def _refuse(self, seq: int) -> NoReturn:
        raise FeltError(NO_MEETING, f"record {seq} is another one in {self._damaged} than in the copy")

    def _says(self, digest: bytes) -> bool:
        """Tells whether the damaged journal has this hash at the place that follows, or nothing that can be read."""
        sealed = self._sealed(self._first)
        return unsealed(sealed) is None or parts(sealed)[1] == digest

    def behind(self) -> int:
        """Returns how many readable records of the damaged journal lie behind the end of the chain."""
        return max(0, (self._first.head.seq if self._first is not None else 0) - self.seq)

    def checkpoints(self) -> list[KeptCheckpoint]:
        """Returns the checkpoints of the damaged journal that can be read, the smallest first."""
        try:
            return [
                kept for _, kept in (self._first.checkpoints() if self._first is not None else ()) if kept is not None
            ]
        except JournalError:
            return []

    def _next(self, journal: Journal | None) -> tuple[Record, bytes] | None:
        """Returns the record that follows, with its hash, if this journal has it sound."""
        sealed = self._sealed(journal)
        record = unsealed(sealed)
        if record is None or record.seq != self.seq + 1:
            return None
        body, digest = parts(sealed)
        return (record, digest) if chained(self.hash, body) == digest else None

    def _sealed(self, journal: Journal | None) -> bytes:
        """Returns what a journal has at the place that follows; nothing where its page is gone."""
        try:
            rows = journal.rows(self.seq + 1, 1) if journal is not None else []
        except JournalError:
            return b""
        return rows[0][1] if rows and rows[0][0] == self.seq + 1 else b""


def _logs(path: Path) -> tuple[Path, Path]:
    return path, path.with_name(f"{path.name}-wal")


def _name_for(damaged: Path) -> Path:
    """Returns a name under which nothing was kept yet."""
    number = 1
    while (kept := damaged.with_name(f"{damaged.name}.damaged-{number}")).exists():
        number += 1
    return kept


def _keep(damaged: Path, kept: Path) -> None:
    """Copies the damaged journal, with its log; never through a link that somebody laid where root writes the copy."""
    for old, new in zip(_logs(damaged), _logs(kept), strict=True):
        if old.exists():
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with old.open("rb") as source, os.fdopen(descriptor, "wb") as file:
                was = os.fstat(source.fileno())
                os.fchmod(file.fileno(), was.st_mode & _MODES)
                shutil.copyfileobj(source, file)
                file.flush()
                os.fsync(file.fileno())
                os.utime(file.fileno(), ns=(was.st_atime_ns, was.st_mtime_ns))
    sync_directory(damaged.parent)


def _put(fresh: Path, place: Path) -> None:
    """Puts the new journal in its place; the log of the damaged one goes first, for it would be taken for its own."""
    owner = place.stat()
    descriptor = os.open(fresh, os.O_RDONLY | os.O_NOFOLLOW)  # no other file that a link leads to
    try:
        os.fchown(descriptor, owner.st_uid, owner.st_gid)
        os.fchmod(descriptor, owner.st_mode & _MODES)
    finally:
        os.close(descriptor)
    _logs(place)[1].unlink(missing_ok=True)
    fresh.replace(place)
    sync_directory(place.parent)


def _remove(*paths: Path) -> None:
    for path in paths:
        for each in _logs(path):
            each.unlink(missing_ok=True)
