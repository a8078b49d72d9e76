"""Whether facts can be stored now; the service's own facts are kept until they can be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import structlog

from controller.journal.errors import JournalError
from controller.service.engine import Engine
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact, DeviceLost, DeviceReady, Tick
from controller.table.state import Table

log = structlog.get_logger()

PAUSE = 1.0  # seconds before the journal is tried again
SLOW = 2.0  # seconds in which a disk should have answered


class Storage:
    """The journal as the rest of the service sees it: it takes facts, or it does not."""

    def __init__(self, engine: Engine) -> None:
        self.error: JournalError | None = None  # why nothing can be recorded now
        self.listeners: list[Callable[[], None]] = []  # hear that nothing can be recorded now
        self._engine = engine
        self._unstored: list[AnyFact] = []  # the service's own facts that could not be stored
        self._retry: asyncio.TimerHandle | None = None
        self._stopped = False
        engine.listeners.append(self._followed)

    def record(self, fact: AnyFact) -> None:
        """Submits a fact of the service's own; one that cannot be stored now is submitted again as soon as one can."""
        self._engine.submit(fact, unstored=partial(self._keep, fact))

    def failed(self, error: JournalError) -> None:
        """Notes that nothing can be stored; until something can be, the table takes nothing on, and says so.

        What was not stored was not acknowledged: whoever sent it is greeted anew and sends it again.
        """
        log.error("journal.failed", code=error.code, cause=error.cause)
        self.error = error
        for listener in self.listeners:
            listener()
        if self._retry is None and not self._stopped:
            self._retry = asyncio.get_running_loop().call_later(PAUSE, self._try_again)

    def slow(self, now: float) -> JournalError | None:
        """Returns what to tell people while the disk takes long to answer; None: it does not."""
        waits = self._engine.writer.waits(now)
        if waits <= SLOW:
            return None
        return JournalError("journal.slow", f"the disk of the journal has not answered for {waits:.0f} s")

    def stop(self) -> None:
        """Tries no more, also when what is submitted at the end cannot be stored; harmless twice."""
        self._stopped = True
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None

    def _try_again(self) -> None:
        """Submits something, also when no device has anything to say.

        The first fact that is stored ends the trouble.
        """
        self._retry = None
        if self.error is not None:
            self._engine.submit(Tick())

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if self.error is None:
            return
        self.error = None
        unstored, self._unstored = self._unstored, []
        for each in unstored:
            self.record(each)

    def _keep(self, fact: AnyFact) -> None:
        """Keeps a fact until one can be stored; of a device that comes and goes meanwhile only the latest."""
        if isinstance(fact, DeviceLost | DeviceReady):
            self._unstored = [other for other in self._unstored if not _replaced(other, fact.device)]
        self._unstored.append(fact)


def _replaced(fact: AnyFact, device: str) -> bool:
    """Tells whether this fact says that the device was lost, or is back."""
    return isinstance(fact, DeviceLost | DeviceReady) and fact.device == device
