"""The keys under which cards are stored: one for each day, random, so that each can be destroyed alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable
from secrets import token_bytes
from typing import Final, NamedTuple

import structlog

from controller.errors import FeltError

log = structlog.get_logger()

DAY: Final = 24 * 3600 * 1_000_000  # microseconds
AGAIN: Final = 600 * 1_000_000  # microseconds until a key that could not be kept is tried once more
NAME_BYTES: Final = 8
KEY_BYTES: Final = 32


class DayKey(NamedTuple):
    """The key of a day; without its secret it is destroyed."""

    name: bytes
    began: int  # microseconds since 1970
    secret: bytes


Keep = Callable[[Collection[DayKey]], None]


class DayKeys:
    """All keys of a table, the oldest first.  Any thread may ask.

    `keep` makes them durable, and raises FeltError when it cannot: no key is used before.
    """

    def __init__(
        self, keep: Keep, days: Iterable[DayKey] = (), random_bytes: Callable[[int], bytes] = token_bytes
    ) -> None:
        self._keep = keep
        self._random_bytes = random_bytes
        self._days = {day.name: day for day in days}
        self._lock = threading.Lock()
        self._not_before = 0  # when a new key is tried again
        self._kept_here = False  # since this start: what was read may be a file that a power cut takes back

    def all(self) -> list[DayKey]:
        """Returns every key, the oldest first."""
        return list(self._days.values())

    def find(self, name: bytes) -> DayKey | None:
        """Returns the key of this name; None when it is not there, or was destroyed."""
        day = self._days.get(name)
        return day if day is not None and day.secret else None

    def now(self, at_us: int) -> DayKey:
        """Returns the key for what is stored at this time, a new one when the last is older than a day.

        When a new one cannot be kept, the last one serves on: the cards stay as secret as they were.  Raises FeltError
        where there is none.  The first time the file is written anew: a start may have read one that is not durable.
        """
        with self._lock:
            last = self._last()
            young = last is not None and last.began <= at_us < last.began + DAY
            if last is not None and ((young and self._kept_here) or at_us < self._not_before):
                return last
            try:
                if last is None or not young:
                    return self._begun(at_us)
                self._store(self._days.values())
                return last
            except FeltError as error:
                if last is None:
                    raise
                log.warning(error.code, cause=error.cause, next_step=error.next_step)
                self._not_before = at_us + AGAIN
                return last

    def last(self, at_us: int) -> DayKey:
        """Returns the newest key; the first is made where there is none, for this time.  Raises FeltError."""
        with self._lock:
            return self._last() or self._begun(at_us)

    def destroy(self, names: Collection[bytes]) -> None:
        """Forgets these keys for good; raises FeltError when that could not be kept: then they are still there."""
        with self._lock:
            self._store([day._replace(secret=b"") if day.name in names else day for day in self._days.values()])

    def _last(self) -> DayKey | None:
        return next((day for day in reversed(self._days.values()) if day.secret), None)

    def _begun(self, at_us: int) -> DayKey:
        day = DayKey(self._random_bytes(NAME_BYTES), at_us, self._random_bytes(KEY_BYTES))
        self._store([*self._days.values(), day])
        return day

    def _store(self, days: Collection[DayKey]) -> None:
        self._keep(days)
        self._days = {day.name: day for day in days}
        self._kept_here = True


def in_memory(_days: Collection[DayKey]) -> None:
    """Keeps nothing: for a journal that ends with its process."""
