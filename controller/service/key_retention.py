"""Destroys day keys when their time is over, and with them for good the cards of that day that were never turned."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

import structlog

from controller.errors import FeltError
from controller.journal.errors import JournalError
from controller.journal.store import Journal
from controller.service.card_veil import CardVeil, sealed_under
from controller.service.day_keys import DAY, DayKey
from controller.service.engine import Engine
from controller.table.facts import CardKeysDestroyed

log = structlog.get_logger()

EVERY: Final = 3600.0  # seconds; the first time after the clock had an hour to be set


class KeyRetention:
    """Looks every hour which keys are older than `days`; what it destroys is on record first."""

    def __init__(self, engine: Engine, journal: Journal, days: int) -> None:
        self._engine, self._journal, self._days = engine, journal, days
        self._timer: asyncio.TimerHandle | None = None
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins, where the table has keys."""
        if isinstance(self._journal.veil, CardVeil):
            self._timer = asyncio.get_running_loop().call_later(EVERY, self._due)

    def stop(self) -> None:
        """Ends it."""
        if self._timer is not None:
            self._timer.cancel()
        if self._work is not None:
            self._work.cancel()

    def _due(self) -> None:
        self._work = asyncio.get_running_loop().create_task(self.look(), name="key retention")
        self.start()

    async def look(self) -> None:
        """Destroys what is due; what cannot be written is tried again an hour later."""
        veil = self._journal.veil
        if not isinstance(veil, CardVeil):
            return
        try:
            needed = {sealed_under(snapshot.payload) for _, snapshot in self._journal.snapshots() if snapshot}
            names = expired(veil.keys.all(), needed, self._engine.time(), self._days * DAY)
            if names:
                await self._engine.submit(CardKeysDestroyed(names, self._days))
                await asyncio.to_thread(veil.keys.destroy, names)
        except (FeltError, JournalError) as error:
            log.error(error.code, cause=error.cause, next_step=error.next_step)


def expired(days: Sequence[DayKey], needed: Collection[bytes], now: int, retention: int) -> tuple[bytes, ...]:
    """Returns the names of the keys whose time is over.

    A day ends when the next one begins.  `needed` are those of the snapshots that are kept: a start goes on from one of
    these, so their keys and all later ones stay, whatever their age; and all of them where no snapshot is kept.

    >>> days = [DayKey(b"1", 0, b"x"), DayKey(b"2", 10, b"x"), DayKey(b"3", 20, b"x"), DayKey(b"4", 30, b"x")]
    >>> expired(days, {b"3"}, 31, 10), expired(days, {b"1"}, 31, 10), expired(days, set(), 31, 10)
    ((b'1', b'2'), (), ())
    """
    names = [day.name for day in days]
    first_needed = min((names.index(name) if name in names else 0 for name in needed), default=0)
    ended = pairwise(days[: first_needed + 1])
    return tuple(day.name for day, following in ended if day.secret and following.began + retention <= now)
