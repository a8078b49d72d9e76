"""The synchronisation of the table's outbox with its prize meter system: movements go there, its state comes back.

The journal keeps the outbox and the system knows every movement by its number, so telling one twice is harmless and
none is lost: through a lost link, a restart of the server, or the end of this process at any point.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import structlog

from controller.counts import many
from controller.jackpot import linking
from controller.jackpot.ledger import OUTCOME, Meter, Movement
from controller.jackpot.marks import LedgerMark, LedgerReport
from controller.jackpot.stores.store import MeterStore, Recorded, StoreError
from controller.journal.errors import JournalError
from controller.service import continuity
from controller.service.engine import Engine
from controller.service.floor_systems import FloorSystems
from controller.service.ledger_marks import LedgerMarks
from controller.service.meter_faults import (
    AUDIT,
    BEHIND,
    CLOSED,
    CONFLICT,
    CORRUPT,
    DIFFERS,
    LEASE,
    LIVE,
    REWRITTEN,
    STARTING,
    TEST_LIVE,
    UNREACHABLE,
    MeterFaults,
)
from controller.service.meter_news import MeterNews
from controller.service.meter_terms import MeterAddress, MeterTerms, SyncSettings
from controller.service.table_lease import TableLease
from controller.table.effects import AnyEffect, RoundEnded
from controller.table.facts import AnyFact, HouseChanged, MeterIs, MeterTold
from controller.table.jackpot.outbox import METER
from controller.table.state import Table

log = structlog.get_logger()

PATIENCE = 1.0  # seconds that the start of a table waits for its meter; it goes on without the Jackpot
CERTAINTY = 10.0  # seconds, where it must be known first whether the table may use the meter at all
SOON, LATER, FOR_PEOPLE = 0.2, 5.0, 10.0  # seconds before the next attempt: first, at most, when people must act
SYSTEMS = 10.0  # seconds between looks at the other systems of the floor


class MeterSync:
    """The task between one table and its prize meter system."""

    def __init__(self, settings: SyncSettings, engine: Engine, store: MeterStore) -> None:
        self.name = settings.table
        self.store = store
        self.latest: Meter | None = None  # as the system told it last
        self._settings, self._engine = settings, engine
        self._faults = MeterFaults(engine)
        self._terms = MeterTerms(settings, engine, store)
        self._floor = FloorSystems(settings, engine, store, self._terms)
        self.marks = LedgerMarks()
        self._lease = TableLease(settings.claim, settings.table, engine, store, self._faults)
        self._wake = asyncio.Event()
        self._retry = asyncio.Event()  # a person has decided: no need to wait
        self.news = MeterNews(store, settings.table, self._wake.set)
        self._up = asyncio.Event()  # the first attempt is over
        self._task: asyncio.Task[None] | None = None
        self._open = False
        self._round_over = False  # and the meter is due to be audited
        self._whole: set[str] = set()  # meters whose every movement was looked at since the start
        self._refused: StoreError | None = None
        engine.listeners.append(self._followed)

    # ---- life

    async def start(self) -> None:
        """Waits until the Jackpot is open, or until it is known that it is not: nothing is wagered before that.

        Raises StoreError when this table must never feed that meter.
        """
        self._task = asyncio.get_running_loop().create_task(self._run(), name="meter sync")
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE if self._settings.allow is None else CERTAINTY):
                await self._up.wait()
        if self._refused is not None:
            raise self._refused
        if not self._up.is_set() and self._terms.address() is not None:
            await self._faults.record(STARTING, "the prize meter system is being looked at")

    async def stop(self) -> None:
        """Ends the synchronisation; what was not delivered stays in the journal."""
        if self._followed in self._engine.listeners:
            self._engine.listeners.remove(self._followed)
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        if self._open:
            await self._lease.release()
        await self.store.close()

    @property
    def group(self) -> str:
        """The name of the meter in the store."""
        return self._terms.group

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        self._round_over = self._round_over or any(isinstance(effect, RoundEnded) for effect in effects)
        if table.jackpot.outbox or not table.jackpot.joined or self._round_over or METER in table.faults:
            self._wake.set()

    async def _run(self) -> None:
        pause = SOON
        while True:
            try:
                await self._serve()
                pause = SOON
            except StoreError as error:
                if error.code not in self.faults():  # once, whatever the number of attempts
                    log.warning("jackpot.trouble", code=error.code, cause=error.cause)
                self._refused = error if error.code in (LIVE, TEST_LIVE) else None
                await self._quietly(self._trouble(error))
                wait = pause if error.code in (UNREACHABLE, LEASE) else FOR_PEOPLE
                pause = min(LATER, pause * 2)
                self._up.set()
                await _set_within(self._retry, wait)
                self._retry.clear()
            except JournalError:
                await asyncio.sleep(pause)  # told again when facts can be recorded again

    async def _trouble(self, error: StoreError) -> None:
        if error.code == CLOSED:
            await self._closed()
        elif error.code != DIFFERS or not await self._terms.follow():
            await self._faults.record(AUDIT if error.code == CORRUPT else error.code, error.cause)

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        """Does the work if it can be done now; else it is tried again with the next attempt."""
        try:
            await work
        except (StoreError, JournalError) as error:
            log.warning("jackpot.trouble", code=error.code, cause=error.cause)

    # ---- one session with the system

    async def _serve(self) -> None:
        """Serves the table until the system is lost, or the table belongs elsewhere."""
        self._wake.clear()
        address = self._terms.address()
        if address is None:
            self._up.set()
            await self._doze(SYSTEMS)
            return
        if not self._open:
            await self.store.open()
            self._open = True
        if self._settings.allow is not None:
            await self._settings.allow(self.store)
        await self._join(address)
        await self._audited(address)
        await self._faults.clear()
        self._up.set()
        async with self.news.watched(address.meter):
            await self._carry(address)
        if address.meter != self.group:
            await self.store.leave(address.meter, self.name)

    async def _audited(self, address: MeterAddress) -> None:
        """Checks the meter before the Jackpot opens.

        A floor's meter has too many movements for each table to add up all.
        """
        if self._settings.alone and address.meter not in self._whole:
            await self.audit()
            self._whole.add(address.meter)
        else:
            await self.glance()

    async def _join(self, address: MeterAddress) -> None:
        """Joins the system.

        Everything that is still in the outbox is delivered first: the answers may be known already.
        """
        table = self._engine.table
        described = linking.described(address.terms, [table.options.typed.method or "A"], [table.game])
        await self._lease.claim(address.meter)  # a clone changes nothing, not even the terms
        await self._terms.publish(address)
        outbox, recorded = tuple(table.jackpot.outbox), table.jackpot.recorded
        if not self._settings.alone and not table.jackpot.joined and not outbox:
            await self._terms.check_floor(address)
        more = (self._settings.ceiling, self._settings.reserve, self._engine.origin())
        try:
            joined = await self.store.join(address.meter, self.name, address.terms, described, recorded, *more)
        except StoreError as error:
            if error.code != CLOSED or not outbox:
                raise  # a closed system still takes what was wagered before
        else:
            if joined.last and not table.number and not table.jackpot.numbered:
                cause = f"{address.meter} knows {many(joined.last, 'movement')} of {self.name}, whose journal has none"
                raise StoreError(CONFLICT, cause, "Restore the table's journal, or give the table a new name.")
            await self._lease.claim(address.meter)  # a table that was not there before has a row now
            await self._compared(address, joined)
        if outbox:
            joined = await self.store.record(address.meter, self.name, outbox)
        await self._tell(address, joined)
        await self._floor.look(address)

    async def _compared(self, address: MeterAddress, joined: Recorded) -> None:
        """Compares the system with the journal, whenever they meet.

        Where the system knows more, the journal went back: the table is held, and a person decides.  Where the journal
        knows of a ledger that this one is not, the system went back or was changed: no Jackpot wagers are taken.
        """
        game = self._engine.table.jackpot
        if game.joined:
            await continuity.hold(self._engine, METER, continuity.by_meter(address.meter, joined.last, game.numbered))
        at, known = game.ledger
        if not known or await self.store.hash_at(address.meter, at) == known:
            return
        if at > joined.meter.recorded:
            cause = f"the ledger of {address.meter} ends at movement {joined.meter.recorded}; this table knows {at}"
            raise StoreError(BEHIND, cause)
        raise StoreError(REWRITTEN, f"movement {at} of {address.meter} does not end with the hash that was told")

    async def _carry(self, address: MeterAddress) -> None:
        """Carries movements to the system and news back, until the table belongs elsewhere."""
        systems = asyncio.get_running_loop().time() + SYSTEMS
        while self._terms.address() == address:
            self._wake.clear()  # whatever comes from here on is seen in the next turn
            self.news.check()
            await self._lease.renew(address.meter)
            if self._engine.defect is None and self._engine.table.jackpot.outbox:
                await self._deliver(address, tuple(self._engine.table.jackpot.outbox))
                continue
            if self._engine.defect is None and not self._engine.table.jackpot.joined:
                return  # on other terms
            if self._round_over:
                self._round_over = False
                await self.glance()
                await self.news.look(address.meter)
            await self._pass_on_news(address)
            await self._faults.clear()
            if asyncio.get_running_loop().time() >= systems:
                systems += SYSTEMS
                await self._floor.look(address)
            await self._doze(self._lease.pause or SYSTEMS)

    async def _deliver(self, address: MeterAddress, movements: tuple[Movement, ...]) -> None:
        """Records these movements in the system, and its answer at the table."""
        recorded = await self.store.record(address.meter, self.name, movements)
        if wrong := _disagrees(movements, recorded):
            await self._faults.record(AUDIT, wrong)
        await self._tell(address, recorded)

    async def _tell(self, address: MeterAddress, recorded: Recorded) -> None:
        """Records at the table what the system has recorded.

        What the table writes meanwhile is delivered after that.
        """
        self.latest = meter = recorded.meter
        if wrong := meter.wrong():
            await self._faults.record(AUDIT, wrong)
        awards = tuple(sorted(recorded.awards.items()))
        game = self._engine.table.jackpot
        known = (game.recorded, game.meter, game.joined, bool(game.outbox))
        if known != (recorded.last, meter.value, True, False) or awards:
            await self._engine.submit(
                MeterTold(
                    address.group,
                    recorded.last,
                    meter.value,
                    meter.terms,
                    awards,
                    (meter.recorded, recorded.head),
                )
            )
        if meter.closed:
            await self._closed()
        await self.news.hit_elsewhere(meter)

    async def _pass_on_news(self, address: MeterAddress) -> None:
        """Records at the table what others did to the meter."""
        news = self.news.take()
        if news is None or (self.latest is not None and news.recorded <= self.latest.recorded):
            return
        self.latest = news
        if news.closed:
            await self._closed()
        if news.terms != address.terms and not await self._terms.follow():
            raise StoreError(DIFFERS, "the system plays by other options", "Compare the options of all its tables.")
        if news.value != self._engine.table.jackpot.meter and not self._engine.table.jackpot.outbox:
            await self._engine.submit(MeterIs(news.value, address.group))
        await self.news.hit_elsewhere(news)

    async def _closed(self) -> None:
        """Records that the system is closed: no fault, but no Jackpot either."""
        if not self._engine.table.jackpot.closed:
            group = self._engine.table.options.typed.group
            await self._engine.submit(HouseChanged(linking.SYSTEM + group, linking.CLOSED))
        await self._faults.clear()

    # ---- audits

    def faults(self) -> dict[str, str]:
        """Returns what is wrong with the system now, as the table knows it."""
        return self._faults.on_record()

    async def audit(self) -> list[str]:
        """Adds up every movement of the meter; what does not fit stays a fault until a person clears it."""
        report, _ = await self.check()
        return await self._report(report.problems)

    async def check(self, *evidence: LedgerMark) -> tuple[LedgerReport, str]:
        """Returns the whole check of the ledger, with what was kept of it, and the checkpoint of a sound one.

        That is kept beside the journal and in the store.
        """
        meter = self.group
        report = await self.store.check(meter, [*evidence, *self.marks.kept(meter)])
        if report.problems:
            return report, ""
        note = self.marks.note_of(report.mark)
        self.marks.keep(meter, note)
        await self._quietly(self.store.keep_checkpoint(meter, self.name, report.mark.size, note))
        return report, note

    async def glance(self) -> list[str]:
        """Checks the meter equation, and how the newest movements led to it."""
        return await self._report(await self.store.glance(self.group))

    async def _report(self, problems: list[str]) -> list[str]:
        if problems:
            log.error(AUDIT, group=self.group, problems=problems[:10])
            await self._faults.record(AUDIT, problems[0])
        return problems

    async def clear(self) -> None:
        """Records that a person has looked after a failed audit, and that it adds up now."""
        await self._faults.clear_audit()

    async def decide(self) -> bool:
        """Records that a technician called this table the real one of two; False when there are not two."""
        decided = await self._lease.decide()
        self._retry.set()
        return decided

    async def announce(self) -> None:
        """Tells the floor that this table is present."""
        await self._floor.announce()

    async def _doze(self, seconds: float) -> None:
        """Waits for something to do, at most so long."""
        await _set_within(self._wake, seconds)


async def _set_within(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


def _disagrees(movements: tuple[Movement, ...], recorded: Recorded) -> str:
    """Returns how the system judged an outcome otherwise than the table; "" when they agree."""
    for m in movements:
        award = recorded.awards.get(m.number)
        if m.kind == OUTCOME and m.ticks and award is not None and m.ticks != award.after - award.at:
            return f"round {m.round}: the table moved the meter by {m.ticks}, the system by {award.after - award.at}"
    return ""
