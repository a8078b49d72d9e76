"""The prize meter of a simulated table: its real store, in the loop's own thread, which may be out of reach."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import TypeVar, TypeVarTuple, Unpack

from controller.jackpot.stores.sqlite import SqliteStore
from controller.jackpot.stores.store import failed
from controller.service.meter_faults import UNREACHABLE
from hw_sim.loop import JumpLoop

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")


class OneThreadLoop(JumpLoop):
    """A loop of virtual time that does the work of threads itself, at once: nothing depends on how long it takes."""

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[_Ts]], _T], *args: *_Ts
    ) -> asyncio.Future[_T]:
        future: asyncio.Future[_T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


class MeterReach:
    """The way to the store of the meter; it outlives processes."""

    def __init__(self) -> None:
        self.down = False


class SimStore(SqliteStore):
    """The store of one process."""

    def __init__(self, path: Path, line: MeterReach, clock: Callable[[], int]) -> None:
        super().__init__(path, clock=clock)
        self._line = line
        self._cut = False

    def cut(self) -> None:
        """Ends it as the end of its process does: nothing that is not stored yet ever will be."""
        self._cut = True

    async def _call(self, work: Callable[[], _T], deadline: float | None = None) -> _T:
        if self._cut or self._line.down:
            raise failed(UNREACHABLE, "the store of the prize meter does not answer")
        return await super()._call(work, deadline)
