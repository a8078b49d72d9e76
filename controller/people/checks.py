"""Where PINs are checked: away from the loop, one at a time, and never more waiting than a moment has room for."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

from controller.people.errors import busy
from controller.people.pins import PinHash

MOST_WAITING: Final = 8


class PinChecks(Protocol):
    """Tells whether a PIN is the one that was kept."""

    async def matches(self, kept: PinHash, pin: str) -> bool:
        """Returns whether it is; raises FeltError when too many wait."""

    def close(self) -> None:
        """Ends it."""


class ThreadedChecks:
    """Checks PINs in a thread of its own: one at a time, so that no more than the memory of one is taken."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pin")
        self._waiting = 0

    async def matches(self, kept: PinHash, pin: str) -> bool:
        if self._waiting >= MOST_WAITING:
            raise busy()
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, kept.matches, pin)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class ImmediateChecks:
    """Checks PINs at once: for people who are not real, whose hashes cost nothing."""

    async def matches(self, kept: PinHash, pin: str) -> bool:
        return kept.matches(pin)

    def close(self) -> None:
        """Does nothing: there is nothing to end."""
