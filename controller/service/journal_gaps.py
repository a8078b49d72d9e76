"""Compares what each device says of its event memory with what the journal has of it: no gap passes unseen.

A device forgets an event only when it was told that it is durable.  So when it no longer has one that the journal
never got, either the journal went back (a copy of an older state, a lost write-ahead log, a new file), or the device
lost it.  Both are told, hold the table until a person rules, and are then accounted for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.journal.counters import StoredEvents
from controller.journal.store import Journal
from controller.service.continuity import by_device
from controller.table.facts import Missed
from controller.table.holds import BEHIND
from controller.table.state import Table
from firmware_bridge.messages import Identity

GAP: Final = "device.gap"


class JournalGaps:
    """Knows how far each device may be acknowledged, and what misses."""

    def __init__(self, journal: Journal, table: Callable[[], Table]) -> None:
        self._journal = journal
        self._table = table
        self._met: set[tuple[str, int]] = set()  # memories that were compared since: the journal cannot have gone back

    def resume(self, device: str) -> tuple[int, int]:
        """Returns, for the greeting, the epoch and the counter up to which the device need not keep its events."""
        epoch = self._journal.epoch_of(device)
        return epoch, self.through(device, epoch)

    def through(self, device: str, epoch: int) -> int:
        """Returns the highest counter below which everything of this memory is stored or accounted for."""
        seen = self._journal.seen(device, epoch)
        return seen.through(self._base(device, epoch, seen)) if seen.counter else 0

    def compare(self, device: str, identity: Identity) -> Missed | None:
        """Returns what is to be put on record when the device has said what it still has; None: nothing misses."""
        epoch, gone = identity.epoch, max(identity.first - 1, 0)
        seen, met = self._journal.seen(device, epoch), (device, epoch) in self._met
        self._met.add((device, epoch))
        missing = seen.missing(self._base(device, epoch, seen), gone)
        if not missing:
            return None
        lost = ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in missing)
        if not seen.counter and not met and self._journal.epoch_of(device):
            elsewhere = f"another memory than before answers in its place; its events {lost} went elsewhere"
            return Missed(device, epoch, gone, text=elsewhere)
        if met or missing[0][0] < seen.counter:
            return Missed(device, epoch, gone, GAP, f"its events {lost} were never stored, and it has them no more")
        return Missed(device, epoch, gone, BEHIND, by_device(gone, seen.counter))

    def _base(self, device: str, epoch: int, seen: StoredEvents) -> int:
        """Returns the counter up to which nothing is expected any more."""
        known, upto = self._table().accounted.get(device, (0, 0))
        # Version 0.1.0 let a device begin anywhere, without a word.
        start = seen.gaps[0][1] if seen.gaps and seen.gaps[0][0] == 1 else 0
        return max(start, upto if known == epoch else 0)
