"""The directory of a simulated table: its own while it runs, and removed by the next one when nobody could.

A process that is killed removes nothing.  Each holds a lock on its directory, which ends with the process, so the next
one knows what was left behind.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

PREFIX: Final = "feltd-simulated-"
API: Final = "api.sock"  # leads to the socket of the table's daemon: so others know whose directory it is
GAME: Final = "game"  # names the game of the table: so others know its spots and its keys


@contextmanager
def own_directory(parent: str | None) -> Iterator[Path]:
    """Yields a new directory and removes it at the end; before that, those which killed processes left there."""
    where = Path(parent or tempfile.gettempdir())
    for left in where.glob(PREFIX + "*"):
        _remove_unless_in_use(left)
    path, lock = _made(where)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def _made(where: Path) -> tuple[Path, int]:
    """Returns a new directory with the lock on it; another one when somebody took it for a forgotten one meanwhile."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=where))
        lock = _opened(path)
        if lock is None:
            continue
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():
            return path, lock
        os.close(lock)


def _remove_unless_in_use(path: Path) -> None:
    lock = _opened(path)
    if lock is None:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(path, ignore_errors=True)
    except BlockingIOError:
        pass  # its table runs
    finally:
        os.close(lock)


def _opened(path: Path) -> int | None:
    """Returns a directory, opened; None when it is gone, is none, or is not ours."""
    try:
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
