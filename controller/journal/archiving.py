"""Brings the oldest records of a journal into a sealed file: written, synced, read back and checked as a whole.

Nothing leaves the journal here.  Its owner records the archive as a fact, and only then lets the records go
(`Journal.cut`).  Whatever happens between two of these steps, the next attempt goes on: a file that is whole is taken
as it is, one that was begun is written anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from msgspec.structs import replace

from controller.journal.archive_file import Rest, first_line, read_back, write
from controller.journal.archives import BITE, Archive, Base, Leaving, Left
from controller.journal.database import sync_directory
from controller.journal.errors import FULL_ERRNOS, JournalError
from controller.journal.records import Row
from controller.journal.shelf import MISSING
from controller.journal.signing import Signer, signed
from controller.journal.store import Journal

FULL: Final = "archive.full"
UNWRITABLE: Final = "archive.unwritable"
UNFAITHFUL: Final = "archive.unfaithful"
IN_THE_WAY: Final = "archive.in-the-way"
NOTHING: Final = "archive.nothing"
LARGEST: Final = 1024 * BITE  # records of one archive: about a hundred megabytes
ENDING: Final = ".felt-archive.jsonl"


def make(journal: Journal, folder: Path, last: int, signer: Signer | None, rest: Rest = lambda: None) -> Archive:
    """Returns the archive of the records up to `last` that are still in the journal; it is whole on its disk then.

    One that an earlier attempt has finished is taken, also when it ends before `last`.  `rest` is called between two
    pieces of the work.  Raises JournalError, and then nothing has changed that the journal knows of.
    """
    left = journal.left()
    if last % BITE or not left.base.seq < last < journal.head.seq:
        raise ValueError(f"no archive can end at record {last}")
    if not folder.is_dir():
        raise JournalError(MISSING, f"there is no folder {folder}")
    for each in left.archives[-1:]:
        if not (folder / each.archive.file).is_file():
            raise JournalError(MISSING, f"{folder} does not have {each.archive.file}: another disk is there, or none")
    with _named_troubles(folder):
        _clear(journal, folder, left.base)
        finished = _finished(journal, folder, last, left.base)
        last = last if finished is None else finished[1]
        leaving = Leaving(left.base, left.device_events)
        for rows in _bites(journal, left.base.seq, last):
            leaving.take(rows)
            rest()
        if finished is None:
            archive = _written(journal, folder, leaving, left, signer, rest)
        else:
            archive = _as_finished(finished[0], journal.table, left, rest)
    if archive != leaving.sealed_as(archive.file, archive.digest, left.base.seq + 1):
        raise JournalError(IN_THE_WAY, f"{folder / archive.file} has other records than the journal")
    return replace(archive, earlier=left.archives[-1].archive.seal() if left.archives else b"")


def name_of(table: str, first: int, last: int) -> str:
    """Returns the name of an archive.

    >>> name_of("Salon 2", 1, 512)
    'Salon%202-1-512.felt-archive.jsonl'
    """
    return f"{quote(table, safe='')}-{first}-{last}{ENDING}"


def _clear(journal: Journal, folder: Path, base: Base) -> None:
    """Removes what attempts have left that were cut off."""
    for path in folder.glob(f".{quote(journal.table, safe='')}-{base.seq + 1}-*{ENDING}.new"):
        path.unlink()


def _finished(journal: Journal, folder: Path, last: int, base: Base) -> tuple[Path, int] | None:
    """Returns the archive that an earlier attempt has put into its place, and where it ends; None without one."""
    begin = name_of(journal.table, base.seq + 1, 0).removesuffix(f"0{ENDING}")
    for path in sorted(folder.iterdir()):
        number = path.name.removeprefix(begin).removesuffix(ENDING)
        if path.name == f"{begin}{number}{ENDING}":
            end = int(number) if number.isdecimal() else 0
            if end % BITE or end <= base.seq:
                raise JournalError(IN_THE_WAY, f"{path} has the name of an archive that nobody makes")
            if end > last:
                raise JournalError(NOTHING, f"{path} is there already, and its last records may not leave yet")
            _sync(path)
            return path, end
    return None


def _as_finished(path: Path, table: str, left: Left, rest: Rest) -> Archive:
    """Returns an archive that has its name already; raises JournalError when it cannot be one of ours."""
    try:
        return read_back(path, table, left.base, left.device_events, rest)
    except JournalError as error:
        raise JournalError(IN_THE_WAY, f"{path} is not whole, or not of this journal: {error.cause}") from error


def _sync(path: Path) -> None:
    """Makes sure that a file and its name survive a power cut, whoever wrote it and however far that got."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
    sync_directory(path.parent)


def _written(
    journal: Journal, folder: Path, leaving: Leaving, left: Left, signer: Signer | None, rest: Rest
) -> Archive:
    """Writes the file under another name, and gives it its own when the disk has given it back as it was written."""
    first, last = left.base.seq + 1, leaving.seq
    path = folder / name_of(journal.table, first, last)
    draft = folder / f".{path.name}.new"
    notes = [kept.note for seq, kept in journal.checkpoints() if kept is not None and first <= seq <= last]
    notes.append(signed(journal.table, leaving.tree, signer).note)

    def rows() -> Iterator[Row]:
        for bite in _bites(journal, left.base.seq, last):
            yield from bite
            rest()

    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            digest = write(file, first_line(journal.table, last, left.base), notes, rows())
            file.flush()
            os.fsync(file.fileno())
        archive = _as_written(draft, journal.table, left, digest, rest)
        draft.rename(path)
        sync_directory(folder)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    return replace(archive, file=path.name)


def _as_written(draft: Path, table: str, left: Left, digest: bytes, rest: Rest) -> Archive:
    """Returns the archive that the disk gives back; raises JournalError when that is not what was written."""
    try:
        archive = read_back(draft, table, left.base, left.device_events, rest)
    except JournalError as error:
        raise JournalError(UNFAITHFUL, f"{draft.parent}: what was read back is damaged: {error.cause}") from error
    if archive.digest != digest:
        raise JournalError(UNFAITHFUL, f"{draft.parent}: what was read back is not what was written")
    return archive


def _bites(journal: Journal, after: int, last: int) -> Iterator[list[Row]]:
    for first in range(after + 1, last + 1, BITE):
        yield journal.kept_rows(first, min(BITE, last - first + 1))


@contextmanager
def _named_troubles(folder: Path) -> Iterator[None]:
    """Names what the disk of the archives says."""
    try:
        yield
    except OSError as error:
        code = FULL if error.errno in FULL_ERRNOS else UNWRITABLE
        raise JournalError(code, f"{error.filename or folder}: {error.strerror or error}") from error
