"""A copy of a journal's file that its daemon may be writing meanwhile: the file and its log as of one moment.

The daemon alone has the journal open, so nobody else can ask SQLite for a copy.  But it changes the file only when it
moves its log into it, and otherwise appends to the log.  So both are copied, and copied again when the file or the
beginning of the log became another one meanwhile.  What comes of it is what a power cut would have left.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from controller.errors import FeltError
from controller.journal.archive_file import file_version

ATTEMPTS: Final = 20  # a table moves its log into the file some times an hour
QUIET: Final = 0.05  # seconds without a change before it is begun: longer than the clock of the file system stands
_HEADER: Final = 32  # bytes of a log that are new whenever it begins anew


class _Moment(NamedTuple):
    """What is different after any change that tears a copy."""

    file: tuple[int, int, int, int]
    log: bytes


def take(path: Path, to: Path, copy: Callable[[Path, Path], object]) -> bool:
    """Copies a journal with its log by `copy`; False when it was changed each time before its copy was whole.

    Whoever opens the copy joins both into one file.  Raises OSError where the journal cannot be looked at, and whatever
    `copy` raises.
    """
    log, log_to = log_of(path), log_of(to)
    for _ in range(ATTEMPTS):
        before = _moment(path, log)
        time.sleep(QUIET)
        if _moment(path, log) != before:
            continue
        copy(path, to)
        log_to.unlink(missing_ok=True)
        try:
            if before.log:
                copy(log, log_to)
        except (OSError, FeltError):
            if log.exists():
                raise
            continue  # the journal was closed meanwhile: all is in the file
        if _moment(path, log) == before:
            return True
    return False


def log_of(path: Path) -> Path:
    """Returns where the write-ahead log of a journal is, when it has one."""
    return path.with_name(f"{path.name}-wal")


def _moment(path: Path, log: Path) -> _Moment:
    try:
        with log.open("rb") as file:
            header = file.read(_HEADER)
    except FileNotFoundError:
        header = b""
    return _Moment(file_version(path), header)
