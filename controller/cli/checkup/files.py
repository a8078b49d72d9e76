"""table.toml, the disk and the journal, as they lie there."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.cli.checkup.finding import Finding, bad, ok, warn
from controller.cli.checkup.person import READ, WRITE, ServiceUser, holders, owned
from controller.cli.journal_file import logs_beside
from controller.config import ConfigError, TableConfig, cards_key
from controller.config.begin import begin
from controller.config.hints import hints
from controller.config.wiring import is_for_trying_out
from controller.counts import many
from controller.daemon.check import checked
from controller.daemon.compose import JOURNAL
from controller.errors import FeltError
from controller.journal.errors import LOCKED, JournalError
from controller.journal.store import Journal
from controller.journal.verify import verify
from controller.service.card_store import veil_of
from controller.service.follower import Follower
from controller.service.new_start import check_start
from controller.service.snapshots import newest

CONFIG, DISK, STORE = "configuration", "disk", "journal"
MEGABYTE: Final = 1 << 20
LEAST: Final = 100 * MEGABYTE  # below, the table may stop at any moment
SCARCE: Final = 1024 * MEGABYTE
PATIENCE: Final = 5.0  # seconds for the records of a journal
AS_ROOT: Final = "Run it as root: `sudo felt doctor`."


def elsewhere(path: Path) -> Finding:
    """Returns the finding that a daemon answers, though there is no such file."""
    return warn(CONFIG, "config.elsewhere", f"there is no {path}: the daemon that answers has another file")


def configuration(path: Path) -> tuple[TableConfig | None, list[Finding]]:
    """Returns the table, if the file can be used, and what is to be said about the file."""
    try:
        config = checked(path)
    except ConfigError as error:
        if isinstance(error.__cause__, PermissionError):
            return None, [warn(CONFIG, "config.unreadable", f"{path} may not be read by you", AS_ROOT)]
        first, *more = error.cause.splitlines()
        others = f" (and {len(more)} more)" if more else ""
        return None, [bad(CONFIG, error.code, first + others, error.next_step)]
    table = config.table
    findings = [ok(CONFIG, f"{path}: table {table.name}, {table.game}, {many(len(config.devices), 'device')}")]
    step = f"Look at it: `felt config check {path}`."
    return config, findings + [warn(CONFIG, "config.hint", hint.at(str(path)), step) for hint in hints(config, path)]


def cards(config: TableConfig) -> Iterator[Finding]:
    """Yields that the cards of a table with real devices are not hidden."""
    if not is_for_trying_out(config) and cards_key.place_of(config.journal.cards_key) is None:
        yield warn(CONFIG, "cards.plain", "[journal] cards-key is not set: whoever copies the journal reads every card")


def disk(state: Path) -> Iterator[Finding]:
    """Yields space and access where the journal lives, or will live."""
    nearest = next(folder for folder in (state, *state.parents) if exists(folder))
    try:
        room = os.statvfs(nearest)
    except OSError as error:
        yield bad(DISK, "disk.unreadable", f"{nearest}: {error.strerror}")
        return
    free, size = room.f_bavail * room.f_frsize, room.f_blocks * room.f_frsize
    text = f"{nearest}: {_amount(free)} free of {_amount(size)}"
    if room.f_flag & os.ST_RDONLY:
        yield bad(DISK, "disk.read-only", f"{nearest} is read-only")
    elif free < LEAST or (room.f_files and not room.f_favail):
        yield bad(DISK, "disk.full", text)
    elif free < SCARCE:
        yield warn(DISK, "disk.scarce", text)
    else:
        yield ok(DISK, text)


def journal(state: Path, user: ServiceUser, *, running: bool, made: bool = False) -> Iterator[Finding]:
    """Yields whether the journal exists, whether the service may write it, and whether its records are sound.

    `made`: the daemon makes it by itself.
    """
    path = state / JOURNAL
    present = exists(path)
    if present is None:
        if not running:
            yield warn(STORE, "journal.private", f"{path} may not be looked at by you", AS_ROOT)
        return
    if running and present:
        return
    if running:
        yield bad(STORE, "journal.gone", f"the daemon runs, and its journal is not at {path}")
        return
    if not present:
        tell = warn if made else bad
        yield tell(STORE, "journal.missing", f"there is no journal at {path}")
        return
    shut = [each for each in (state, path) if not user.may(each, READ | WRITE)]
    for each in shut:
        step = f"Give it back: `chown {user.name}: {each}`, and see who changed it."
        text = f"the service's user {user.name} may not write {each} ({owned(each)})"
        yield bad(STORE, "journal.denied", text, step)
    if not os.access(path, os.R_OK):
        yield warn(STORE, "journal.private", f"{path} may not be read by you", AS_ROOT)
    elif not shut:
        yield _records(path)


def unfinished(config: TableConfig) -> Iterator[Finding]:
    """Yields why a start with this configuration would refuse a sound journal: something is open, its game is gone."""
    until = time.monotonic() + PATIENCE
    try:
        store = Journal.inspect(config.table.state / JOURNAL, veil_of(config))
        try:
            follower = Follower(*newest(store, []))
            with logs_beside():
                for record in store.iterate(follower.seq + 1):
                    if time.monotonic() > until:
                        return
                    follower.retell(record)
        finally:
            store.close()
        check_start(follower.table, begin(config), time.time_ns() // 1000 - follower.table.ahead)
    except (FeltError, JournalError) as error:
        yield bad(CONFIG, error.code, error.cause, error.next_step)


def exists(path: Path) -> bool | None:
    """Tells whether a file exists; None when we may not look."""
    try:
        path.stat()
    except PermissionError:
        return None
    except OSError:
        return False
    return True


class _Enough(Exception):
    """The end of a check: so many records were sound when the time was over."""


def _records(path: Path) -> Finding:
    until = time.monotonic() + PATIENCE

    def progress(checked: int, records: int) -> None:
        if time.monotonic() > until:
            raise _Enough(f"{path}: the first {checked} of {many(records, 'record')} are sound")

    try:
        report = verify(path, progress=progress)
    except _Enough as enough:
        return ok(STORE, f"{enough}; for all of them: `felt journal verify {path}`")
    except JournalError as error:
        held = (
            f"; open in {', '.join(holders(str(path))) or 'a program of another user'}" if error.code == LOCKED else ""
        )
        return bad(STORE, error.code, f"{path}: {error.cause}{held}", error.next_step)
    if report.ok:
        return ok(STORE, f"{path}: {many(report.checked, 'record')}, all sound")
    at = f" at record {report.first_bad}" if report.first_bad is not None else ""
    return bad(STORE, report.code, f"{path}{at}: {report.cause}", report.next_step)


def _amount(size: int) -> str:
    """Returns bytes for people.

    >>> _amount(3 << 30)
    '3.0 GiB'
    """
    return f"{size / (1 << 30):.1f} GiB" if size >= SCARCE else f"{size // MEGABYTE} MiB"
