"""Keeps the index of rounds while the table runs: a thread of its own follows the journal, behind the table.

The table never waits for it and never stops because of it.  It reads what the table has followed, in small bites
between which the loop has the interpreter to itself, not before a round is over or somebody asks, and while cards are
being dealt only when somebody asks or it is far behind.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from controller.errors import Coded, FeltError
from controller.journal.errors import JournalError
from controller.journal.store import Journal
from controller.service.closed_cards import CardsClosed
from controller.service.engine import Engine
from controller.service.error_place import error_place
from controller.service.missing_game import GameMissing
from controller.service.retelling import BEGINNING, Beside, Retelling, hashed, rounds
from controller.service.retold_refusals import RetoldRefusals
from controller.service.round_store import (
    KEEP,
    UNKEPT,
    Position,
    RoundsDamaged,
    RoundStore,
    Stretch,
    Wanted,
    Waypoint,
    discard,
)
from controller.table.effects import AnyEffect, RoundEnded
from controller.table.facts import AnyFact
from controller.table.state import Table
from controller.views.record import RoundRecord
from controller.views.recorder import LaterLines, News, renewed

log = structlog.get_logger()

BITE: Final = 0.0005  # seconds of rest after each fact
APART: Final = 5000  # facts between two waypoints: some seconds of telling
LATER: Final = 2  # rounds after one in which it may still be renewed
REMEMBERED: Final = 300  # rounds that are told once more to whoever watches rounds, at the start
CHUNK: Final = 50  # facts that are read at once
FAR_BEHIND: Final = 500  # facts without the end of a round: then they are told all the same
AGAIN: Final = 10.0  # seconds until a disk that failed is tried again
CALM: Final = 0.05  # seconds in which nothing happened at the table: cards, lamps and displays come first
GLANCE: Final = 0.025  # seconds between two looks whether it is calm
SAY_EVERY: Final = 5.0  # seconds between two lines of the log on a long work

Report = Callable[[FeltError | None], None]
OnRound = Callable[[RoundRecord, bool], None]  # a round that is over; whether it was before this start


def _nobody(record: RoundRecord, before: bool) -> None:
    """Watches no rounds."""


class Behind(NamedTuple):
    """How far the index is, in facts."""

    done: int
    all: int


class RoundKeeper:
    """The thread that keeps the index of one table, and what others may ask of it."""

    def __init__(
        self, journal: Journal, engine: Engine, path: Path, *, keep: int = KEEP, report: Report = lambda error: None
    ) -> None:
        self._journal = journal
        self._engine = engine
        self._path = path
        self._keep = keep
        self._report = report
        self.on_round: OnRound = _nobody  # in the thread
        self._store: RoundStore | None = None
        self._trouble: FeltError | None = None
        self._running: RoundRecord | None = None
        self._done = 0
        self._waypoint = self._number = 0  # the fact behind which the last waypoint is; the last round
        self._counted_up = False  # since then
        self._wanted = 0  # somebody waits until this fact is told
        self._latest = 0.0  # when the table last followed a fact
        self._work = threading.Event()
        self._progress = threading.Condition()
        self._closing = False
        self._next_word = 0.0
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._serve, name="rounds", daemon=True)

    # ---- on the loop

    def start(self) -> None:
        """Begins, once the table is what its facts come to."""
        self._engine.listeners.append(self._followed)
        self._thread.start()

    async def stop(self) -> None:
        """Ends; what is not in the index yet is told at the next start."""
        self._closing = True
        self._work.set()
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join)

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        self._latest = time.monotonic()
        if seq - self._done >= FAR_BEHIND or any(isinstance(effect, RoundEnded) for effect in effects):
            self._work.set()

    # ---- from any thread

    def fresh(self, patience: float) -> Behind | None:
        """Waits until all that the table has followed is told; returns how far it is when it takes longer."""
        wanted = self._engine.seq
        with self._progress:
            self._wanted = max(self._wanted, wanted)
            self._work.set()
            self._progress.wait_for(lambda: self._done >= wanted or self._stuck(), patience)
        return None if self._done >= wanted else Behind(self._done, wanted)

    @property
    def table(self) -> str:
        """The name of the table."""
        return self._journal.table

    def _stuck(self) -> bool:
        return self._closing or self._trouble is not None

    @property
    def store(self) -> RoundStore:
        """The open index; raises FeltError while there is none."""
        if self._store is None:
            raise self._trouble or FeltError(UNKEPT, f"{self._path} is not open yet")
        return self._store

    def older_refusals(self) -> RetoldRefusals:
        """Returns who tells what the table refused before it remembers; the table goes first."""
        return RetoldRefusals(self._journal, self._waypoint_before, self._let_the_table_work, 2 * APART)

    def _waypoint_before(self, seq: int) -> Waypoint:
        try:
            return self.store.waypoint_before(seq)
        except (FeltError, sqlite3.Error):
            return BEGINNING  # without the index it is told from the snapshots

    def running(self) -> RoundRecord | None:
        """Returns the round that runs, as far as it was told when somebody last asked; None between rounds."""
        return self._running

    def search(self, number: int, opened: int, progress: Callable[[int, int], None]) -> RoundRecord | None:
        """Looks for an older round in the journal itself, from the nearest waypoint on; None when there is none.

        Without `opened`: the newest of this number that is not kept any more.
        """
        for stretch in self.store.stretches(number, opened):
            older = self._search_in(stretch, number, opened, progress)
            if older is not None or opened:
                return older
        return None

    def _search_in(
        self, stretch: Stretch, number: int, opened: int, progress: Callable[[int, int], None]
    ) -> RoundRecord | None:
        """Returns the newest round of this number in one part of the journal, as it is after all that changed it."""
        older, later = None, 0
        for record in rounds(self._journal, progress, self._let_the_table_work, stretch.begin):
            if self._closing or (older is None and record.opened.seq > stretch.end):
                break
            if record.number == number and opened in (0, record.opened.seq) and record.opened.seq <= stretch.end:
                older, later = record, 0
            elif older is not None and (opened or stretch.counts_up or record.opened.seq > stretch.end):
                later += not older.unfinished
                if later > LATER:
                    break
        return older

    # ---- in the thread

    def _serve(self) -> None:
        while not self._closing:
            try:
                self._keep_up()
            except sqlite3.DatabaseError as error:
                self._failed(error, broken=not isinstance(error, sqlite3.OperationalError))
            except RoundsDamaged as error:
                self._failed(error, broken=True)
            except (OSError, JournalError) as error:
                self._failed(error)
            except (GameMissing, CardsClosed) as error:
                self._tell(error)
                break
            except Exception as bug:  # the table goes on without the index
                log.error("rounds.defect", what=error_place(bug))
                self._tell(FeltError(UNKEPT, f"the rounds cannot be told: {error_place(bug)}"))
                self._rest(AGAIN)
        self._close()

    def _keep_up(self) -> None:
        """Opens the index and follows the journal until the end; what it had is read until then."""
        before, store = self._store, self._opened()
        self._store = store  # whoever looks meanwhile has the one or the other
        if before is not None:
            before.close()
        for each in reversed(store.list(Wanted(most=REMEMBERED))[:REMEMBERED]):
            self._followed_round(store.find(each.number, each.opened.seq), before=True)
        self._done, self._waypoint = store.position.seq, store.last_waypoint()
        self._counted_up = False  # nobody knows of the rounds before
        retelling = Retelling.behind(self._journal, self._done, store.newest())
        while not self._closing:
            try:
                self._catch_up(store, retelling)
            except CardsClosed as closed:  # its key was destroyed: rounds of that time are told by nobody again
                log.warning(closed.code, cause=closed.cause)
                retelling = self._past(closed)
                continue
            self._tell(None)
            self._work.wait()
            self._work.clear()
            if store.damaged is not None:  # whoever looked at it noticed
                raise store.damaged
            self._wait_for_calm()

    def _past(self, closed: CardsClosed) -> Retelling:
        """Returns who goes on behind cards that cannot be opened; raises them where no snapshot is kept behind them."""
        later = Retelling.past(self._journal, closed.seq)
        if later is None:
            raise closed
        return later

    def _opened(self) -> RoundStore:
        """Returns the index; an empty one when what it tells is of another journal."""
        store = RoundStore.open(self._path, self._journal.table, self._keep)
        if not self._of_this_journal(store.position):
            store.close()
            discard(self._path)
            store = RoundStore.open(self._path, self._journal.table, self._keep)
        return store

    def _of_this_journal(self, position: Position) -> bool:
        if not position.seq:
            return True
        return position.seq <= self._journal.head.seq and self._journal.hash_at(position.seq).hex() == position.hash

    def _catch_up(self, store: RoundStore, retelling: Retelling) -> None:
        while not self._closing and retelling.seq < (end := self._engine.seq):
            new: dict[int, RoundRecord] = {}
            beside: list[Beside] = []
            for record in self._journal.read(retelling.seq + 1, min(CHUNK, end - retelling.seq)):
                for news in retelling.tell(record):
                    if isinstance(news, RoundRecord | LaterLines):
                        self._add(store, new, news)
                    else:
                        beside.append(news)
                self._let_the_table_work()
                self._wait_for_calm()
            if new or beside or retelling.seq >= end:
                store.keep(new.values(), Position(retelling.seq, self._journal.hash_at(retelling.seq).hex()), beside)
            self._keep_waypoint(store, retelling)
            self._went(retelling, end)

    def _keep_waypoint(self, store: RoundStore, retelling: Retelling) -> None:
        """Keeps the table now and then, so that nobody need tell the whole journal to find an old round."""
        if retelling.seq < self._waypoint + APART:
            return
        waypoint = retelling.waypoint(counted_up=self._counted_up)
        if waypoint is not None:
            store.keep_waypoint(waypoint)
            self._waypoint, self._counted_up = waypoint.seq, True

    def _add(self, store: RoundStore, new: dict[int, RoundRecord], news: News) -> None:
        """Adds a round that is over, or changes an earlier one."""
        if isinstance(news, RoundRecord):
            new[news.opened.seq] = news
            self._followed_round(news)
            self._counted_up = self._counted_up and news.number >= self._number
            self._number = news.number
            return
        earlier = [record for record in new.values() if record.number == news.number]
        record = earlier[-1] if earlier else store.find(news.number)
        if record is not None and record.last < news.at.seq:  # else it is in already: told again after a crash
            record = hashed(self._journal, renewed(record, news))
            new[record.opened.seq] = record

    def _followed_round(self, record: RoundRecord | None, *, before: bool = False) -> None:
        """Hands a round on to whoever watches rounds; what goes wrong there stops nothing here."""
        if record is None:
            return
        try:
            self.on_round(record, before)
        except Exception as bug:
            log.error("protection.defect", round=record.number, what=error_place(bug))

    def _went(self, retelling: Retelling, end: int) -> None:
        if retelling.seq >= end:
            self._running = retelling.running()
        with self._progress:
            self._done = max(self._done, retelling.seq)
            self._progress.notify_all()
        if retelling.seq < end and time.monotonic() >= self._next_word:
            self._next_word = time.monotonic() + SAY_EVERY
            log.info("rounds.telling", done=retelling.seq, all=end)

    def _wait_for_calm(self) -> None:
        """Waits while much happens at the table; not when somebody waits for it, nor when it is far behind."""
        while not self._closing and self._wanted <= self._done and self._engine.seq - self._done < FAR_BEHIND:
            if time.monotonic() - self._latest >= CALM:
                return
            time.sleep(GLANCE)

    def _let_the_table_work(self) -> None:
        if self._closing:
            return
        time.sleep(BITE)
        for _ in range(20):
            if not self._engine.writer.depth or self._closing:
                return
            time.sleep(0.002)

    def _failed(self, error: Exception, *, broken: bool = False) -> None:
        if broken:
            log.warning("rounds.anew", why=str(error))
            self._close()
            try:
                discard(self._path)
            except OSError as worse:
                error = worse
            else:
                return
        cause = error.cause if isinstance(error, Coded | JournalError) else str(error)
        self._tell(FeltError(UNKEPT, f"{self._path}: {cause}"))
        self._rest(AGAIN)

    def _rest(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._closing and time.monotonic() < until:
            time.sleep(min(0.05, seconds))

    def _tell(self, error: FeltError | None) -> None:
        with self._progress:
            self._trouble = error
            self._progress.notify_all()
        try:
            self._loop.call_soon_threadsafe(self._report, error)
        except RuntimeError:  # the loop is gone: nobody is left to tell
            self._closing = True

    def _close(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            store.close()
