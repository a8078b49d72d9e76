"""Carries what the table writes in its outbox to the prize meter system, and the system's word back to the table.

The journal keeps the outbox and the system knows every movement by its number, so telling one twice is harmless and
none is lost: through a lost link, a restart of the server, or the end of this process at any point.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

import structlog
from msgspec.structs import replace

from controller.jackpot import linking
from controller.jackpot.ledger import OUTCOME, Hit, Meter, Movement
from controller.jackpot.rules import Terms, terms_of
from controller.jackpot.stores.store import MeterStore, Recorded, StoreError
from controller.journal.errors import JournalError
from controller.service.engine import Engine
from controller.table.effects import AnyEffect, RoundEnded
from controller.table.facts import AnyFact, DeviceCleared, DeviceFault, Hold, HouseChanged, MeterIs, MeterTold
from controller.table.holds import BEHIND
from controller.table.jackpot.outbox import METER
from controller.table.jackpot.system import CLOSING
from controller.table.state import Table

log = structlog.get_logger()

AUDIT = "jackpot.audit"  # stays until a person clears it
STARTING = "jackpot.starting"
LIVE = "jackpot.live"
UNREACHABLE, CLOSED, DIFFERS = "jackpot.unreachable", "jackpot.closed", "jackpot.differs"
CONFLICT, CORRUPT = "jackpot.conflict", "jackpot.corrupt"
PATIENCE = 1.0  # seconds that the start of a table waits for its meter; it goes on without the Jackpot
CERTAINTY = 10.0  # seconds, where it must be known first whether the table may use the meter at all
SOON, LATER, FOR_PEOPLE = 0.2, 5.0, 10.0  # seconds before the next attempt: first, at most, when people must act
NEWS = 0.5  # seconds between two readings of a meter that other tables move
SYSTEMS = 10.0  # seconds between looks at the other systems of the floor


@dataclass(frozen=True)
class MeterAddress:
    """Which meter a table feeds, by its own options."""

    group: str  # as the table calls it: "" for one of its own
    meter: str  # as the store does
    terms: Terms


Allow = Callable[[MeterStore], Coroutine[Any, Any, None]]  # raises StoreError when the table may not use that store


@dataclass(frozen=True)
class SyncSettings:
    """How a table and its meter belong together; money in ten-thousandths of a dollar."""

    table: str
    alone: bool = True  # no other table feeds it: the options of this one are the system's
    ceiling: int | None = None  # of a new meter
    reserve: int = 0
    allow: Allow | None = None


class MeterSync:
    """One task between one table and its prize meter system."""

    def __init__(self, settings: SyncSettings, engine: Engine, store: MeterStore) -> None:
        self.name = settings.table
        self.store = store
        self.latest: Meter | None = None  # as the system told it last
        self.on_hits: Callable[[list[Hit]], None] = lambda hits: None  # what other tables won; nothing: taken back
        self._hits: tuple[str, int] | None = None  # so many prizes of this meter are known
        self._settings, self._engine = settings, engine
        self._wake = asyncio.Event()
        self._up = asyncio.Event()  # the first attempt is over
        self._task: asyncio.Task[None] | None = None
        self._open = False
        self._round_over = False  # and the meter is due to be audited
        self._whole: set[str] = set()  # meters whose every movement was looked at since the start
        self._announced: dict[str, int] | None = None
        self._news: Meter | None = None
        self._lost: StoreError | None = None  # why there are no more news
        self._refused: StoreError | None = None
        engine.listeners.append(self._followed)

    # ---- life

    async def start(self) -> None:
        """Returns when the Jackpot is open, or when it is known that it is not: nothing is wagered before that.

        Raises StoreError when this table must never feed that meter.
        """
        self._task = asyncio.get_running_loop().create_task(self._run(), name="meter sync")
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE if self._settings.allow is None else CERTAINTY):
                await self._up.wait()
        if self._refused is not None:
            raise self._refused
        if not self._up.is_set() and self._place() is not None:
            await self._fault(STARTING, "the prize meter system is being looked at")

    async def stop(self) -> None:
        """What is untold stays in the journal."""
        if self._followed in self._engine.listeners:
            self._engine.listeners.remove(self._followed)
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await self.store.close()

    @property
    def group(self) -> str:
        """The name of the meter in the store."""
        return linking.group_of(self._engine.table.options) or self.name

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        self._round_over = self._round_over or any(isinstance(effect, RoundEnded) for effect in effects)
        if table.jackpot.outbox or not table.jackpot.joined or self._round_over or METER in table.faults:
            self._wake.set()

    def _place(self) -> MeterAddress | None:
        """Where this table belongs; None: no Jackpot is offered."""
        options = self._engine.table.options
        terms = terms_of(options)
        return None if terms is None else MeterAddress(linking.group_of(options), self.group, terms)

    async def _run(self) -> None:
        pause = SOON
        while True:
            try:
                await self._serve()
                pause = SOON
            except StoreError as error:
                if error.code not in self.faults():  # once, whatever the number of attempts
                    log.warning("jackpot.trouble", code=error.code, cause=error.cause)
                self._refused = error if error.code == LIVE else None
                await self._quietly(self._trouble(error))
                wait = pause if error.code == UNREACHABLE else FOR_PEOPLE
                pause = min(LATER, pause * 2)
                self._up.set()
                await asyncio.sleep(wait)
            except JournalError:
                await asyncio.sleep(pause)  # told again when facts can be recorded again

    async def _trouble(self, error: StoreError) -> None:
        if error.code == CLOSED:
            await self._closed()
        elif error.code != DIFFERS or not await self._follow():
            await self._fault(AUDIT if error.code == CORRUPT else error.code, error.cause)

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        """What cannot be done now is tried again with the next attempt."""
        try:
            await work
        except (StoreError, JournalError) as error:
            log.warning("jackpot.trouble", code=error.code, cause=error.cause)

    # ---- one session with the system

    async def _serve(self) -> None:
        """Until the system is lost, or the table belongs elsewhere."""
        self._wake.clear()
        place = self._place()
        if place is None:
            self._up.set()
            await self._doze(SYSTEMS)
            return
        if not self._open:
            await self.store.open()
            self._open = True
        if self._settings.allow is not None:
            await self._settings.allow(self.store)
        await self._join(place)
        await self._audited(place)
        await self._working()
        self._up.set()
        self._news = self._lost = None
        watching = asyncio.get_running_loop().create_task(self._watch(place.meter), name="watch the meter")
        try:
            await self._carry(place)
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
        if place.meter != self.group:
            await self.store.leave(place.meter, self.name)

    async def _audited(self, place: MeterAddress) -> None:
        """Before the Jackpot opens.  A floor's meter has too many movements for each table to add up all of them."""
        if self._settings.alone and place.meter not in self._whole:
            await self.audit()
            self._whole.add(place.meter)
        else:
            await self.glance()

    async def _join(self, place: MeterAddress) -> None:
        """Everything that is still untold is told first: the answers may be there already."""
        table = self._engine.table
        options = table.options
        described = linking.described(options, [options.get("method", "A")], [table.game])
        await self._new_terms(place)
        outbox, recorded = tuple(table.jackpot.outbox), table.jackpot.told
        if not self._settings.alone and not table.jackpot.joined and not outbox:
            await self._fits(place)
        more = (self._settings.ceiling, self._settings.reserve, self._engine.origin())
        try:
            joined = await self.store.join(place.meter, self.name, place.terms, described, recorded, *more)
        except StoreError as error:
            if error.code != CLOSED or not outbox:
                raise  # a closed system still takes what was wagered before
        else:
            if joined.last and not table.number and not table.jackpot.numbered:
                cause = f"{place.meter} knows {joined.last} movements of {self.name}, whose journal has none"
                raise StoreError(CONFLICT, cause, "Restore the table's journal, or give the table a new name.")
            await self._older(place, joined.last)
        if outbox:
            joined = await self.store.record(place.meter, self.name, outbox)
        await self._tell(place, joined)
        await self._systems(place)

    async def _older(self, place: MeterAddress, last: int) -> None:
        """The system was told more than the journal knows of: that went back, and a person decides."""
        game = self._engine.table.jackpot
        if game.joined and last > game.numbered:
            text = f"{place.meter} was told {last} movements of this table, but the journal has {game.numbered}"
            await self._engine.submit(Hold(BEHIND, f"{text}: it is an older copy", METER))

    async def _fits(self, place: MeterAddress) -> None:
        """The systems of one floor agree, where tables take part in them."""
        played = {member.group for member in await self.store.members()} - {place.meter}
        for meter in await self.store.meters():
            if meter.group in played and not meter.closed and (wrong := linking.unlike(place.terms, meter.terms)):
                step = "Give all prize meter systems of the floor the same option."
                raise StoreError(DIFFERS, f"{wrong[0]}, as {meter.group} does (rule {wrong[1]})", step)

    async def _new_terms(self, place: MeterAddress) -> None:
        """Options that were changed here by the rules hold for the system from now on, and for the others like it."""
        table = self._engine.table
        begun = terms_of(table.begun.options) if table.begun is not None else None
        if table.jackpot.joined or (begun == place.terms and not self._settings.alone):
            return
        meters = await self.store.meters()
        if all(meter.group != place.meter for meter in meters):
            return  # it is new
        reason, by = f"the options of table {self.name} were changed", (table.name or table.role, f"table {self.name}")
        for meter in meters:
            cost = place.terms.cost if meter.group == place.meter else meter.terms.cost
            wanted = replace(place.terms, cost=cost)
            if meter.terms != wanted and meter.kind == wanted.kind and not meter.closed:
                await self.store.change_terms(meter.group, wanted, reason, by)

    async def _follow(self) -> bool:
        """The system plays by other options by now; a table that was in it before follows."""
        table = self._engine.table
        if not table.jackpot.joined:
            return False
        terms = (await self.store.meter(self.group)).terms
        now = {"jackpot-option": str(terms.option), "jackpot-reset": str(terms.reset)}
        changed = {option: value for option, value in now.items() if table.options[option] != value}
        for option, value in changed.items():
            await self._engine.submit(HouseChanged(option, value))
        return bool(changed)

    async def _carry(self, place: MeterAddress) -> None:
        systems = asyncio.get_running_loop().time() + SYSTEMS
        while self._place() == place:
            self._wake.clear()  # whatever comes from here on is seen in the next turn
            if self._lost is not None:
                raise self._lost
            if self._engine.defect is None and self._engine.table.jackpot.outbox:
                await self._deliver(place, tuple(self._engine.table.jackpot.outbox))
                continue
            if self._engine.defect is None and not self._engine.table.jackpot.joined:
                return  # on other terms
            if self._round_over:
                self._round_over = False
                await self.glance()
                self._news = await self.store.meter(place.meter)
            await self._hear(place)
            await self._working()
            if asyncio.get_running_loop().time() >= systems:
                systems += SYSTEMS
                await self._systems(place)
            await self._doze(SYSTEMS)

    async def _deliver(self, place: MeterAddress, movements: tuple[Movement, ...]) -> None:
        recorded = await self.store.record(place.meter, self.name, movements)
        if wrong := _disagrees(movements, recorded):
            await self._fault(AUDIT, wrong)
        await self._tell(place, recorded)

    async def _tell(self, place: MeterAddress, recorded: Recorded) -> None:
        """The table hears what is recorded; what it writes meanwhile is told after that."""
        self.latest = meter = recorded.meter
        if wrong := meter.wrong():
            await self._fault(AUDIT, wrong)
        awards = tuple(sorted(recorded.awards.items()))
        game = self._engine.table.jackpot
        known = (game.told, game.meter, game.joined, bool(game.outbox))
        if known != (recorded.last, meter.value, True, False) or awards:
            await self._engine.submit(MeterTold(place.group, recorded.last, meter.value, meter.terms, awards))
        if meter.closed:
            await self._closed()
        await self._hit_elsewhere(meter)

    async def _hear(self, place: MeterAddress) -> None:
        """What other tables and people did to the meter."""
        news, self._news = self._news, None
        if news is None or (self.latest is not None and news.recorded <= self.latest.recorded):
            return
        self.latest = news
        if news.closed:
            await self._closed()
        if news.terms != place.terms and not await self._follow():
            raise StoreError(DIFFERS, "the system plays by other options", "Compare the options of all its tables.")
        if news.value != self._engine.table.jackpot.meter and not self._engine.table.jackpot.outbox:
            await self._engine.submit(MeterIs(news.value, place.group))
        await self._hit_elsewhere(news)

    async def _hit_elsewhere(self, meter: Meter) -> None:
        """The displays here announce also what was won at another table; to the table's own rules it means nothing."""
        group, known = self._hits or ("", 0)
        self._hits = (meter.group, meter.hits)
        if group != meter.group or known == meter.hits:
            return
        newest = await self.store.hits(meter.group, meter.hits - known) if meter.hits > known else []
        elsewhere = [hit for hit in newest if hit.table != self.name and not hit.undone]
        if elsewhere or meter.hits < known:
            self.on_hits(elsewhere)

    async def _watch(self, meter_name: str) -> None:
        try:
            async with aclosing(self.store.changes(meter_name)) as changes:
                async for meter in changes:
                    self._news = meter
                    self._wake.set()
                    await asyncio.sleep(NEWS)  # whoever is slow gets only the newest
        except StoreError as error:
            self._lost = error
            self._wake.set()

    async def _systems(self, place: MeterAddress) -> None:
        """How the other systems of the floor are set up, and what the signs of this one's tables announce."""
        table = self._engine.table
        if not self._settings.alone or self._signs() != self._announced:  # a table alone need not wear out its disk
            await self.announce()
        house = {linking.SYSTEM + g: words for g, words in (await self.store.systems()).items() if g != place.meter}
        if place.group:
            signs = [m.notices.get(CLOSING) for m in await self.store.members() if m.group == place.meter]
            since = [at for at in signs if at is not None]
            whole = since and len(since) == len(signs)  # tables tell each other the time of day
            house[linking.CLOSING + place.group] = str(max(since) - table.ahead) if whole else ""
        for name, words in house.items():
            if table.house.get(name, "") != words:
                await self._engine.submit(HouseChanged(name, words))

    def _signs(self) -> dict[str, int]:
        table = self._engine.table
        return {option: n.shown + table.ahead for n in table.notices for option in n.what if "jackpot" in option}

    async def announce(self) -> None:
        """The floor learns that this table is there, and what its sign says about the Jackpot."""
        self._announced = self._signs()
        await self.store.announce(self.group, self.name, self._announced)

    async def _closed(self) -> None:
        if not self._engine.table.jackpot.closed:
            group = linking.group_of(self._engine.table.options)
            await self._engine.submit(HouseChanged(linking.SYSTEM + group, linking.CLOSED))
        await self._working()

    # ---- faults

    async def audit(self) -> list[str]:
        """Every movement of the meter once more; what does not fit stays a fault until a person clears it."""
        return await self._report(await self.store.verify(self.group))

    async def glance(self) -> list[str]:
        """The meter equation, and how the newest movements led to it."""
        return await self._report(await self.store.glance(self.group))

    async def _report(self, problems: list[str]) -> list[str]:
        if problems:
            log.error(AUDIT, group=self.group, problems=problems[:10])
            await self._fault(AUDIT, problems[0])
        return problems

    def faults(self) -> dict[str, str]:
        """What is wrong with the system now, as the table knows it."""
        return dict(self._engine.table.faults.get(METER, {}))

    async def clear(self) -> None:
        """A person has looked after a failed audit, and it adds up now."""
        await self._engine.submit(DeviceCleared(METER, AUDIT))

    async def _fault(self, code: str, cause: str) -> None:
        if code not in self.faults():
            await self._engine.submit(DeviceFault(METER, code, cause))

    async def _working(self) -> None:
        for code in self.faults():
            if code.startswith("jackpot.") and code != AUDIT:
                await self._engine.submit(DeviceCleared(METER, code))

    # ---- waiting

    async def _doze(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()


def _disagrees(movements: tuple[Movement, ...], recorded: Recorded) -> str:
    """The table judged an outcome itself, and the system came to something else."""
    for m in movements:
        award = recorded.awards.get(m.number)
        if m.kind == OUTCOME and m.ticks and award is not None and m.ticks != award.after - award.at:
            return f"round {m.round}: the table moved the meter by {m.ticks}, the system by {award.after - award.at}"
    return ""
