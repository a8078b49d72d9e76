"""The folder with the archives of one journal: records that left it are read from there, when the file is right."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from controller.journal.archive_file import ALTERED, ArchiveReader, Rest, file_version
from controller.journal.archives import Archive, NamedArchive
from controller.journal.errors import JournalError
from controller.journal.records import Row

MISSING: Final = "archive.missing"
UNREADABLE: Final = "archive.unreadable"
OPEN: Final = 2  # files at once: who reads on from one to the next has both


class Shelf:
    """The archives in one folder; any thread may read.

    A file is read once as a whole before any record of it is believed, and again when it was changed since.
    """

    def __init__(self, folder: Path, rest: Rest = lambda: None) -> None:
        """Serves the archives in `folder`; `rest` is called while one is looked through."""
        self.folder, self._rest = folder, rest
        self._lock = threading.Lock()
        self._open: dict[str, ArchiveReader] = {}

    def rows(self, archive: Archive, from_seq: int, limit: int) -> list[Row]:
        """Returns up to `limit` records of an archive as they were stored; raises JournalError when it is not right."""
        with self._lock:
            reader = self._reader(archive)
            try:
                return reader.rows(from_seq - archive.first, limit)
            except OSError as error:
                raise JournalError(UNREADABLE, f"{reader.path}: {error.strerror or error}") from error

    def check(self, archive: Archive) -> None:
        """Reads an archive as a whole; raises JournalError when it is not the file that the journal names."""
        with self._lock:
            self._forget(archive.file)
            self._reader(archive)

    def check_there(self, archive: Archive) -> None:
        """Looks whether an archive is there; raises JournalError when it is not."""
        if not (path := self.folder / archive.file).is_file():
            raise JournalError(MISSING, f"there is no {path}, which has {archive.records}")

    def begins(self, archives: Sequence[NamedArchive]) -> int:
        """Returns the first record from which on every archive is at hand, as far as its name and size tell."""
        first = archives[-1].archive.last + 1 if archives else 1
        for named in reversed(archives):
            if not (self.folder / named.archive.file).is_file():
                break
            first = named.archive.first
        return first

    def close(self) -> None:
        """Closes what is open; it may be used again."""
        with self._lock:
            for name in list(self._open):
                self._forget(name)

    def _reader(self, archive: Archive) -> ArchiveReader:
        path = self.folder / archive.file
        try:
            reader = self._open.get(archive.file)
            if reader is not None and reader.version == file_version(path):
                return reader
            self._forget(archive.file)
            reader = ArchiveReader(path, self._rest)
        except FileNotFoundError:
            raise JournalError(MISSING, f"there is no {path}, which has {archive.records}") from None
        except OSError as error:
            raise JournalError(UNREADABLE, f"{path}: {error.strerror or error}") from error
        if reader.digest != archive.digest:
            reader.close()
            raise JournalError(ALTERED, f"{path} is not the file that was sealed with {archive.records}")
        while len(self._open) >= OPEN:
            self._forget(next(iter(self._open)))
        self._open[archive.file] = reader
        return reader

    def _forget(self, name: str) -> None:
        reader = self._open.pop(name, None)
        if reader is not None:
            reader.close()
