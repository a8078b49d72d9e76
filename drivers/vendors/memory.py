"""The event memory that a vendor's device lacks: our end counts its events and keeps them until they are durable."""

from __future__ import annotations

import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.messages import Event

MOST_KEPT: Final = 4096  # a journal that stores nothing must not fill the memory of the controller


@dataclass(slots=True)
class Memory:
    """Keeps the events of one vendor's device until they are durable; it outlives the sessions with the device.

    What the device says while nobody listens is not in it: no protocol can bring that back.
    """

    epoch: int = field(default_factory=lambda: secrets.randbits(62) + 1)
    last: int = 0
    kept: deque[tuple[int, Event]] = field(default_factory=deque)

    @property
    def full(self) -> bool:
        """Whether it keeps as many events as it may."""
        return len(self.kept) >= MOST_KEPT

    def add(self, event: Event) -> int:
        """Keeps a new event, and returns its counter."""
        self.last += 1
        self.kept.append((self.last, event))
        return self.last

    def forget(self, counter: int) -> None:
        """Forgets every event up to this one: they are durable."""
        while self.kept and self.kept[0][0] <= counter:
            self.kept.popleft()
