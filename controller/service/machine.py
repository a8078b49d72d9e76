"""Orders the shuffles of the table's shuffling machine."""

from __future__ import annotations

import asyncio

import structlog

from controller.service.engine import Engine
from controller.service.storage import Storage
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table
from controller.table.view import shuffle_wanted
from drivers.shuffler import ShufflerDriver
from drivers.supervisor import Supervisor
from firmware_bridge.link import LinkError

log = structlog.get_logger()


class Machine:
    """Orders each shuffle that is due from the machine, once; what the machine did it reports itself."""

    def __init__(self, engine: Engine, storage: Storage, device: Supervisor | None) -> None:
        self._engine = engine
        self._storage = storage
        self._device = device
        self._asked = False  # for the shuffle that is due
        self._orders: set[asyncio.Task[None]] = set()
        if device is not None:
            engine.listeners.append(self._followed)

    @property
    def busy(self) -> bool:
        """Whether an order is on its way."""
        return bool(self._orders)

    def run(self) -> None:
        """Orders what is due now."""
        if self._device is None or not self._wanted():
            self._asked = False
            return
        driver = self._device.driver
        if self._asked or self._device.state.phase != "ready" or not isinstance(driver, ShufflerDriver):
            return
        self._asked = True
        order = asyncio.get_running_loop().create_task(self._shuffle(driver), name="shuffle")
        self._orders.add(order)
        order.add_done_callback(self._orders.discard)

    def _wanted(self) -> bool:
        table = self._engine.table
        return bool(table.game) and shuffle_wanted(table, self._engine.game)

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if self._storage.error is None:
            self.run()

    async def _shuffle(self, driver: ShufflerDriver) -> None:
        try:
            reply = await driver.shuffle()
        except LinkError as error:
            log.warning("shuffle.failed", code=error.code, cause=error.cause)
            self._asked = False  # asked again when the machine is back
            return
        if not reply.ok:
            log.warning("shuffle.refused", detail=reply.detail)
