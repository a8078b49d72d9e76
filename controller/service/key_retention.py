"""Destroys day keys when their time is over, and with them for good the cards of that day that were never turned."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Final

import structlog

from controller.errors import FeltError
from controller.journal.errors import JournalError
from controller.journal.store import Journal
from controller.service.card_veil import CardVeil, hidden_in, sealed_under
from controller.service.day_keys import DAY, DayKey
from controller.service.engine import Engine
from controller.table.facts import CardKeysDestroyed
from controller.table.state import Table
from controller.table.wall_clock import CLOCK

log = structlog.get_logger()

EVERY: Final = 3600.0  # seconds; the first time after the clock had an hour to be set
PAUSE: Final = 2 * DAY  # between two keys; what is longer counts nothing, for a clock that was set ahead looks the same
CHUNK: Final = 500


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
        if CLOCK in self._engine.table.faults:  # nothing is destroyed by a day that nobody believes
            return
        try:
            now = self._engine.time()
            await asyncio.to_thread(veil.keys.now, now)  # a day without a card has a key too: it has passed
            needed = {sealed_under(snapshot.payload) for _, snapshot in self._journal.snapshots() if snapshot}
            needed |= undecided(self._journal, self._engine.table)
            names = expired(veil.keys.all(), needed, now, self._days * DAY)
            if names:
                await self._engine.submit(CardKeysDestroyed(names, self._days))
                await asyncio.to_thread(veil.keys.destroy, names)
        except (FeltError, JournalError) as error:
            log.error(error.code, cause=error.cause, next_step=error.next_step)


def undecided(journal: Journal, table: Table) -> set[bytes]:
    """Returns the keys of the first cards that somebody may still have to open: of a round that runs, of disputes."""
    opened = [dispute.opened for dispute in table.disputes.values()]
    if table.round is not None and not table.round.outcome:
        opened.append(table.round.opened)
    return _first_key(journal, min(opened)) if opened else set()


def _first_key(journal: Journal, seq: int) -> set[bytes]:
    """Returns the key of the first hidden card from a record on; none where there is no such card."""
    while records := journal.read_stored(seq, CHUNK):
        for record in records:
            if (hidden := hidden_in(record.payload)) is not None:
                return {hidden.day}
        seq = records[-1].seq + 1
    return set()


def expired(days: Sequence[DayKey], needed: Collection[bytes], now: int, retention: int) -> tuple[bytes, ...]:
    """Returns the names of the keys whose time is over.

    A day ends when the next one begins, and not before it had its hours: the clock may have been set back.  Its time is
    over when the clock says so, and when so much time was lived through, of which the other keys are the proof.

    `needed` are those that are still wanted, of the snapshots that are kept and of cards that may have to be opened:
    they and all later ones stay, whatever their age; and all of them where nothing is needed.

    >>> days = [DayKey(b"%d" % n, n * DAY, b"x") for n in range(6)]
    >>> [expired(days, needed, 5 * DAY, 2 * DAY) for needed in ({b"5"}, {b"1"}, ())]
    [(b'0', b'1', b'2'), (b'0',), ()]
    """
    names = [day.name for day in days]
    first_needed = min((names.index(name) if name in names else 0 for name in needed), default=0)
    out, lived = [], _counted(days[-1].began, now) if days else 0
    for at in reversed(range(len(days) - 1)):
        day, following = days[at : at + 2]
        end = max(following.began, day.began + DAY)
        if at < first_needed and day.secret and lived >= retention and end + retention <= now:
            out.append(day.name)
        lived += _counted(day.began, following.began)
    return tuple(reversed(out))


def _counted(began: int, following: int) -> int:
    """Returns how much of the time between two keys was surely lived through."""
    return following - began if 0 <= following - began <= PAUSE else 0
