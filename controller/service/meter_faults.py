"""The faults of a table's prize meter system: their codes, and which of them are on record."""

from __future__ import annotations

from typing import Final

from controller.errors import topic_of
from controller.service.engine import Engine
from controller.table.facts import DeviceCleared, DeviceFault
from controller.table.jackpot.outbox import METER

AUDIT: Final = "jackpot.audit"  # stays until a person clears it
STARTING: Final = "jackpot.starting"
LIVE: Final = "jackpot.live"
TEST_LIVE: Final = "test.live-meter"  # of a table in test mode
UNREACHABLE: Final = "jackpot.unreachable"
CLOSED: Final = "jackpot.closed"
DIFFERS: Final = "jackpot.differs"
CONFLICT: Final = "jackpot.conflict"
CORRUPT: Final = "jackpot.corrupt"
BEHIND: Final = "jackpot.behind"
REWRITTEN: Final = "jackpot.rewritten"
LEASE: Final = "jackpot.lease"  # who speaks for the table is known in a moment


class MeterFaults:
    """The faults of the prize meter system, as the table has them on record."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def on_record(self) -> dict[str, str]:
        """Returns each fault with its cause."""
        return dict(self._engine.table.faults.get(METER, {}))

    async def record(self, code: str, cause: str) -> None:
        """Records a fault, once."""
        if code not in self.on_record():
            await self._engine.submit(DeviceFault(METER, code, cause))

    async def clear(self) -> None:
        """Records that the system works again; a failed audit stays."""
        for code in self.on_record():
            if (topic_of(code) == "jackpot" or code == TEST_LIVE) and code != AUDIT:
                await self._engine.submit(DeviceCleared(METER, code))

    async def clear_one(self, code: str) -> None:
        """Records that a person has decided about this fault, if it is on record."""
        if code in self.on_record():
            await self._engine.submit(DeviceCleared(METER, code))

    async def clear_audit(self) -> None:
        """Records that a person has looked after a failed audit, and that it adds up now."""
        await self._engine.submit(DeviceCleared(METER, AUDIT))
