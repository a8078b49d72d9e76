"""Entries and journals that the journal's tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.journal import Entry, Journal

TABLE = "tcp-1"


def card(counter: int, payload: bytes = b"", *, device: str = "shoe", epoch: int = 1) -> Entry:
    return Entry(counter * 10, payload or b"card %d" % counter, device, epoch, counter)


def key(at_us: int, payload: bytes = b"key") -> Entry:
    return Entry(at_us, payload)


def newest_event(journal: Journal, device: str) -> tuple[int, int]:
    """Returns (epoch, counter) of the newest event stored from `device`; (0, 0) for none."""
    epoch = journal.epoch_of(device)
    return epoch, journal.seen(device, epoch).counter


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables" / "journal.db"


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[[], Journal]]:
    """Open the journal at `path`; whatever is still open at the end is closed."""
    journals: list[Journal] = []

    def open_it() -> Journal:
        journals.append(Journal.open(path, table=TABLE))
        return journals[-1]

    yield open_it
    for journal in journals:
        journal.close()
