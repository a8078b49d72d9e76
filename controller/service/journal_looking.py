"""Finds facts in a journal: the latest, those of a device, those since a time; the same for the API and for a file."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from controller.journal.records import Record
from controller.journal.store import Journal

CHUNK: Final = 500
FAR: Final = 20_000  # records that one request looks at; whoever wants more asks again
REST: Final = 0.001  # seconds between two chunks: the table goes first


class Page(NamedTuple):
    """Records that were asked for; `after` is where to go on, None when nothing more can follow."""

    records: list[Record]
    after: int | None


def latest(journal: Journal, count: int, upto: int, device: str = "") -> list[Record]:
    """Returns the latest records up to `upto`, in order; only those of `device` when one is named.

    It ends where an archive is not at hand.
    """
    matching: list[Record] = []
    last, begins = upto, journal.begins
    while last >= begins and len(matching) < count:
        size = CHUNK if device else min(CHUNK, count - len(matching))
        first = max(begins, last - size + 1)
        matching[:0] = [each for each in journal.read(first, last - first + 1) if device in ("", each.device)]
        last = first - 1
        if device:
            time.sleep(REST)
    return matching[len(matching) - count :] if len(matching) > count else matching


def behind(journal: Journal, after: int, count: int, upto: int, device: str = "") -> Page:
    """Returns the first records behind `after` and up to `upto`; only those of `device` when one is named."""
    matching: list[Record] = []
    end = min(upto, after + FAR)
    while after < end and len(matching) < count:
        size = min(CHUNK, end - after) if device else min(count - len(matching), end - after)
        for record in journal.read(after + 1, size):
            after = record.seq
            if device in ("", record.device):
                matching.append(record)
                if len(matching) == count:
                    break
        else:
            if device:
                time.sleep(REST)
    return Page(matching, after if after < upto else None)


def before(journal: Journal, at_us: int, upto: int) -> int:
    """Returns the last record before a time, 0 when there is none; matching by halves, for clocks mostly go forward."""
    return _last(upto, lambda seq: journal.read(seq, 1)[0].at_us < at_us, journal.begins - 1)


def _last(upto: int, holds: Callable[[int], bool], low: int = 0) -> int:
    """Returns the last number up to `upto` for which this holds, when it holds for all before it; `low` when for none.

    >>> _last(10, lambda number: number < 7), _last(10, lambda number: False), _last(3, lambda number: True)
    (6, 0, 3)
    """
    high = upto
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low
