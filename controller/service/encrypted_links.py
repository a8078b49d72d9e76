"""The record of which devices have an encrypted link, apart from their keys.

A key that is missing stops the device, never the encryption.  A device that never had one is not used before it is
paired, unless table.toml says that its link is plain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import structlog

from controller.errors import FeltError
from controller.service.engine import Engine
from controller.table.facts import LinkSealed
from drivers.supervisor import INSECURE, Supervisor

log = structlog.get_logger()


class EncryptedLinks:
    """Keeps the links of one table encrypted that once were, and those that must be.

    `required`: devices that may only be used with a key; `has_events`: whether the journal has events of a device.
    """

    def __init__(
        self,
        engine: Engine,
        devices: Mapping[str, Supervisor],
        required: frozenset[str],
        has_events: Callable[[str], bool],
    ) -> None:
        self._engine, self._devices, self.required, self._has_events = engine, devices, required, has_events

    def start(self) -> None:
        """Locks the devices that must encrypt, and records those that do; before any device is opened.

        Raises FeltError when the table has played with one of them over a plain link: that is for a person to decide.
        """
        self._check_decided()
        for name, device in self._devices.items():
            if device.encrypted:
                self.encrypted(device)
            elif name in self._engine.table.encrypted:
                device.without_key = "refused"
                log.error("keys.missing", device=name, serial=device.expect_serial)
            elif name in self.required:
                device.without_key = "greeted"
                log.warning("keys.unpaired", device=name, serial=device.expect_serial)
            elif device.link == INSECURE:
                log.warning("link.insecure", device=name)

    def _check_decided(self) -> None:
        """Raises FeltError when a device that spoke plain until now would no longer be used.

        A table that comes up without the devices it played with yesterday would be found out by the floor; one that
        does not start is found out by who updates it.
        """
        before = self._engine.table.encrypted
        without = [
            name
            for name, device in self._devices.items()
            if name in self.required and name not in before and not device.encrypted
        ]
        if any(map(self._has_events, without)):
            sections = ", ".join(f'[device."{name}"]' if "." in name else f"[device.{name}]" for name in without)
            cause = f"{', '.join(without)}: plain links until now, and nobody has said that they may go on so"
            step = (
                f"Write sealed = false below {sections} in table.toml and start again; "
                "then pair each (`felt device NAME pair`) and remove the line."
            )
            raise FeltError("keys.undecided", cause, step)

    def must_encrypt(self, name: str) -> bool:
        """Tells whether this device may only be spoken to over an encrypted link."""
        return name in self.required or name in self._engine.table.encrypted

    def encrypted(self, device: Supervisor) -> None:
        """Records that a device has a key, before anything that it says."""
        serial = device.expect_serial or ""
        if self._engine.table.encrypted.get(device.name) != serial:
            self._engine.submit(LinkSealed(device.name, serial))

    async def in_plain(self, device: Supervisor, account: int) -> None:
        """Records that a technician lets this device be spoken to in plain frames from now on."""
        await self._engine.submit(LinkSealed(device.name, device.expect_serial or "", sealed=False, account=account))
        device.key = None
        device.without_key = "used"
