"""The journal's file: how it is made, recognised, locked and set up."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import tempfile
from pathlib import Path
from typing import BinaryIO

from controller.journal import schema
from controller.journal.errors import CORRUPT, FOREIGN, MISSING, NEWER, JournalError, translated

APPLICATION_ID = 0x46454C54  # "FELT"
USER_VERSION = schema.FORM  # of a new file
NEWEST_VERSION = schema.FORM_WITH_ARCHIVES


def connect(path: Path | None, table: str | None, *, create: bool) -> tuple[sqlite3.Connection, str]:
    """Opens the file, alone, and returns the connection and the table that the file belongs to.

    With `create` it makes the file first if there is none; `table` is then whose journal it becomes.
    """
    if path is None:
        connection = _connection(":memory:")
        _write_schema(connection, table or "")
        return connection, table or ""
    with translated(f"opening {path}"):
        if not path.exists():
            if path.with_name(path.name + "-wal").exists():
                raise JournalError(CORRUPT, f"{path} is gone but its write-ahead log is still there")
            if table is None:
                raise FileNotFoundError(2, "no such journal")
            if not create:
                raise JournalError(MISSING, f"there is no {path}")
            _create(path, table)
        elif path.stat().st_size == 0:
            raise JournalError(CORRUPT, f"{path} is an empty file, which no journal ever is")
        connection = _connection(os.fspath(path))
        try:
            return connection, _recognise(connection, path)
        except BaseException:
            connection.close()
            raise


def open_regular(path: Path) -> BinaryIO:
    """Opens a file for reading; OSError when it is none.

    Nobody waits for a pipe that somebody put in its place.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "this is no file")
    return os.fdopen(descriptor, "rb")


def sync_directory(folder: Path) -> None:
    """Makes the names in `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _connection(name: str) -> sqlite3.Connection:
    # Transactions are ours to begin and end; the store's lock makes the threads take turns.
    connection = sqlite3.connect(name, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.text_factory = _text
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA cache_size = -2048")
    except BaseException:
        connection.close()
        raise
    return connection


def _text(stored: bytes) -> str:
    """Returns stored text, with marks for bytes that are no UTF-8.

    Damaged text must reach the checksum, which says so properly, instead of failing in the middle of a read.
    """
    return stored.decode(errors="replace")


def _create(path: Path, table: str) -> None:
    """Builds the file under another name, then links it: a power cut here leaves no file, or a whole one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    os.close(descriptor)
    draft = Path(name)
    try:
        connection = _connection(name)
        try:
            connection.execute("PRAGMA page_size = 4096")
            connection.execute("PRAGMA synchronous = FULL")
            _write_schema(connection, table)
        finally:
            connection.close()
        path.hardlink_to(draft)  # unlike a rename it never replaces a journal that appeared meanwhile
    finally:
        draft.unlink()
    sync_directory(path.parent)


def _write_schema(connection: sqlite3.Connection, table: str) -> None:
    connection.execute("BEGIN")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {USER_VERSION}")
    schema.create(connection)
    connection.execute("INSERT INTO meta VALUES ('table', ?)", (table,))
    connection.execute("COMMIT")


def _recognise(connection: sqlite3.Connection, path: Path) -> str:
    # Exclusive before the first read: then there is no shared-memory file, and a second opener is refused.
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    application = _pragma(connection, "application_id")
    if application != APPLICATION_ID:
        raise JournalError(FOREIGN, f"{path} is a database of another program (application id {application:#x})")
    version = _pragma(connection, "user_version")
    if version > NEWEST_VERSION:
        raise JournalError(NEWER, f"{path} has format {version}, this program knows {NEWEST_VERSION}")
    if version < USER_VERSION:
        raise JournalError(CORRUPT, f"{path} has format {version}, which never existed")
    row = connection.execute("SELECT value FROM meta WHERE name = 'table'").fetchone()
    if row is None:
        raise JournalError(CORRUPT, f"{path} does not say which table it belongs to")
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise JournalError("journal.io", f"{path} cannot be kept with a write-ahead log here (got {mode})")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 1000")
    # Above what a checkpoint leaves: the log is reused in place, which spares the disk a size change per commit.
    connection.execute("PRAGMA journal_size_limit = 8388608")
    return str(row[0])


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
