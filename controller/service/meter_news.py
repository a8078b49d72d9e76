"""What other tables do to a prize meter: its newest state, and the prizes that they won."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager, suppress

from controller.jackpot.ledger import Hit, Meter
from controller.jackpot.stores.store import MeterStore, StoreError

BETWEEN = 0.5  # seconds between two readings of a meter that other tables move


class MeterNews:
    """The news of one meter at a time, for one table."""

    def __init__(self, store: MeterStore, table: str, wake: Callable[[], None]) -> None:
        self.on_hits: Callable[[list[Hit]], None] = lambda hits: None  # what other tables won; nothing: taken back
        self._store, self._table, self._wake = store, table, wake
        self._newest: Meter | None = None
        self._lost: StoreError | None = None  # why there are no more news
        self._hits: tuple[str, int] | None = None  # so many prizes of this meter are known

    @asynccontextmanager
    async def watched(self, meter: str) -> AsyncIterator[None]:
        """Watches the meter until the end of the block."""
        self._newest = self._lost = None
        watching = asyncio.get_running_loop().create_task(self._watch(meter), name="watch the meter")
        try:
            yield
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching

    async def _watch(self, meter: str) -> None:
        """Keeps the newest state of the meter, until the system is lost."""
        try:
            async with aclosing(self._store.changes(meter)) as changes:
                async for self._newest in changes:
                    self._wake()
                    await asyncio.sleep(BETWEEN)  # whoever is slow gets only the newest
        except StoreError as error:
            self._lost = error
            self._wake()

    def check(self) -> None:
        """Raises StoreError when the system was lost."""
        if self._lost is not None:
            raise self._lost

    async def look(self, meter: str) -> None:
        """Reads the state of the meter now."""
        self._newest = await self._store.meter(meter)

    def take(self) -> Meter | None:
        """Returns the newest state, once; None when there is nothing new."""
        newest, self._newest = self._newest, None
        return newest

    async def hit_elsewhere(self, meter: Meter) -> None:
        """Lets the displays announce also what was won at another table; to the table's own rules it means nothing."""
        group, known = self._hits or ("", 0)
        self._hits = (meter.group, meter.hits)
        if group != meter.group or known == meter.hits:
            return
        newest = await self._store.hits(meter.group, meter.hits - known) if meter.hits > known else []
        elsewhere = [hit for hit in newest if hit.table != self._table and not hit.undone]
        if elsewhere or meter.hits < known:
            self.on_hits(elsewhere)
