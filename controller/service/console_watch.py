"""Signs out who is signed in at a console that is away for longer than a loose cable explains.

Keys that were pressed in between are kept by the console, and are of who is signed in when they arrive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Final

from controller.service.engine import Engine
from controller.table.effects import AnyEffect
from controller.table.facts import UNPLUGGED, AnyFact, DeviceLost, DeviceReady, SignedIn, SignedOut
from controller.table.faults import LOST
from controller.table.sign_in import CONSOLE
from controller.table.state import Table

PATIENCE: Final = 10.0  # seconds


class ConsoleWatch:
    """Watches the consoles of one table."""

    def __init__(self, engine: Engine, consoles: Collection[str]) -> None:
        self._engine, self._consoles = engine, consoles
        self._timer: asyncio.TimerHandle | None = None
        engine.listeners.append(self._followed)

    def start(self) -> None:
        """Begins with what the table knows from before."""
        self._look(self._engine.table)

    def stop(self) -> None:
        """Watches no more; harmless twice."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if isinstance(fact, DeviceLost | DeviceReady | SignedIn):
            self._look(table)

    def _look(self, table: Table) -> None:
        away = any(LOST in table.faults.get(console, ()) for console in self._consoles)
        if not away or table.signed is None:
            self.stop()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._over)

    def _over(self) -> None:
        self._timer = None
        table = self._engine.table
        if table.signed is not None:
            self._engine.submit(SignedOut(table.name, CONSOLE, UNPLUGGED))
