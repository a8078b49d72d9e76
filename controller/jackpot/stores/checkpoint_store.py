"""What a store does with the checkpoints of journals, whatever it keeps them in."""

from __future__ import annotations

from typing import Protocol

import msgspec

from controller.journal.witnessing import Submission


class Published(msgspec.Struct, frozen=True):
    """A checkpoint of a journal as a store keeps it."""

    size: int
    root: str  # in hexadecimal digits
    note: str
    anew: str  # who decided that it need not follow from the one before; "" for all others
    recorded_at: int  # microseconds since 1970

    def to_row(self) -> tuple[int, str, str, str, int]:
        """Returns what its columns have."""
        return self.size, self.root, self.note, self.anew, self.recorded_at


class CheckpointStore(Protocol):
    """The part of a store that keeps the checkpoints of journals, so that none can be taken back."""

    async def open(self) -> None:
        """Makes the store ready: schema, self-check."""

    async def close(self) -> None:
        """Releases everything; harmless twice."""

    async def publish(self, shown: Submission, anew: str = "") -> Published:
        """Keeps a checkpoint, durably; raises WitnessError when it does not follow from the newest one of its journal.

        `anew`: who decided that it need not.
        """

    async def published(self, origin: str) -> Published | None:
        """Returns the newest checkpoint of a journal; None before the first."""

    async def all_published(self, origin: str) -> list[Published]:
        """Returns all checkpoints of a journal, the oldest first."""

    async def setting(self, name: str) -> str:
        """Returns a setting of the whole store; "" when nobody set it."""
