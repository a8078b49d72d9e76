"""Reads the second copy again, slice by slice, while the table rests: a rotten middle is found before it is needed.

What is compared otherwise is the newest hash alone, and the whole file only when it is opened.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import islice
from math import ceil
from typing import Final

from controller.journal.errors import CORRUPT, JournalError
from controller.journal.store import Journal

EVERY: Final = 10.0  # seconds between two slices, at least
PASS: Final = 86_400.0  # seconds in which all of the copy is read once, while the table rests
LEAST: Final = 200  # records of a slice
MOST: Final = 5_000
PIECE: Final = 200  # records between two rests
REST: Final = 0.002  # seconds


def slice_of(records: int) -> int:
    """Returns how many records are read at a time.

    >>> slice_of(100), slice_of(10_000_000), slice_of(10**9)
    (200, 1158, 5000)
    """
    return min(MOST, max(LEAST, ceil(records * EVERY / PASS)))


class CopyCheck:
    """How far one copy was read again.  It begins anywhere, so that short runs of the daemon reach all of it too."""

    def __init__(
        self,
        journal: Journal,
        chance: Callable[[int], int] = random.randrange,
        rest: Callable[[float], None] = time.sleep,
    ) -> None:
        self._journal, self._chance, self._rest = journal, chance, rest
        self.read = 0  # records, in all
        self._next = 0  # the first record of the next slice; 0: nobody has chosen one yet

    def go_on(self, copy: Journal) -> str:
        """Reads the next slice; returns how it differs from the journal, "" when it does not.

        Raises JournalError when a record of the copy is missing, altered or out of the chain.
        """
        newest = copy.head.seq
        if not newest:
            return ""
        if not 1 <= self._next <= newest:
            self._next = 1 if self._next else 1 + self._chance(newest)
        last = min(newest, self._next + slice_of(newest) - 1)
        records = copy.iterate_stored(self._next)
        while self._next <= last:
            count = sum(1 for _ in islice(records, min(PIECE, last - self._next + 1)))
            if not count:
                raise JournalError(CORRUPT, f"record {self._next} is missing")
            self._next, self.read = self._next + count, self.read + count
            self._rest(REST)
        # Every record up to `last` is in the chain with its hash: when that is the journal's, all of them are.
        if self._journal.base.seq <= last and self._journal.hash_at(last) != copy.hash_at(last):
            return f"record {last} is another one than in the journal"
        return ""
