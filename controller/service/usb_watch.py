"""Watches the USB of the table's computer: what nobody configured is named, on record, for as long as it is there."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Final

import structlog

from controller.service.engine import Engine
from controller.service.storage import Storage
from controller.table.facts import DeviceCleared, DeviceFault
from firmware_bridge.usb_present import UsbDevice, silence

log = structlog.get_logger()

USB: Final = "usb"  # the device under whose name it is on record
UNKNOWN: Final = "usb.unknown"
SETTLE: Final = 2.0  # seconds until udev has done its part and a port has its name
MOST: Final = 4  # that are named one by one


class UsbWatch:
    """Names devices that `is_configured` does not know; `present` lists what is plugged in."""

    def __init__(
        self,
        engine: Engine,
        storage: Storage,
        present: Callable[[], list[UsbDevice]],
        is_configured: Callable[[UsbDevice], bool],
        settle: float = SETTLE,
    ) -> None:
        self._engine, self._storage = engine, storage
        self._present, self._is_configured, self._settle = present, is_configured, settle
        self._bell: socket.socket | None = None
        self._later: asyncio.TimerHandle | None = None

    def start(self, open_bell: Callable[[], socket.socket]) -> None:
        """Looks once the devices have their names, and again whenever the kernel rings; after the table's recovery."""
        try:
            self._bell = open_bell()
        except OSError as error:
            log.warning("usb.unwatched", cause=error.strerror or str(error))
        else:
            asyncio.get_running_loop().add_reader(self._bell, self._rings, self._bell)
        self._look_soon()

    def stop(self) -> None:
        """Lets go of the bell; harmless twice."""
        if self._later is not None:
            self._later.cancel()
        if self._bell is not None:
            asyncio.get_running_loop().remove_reader(self._bell)
            self._bell.close()
            self._bell = None

    def _rings(self, bell: socket.socket) -> None:
        if silence(bell):
            self._look_soon()

    def _look_soon(self) -> None:
        if self._later is None:
            self._later = asyncio.get_running_loop().call_later(self._settle, self.look)

    def look(self) -> None:
        """Puts on record what is there and not configured, if that is other than what is on record."""
        self._later = None
        unknown = [device.in_words for device in self._present() if not self._is_configured(device)]
        more = [f"and {len(unknown) - MOST} more"] if len(unknown) > MOST else []
        text = "; ".join([*unknown[:MOST], *more])
        before = self._engine.table.faults.get(USB, {}).get(UNKNOWN, "")
        if text == before:
            return
        if text:
            log.warning(UNKNOWN, devices=unknown)
            self._storage.record(DeviceFault(USB, UNKNOWN, text))
        else:
            self._storage.record(DeviceCleared(USB, UNKNOWN))
