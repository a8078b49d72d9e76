"""The record of cables that were tampered with, until a technician has looked at them."""

from __future__ import annotations

from typing import Final

import structlog

from controller.service.storage import Storage
from controller.table.facts import DeviceCleared, DeviceFault
from controller.table.state import Table

log = structlog.get_logger()

TAMPERED: Final = "link.tampered"
FORGED: Final = "frames on its cable were forged, altered or replayed"


class Tampering:
    """The devices on whose cables something was forged, as far as it is on record."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._devices: set[str] = set()

    def recover(self, table: Table) -> None:
        """Takes over what the table knows after a restart."""
        self._devices = {device for device, codes in table.faults.items() if TAMPERED in codes}

    def __contains__(self, device: str) -> bool:
        """Tells whether tampering with its cable is on record, and no technician has looked since."""
        return device in self._devices

    def detected(self, device: str) -> None:
        """Records it, once: it stays until a technician has looked, also through a restart."""
        if device not in self._devices:
            log.error(TAMPERED, device=device)
            self._devices.add(device)
            self._storage.record(DeviceFault(device, TAMPERED, FORGED))

    def clear(self, device: str) -> bool:
        """Records that a technician has looked at the cable; False when nothing was wrong with it."""
        if device not in self._devices:
            return False
        self._devices.discard(device)
        self._storage.record(DeviceCleared(device, TAMPERED))
        return True
