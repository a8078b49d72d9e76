"""The head file: the newest record's number and hash on another disk, so that a journal that went back is found out.

A clean stop says so in it.  Then the next start knows that nothing may stand behind that record.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple

from controller.errors import FeltError
from controller.journal.database import open_regular, sync_directory
from controller.journal.records import Anchor

MISSING: Final = "head.missing"
UNREADABLE: Final = "head.unreadable"
UNWRITABLE: Final = "head.unwritable"
CLOSED: Final = "closed"  # the second line, after a clean stop
_LARGEST: Final = 4096  # bytes; an anchor is one line
_ASIDE: Final = ".appended"


class KeptHead(NamedTuple):
    """What a head file says; `closed`: a clean stop wrote it."""

    anchor: Anchor
    closed: bool = False


class HeadFile:
    """A file with one anchor.  Its folder must be there: a stick that is not plugged in gets no folder of its name."""

    def __init__(self, path: Path, table: str) -> None:
        self.path, self._table = path, table
        self.proof = path.with_name(path.name + _ASIDE)  # a head behind which somebody put records: it is proof

    def read(self) -> KeptHead | None:
        """Returns what it says; None where the folder has no file yet.  Raises FeltError when nobody can tell."""
        self._check_folder()
        try:
            with open_regular(self.path) as file:
                line, _, rest = file.read(_LARGEST).decode().partition("\n")
            kept = KeptHead(Anchor.from_text(line), rest.strip() == CLOSED)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FeltError(UNREADABLE, f"{self.path}: {error.strerror or error}") from error
        except ValueError:
            raise FeltError(UNREADABLE, f"{self.path} has no anchor") from None
        if kept.anchor.table != self._table:
            raise FeltError(UNREADABLE, f"{self.path} is of table {kept.anchor.table!r}, not of {self._table!r}")
        return kept

    def write(self, anchor: Anchor, *, closed: bool = False) -> None:
        """Puts an anchor in the file's place: after a power cut it has the old one or the new one."""
        self._check_folder()
        fresh = self.path.with_name(f".{self.path.name}.new")
        try:
            fresh.unlink(missing_ok=True)
            with fresh.open("xb") as file:
                file.write(f"{anchor.to_text()}\n{CLOSED + chr(10) if closed else ''}".encode())
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
            sync_directory(self.path.parent)
        except OSError as error:
            raise FeltError(UNWRITABLE, f"{self.path}: {error.strerror or error}") from error

    def set_aside(self) -> None:
        """Keeps the file under another name, as proof; the first one stays when there are two."""
        try:
            if not self.proof.exists():
                self.path.rename(self.proof)
                sync_directory(self.path.parent)
        except OSError as error:
            raise FeltError(UNWRITABLE, f"{self.proof}: {error.strerror or error}") from error

    def _check_folder(self) -> None:
        if not self.path.parent.is_dir():
            raise FeltError(MISSING, f"there is no folder {self.path.parent}")
