"""Where PINs are checked: away from the loop, one at a time, and never more waiting than a moment has room for."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol, TypeAlias

from controller.people.errors import busy
from controller.people.pam import PamAccount, PamChecks
from controller.people.pin_result import PinResult
from controller.people.pins import PinHash

MOST_WAITING: Final = 8
Secret: TypeAlias = PinHash | PamAccount  # by what a PIN is known


class PinChecks(Protocol):
    """Tells whether a PIN is the one that was kept."""

    async def check(self, kept: Secret, pin: str) -> PinResult:
        """Returns what came of it; raises FeltError when too many wait."""

    def close(self) -> None:
        """Ends it."""


class ThreadedChecks:
    """Asks PAM, or checks a PIN in a thread: one at a time, so that no more than the memory of one is taken."""

    def __init__(self, pam: PamChecks | None = None) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pin")
        self._waiting = 0
        self._pam = pam or PamChecks()

    async def check(self, kept: Secret, pin: str) -> PinResult:
        if isinstance(kept, PamAccount):
            return await self._pam.check(kept.account, pin)
        if self._waiting >= MOST_WAITING:
            raise busy()
        self._waiting += 1
        try:
            right = await asyncio.get_running_loop().run_in_executor(self._thread, kept.matches, pin)
        finally:
            self._waiting -= 1
        return PinResult.RIGHT if right else PinResult.WRONG

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class ImmediateChecks:
    """Checks PINs at once: for people who are not real, whose hashes cost nothing; no PAM knows them."""

    async def check(self, kept: Secret, pin: str) -> PinResult:
        if isinstance(kept, PamAccount):
            return PinResult.UNTOLD
        return PinResult.RIGHT if kept.matches(pin) else PinResult.WRONG

    def close(self) -> None:
        """Does nothing: there is nothing to end."""
