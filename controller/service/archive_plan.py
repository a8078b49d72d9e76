"""Which records may leave the journal: old ones that nothing which runs can still ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from controller.journal.archives import BITE
from controller.journal.archiving import LARGEST
from controller.journal.store import Journal
from controller.service.inspection import BLOCK, how_shown
from controller.table.state import Table

NEAR: Final = 5000  # records before the oldest kept snapshot that stay: a start, and whoever looks, reads back so far
SMALLEST: Final = 256 * BITE  # records of an archive that is made unasked: else there were a thousand files a year


class Bounds(NamedTuple):
    """How much may leave at most and how much must leave at least, in records."""

    near: int = NEAR
    smallest: int = SMALLEST
    largest: int = LARGEST


def last_to_leave(
    journal: Journal, table: Table, before: int, bounds: Bounds, rest: Callable[[], None] = lambda: None
) -> int:
    """Returns the last record that may leave; 0 when too few may.

    All that leave were recorded before a time, and lie well before the oldest kept snapshot and whatever is not over:
    the round that runs, disputes.
    """
    begin = journal.base.seq
    end = min(_first_needed(journal, table, bounds) - 1, begin + bounds.largest) // BITE * BITE
    least = begin + max(bounds.smallest, BITE)
    if end < least or journal.read_stored(least, 1)[0].at_us >= before:
        return 0
    last = begin
    while last < end and all(record.at_us < before for record in journal.read_stored(last + 1, BITE)):
        last += BITE
        rest()
    while last >= least and _has_guessable(journal, last):
        last -= BITE
    return last if last >= least else 0


def _first_needed(journal: Journal, table: Table, bounds: Bounds) -> int:
    """Returns the first record that somebody may still need."""
    kept = [seq for seq, snapshot in journal.snapshots() if snapshot is not None]
    needed = [max(0, min(kept) - bounds.near)] if kept else [0]
    needed += [dispute.opened for dispute in table.disputes.values()]
    if table.round is not None and not table.round.outcome:
        needed.append(table.round.opened)
    return min(needed)


def _has_guessable(journal: Journal, last: int) -> bool:
    """Tells whether the last records have a card without salt: an export that begins behind them would tell its hash.

    Only versions before there was salt have written such ones.
    """
    return any(how_shown(record) == "block" for record in journal.read_stored(last - BLOCK + 1, BLOCK))
