"""The tournaments of the store that this table uses: their records, and the table's own part in one of them.

Who does something follows all that is on record, decides by the rules, and writes the deed behind the newest line; when
another daemon was first, it reads on and decides again.  So the order of the commits is the order of the tournament.
The table's reports and the wishes of its people wait in its journal until they are answered; each is written once, by
its number.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, NamedTuple

import structlog
from msgspec.structs import replace

from controller.errors import FeltError
from controller.jackpot.stores.store import LogbookStore, StoreError
from controller.journal.errors import JournalError
from controller.service.cup_record import CupHead, CupLine, CupRecord, written
from controller.service.engine import Engine
from controller.service.error_place import error_place
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact, TournamentTold
from controller.table.state import Table
from controller.table.step import Refusal
from controller.tournament import desk
from controller.tournament.deeds import AnyDeed, DeskKey, TableDesignated, TableFreed, TableReported
from controller.tournament.designating import designation, no_cash_game, plain_name
from controller.tournament.news import FREED, news, standing
from controller.tournament.play import TournamentPlay, play_in
from controller.tournament.wishes import Wish, waiting

log = structlog.get_logger()

POLL: Final = 0.5  # seconds between looks at what other tables and desks did
FRESH: Final = 0.4  # seconds for which pages need not ask again
SOON, LATER = 0.2, 5.0  # seconds before the next attempt: first, at most
DRAWS: Final = ("start", "practice")  # keys that draw lots
LOST: Final = "the record of the tournament cannot be reached"
Allow = Callable[[LogbookStore], Awaitable[None]]


def _now() -> int:
    return time.time_ns() // 1_000_000


def _seed() -> str:
    return secrets.token_hex(16)


class Glimpse(NamedTuple):
    """How a tournament was seen last, or why it could not be."""

    when: float
    what: CupRecord | FeltError


class Tournaments:
    """All tournaments of one store, as one daemon knows them."""

    def __init__(
        self,
        table: str,
        engine: Engine,
        store: Callable[[], LogbookStore],
        allow: Allow | None = None,  # raises FeltError when this table may not use the store
        now: Callable[[], int] = _now,
        seed: Callable[[], str] = _seed,
    ) -> None:
        self.table = table
        self._origin = ""  # of the table's journal
        self._engine, self._make, self._allow, self._clock = engine, store, allow, now
        self.draw_seed = seed
        self.lost: FeltError | None = None  # why the record cannot be reached
        self.news = asyncio.Event()  # set, and another one put in its place, when something is different
        self._store: LogbookStore | None = None
        self._last_word: TournamentTold | None = None  # what the table was told last
        self._records: dict[str, CupRecord] = {}
        self._turn, self._looking = asyncio.Lock(), asyncio.Lock()
        self._seen: dict[str, Glimpse] = {}  # by tournament
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        engine.listeners.append(self._followed)

    # ---- life

    def start(self) -> None:
        """Begins to serve the table; the store is opened when it is needed."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="tournaments")

    async def stop(self) -> None:
        """Ends it; what was not delivered stays in the journal."""
        if self._followed in self._engine.listeners:
            self._engine.listeners.remove(self._followed)
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        store, self._store = self._store, None
        if store is not None:
            await store.close()

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        own = play_in(table)
        if waiting(table) or (own is not None and own.outbox):
            self._wake.set()

    async def _opened(self) -> LogbookStore:
        if self._store is None:
            store = self._make()
            await store.open()
            if self._allow is not None:
                try:
                    await self._allow(store)
                except BaseException:
                    await store.close()
                    raise
            self._store = store
        return self._store

    # ---- records

    async def all(self) -> list[CupRecord]:
        """Returns every tournament of the store that can be read here, the newest first."""
        async with self._turn:
            books = await (await self._opened()).logbooks()
            readable = []
            for book in books:
                with suppress(FeltError):
                    readable.append(await self._read(book.name))
            return readable

    async def record(self, name: str) -> CupRecord:
        """Returns one tournament as it is on record now; raises FeltError when there is none of this name."""
        async with self._turn:
            return await self._read(name)

    async def look(self, name: str) -> CupRecord:
        """Returns one tournament as it was on record a moment ago: for pages, however many there are.

        While the store does not answer, one of them asks it and the others hear the same.
        """
        async with self._looking:
            seen = self._seen.get(name)
            if seen is None or time.monotonic() - seen.when > FRESH:
                seen = self._seen[name] = await self._glimpse(name)
        if isinstance(seen.what, FeltError):
            raise seen.what
        return seen.what

    async def _glimpse(self, name: str) -> Glimpse:
        try:
            kept = await self.record(name)
        except FeltError as error:
            return Glimpse(time.monotonic(), error)
        return Glimpse(time.monotonic(), kept)

    async def _read(self, name: str) -> CupRecord:
        store = await self._opened()
        known = self._records.get(name)
        if known is None:
            book = next((each for each in await store.logbooks() if each.name == name), None)
            if book is None:
                raise FeltError("tournament.unknown", f"there is no tournament {name!r}")
            known = self._records[name] = CupRecord.begun(book)
        before = known.last
        while lines := await store.lines(name, known.last):
            for line in lines:
                known.follow(line)
        if known.last != before:
            self._changed()
        return known

    async def open(self, head: CupHead) -> CupRecord:
        """Puts a tournament on record; raises FeltError when there is another one of this name."""
        async with self._turn:
            store = await self._opened()
            for book in await store.logbooks():
                if book.name == head.name:
                    raise FeltError("tournament.exists", f"there is a tournament {head.name!r} already")
            await store.open_logbook(head.name, written(head))
            self._changed()
            return await self._read(head.name)

    async def do(self, name: str, deed: AnyDeed, by: str = "", number: str = "") -> CupRecord:
        """Does something on record and returns what that has come to; raises FeltError with the rule against it.

        `number` names the deed: told twice, it is done once.
        """
        async with self._turn:
            done = await self._do(name, self._with_seed(deed), by, number or secrets.token_hex(12))
            if done.head.name == self._own():
                await self._tell(done)
            return done

    def _with_seed(self, deed: AnyDeed) -> AnyDeed:
        if isinstance(deed, DeskKey) and deed.key in DRAWS:
            return replace(deed, seed=self.draw_seed())
        return deed

    async def _do(self, name: str, deed: AnyDeed, by: str, number: str) -> CupRecord:
        store = await self._opened()
        while True:
            kept = await self._read(name)
            if number in kept.numbers:  # it was done, and who asked was not told
                return kept
            at = max(kept.cup.now, self._clock())
            _, refused = desk.follow(kept.cup, at, deed)
            if refused is not None:
                raise CupRefused(refused.rule, refused.why)
            line = CupLine(at, deed, by, self._source())
            appended = await store.append(name, kept.last, number, written(line))
            if appended.seq == kept.last + 1 == appended.last:
                kept.keep(appended.seq, number, line)
                self._changed()
                return kept
            if appended.seq:
                return await self._read(name)

    # ---- the table's own part

    async def designate(self, name: str, by: str = "") -> CupRecord:
        """Makes this table the tournament's; raises FeltError when it is used otherwise."""
        table, game = self._engine.table, self._engine.game
        if play_in(table) is not None:
            raise CupRefused("", f"the table is in {self._own()} already")
        try:
            no_cash_game(game, table)
        except Refusal as no:
            raise CupRefused(no.rule, no.why) from None
        async with self._turn:
            done = await self._designate(name, designation(game, table), by, secrets.token_hex(12))
        self._wake.set()
        return done

    async def _designate(self, name: str, deed: TableDesignated, by: str, number: str) -> CupRecord:
        """Puts this table on the record of a tournament, and tells the table so."""
        kept = await self._read(name)
        if kept.sources.get(self.table, self._source()) != self._source():
            raise FeltError("tournament.conflict", f"another table called {self.table} is in {name}")
        done = await self._do(name, replace(deed, table=self.table), by, number)
        await self._tell(done)
        return done

    async def free(self, by: str = "") -> CupRecord:
        """Frees this table; raises FeltError while the tournament is not over."""
        name = self._own()
        if not name:
            raise CupRefused("", "this table is in no tournament")
        return await self.do(name, TableFreed(self.table), by)

    def _source(self) -> str:
        """Returns the name of the table's journal, by which its reports are known from those of any other."""
        self._origin = self._origin or self._engine.origin()
        return self._origin

    def _own(self) -> str:
        """Returns the tournament that this table is in; "" for none."""
        own = play_in(self._engine.table)
        return own.latest.tournament if own is not None else ""

    async def _run(self) -> None:
        pause = SOON
        while True:
            self._wake.clear()
            try:
                if self._own() or waiting(self._engine.table):
                    await self._serve()
                pause = SOON
                await self._doze(POLL if self._own() else None)
            except (StoreError, FeltError) as error:
                await self._cut_off(error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LATER)
            except JournalError:
                await asyncio.sleep(LATER)  # it is named elsewhere, and nothing goes on without it
            except Exception as bug:  # the table's gate stays shut meanwhile, and people must know why
                log.error("tournament.defect", what=error_place(bug))
                await asyncio.sleep(LATER)

    async def _serve(self) -> None:
        """Brings to the record what the table has to tell, and to the table how the record stands."""
        async with self._turn:
            if own := self._own():
                await self._report(await self._read(own))
            await self._ask()
            self._reached()
            if own := self._own():
                await self._tell(await self._read(own))

    async def _report(self, kept: CupRecord) -> None:
        own = play_in(self._engine.table)
        for report in own.outbox if own is not None else ():
            known = kept.cup.tables.get(self.table)
            if known is not None and report.number > known.recorded:
                name = f"{self._source()}/{report.number}"
                kept = await self._do(kept.head.name, TableReported(self.table, report), "", name)

    async def _ask(self) -> None:
        """Does what people at the table have asked for, before a restart too; what is refused is told there."""
        while wishes := waiting(self._engine.table):
            try:
                await self._grant(wishes[0])
            except CupRefused as refused:
                await self._answer(wishes[0], refused.why, refused.rule)
            except FeltError as error:
                if isinstance(error, StoreError) and self._own():
                    raise  # it is asked again when the store answers
                await self._answer(wishes[0], error.cause)
            else:
                await self._answer(wishes[0])

    async def _grant(self, wish: Wish) -> None:
        """Does all that a wish asks for; raises FeltError at the first of it that is not granted."""
        for nth, asked in enumerate(wish.asked):
            deed, number = asked.deed, f"{self._source()}/asked/{wish.seq}.{nth}"
            if isinstance(deed, TableDesignated):
                if not self._own():  # else it could not be freed
                    await self._designate(await self._named(asked.tournament), deed, asked.by, number)
            elif (own := self._own()) and own == wish.own:
                known = {"table": self.table} if "table" in type(deed).__struct_fields__ else {}
                await self._tell(await self._do(own, self._with_seed(replace(deed, **known)), asked.by, number))

    async def _answer(self, wish: Wish, refused: str = "", rule: str = "") -> None:
        """Tells the table that a wish is answered, and its people why it is not granted."""
        own = play_in(self._engine.table)
        latest = own.latest if own is not None else FREED
        await self._submit(replace(latest, refused=refused, refused_rule=rule, answered=wish.seq))

    async def _named(self, word: str) -> str:
        """Returns the tournament of this name, or whose name in one word this is: keys have no spaces, nor capitals."""
        names = [book.name for book in await (await self._opened()).logbooks()]
        plain = {plain_name(name).casefold(): name for name in reversed(names)}
        return word if word in names else plain.get(word.casefold(), word)

    async def _tell(self, kept: CupRecord) -> None:
        newest, own = news(kept.at(self._clock()), self.table), play_in(self._engine.table)
        known = own.latest if own is not None else FREED
        if newest not in (known, self._last_word):  # the table may keep less of it than it was told
            await self._submit(newest)

    async def _submit(self, latest: TournamentTold) -> None:
        self._last_word = standing(latest)
        await self._engine.submit(latest)
        self._changed()

    async def _cut_off(self, error: FeltError) -> None:
        """Shuts the table's gate until the record can be reached again; a round under way goes on."""
        if self.lost is None or self.lost.cause != error.cause:
            log.error(error.code, cause=error.cause, next_step=error.next_step)
        self.lost = error
        own = play_in(self._engine.table)
        if own is not None and not own.latest.shut:
            await self._submit(replace(standing(own.latest), shut=True, rule="", why=LOST))
        self._changed()

    def _reached(self) -> None:
        if self.lost is not None:
            log.info("tournament.reached", table=self.table)
            self.lost = None
            self._changed()

    def now(self) -> int:
        """Returns the time, in milliseconds since 1970."""
        return self._clock()

    @property
    def game(self) -> str:
        """What is played at this table."""
        return self._engine.table.game

    def own_play(self) -> TournamentPlay | None:
        """Returns what the table itself knows of its tournament; None when it is in none."""
        return play_in(self._engine.table)

    def _changed(self) -> None:
        event, self.news = self.news, asyncio.Event()
        event.set()

    async def _doze(self, seconds: float | None) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()


class CupRefused(FeltError):
    """What the rules of a tournament do not allow; `rule` says which."""

    def __init__(self, rule: str, why: str) -> None:
        self.rule, self.why = rule, why
        super().__init__("tournament.refused", f"{why} (rule {rule})" if rule else why)
