"""What every wire offers: bytes in, bytes out, and the news that it is gone."""

from __future__ import annotations

from typing import Protocol

from firmware_bridge.errors import Coded


class TransportError(Coded):
    """The wire could not be opened, or was lost."""


class Receiver(Protocol):
    """Who listens at our end."""

    def received(self, data: bytes) -> None: ...

    def lost(self, why: TransportError) -> None: ...


class Transport(Protocol):
    """One wire to one device.  After `lost` or `close` it may be opened again."""

    async def open(self, receiver: Receiver) -> None:
        """Raises TransportError when the wire cannot be opened."""

    def write(self, data: bytes) -> None:
        """Never blocks; a wire that is gone is reported through `Receiver.lost`, not here."""

    async def close(self) -> None:
        """Idempotent; after it the receiver hears nothing more."""
