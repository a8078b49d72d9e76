"""The events of a device that are in the journal: the newest counter, and the few below it that never came."""

from __future__ import annotations

from zlib import crc32

import msgspec

# A sound device leaves none.  Past this the oldest are forgotten: a mad device must not fill the memory.
MAX_GAPS = 64


class StoredEvents(msgspec.Struct, frozen=True, gc=False):
    """The events of one epoch of one device that are stored."""

    counter: int = 0  # the newest
    gaps: tuple[tuple[int, int], ...] = ()  # (first, last) counters below it that are not stored, ascending

    def has(self, counter: int) -> bool:
        """Tells whether this event is stored already.

        >>> StoredEvents(5, ((2, 3),)).has(4), StoredEvents(5, ((2, 3),)).has(3)
        (True, False)
        """
        return counter <= self.counter and not any(first <= counter <= last for first, last in self.gaps)

    def plus(self, counter: int) -> StoredEvents:
        """Returns the same with one more event, which must not be stored already.

        >>> StoredEvents(1).plus(5)
        StoredEvents(counter=5, gaps=((2, 4),))
        >>> StoredEvents(1).plus(5).plus(3)
        StoredEvents(counter=5, gaps=((2, 2), (4, 4)))
        """
        if counter == self.counter + 1:
            return StoredEvents(counter, self.gaps)
        if counter > self.counter:
            return StoredEvents(counter, (*self.gaps, (self.counter + 1, counter - 1))[-MAX_GAPS:])
        gaps: list[tuple[int, int]] = []
        for first, last in self.gaps:
            parts = [(first, counter - 1), (counter + 1, last)] if first <= counter <= last else [(first, last)]
            gaps += [part for part in parts if part[0] <= part[1]]
        return StoredEvents(self.counter, tuple(gaps[-MAX_GAPS:]))

    def through(self, base: int = 0) -> int:
        """Returns the highest counter such that every one behind `base` up to it is stored.

        >>> stored = StoredEvents(5, ((2, 3),))
        >>> stored.through(), stored.through(base=3), StoredEvents(5).through(base=9)
        (1, 5, 9)
        """
        for first, last in self.gaps:
            if last > base:
                return max(first - 1, base)
        return max(self.counter, base)

    def missing(self, base: int, upto: int) -> list[tuple[int, int]]:
        """Returns the counters behind `base` up to `upto` that are not stored, as (first, last), ascending.

        >>> StoredEvents(5, ((2, 3),)).missing(2, 8), StoredEvents(5).missing(0, 5)
        ([(3, 3), (6, 8)], [])
        """
        pieces = [*self.gaps, (self.counter + 1, upto)]
        cut = [(max(first, base + 1), min(last, upto)) for first, last in pieces]
        return [(first, last) for first, last in cut if first <= last]

    def gaps_text(self) -> str:
        """Returns the gaps as they are stored: `2-4 7-7`."""
        return " ".join(f"{first}-{last}" for first, last in self.gaps)

    @classmethod
    def of(cls, counter: int, gaps_text: str) -> StoredEvents:
        """Returns the events from what is stored; raises ValueError when it makes no sense."""
        pairs = [part.split("-") for part in gaps_text.split()]
        return cls(counter, tuple((int(first), int(last)) for first, last in pairs))


def device_crc(device: str, epoch: int, counter: int, gaps_text: str, seq: int) -> int:
    """Returns the checksum of a device's row."""
    return crc32(f"{device}\0{epoch}\0{counter}\0{gaps_text}\0{seq}".encode())
