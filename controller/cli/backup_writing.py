"""Writes a backup: a copy of each part of a table, which may run meanwhile, checked before it has its name."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from controller.cli import backup_folder as folder
from controller.cli import backup_parts as parts
from controller.cli.backup_parts import TablePart
from controller.cli.journal_file import Bar
from controller.config import TableConfig
from controller.daemon.check import checked
from controller.errors import FeltError
from controller.journal.errors import MISSING, JournalError
from controller.journal.shelf import Shelf
from controller.journal.store import Journal
from controller.journal.taking import take
from controller.journal.verify import Report, verify
from controller.service.snapshots import our_version


class Made(NamedTuple):
    """A backup that was written and checked."""

    target: Path
    table: str
    records: int
    anchor: str
    seal: str
    files: tuple[str, ...]
    left_out: tuple[str, ...]  # places of secret files
    notes: tuple[str, ...]


def backed_up(target: Path, file: Path, *, keys: bool = False) -> Made:
    """Writes a backup of the table in this file; raises FeltError, and leaves nothing, when it cannot be whole."""
    config = checked(file)
    present = [each for each in parts.plain_files(config, file) if _is_there(each)]
    with folder.new_folder(target) as draft:
        meter = [each for each in (parts.meter(config),) if _is_there(each)]
        for part in meter:  # before the journal, which then has all that it was told
            _copy_meter(part.place, draft / part.name)
        journal = parts.journal(config)
        archives, missing = _take(journal, config, draft)
        plain = [each for each in present if keys or not each.secret]
        for part in plain:  # behind the journal: whatever card is hidden in it has its day key by now
            folder.copied(part.place, draft / part.name)
        report = verified(draft / journal.name, None if missing or not archives else draft / parts.ARCHIVES)
        about = folder.About(
            form=folder.FORM,
            table=config.table.name,
            version=our_version(),
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            anchor=report.head.to_text(),
            records=report.head.seq,
            files=tuple(folder.kept_as(each.name, each.place) for each in (*meter, journal, *archives, *plain)),
        )
        seal = folder.sealed(draft, about)
        folder.checked(draft, seal)
    return Made(
        target,
        about.table,
        about.records,
        about.anchor,
        seal,
        files=tuple(each.name for each in about.files),
        left_out=tuple(str(each.place) for each in present if each.secret and not keys),
        notes=(*(f"{each.place} is not there: its records are not in the backup" for each in missing), *report.notes),
    )


def verified(file: Path, archives: Path | None) -> Report:
    """Returns the report of a copied journal, which is one file afterwards; FeltError when a record is not sound."""
    bar = Bar()
    try:
        with closing(Journal.inspect(file)) as journal:
            journal.shelf = None if archives is None else Shelf(archives)
            report = verify(journal, progress=bar.show, alone=True)
    finally:
        bar.end()
    if not report.ok:
        raise FeltError("backup.unsound", f"{report.code}: {report.cause}")
    return report


def _is_there(part: TablePart) -> bool:
    """Tells whether a file is there; raises FeltError when nobody may look."""
    try:
        part.place.stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise folder.unreadable(error, part.place) from error
    return True


def _take(journal: TablePart, config: TableConfig, draft: Path) -> tuple[list[TablePart], list[TablePart]]:
    """Copies the journal and its archives; returns the archives that were there, and those that were not."""
    if not _is_there(journal):
        raise JournalError(MISSING, f"there is no {journal.place}")
    try:
        whole = take(journal.place, draft / journal.name, folder.copied)
    except OSError as error:
        raise folder.unreadable(error, journal.place) from error
    if not whole:
        raise FeltError("backup.busy", f"{journal.place} was changed during each attempt")
    with closing(Journal.inspect(draft / journal.name)) as copy:
        named = [parts.archive(config, each.archive.file) for each in copy.archives]
    present = [each for each in named if _is_there(each)]
    if present:
        folder.make(draft / parts.ARCHIVES)
    for part in present:
        folder.copied(part.place, draft / part.name)
    return present, [each for each in named if each not in present]


def _copy_meter(place: Path, to: Path) -> None:
    """Copies the prize meter as it is in one moment, which SQLite does while somebody writes it; raises FeltError."""
    folder.written(to, b"")
    try:
        with closing(sqlite3.connect(place)) as source, closing(sqlite3.connect(to)) as copy:
            source.backup(copy)
            verdict = str(copy.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        full = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL  # none: it is Python's own error
        raise FeltError("backup.unwritable" if full else "backup.unreadable", f"{place}: {error}") from error
    if verdict != "ok":
        raise FeltError("backup.unsound", f"{place}: {verdict}")
    folder.sync(to)
