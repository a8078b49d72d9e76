"""Which keys of the console are lit: found out key by key whenever the table has come to rest.

To ask the table about every key takes longer than anything else that a fact brings about, so nobody waits for it:
it is begun when nothing has happened for a moment, and between two keys everything else goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Final

from controller.service.engine import Engine
from controller.table.state import Table
from controller.views.keys_now import KeyNow, keys_now
from controller.views.keys_tried import KeyTried, one_by_one

AT_REST: Final = 0.03  # seconds without a fact; no hand is quicker
LATEST: Final = 0.25  # seconds after a fact, however much happens


class KeyLights:
    """Calls `light` with the keys that may be pressed, each time that they may have changed."""

    def __init__(self, engine: Engine, light: Callable[[list[KeyNow]], None]) -> None:
        self._engine, self._light = engine, light
        self._since: float | None = None  # the first change that was not looked at
        self._handle: asyncio.Handle | None = None

    def changed(self) -> None:
        """Looks again soon."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self._since is None:
            self._since = now
        self.stop()
        self._handle = loop.call_at(min(now + AT_REST, self._since + LATEST), self._begin)

    def stop(self) -> None:
        """Ends what is under way."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _begin(self) -> None:
        self._since = None
        table = self._engine.table
        if table.game:
            self._go_on(table, one_by_one(table, self._engine.game, where=False), [])

    def _go_on(self, table: Table, work: Iterator[KeyTried], tried: list[KeyTried]) -> None:
        for key in work:
            tried.append(key)
            self._handle = asyncio.get_running_loop().call_soon(self._go_on, table, work, tried)
            return
        self._handle = None
        self._light(keys_now(table, self._engine.game, table.role, tried))
