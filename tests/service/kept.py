"""A table without devices: its journal in a file, its meter synchronisation, a real store of prize meters behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from controller.games import defaults
from controller.jackpot.stores.store import MeterStore
from controller.journal.store import Journal
from controller.journal.veil import NO_VEIL, Veil
from controller.journal.writer import InlineWriter
from controller.service.engine import Engine
from controller.service.meter_sync import MeterSync
from controller.service.meter_terms import SyncSettings
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, Badge, CardOut, Chips, Key, Spot, Started
from controller.table.state import JackpotGame, Table

SEED, INCREMENT = 1_000_000_000, 28_610
PATIENCE = 20.0
ROYAL = "Ah 2c Kh 4d Qh 7h Jh 9s Th Jd"  # area 1 against the dealer, one card each
NOTHING = "2h Kc 4s Kd 7c 3s 9d 5h Jc 8d"


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - it depends on a store and a journal
            await asyncio.sleep(0.002)


class Kept:
    """Caribbean Stud with a Jackpot; `async with` it from its start, or its return, to its end."""

    def __init__(
        self,
        directory: Path,
        store: MeterStore,
        name: str = "T1",
        keeper: str = "shared",
        settings: SyncSettings | None = None,
        ready: bool = True,
        now: int = 0,
        veil: Veil = NO_VEIL,
        **options: str,
    ) -> None:
        self.name, self.store = name, store
        self.ready = ready  # it begins only when its Jackpot is open, however busy the machine is
        self.effects: list[AnyEffect] = []
        self.journal = Journal.open(directory / f"{name}.db", table=name, veil=veil)
        self.now = now
        self.engine = Engine(self.journal, InlineWriter(self.journal), lambda: self.now)
        named = {option.replace("_", "-"): value for option, value in options.items()}
        wanted = {**defaults("caribbean-stud"), "seats": "2", "jackpot": "nsw", **named}
        self.begin = Started("caribbean-stud", wanted, meter=keeper)
        self.meter_sync = MeterSync(settings or SyncSettings(name, alone=keeper == "own"), self.engine, store)
        self.engine.listeners.append(lambda seq, fact, table, effects: self.effects.extend(effects))

    async def __aenter__(self) -> Kept:
        try:
            self.engine.recover()
            await self.engine.start(self.begin)
            await self.meter_sync.start()
            if self.ready:
                await self.sound()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.meter_sync.stop()
        await self.engine.writer.close()
        self.journal.close()

    @property
    def table(self) -> Table:
        return self.engine.table

    @property
    def game(self) -> JackpotGame:
        return self.engine.table.jackpot

    async def tell(self, fact: AnyFact) -> list[AnyEffect]:
        """What the table says to it."""
        before = len(self.effects)
        await self.engine.submit(fact)
        return self.effects[before:]

    async def key(self, words: str) -> list[AnyEffect]:
        name, *args = words.split()
        return await self.tell(Key(name, tuple(args)))

    async def role(self, role: str) -> None:
        await self.tell(Badge(role))

    async def bet(self, area: int = 1, **spots: int) -> list[AnyEffect]:
        return await self.tell(Chips(area, tuple(Spot(spot, 1, 100 * dollars) for spot, dollars in spots.items())))

    async def registered(self) -> None:
        """A Jackpot wager at area 1 takes part; one that is refused for the moment is placed again later."""
        while refusals(await self.bet(ante=10, jackpot=5)):
            await self.sound()
        await self.key("no-more-bets")

    async def dealt(self, cards: str) -> None:
        for card in cards.split():
            await self.tell(CardOut(card))
        await self.bet(bet=20)
        await self.key("settle")

    async def round(self, cards: str = NOTHING) -> None:
        await self.registered()
        await self.dealt(cards)

    async def told(self) -> None:
        """Until the system has recorded everything."""
        await until(lambda: not self.game.outbox)

    async def faulty(self, code: str = "jackpot.unreachable") -> None:
        await until(lambda: code in self.meter_sync.faults())

    async def sound(self) -> None:
        await until(lambda: not self.meter_sync.faults() and self.game.joined)

    async def adds_up(self) -> int:
        """What the meter holds; and the table says the same."""
        await self.told()
        meter = await self.store.meter(self.meter_sync.group)
        await until(lambda: self.game.meter == meter.value)
        assert await self.store.verify(self.meter_sync.group) == []
        return meter.value


def refusals(effects: list[AnyEffect]) -> list[tuple[str, str]]:
    return [(e.rule, e.why) for e in effects if isinstance(e, Refused)]
