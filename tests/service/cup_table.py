"""A table without devices in a tournament: its journal in a file, a real store of records behind it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import cast

from controller.games import defaults, find
from controller.jackpot.stores.store import LogbookStore, MeterStore
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.service.cup_record import CupHead
from controller.service.engine import Engine
from controller.service.tournaments import Tournaments
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, Badge, CardOut, Chips, Key, Spot, Started
from controller.table.state import Table
from controller.tournament.deeds import DeskKey, PeopleEntered
from controller.tournament.record import Tournament
from controller.tournament.terms import defaults as default_terms
from tests.service.kept import until

CUP = "CUP"
GAME = "casino-war"
ANN_WINS, ANN_LOSES = "Kh 9d Qs", "2h 9d Qs"  # areas 1 and 2 against the dealer


def head(name: str = CUP, game: str = GAME, **items: str) -> CupHead:
    """What a tournament begins with: the defaults of scripts, changed."""
    rules = find(game).document.tournaments
    assert rules is not None
    sheet = default_terms(rules)
    texts = {**sheet.texts, **{item.replace("_", "-"): text for item, text in items.items()}}
    return CupHead(name, game, "", sha256(b"").hexdigest(), type(sheet)(texts), opened=0)


class CupAtTable:
    """Casino War; `async with` it from its start, or its return, to its end."""

    def __init__(self, directory: Path, store: MeterStore, name: str = "T1", seats: int = 2) -> None:
        self.name = name
        self.effects: list[AnyEffect] = []
        self.journal = Journal.open(directory / f"{name}.db", table=name)
        self.now = 1_000_000
        self.engine = Engine(self.journal, InlineWriter(self.journal), lambda: self.now)
        self.begin = Started(GAME, {**defaults(GAME), "seats": str(seats), "burn": "off"})
        self.store = cast(LogbookStore, store)
        self.time = 1_000
        self.seeds = iter(f"seed{nth}" for nth in range(100))
        self.cups = Tournaments(
            name, self.engine, lambda: self.store, now=lambda: self.time, seed=lambda: next(self.seeds)
        )
        self.engine.listeners.append(lambda seq, fact, table, effects: self.effects.extend(effects))

    async def __aenter__(self) -> CupAtTable:
        self.engine.recover()
        await self.engine.start(self.begin)
        self.cups.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.cups.stop()
        await self.engine.writer.close()
        self.journal.close()

    @property
    def table(self) -> Table:
        return self.engine.table

    async def cup(self) -> Tournament:
        return (await self.cups.record(CUP)).cup

    async def tell(self, fact: AnyFact) -> list[tuple[str, str]]:
        """Why the table refuses it."""
        before = len(self.effects)
        await self.engine.submit(fact)
        return [(e.rule, e.why) for e in self.effects[before:] if isinstance(e, Refused)]

    async def key(self, words: str) -> list[tuple[str, str]]:
        name, *args = words.split()
        return await self.tell(Key(name, tuple(args)))

    async def desk(self, words: str) -> None:
        name, *args = words.split()
        await self.cups.do(CUP, DeskKey(name, tuple(args)), "the director")

    async def role(self, role: str) -> None:
        await self.tell(Badge(role))

    async def bet(self, area: int, dollars: int = 100) -> list[tuple[str, str]]:
        return await self.tell(Chips(area, (Spot("war", 1, 100 * dollars),)))

    async def begun(self, *people: str, **items: str) -> None:
        """A tournament that is open, with this table and these people in it."""
        await self.cups.open(head(**items))
        await self.cups.designate(CUP)
        await self.cups.do(CUP, PeopleEntered(people))

    async def placed(self, *areas: int) -> None:
        """Every area has its wager, and betting is closed."""
        await until(lambda: not self.shut)
        for area in areas:
            assert await self.bet(area) == []
        assert await self.key("no-more-bets") == []

    async def dealt(self, cards: str) -> None:
        for card in cards.split():
            await self.tell(CardOut(card))
        assert await self.key("settle") == []
        for area in (1, 2):
            await self.bet(area, 0)

    async def round(self, cards: str = ANN_WINS, areas: tuple[int, ...] = (1, 2)) -> None:
        await self.placed(*areas)
        await self.dealt(cards)

    @property
    def shut(self) -> bool:
        own = self.cups.own_play()
        return own is None or own.latest.shut or own.unrecorded

    async def recorded(self) -> None:
        """Until the record has everything that this table has to tell, and the table knows."""
        await until(lambda: (own := self.cups.own_play()) is not None and not own.outbox and not own.unrecorded)
