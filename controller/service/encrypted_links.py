"""The record of which devices have an encrypted link, apart from their keys.

A key that is missing stops the device, never the encryption.
"""

from __future__ import annotations

from collections.abc import Mapping

import structlog

from controller.service.engine import Engine
from controller.table.facts import LinkSealed
from drivers.supervisor import Supervisor

log = structlog.get_logger()


class EncryptedLinks:
    """Keeps the links of one table encrypted that once were.

    `required`: those of which table.toml says so.
    """

    def __init__(self, engine: Engine, devices: Mapping[str, Supervisor], required: frozenset[str]) -> None:
        self._engine, self._devices, self.required = engine, devices, required

    def start(self) -> None:
        """Locks the devices that must encrypt, and records those that do; before any device is opened."""
        for name, device in self._devices.items():
            if device.encrypted:
                self.encrypted(device)
            elif self.must_encrypt(name):
                device.only_encrypted = True
                log.error("keys.missing", device=name, serial=device.expect_serial)

    def must_encrypt(self, name: str) -> bool:
        """Tells whether this device may only be spoken to over an encrypted link."""
        return name in self.required or name in self._engine.table.encrypted

    def encrypted(self, device: Supervisor) -> None:
        """Records that a device has a key, before anything that it says."""
        device.only_encrypted = True
        serial = device.expect_serial or ""
        if self._engine.table.encrypted.get(device.name) != serial:
            self._engine.submit(LinkSealed(device.name, serial))

    async def in_plain(self, device: Supervisor, account: int) -> None:
        """Records that a technician lets this device be spoken to in plain frames from now on."""
        await self._engine.submit(LinkSealed(device.name, device.expect_serial or "", sealed=False, account=account))
        device.key = None
        device.only_encrypted = False
