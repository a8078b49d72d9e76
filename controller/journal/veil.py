"""What stands between a journal and its file: whoever owns the payloads may store them otherwise than they are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Veil(Protocol):
    """Hides payloads on their way into the file, and opens them on their way out.

    Checksums and hashes cover what is stored.  `open` undoes `hide`, and returns as it is what it cannot open.
    """

    def hide(self, payload: bytes, at_us: int, stored: Callable[[int], bytes]) -> bytes:
        """Returns a payload as it is to be stored; `stored` gives that of an earlier record.  Raises JournalError."""
        ...

    def open(self, payload: bytes) -> bytes:
        """Returns a stored payload as its owner wrote it; as it is stored where that cannot be known."""
        ...

    def seal(self, state: bytes, at_us: int) -> bytes:
        """Returns what was derived from payloads, such as a snapshot, as it is to be stored.  Raises JournalError."""
        ...

    def unseal(self, stored: bytes) -> bytes:
        """Returns what `seal` was given; as it is stored where that cannot be known."""
        ...


class NoVeil:
    """Stores everything as it is."""

    def hide(self, payload: bytes, at_us: int, stored: Callable[[int], bytes]) -> bytes:
        return payload

    def open(self, payload: bytes) -> bytes:
        return payload

    def seal(self, state: bytes, at_us: int) -> bytes:
        return state

    def unseal(self, stored: bytes) -> bytes:
        return stored


NO_VEIL: Veil = NoVeil()
