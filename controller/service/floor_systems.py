"""What a table and the floor know of each other: signs about the Jackpot, and how other systems are set up."""

from __future__ import annotations

from controller.jackpot import linking
from controller.jackpot.stores.store import MeterStore
from controller.service.engine import Engine
from controller.service.meter_terms import MeterAddress, MeterTerms, SyncSettings
from controller.table.facts import HouseChanged
from controller.table.jackpot.system import announced_of_jackpot
from controller.table.keys import CLOSE_JACKPOT


class FloorSystems:
    """The prize meter systems of the floor, as this table sees them and is seen by them."""

    def __init__(self, settings: SyncSettings, engine: Engine, store: MeterStore, terms: MeterTerms) -> None:
        self._settings, self._engine, self._store, self._terms = settings, engine, store, terms
        self._announced: dict[str, int] | None = None  # of our sign

    async def look(self, address: MeterAddress) -> None:
        """Announces this table, and takes over what changed at the others."""
        if not self._settings.alone or self._signs() != self._announced:  # a table alone need not wear out its disk
            await self.announce()
        table = self._engine.table
        for name, words in (await self._house(address)).items():
            if not table.house.knows(name, words, unsaid=""):
                await self._engine.submit(HouseChanged(name, words))

    async def announce(self) -> None:
        """Tells the floor that this table is present, and what its sign says about the Jackpot."""
        self._announced = self._signs()
        await self._store.announce(self._terms.group, self._settings.table, self._announced)

    async def _house(self, address: MeterAddress) -> dict[str, str]:
        """Returns how the other systems are set up, and since when all signs of this one announce its closing."""
        systems = await self._store.systems()
        house = {linking.SYSTEM + group: words for group, words in systems.items() if group != address.meter}
        if address.group:
            signs = [m.notices.get(CLOSE_JACKPOT) for m in await self._store.members() if m.group == address.meter]
            since = [at for at in signs if at is not None]
            everywhere = since and len(since) == len(signs)
            ahead = self._engine.table.ahead  # tables tell each other the time of day
            house[linking.CLOSING + address.group] = str(max(since) - ahead) if everywhere else ""
        return house

    def _signs(self) -> dict[str, int]:
        table = self._engine.table
        return {option: n.shown + table.ahead for n in table.notices for option in announced_of_jackpot(table, n)}
