"""The tables of a journal's file, as each version made them: whatever else stands there, somebody else put there."""

from __future__ import annotations

import re
import sqlite3
from hashlib import sha256
from typing import Final

from controller.journal.errors import SCHEMA, JournalError

# A record is one blob with its checksum and hash: half the cost of eight columns, and what is stored is what is hashed.
# No index on devices: what a device has sent is known from its own small row, and a card costs two pages, not six.
_FIRST: Final = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE record (seq INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT",
    """CREATE TABLE device (
    device TEXT NOT NULL, epoch INTEGER NOT NULL, counter INTEGER NOT NULL, gaps TEXT NOT NULL, seq INTEGER NOT NULL,
    crc INTEGER NOT NULL, PRIMARY KEY (device, epoch)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE snapshot (
    seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, crc INTEGER NOT NULL, payload BLOB NOT NULL
) STRICT""",
)
# Version 0.3.0 added the checkpoints; the other tables are the same, and older programs pass this one over.
_CHECKPOINTS: Final = (
    """CREATE TABLE checkpoint (
    seq INTEGER PRIMARY KEY, frontier BLOB NOT NULL, note TEXT NOT NULL, crc INTEGER NOT NULL
) STRICT""",
)
NEWEST: Final = (*_FIRST, *_CHECKPOINTS)
# They come with the first records that leave for an archive, and with them the second form of the file: programs that
# do not know them would take those records for lost.
_ARCHIVES: Final = (
    "CREATE TABLE base (seq INTEGER PRIMARY KEY, kept BLOB NOT NULL, crc INTEGER NOT NULL) STRICT",
    """CREATE TABLE base_device (
    device TEXT NOT NULL, epoch INTEGER NOT NULL, counter INTEGER NOT NULL, gaps TEXT NOT NULL, seq INTEGER NOT NULL,
    crc INTEGER NOT NULL, PRIMARY KEY (device, epoch)
) STRICT, WITHOUT ROWID""",
    "CREATE TABLE archive (last INTEGER PRIMARY KEY, kept BLOB NOT NULL, crc INTEGER NOT NULL) STRICT",
)
FORM, FORM_WITH_ARCHIVES = 1, 2  # of the file: its user_version
_ARTICLES: Final = {"index": "an"}
_NAME: Final = re.compile(r"CREATE TABLE (\w+)")


def create(connection: sqlite3.Connection) -> None:
    """Makes all tables, inside a transaction that the caller ends."""
    for statement in NEWEST:
        connection.execute(statement)


def complete(connection: sqlite3.Connection) -> None:
    """Adds the tables that the version which made this file did not have yet; the file must be one of ours."""
    if len(_objects(connection)) < len(NEWEST):
        connection.execute("BEGIN IMMEDIATE")
        for statement in _CHECKPOINTS:
            connection.execute(statement)
        connection.execute("COMMIT")


def add_archives(connection: sqlite3.Connection) -> None:
    """Makes the tables of the second form, inside a transaction that the caller ends."""
    for statement in _ARCHIVES:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {FORM_WITH_ARCHIVES}")


def has_archives(connection: sqlite3.Connection) -> bool:
    """Tells whether the file has the second form, in which records can be in archives."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0]) >= FORM_WITH_ARCHIVES


def has_checkpoints(connection: sqlite3.Connection) -> bool:
    """Tells whether the version that wrote this file kept checkpoints."""
    return any(name == "checkpoint" for _, name, _ in _objects(connection))


def digest(connection: sqlite3.Connection) -> str:
    """Returns the SHA-256 over everything that stands in the file besides rows: tables, triggers, views, indexes."""
    text = "\n".join(f"{kind} {name} {statement}" for kind, name, statement in _objects(connection))
    return sha256(text.encode()).hexdigest()


def check(connection: sqlite3.Connection) -> None:
    """Raises JournalError when the tables are not exactly those that some version of ours made."""
    if why := strange(connection):
        raise JournalError(SCHEMA, why)


def strange(connection: sqlite3.Connection) -> str:
    """Returns what somebody else did to the tables of the file, in words; "" when they are ours."""
    objects = _objects(connection)
    with_archives = has_archives(connection)
    ours = {_named(statement): statement for statement in (*NEWEST, *(_ARCHIVES if with_archives else ()))}
    for kind, name, statement in objects:
        if name not in ours:
            return f"somebody added {_ARTICLES.get(kind, 'a')} {kind}, {name!r}"
        if statement != ours[name]:
            return f"somebody changed the table {name!r}" if kind == "table" else f"{name!r} is a {kind}, not a table"
    names = {name for _, name, _ in objects}
    needed = (*_FIRST, *(_ARCHIVES if with_archives else ()))
    missing = [name for name in map(_named, needed) if name not in names]
    return f"somebody removed the table {missing[0]!r}" if missing else ""


def _objects(connection: sqlite3.Connection) -> list[tuple[str, str, str | None]]:
    """Returns kind, name and statement of everything in the file: tables, triggers, views and indexes."""
    return connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type = 'table', name").fetchall()


def _named(statement: str) -> str:
    match = _NAME.match(statement)
    return match[1] if match else ""
