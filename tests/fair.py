"""A loop whose clock stands still while the machine lets others run: a busy machine makes no device look silent.

The kernel keeps, for each thread, how long it was ready to run and did not.  That is time in which neither the table
nor the simulated devices, which live in the same loop, could do anything; a limit that counts it tells of the machine,
not of the table.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

WAITED = Path("/proc/thread-self/schedstat")  # nanoseconds on a core, nanoseconds waiting for one, turns


def _own_schedstat() -> int | None:
    return os.open(WAITED, os.O_RDONLY | os.O_CLOEXEC) if WAITED.exists() else None


class FairLoop(asyncio.SelectorEventLoop):
    """Counts the time in which its thread slept or ran."""

    def __init__(self) -> None:
        self._schedstat = _own_schedstat()
        self._elsewhere = 0  # nanoseconds that other threads waited which had this loop before
        super().__init__()

    def run_forever(self) -> None:
        """In whichever thread: its clock goes on where it was."""
        before, old = self._waited(), self._schedstat
        self._schedstat = _own_schedstat()
        self._elsewhere += before - self._waited()
        if old is not None:
            os.close(old)
        super().run_forever()

    def time(self) -> float:
        """Never goes back, for it is read while the thread was not interrupted."""
        while True:
            before = self._waited()
            now = time.monotonic()
            if self._waited() == before:
                return now - before / 1e9

    def _waited(self) -> int:
        if self._schedstat is None:
            return 0
        return int(os.pread(self._schedstat, 100, 0).split()[1]) + self._elsewhere

    def close(self) -> None:
        super().close()
        if self._schedstat is not None:
            os.close(self._schedstat)
            self._schedstat = None


class FairPolicy(asyncio.DefaultEventLoopPolicy):
    """Every loop of the tests is a fair one."""

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        return FairLoop()
