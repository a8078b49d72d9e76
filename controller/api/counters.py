"""What the API counts while the table runs, so that somebody can ask for it later: rounds, refusals, the loop's lag."""

from __future__ import annotations

import asyncio

from controller.durations import Durations
from controller.service.engine import Engine
from controller.table.effects import AnyEffect, Prompted, Refused, RoundEnded
from controller.table.facts import AnyFact
from controller.table.state import Table


class Counters:
    """The counts since the daemon's start."""

    def __init__(self, engine: Engine) -> None:
        self.rounds = self.refusals = self.prompts = 0
        engine.listeners.append(self._followed)

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        for effect in effects:
            self.rounds += isinstance(effect, RoundEnded)
            self.refusals += isinstance(effect, Refused)
            self.prompts += isinstance(effect, Prompted)


class LoopLag:
    """A timer that measures how late the event loop calls it.

    Whatever holds the loop up delays every card by as much.
    """

    def __init__(self, every: float = 0.25) -> None:
        self.late = Durations()
        self._every = every
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Starts the timer."""
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._every, self._look)

    def stop(self) -> None:
        """Stops the timer; harmless twice."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        assert self._timer is not None
        late = asyncio.get_running_loop().time() - self._timer.when()
        self.late.add(max(0.0, late))
        self.start()
