"""Where `sim://` addresses lead: simulated devices in this process, on pseudo-terminals."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import structlog

from controller.config import TableConfig
from controller.daemon.begin import SIMULATED, Schemes, begin
from controller.errors import FeltError
from controller.games.catalogue import find
from firmware_bridge.address import EXAMPLES, Address, AddressError
from firmware_bridge.serial import SerialTransport
from hw_sim.control import SOCKET, ControlServer
from hw_sim.errors import SimError
from hw_sim.table import SimTable

log = structlog.get_logger()


@asynccontextmanager
async def simulated_devices(config: TableConfig) -> AsyncIterator[Schemes]:
    """The schemes for this configuration; the devices live until the end of the block."""
    async with simulated_table(config) as (table, _):
        yield schemes(table)


@asynccontextmanager
async def simulated_table(config: TableConfig) -> AsyncIterator[tuple[SimTable, Path]]:
    """The hardware of this table, plugged in, and the socket where others may play dealer, players and bad luck."""
    with tempfile.TemporaryDirectory(prefix="feltd-sim-") as name:
        table = _table(config, Path(name))
        control = ControlServer(table, Path(name) / SOCKET)
        try:
            table.start()
            await control.start()
            log.info("simulated.devices", control=str(control.path))
            yield table, control.path
        except SimError as error:
            step = "Is the machine out of pseudo-terminals?  See /proc/sys/kernel/pty/max."
            raise FeltError("sim.failed", str(error), step) from error
        finally:
            control.close()
            table.stop()


def _table(config: TableConfig, directory: Path) -> SimTable:
    started = begin(config)
    dealing: Any = started.options["shoe"]
    return SimTable(
        seats=int(started.options["seats"]),
        dealing=dealing,
        wire="pty",
        directory=directory,
        # New event memories: a journal that knows an earlier process must not take theirs for old.
        seed=secrets.randbits(63),
        cards=52 * find(started.game).decks(started.options),
    )


def schemes(table: SimTable) -> Schemes:
    """`sim://shoe` is the serial line to the device that this table calls shoe."""

    def open_line(address: Address) -> SerialTransport:
        device = table.devices.get(address.host)
        if device is None:
            cause = f"there is no simulated device {address.host!r}; known are {', '.join(table.devices)}"
            raise AddressError("address.host", cause, EXAMPLES[SIMULATED])
        return SerialTransport(str(device.path))

    return {SIMULATED: open_line}
