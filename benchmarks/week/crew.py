"""The people around one table of the week: they sign in, press keys, move chips and cash, and see to alerts."""

from __future__ import annotations

import asyncio

from benchmarks.week.staff import PIN
from benchmarks.week.told import Told
from controller.errors import FeltError
from controller.sim.floor import SimFloor, SimulatedTable
from controller.table.facts import FloatMoved
from controller.table.requests import Press

LOOK = 0.06  # seconds of wire time in which whoever watches has looked
WHO = {  # by deed of the float
    "drop": ("area manager", "area-manager"),
    "prize": ("area manager", "area-manager"),
    "buy-in": ("dealer 1", "dealer"),
}


class Crew:
    """Everybody who works at a table but its dealer."""

    def __init__(self, floor: SimFloor, table: SimulatedTable, told: Told) -> None:
        self._floor, self._table, self._told = floor, table, told
        self._signed = ""

    async def rest(self) -> None:
        """Waits until the table has taken in what was done, and whoever watches it has looked."""
        await self._floor.rest()
        await asyncio.sleep(LOOK)
        await self._floor.rest()

    def did(self, what: str) -> None:
        """Counts what people do beside the rounds."""
        self._told.deeds[what] += 1

    # ---- the console

    async def sign_in(self, name: str) -> str:
        """Lets somebody sign in at the console; who was there signs out by that, and is returned."""
        before, self._signed = self._signed, name
        if name == before:
            return before
        badge, console = f"{self._table.name} {name}", self._table.sim.device("console")
        console.do("badge", badge)
        console.do("pin", PIN)
        await self.rest()
        signed = self._table.state.signed
        assert signed is not None and signed.badge == badge, (name, signed)
        return before

    async def press(self, key: str, *args: str) -> None:
        """Presses a key of the console."""
        self._table.sim.device("console").do("press", key, *args)
        await self.rest()

    async def rule(self, wanted: Press) -> None:
        """Lets the casino manager end a round whose cards nobody can believe; then other cards come."""
        before = await self.sign_in("casino manager")
        await self.press("invalidate", "fraud")
        await self.press("replaced")
        await self.sign_in(before)
        self.did("round invalidated, cards replaced")
        r = self._table.state.round
        if r is None or not r.outcome:
            number = self._table.state.number
            raise FeltError("sim.stuck", f"round {number} waits for {wanted.key} by {wanted.role}")

    async def confirm(self) -> None:
        """Lets the casino manager decide that the prizes of the meter are paid."""
        before = await self.sign_in("casino manager")
        await self.press("confirm-jackpot")
        await self.sign_in(before)
        self.did("prizes of the meter confirmed")

    # ---- chips and cash

    async def bought(self, place: str, cents: int) -> None:
        """Notes that somebody has bought chips."""
        await self.move_float("buy-in", cents)

    async def prized(self, cents: int) -> None:
        """Notes that a prize of the meter was paid out of the float."""
        await self.move_float("prize", cents)

    async def move_float(self, deed: str, cents: int) -> None:
        """Tells the table of chips and cash that it does not see, with a witness where the house wants one."""
        witness = ("supervisor 2", "supervisor") if deed != "buy-in" else ("", "")
        person, role = WHO.get(deed, ("supervisor", "supervisor"))
        await self._table.service.engine.submit(
            FloatMoved(deed, cents, person, role, "socket", witness=witness[0], witness_role=witness[1])
        )
        await self._floor.rest()
        self.did(deed)

    async def clear_alerts(self) -> None:
        """Lets the supervisor look at all alerts and clear them."""
        await self.rest()
        service = self._table.service
        _, session = await service.doorkeeper.sign_in(f"{self._table.name} supervisor", PIN, "", "socket", 1000)
        for number in list(self._table.state.protection.waiting):
            await service.protection.clear(session, number, "looked at")
        service.doorkeeper.sessions.close(session)
        await self.rest()
