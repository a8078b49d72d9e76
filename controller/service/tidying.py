"""Collects garbage while the table rests: no collection shall stand between a card and its lamp.

Nearly everything is freed by itself.  What remains is a little for each fact, and Python would look for it in the
middle of one.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from controller.service.engine import Engine
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table

AT_REST: Final = 0.05  # seconds without a fact
AT_LAST: Final = 50_000  # objects, after which Python collects whatever goes on
_WHOLE: Final = 20  # each so many times everything is looked through that was made since the start


class Tidying:
    """Collects garbage when nothing has happened for a moment."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._latest = 0.0  # when the table last followed a fact
        self._timer: asyncio.TimerHandle | None = None
        self.times = 0
        engine.listeners.append(self._followed)

    def stop(self) -> None:
        """Ends it."""
        self._engine.listeners.remove(self._followed)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        loop = asyncio.get_running_loop()
        self._latest = loop.time()
        if self._timer is None:
            self._timer = loop.call_later(AT_REST, self._look)

    def _look(self) -> None:
        """Collects, or looks again later when something happened meanwhile."""
        loop = asyncio.get_running_loop()
        at = self._latest + AT_REST
        if loop.time() < at:
            self._timer = loop.call_at(at, self._look)
            return
        self._timer = None
        self.times += 1
        gc.collect(1 if self.times % _WHOLE else 2)


@contextmanager
def tidied(engine: Engine) -> Iterator[Tidying]:
    """Lets this process collect garbage while the table rests; what was loaded stays, and is never looked through."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(AT_LAST, *before[1:])
    tidying = Tidying(engine)
    try:
        yield tidying
    finally:
        tidying.stop()
        gc.set_threshold(*before)
