"""What can go wrong with a journal, as stable codes with a cause and a next step."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from controller.errors import Coded

CORRUPT = "journal.corrupt"
LOCKED = "journal.locked"
FULL = "journal.full"
IO = "journal.io"
FOREIGN = "journal.foreign"
NEWER = "journal.newer"
OTHER_TABLE = "journal.other-table"
MISSING = "journal.missing"
EXISTS = "journal.exists"
SCHEMA = "journal.schema"
ARCHIVED = "journal.archived"

FULL_ERRNOS = {errno.ENOSPC, errno.EDQUOT}
_SQLITE_CODES = {
    sqlite3.SQLITE_ERROR: CORRUPT,  # our statements are fixed: if one does not fit, the tables are not ours any more
    sqlite3.SQLITE_CORRUPT: CORRUPT,
    sqlite3.SQLITE_NOTADB: CORRUPT,
    sqlite3.SQLITE_CONSTRAINT: CORRUPT,  # only possible when someone else wrote into the tables
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_FULL: FULL,
}


class JournalError(Coded):
    """The error of a journal.  `code` is stable; `cause` and `next_step` are for people."""

    def __str__(self) -> str:
        return f"{self.code}: {self.cause}. {self.next_step}"


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Turns what SQLite and the system raise into a JournalError that says what was being done."""
    try:
        yield
    except sqlite3.Error as error:
        unread = isinstance(error, sqlite3.OperationalError)  # without a code: a text that is none
        own = sqlite3.SQLITE_CORRUPT if unread else sqlite3.SQLITE_MISUSE
        primary = getattr(error, "sqlite_errorcode", own) & 0xFF
        raise JournalError(_SQLITE_CODES.get(primary, IO), f"{what}: {error}") from error
    except UnicodeDecodeError as error:  # SQLite quotes the damaged text of a table in its complaint
        raise JournalError(CORRUPT, f"{what}: the description of its tables is no text") from error
    except OSError as error:
        code = FULL if error.errno in FULL_ERRNOS else IO
        raise JournalError(code, f"{what}: {error.strerror or error}") from error
