"""The tree of a journal that is open: it goes on from the newest kept checkpoint and reads only what came since."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.journal.errors import CORRUPT, JournalError
from controller.journal.records import chained, parts
from controller.journal.store import Journal
from controller.journal.tree import Frontier, leaf_hash

CHUNK: Final = 200  # records between two pauses: reading them holds the journal for less than a millisecond


class GrowingTree:
    """The frontier of one open journal, and the hash in the chain where it stands.

    It is for one thread at a time.  What it begins with is believed, as a snapshot is: `verify` computes it again.
    """

    def __init__(self, journal: Journal) -> None:
        """Goes on from the newest checkpoint that is whole; from the first record in a journal that has none."""
        self._journal, base = journal, journal.base
        self.frontier, self._hash = base.tree, base.hash
        for seq, kept in reversed(journal.checkpoints()):
            if kept is not None and seq >= base.seq and kept.frontier.root() == kept.checkpoint.root:
                self.frontier, self._hash = kept.frontier, journal.hash_at(seq)
                return

    @property
    def behind(self) -> int:
        """How many records are not in it yet."""
        return self._journal.head.seq - self.frontier.size

    def grow(self, pause: Callable[[], None] = lambda: None) -> Frontier:
        """Takes in all records up to the head of this moment; `pause` is called between two pieces of the work.

        Raises JournalError when what stands in the file does not lead to what the journal knows that it wrote.
        """
        head = self._journal.head
        while self.frontier.size < head.seq:
            self._take(min(CHUNK, head.seq - self.frontier.size))
            pause()
        if self._hash != head.hash:
            raise JournalError(CORRUPT, f"record {head.seq} is not the one that was written")
        return self.frontier

    def _take(self, count: int) -> None:
        leaves, digest = [], self._hash
        for place, (stands_as, sealed) in enumerate(
            self._journal.rows(self.frontier.size + 1, count), start=self.frontier.size + 1
        ):
            body, stored = parts(sealed)
            if stands_as != place or chained(digest, body) != stored:
                raise JournalError(CORRUPT, f"record {place} is missing, was altered or does not follow the one before")
            leaves.append(leaf_hash(body))
            digest = stored
        if len(leaves) < count:
            raise JournalError(CORRUPT, f"record {self.frontier.size + len(leaves) + 1} is missing")
        self.frontier, self._hash = self.frontier.plus(leaves), digest


def frontier_at(journal: Journal, size: int, pause: Callable[[], None] = lambda: None) -> Frontier:
    """Returns the frontier of the first `size` records; reads only those behind the newest checkpoint before that."""
    frontier = journal.base.tree if journal.base.seq <= size else Frontier()
    for seq, kept in reversed(journal.checkpoints()):
        if frontier.size <= seq <= size and kept is not None and kept.frontier.root() == kept.checkpoint.root:
            frontier = kept.frontier
            break
    return frontier.plus(leaves_between(journal, frontier.size, size, pause))


def leaves_between(journal: Journal, after: int, last: int, pause: Callable[[], None] = lambda: None) -> list[bytes]:
    """Returns the leaves of the records behind `after`, up to `last`; raises JournalError when one is missing.

    Those of records that left are computed from their archives.
    """
    leaves: list[bytes] = []
    while after + len(leaves) < last:
        rows = journal.rows(after + len(leaves) + 1, min(CHUNK, last - after - len(leaves)))
        if not rows:
            raise JournalError(CORRUPT, f"record {after + len(leaves) + 1} is missing")
        leaves += [leaf_hash(parts(sealed)[0]) for _, sealed in rows]
        pause()
    return leaves
