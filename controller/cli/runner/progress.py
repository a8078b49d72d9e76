"""How far scripts or rounds are played: one line on a terminal that comes and goes, nothing where nobody looks."""

from __future__ import annotations

import shutil
import sys
import time
from typing import IO, Final

BETWEEN: Final = 0.1  # seconds, at least, between two pictures
BAR: Final = 20  # characters
_CLEAR: Final = "\r\x1b[K"


class Progress:
    """A bar on standard error, when that is a terminal."""

    def __init__(self, total: int, stream: IO[str] | None = None, what: str = "scripts") -> None:
        self._stream = sys.stderr if stream is None else stream
        self._what = what
        self._total = total
        self._on = self._stream.isatty() and total > 1
        self._last = 0.0
        self._shown = False

    def show(self, done: int, failed: int) -> None:
        """Shows how many are played; not too often."""
        now = time.monotonic()
        if not self._on or now - self._last < BETWEEN:
            return
        self._last = now
        self._shown = True
        line = bar(done, self._total, self._what) + (f", {failed} failed" if failed else "")
        self._stream.write(_CLEAR + line[: shutil.get_terminal_size().columns - 1])
        self._stream.flush()

    def clear(self) -> None:
        """Takes the line away, before something is printed or at the end."""
        if self._shown:
            sys.stdout.flush()
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._shown = False


def bar(done: int, total: int, what: str = "scripts") -> str:
    """Returns a bar with numbers.

    >>> bar(3, 12)
    '[#####...............] 3 of 12 scripts'
    """
    full = BAR * done // total
    return f"[{'#' * full}{'.' * (BAR - full)}] {done} of {total} {what}"
