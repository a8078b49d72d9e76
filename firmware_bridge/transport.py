"""What every wire offers: bytes in, bytes out, and the news that it is gone."""

from __future__ import annotations

from typing import Protocol

from firmware_bridge.errors import Coded


class TransportError(Coded):
    """The wire could not be opened, or was lost."""


class Receiver(Protocol):
    """The one that takes what comes in at our end."""

    def received(self, data: bytes) -> None:
        """Takes bytes that came in, in any pieces."""

    def lost(self, why: TransportError) -> None:
        """Learns that the wire is lost, and why; nothing comes after it."""


class Transport(Protocol):
    """One wire to one device.  After `lost` or `close` it may be opened again."""

    async def open(self, receiver: Receiver) -> None:
        """Opens the wire and passes to this receiver what comes in; TransportError when it cannot be opened."""

    def write(self, data: bytes) -> None:
        """Sends bytes without blocking; a wire that is gone is reported through `Receiver.lost`, not here."""

    async def close(self) -> None:
        """Closes the wire; the receiver gets nothing more after it.  Idempotent."""
