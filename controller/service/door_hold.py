"""Lets shoes and shufflers hold their cards back while two people have allowed their door to be opened."""

from __future__ import annotations

from collections.abc import Mapping

from controller.service.engine import Engine
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table
from drivers.shoe import ShoeDriver
from drivers.supervisor import Supervisor


class DoorHold:
    """Follows which doors may be opened; what it has said to a device lasts through a reconnect."""

    def __init__(self, engine: Engine, devices: Mapping[str, Supervisor]) -> None:
        self._engine, self._devices = engine, devices
        self._held: frozenset[str] = frozenset()
        engine.listeners.append(self._followed)

    def start(self) -> None:
        """Begins, once the table is what its facts come to."""
        self._hold(self._engine.table)

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if self._held or table.doors:
            self._hold(table)

    def _hold(self, table: Table) -> None:
        held = frozenset(table.doors)
        for name in held ^ self._held:
            device = self._devices.get(name)
            if device is not None and isinstance(device.driver, ShoeDriver):
                device.driver.lock(name in held)
        self._held = held
