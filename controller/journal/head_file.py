"""The head file: the newest record's number and hash on another disk, so that a journal that went back is found out."""

from __future__ import annotations

import os
from pathlib import Path

from controller.errors import FeltError
from controller.journal.database import sync_directory
from controller.journal.records import Anchor

MISSING = "head.missing"
UNREADABLE = "head.unreadable"
UNWRITABLE = "head.unwritable"
_LARGEST = 4096  # bytes; an anchor is one line


class HeadFile:
    """A file with one anchor.  Its folder must be there: a stick that is not plugged in gets no folder of its name."""

    def __init__(self, path: Path, table: str) -> None:
        self.path, self._table = path, table

    def read(self) -> Anchor | None:
        """Returns the anchor; None where the folder has no file yet.  Raises FeltError when nobody can tell."""
        self._check_folder()
        try:
            with self.path.open("rb") as file:
                anchor = Anchor.from_text(file.read(_LARGEST).decode())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FeltError(UNREADABLE, f"{self.path}: {error.strerror or error}") from error
        except ValueError:
            raise FeltError(UNREADABLE, f"{self.path} has no anchor") from None
        if anchor.table != self._table:
            raise FeltError(UNREADABLE, f"{self.path} is of table {anchor.table!r}, not of {self._table!r}")
        return anchor

    def write(self, anchor: Anchor) -> None:
        """Puts an anchor in the file's place: after a power cut it has the old one or the new one."""
        self._check_folder()
        fresh = self.path.with_name(f".{self.path.name}.new")
        try:
            with fresh.open("wb") as file:
                file.write(f"{anchor.to_text()}\n".encode())
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
            sync_directory(self.path.parent)
        except OSError as error:
            raise FeltError(UNWRITABLE, f"{self.path}: {error.strerror or error}") from error

    def _check_folder(self) -> None:
        if not self.path.parent.is_dir():
            raise FeltError(MISSING, f"there is no folder {self.path.parent}")
