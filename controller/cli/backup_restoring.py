"""Puts a backup in its places: checked first, nothing overwritten, the journal last."""

from __future__ import annotations

import grp
import os
import pwd
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from controller.api import routes
from controller.cli import backup_folder as folder
from controller.cli import backup_parts as parts
from controller.cli.backup_folder import About
from controller.cli.backup_parts import TablePart
from controller.cli.backup_writing import verified
from controller.cli.client import Client
from controller.cli.daemon_socket import Unreachable
from controller.cli.table import made_state
from controller.config import TableConfig
from controller.daemon.check import checked
from controller.errors import FeltError
from controller.journal.database import sync_directory
from controller.journal.errors import OTHER_TABLE, JournalError
from controller.journal.taking import log_of

_RIGHTS: Final = 0o644  # whatever a backup says: only their owners write these files


class Restored(NamedTuple):
    """What came of a backup."""

    table: str
    made_at: str
    records: int
    anchor: str
    placed: tuple[str, ...]
    same: tuple[str, ...]  # what was there already, byte for byte
    others: tuple[str, ...]  # what was there, and is not that of the backup
    next_steps: tuple[str, ...]


def restored(backup: Path, file: Path, seal: str | None = None) -> Restored:
    """Puts a backup where `file` says, or where its own configuration says when there is none; raises FeltError."""
    about = folder.checked(backup, seal)
    placing = _Placing(backup, about)
    described = TablePart(parts.TABLE, file, "the configuration")
    own = not file.exists()
    configured = placing.draft(described) if own else file
    try:
        config = checked(configured)
        _check_free(config, about)
        made_state(config.table.state, file)
        journal = parts.journal(config)
        draft = placing.draft(journal)
        try:
            _check_journal(backup, draft, about)
            if own:
                placing.finish(configured, described)
            for part in placing.beside_the_journal(config, file):
                placing.place(part, config.table.state)
            placing.finish(draft, journal)
        finally:
            _remove(draft)
    finally:
        if own:
            _remove(configured)
    return Restored(
        about.table,
        about.made_at,
        about.records,
        about.anchor,
        tuple(placing.placed),
        tuple(placing.same),
        tuple(placing.others),
        tuple(_next_steps(config, file)),
    )


def _check_free(config: TableConfig, about: About) -> None:
    """Raises FeltError where the backup is of another table, or this one has a journal or a daemon."""
    if config.table.name != about.table:
        raise JournalError(OTHER_TABLE, f"the backup is of table {about.table!r}, not of {config.table.name!r}")
    try:
        Client(str(config.api.socket)).get(routes.STATUS)
    except Unreachable as error:
        if not error.absent:
            raise FeltError("restore.running", f"{config.api.socket}: {error.cause}") from None
    else:
        raise FeltError("restore.running", f"a daemon answers at {config.api.socket}")
    journal = parts.journal(config).place
    for path in (journal, log_of(journal)):
        if os.path.lexists(path):
            raise FeltError("restore.exists", f"{path} is there already")


def _check_journal(backup: Path, draft: Path, about: About) -> None:
    """Raises FeltError unless the journal that was copied is sound to its last record, and ends where it did."""
    archives = backup / parts.ARCHIVES
    report = verified(draft, archives if archives.is_dir() else None)
    if report.head.to_text() != about.anchor:
        raise FeltError("backup.damaged", f"its journal ends at {report.head.to_text()}, not at {about.anchor}")


class _Placing:
    """Puts files of a backup in their places: each has its name only when it is whole, with its owner and rights."""

    def __init__(self, backup: Path, about: About) -> None:
        self._backup = backup
        self._kept = {each.name: each for each in about.files}
        self.placed: list[str] = []
        self.same: list[str] = []
        self.others: list[str] = []

    def beside_the_journal(self, config: TableConfig, file: Path) -> Iterator[TablePart]:
        """Yields what else the backup has."""
        archives = [name.partition("/")[2] for name in self._kept if name.startswith(f"{parts.ARCHIVES}/")]
        named = [parts.archive(config, name) for name in archives]
        for part in (*named, parts.meter(config), *parts.plain_files(config, file)):
            if part.name in self._kept and str(part.place) not in self.placed:
                yield part

    def place(self, part: TablePart, state: Path) -> None:
        """Places a file, unless there is one; FeltError for an archive that is not the one of the journal.

        A prize meter that is there has been told of what came after the backup, so it stays, like all else.
        """
        if not part.place.exists():
            _make_folder(part.place.parent, state)
            draft = self.draft(part)
            try:
                self.finish(draft, part)
            finally:
                _remove(draft)
        elif folder.digest_of(part.place) == folder.digest_of(self._backup / part.name):
            self.same.append(str(part.place))
        elif part.name.startswith(f"{parts.ARCHIVES}/"):
            raise FeltError("restore.exists", f"{part.place} is there already, and is another one than in the backup")
        else:
            self.others.append(str(part.place))

    def draft(self, part: TablePart) -> Path:
        """Copies a file of the backup beside its place, under another name."""
        draft = part.place.with_name(f".{part.place.name}.restoring")
        _remove(draft)  # of an attempt that was interrupted, with whatever SQLite had beside it
        folder.copied(self._backup / part.name, draft)
        return draft

    def finish(self, draft: Path, part: TablePart) -> None:
        """Gives a file its owner, its rights and then its name, durably."""
        kept = self._kept[part.name]
        try:
            descriptor = os.open(draft, os.O_RDONLY | os.O_NOFOLLOW)  # no other file that a link leads to
            try:
                if os.geteuid() == 0:
                    with suppress(KeyError):  # no such account here: it stays root's own
                        os.fchown(descriptor, pwd.getpwnam(kept.owner).pw_uid, grp.getgrnam(kept.group).gr_gid)
                os.fchmod(descriptor, kept.mode & _RIGHTS)
            finally:
                os.close(descriptor)
            draft.rename(part.place)
            sync_directory(part.place.parent)
        except OSError as error:
            raise folder.unwritable(error, part.place) from error
        self.placed.append(str(part.place))


def _make_folder(path: Path, state: Path) -> None:
    """Makes a folder for files of the table, where there is none; it belongs to whom the state belongs."""
    if path.exists():
        return
    try:
        path.mkdir(parents=True, mode=0o750)
        if os.geteuid() == 0:
            owner = state.stat()
            os.chown(path, owner.st_uid, owner.st_gid)
    except OSError as error:
        raise folder.unwritable(error, path) from error


def _remove(draft: Path) -> None:
    for each in (draft, log_of(draft)):
        with suppress(OSError):
            each.unlink(missing_ok=True)


def _next_steps(config: TableConfig, file: Path) -> Iterator[str]:
    """Yields what a person does next."""
    encrypted = any(device.must_encrypt for device in config.devices.values())
    for part in parts.plain_files(config, file):
        wanted = part.secret and not part.place.exists()
        if wanted and part.name == parts.LINK_KEYS and encrypted:
            yield f"put {part.what} back ({part.place}), or pair each device again: felt device NAME pair"
        elif wanted and part.name != parts.LINK_KEYS:
            yield f"put {part.what} back, from where it is kept apart: {part.place}"
    yield f"felt config check {file}"
    yield "systemctl enable --now feltd; no other computer may run with this journal any more"
    yield "felt status: what happened after the backup is not on record; a supervisor compares the felt, and rules"
