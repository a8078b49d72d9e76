"""Keeps the lease of a running table, so that a second daemon with its identity is found and moves no meter."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from controller.jackpot.lease import CLONED, LeaseClaim
from controller.jackpot.stores.store import Claimed, MeterStore, StoreError
from controller.service.engine import Engine
from controller.service.meter_faults import LEASE, MeterFaults
from controller.table.facts import DeviceCleared, DeviceFault

TABLE: Final = "table"  # as which the holder of the lease has the fault: its Jackpot goes on
RENEW: Final = 5.0  # seconds
FAREWELL: Final = 1.0  # seconds that a stop waits for the store


class TableLease:
    """The lease of one table, whichever meter it feeds; without a claim there is none."""

    def __init__(
        self, claim: LeaseClaim | None, table: str, engine: Engine, store: MeterStore, faults: MeterFaults
    ) -> None:
        self._claim, self._table = claim, table
        self._engine, self._store, self._faults = engine, store, faults
        self._held: str | None = None  # at this meter
        self._next = 0.0

    @property
    def pause(self) -> float | None:
        """Seconds after which the lease is to be renewed; None where there is none."""
        return None if self._claim is None else RENEW

    async def claim(self, meter: str) -> None:
        """Takes the lease; raises StoreError while another daemon may have it, or has it."""
        if self._claim is None:
            return
        wish = replace(self._claim, held=self._held == meter, accused=CLONED in self._faults.on_record())
        claimed = await self._store.claim(meter, self._table, wish)
        if claimed.verdict != "held":
            self._refuse(claimed)
        if wish.forced:
            await self._faults.clear_one(CLONED)  # a claim of before may have put it on record again
        self._held, self._claim = meter, replace(self._claim, forced=False)
        self._next = asyncio.get_running_loop().time() + RENEW

    async def renew(self, meter: str) -> None:
        """Renews the lease when it is time; what another daemon wanted meanwhile is put on record."""
        now = asyncio.get_running_loop().time()
        if self._claim is None or now < self._next:
            return
        self._next = now + RENEW
        claimed = await self._store.renew(meter, self._table, self._claim)
        if claimed.verdict != "held":
            self._refuse(claimed)
        if claimed.other is not None and CLONED not in self._engine.table.faults.get(TABLE, {}):
            text = (
                f"a second daemon with the identity of this table wanted to tell its meter: {claimed.other.describe()}"
            )
            await self._engine.submit(DeviceFault(TABLE, CLONED, text))

    async def decide(self) -> bool:
        """Records that a technician called this one the real table; False when there are not two of it."""
        second, first = CLONED in self._faults.on_record(), CLONED in self._engine.table.faults.get(TABLE, {})
        if self._claim is None or not (first or second):
            return False
        self._claim = replace(self._claim, forced=True)
        await self._faults.clear_one(CLONED)
        if first:
            await self._engine.submit(DeviceCleared(TABLE, CLONED))
        if self._held is not None:
            await self.claim(self._held)
        return True

    async def release(self) -> None:
        """Gives the lease back, if the store can be reached: the next daemon need not wait."""
        if self._claim is None or self._held is None or self._faults.on_record():
            return
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await self._store.release(self._held, self._table, self._claim)

    def _refuse(self, claimed: Claimed) -> None:
        where = "" if claimed.other is None else f": {claimed.other.describe()}"
        if claimed.verdict == "waiting":
            raise StoreError(LEASE, f"another daemon spoke for {self._table} until a moment ago{where}")
        raise StoreError(CLONED, f"another daemon speaks for {self._table}{where}")
