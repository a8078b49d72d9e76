"""The heart of the daemon: one inbox, journal first, then the table's step, then whoever listens.

A fact acts on the table only when it is durable, and only then does its device hear that it arrived.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeAlias

import msgspec
import structlog

from controller.errors import FeltError
from controller.games import find
from controller.house.layout import Game
from controller.journal.errors import JournalError
from controller.journal.records import Duplicate, Entry, Record, chained, genesis, pack
from controller.journal.store import Journal
from controller.journal.writer import JournalWriter
from controller.money import short
from controller.service import snapshots
from controller.service.disclosure import Disclosure
from controller.service.error_place import error_place
from controller.service.journal_encoding import journal_bytes
from controller.service.refusals import Refusals
from controller.table import facts, state
from controller.table.effects import AnyEffect, Defective, RoundEnded
from controller.table.facts import Amend, AnyFact, Hold, Started
from controller.table.follow import step
from controller.table.state import Table

log = structlog.get_logger()

SNAPSHOT_EVERY = 200  # steps, at the end of a round
SNAPSHOT_AT_LAST = 1000  # steps that a restart would repeat: then a snapshot is taken whatever is going on
RETOLD = "journal.retold"
CHANGED = "table.changed"
PROGRESS_EVERY = 2000  # facts

Acknowledge = Callable[[], None]
Stored: TypeAlias = "asyncio.Future[Record | Duplicate]"


class Listener(Protocol):
    """Hears of every fact after it has acted on the table."""

    def __call__(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None: ...


class Origin(msgspec.Struct, frozen=True):
    """The device event a fact came from."""

    device: str = ""
    epoch: int = 0
    counter: int = 0


NOBODY = Origin()


class Engine:
    """Keeps one table: its journal and its state."""

    def __init__(self, journal: Journal, writer: JournalWriter, clock: Callable[[], int]) -> None:
        self._journal = journal
        self.writer = writer
        self._clock = clock
        self._pending: Counter[str] = Counter()  # by device
        self._since_snapshot = 0
        self.table = Table()
        self.seq = 0
        self.listeners: list[Listener] = []
        self.defect: FeltError | None = None  # facts go on being recorded, but act on nothing any more
        self.defects: deque[str] = deque(maxlen=100)  # facts that the table could not follow: refused, or held
        self.on_defect: Callable[[], None] = lambda: None
        self.on_progress: Callable[[int, int], None] = lambda done, all_: None  # of a long recovery
        self.notes: list[str] = []
        self._retold = ""  # how the table differs from what an older version's snapshot says
        self.disclosure = Disclosure()  # which cards of the facts are public
        self.refusals = Refusals()

    def origin(self) -> str:
        """What tells this journal from any other, of a table of the same name too."""
        before = genesis(self._journal.table)
        return "".join(chained(before, pack(first.seq, first)).hex() for first in self._journal.read(1, 1))

    @property
    def game(self) -> Game:
        return find(self.table.game)

    def time(self) -> int:
        """The time that a fact would have now."""
        return self._clock()

    def table_time(self) -> int:
        """The same as the table counts it: without the steps of the machine's clock."""
        return self._clock() - self.table.ahead

    @property
    def pending(self) -> int:
        """Facts on their way to the table."""
        return self._pending.total()

    def pending_from(self, device: str) -> int:
        """Facts of this device that are not acknowledged yet."""
        return self._pending[device]

    # ---- start

    def recover(self) -> int:
        """The table as the journal tells it; returns how many facts were replayed."""
        self.table, self.seq = snapshots.newest(self._journal, self.notes)
        self.disclosure.go_on(self._journal, self.seq, self.table)
        replayed = 0
        for record in self._journal.iterate(self.seq + 1):
            self._act(record, facts.decode(record.payload), quietly=True)
            replayed += 1
            if replayed % PROGRESS_EVERY == 0:
                self.on_progress(record.seq, self._journal.head.seq)
        self._compare_with_unnamed(self.seq - replayed)
        return replayed

    def _compare_with_unnamed(self, began: int) -> None:
        """An older version's snapshot is not believed, but when it says something else a person must know."""
        left = snapshots.unnamed(self._journal) if began == 0 and self.defect is None else None
        if left is None:
            return
        self._since_snapshot = SNAPSHOT_AT_LAST  # one that is named, at once: this is done once
        other = Engine(self._journal, self.writer, self._clock)
        other.table, other.seq = left
        for record in self._journal.iterate(other.seq + 1):
            other.follow(record, facts.decode(record.payload))
        if found := snapshots.differences(self.table, other.table):
            self._retold = f"its facts come to other {', '.join(found)} now than the version that wrote it had"

    async def start(self, begin: Started) -> None:
        """A table that has no past begins; one that has goes on where it was."""
        self._tell_turned()
        if self._retold:
            await self.submit(Hold(RETOLD, f"{self._retold}: compare them with what lies on the table"))
        if self._since_snapshot >= SNAPSHOT_AT_LAST and self.defect is None:
            self._snapshot()  # the next start need not tell all this again
        if not self.table.game:
            await self.submit(begin)
        elif self.table.begun != begin:
            running = self.table.round is not None and not self.table.round.outcome
            if running:
                raise FeltError(
                    CHANGED,
                    "the configuration was changed while a round was running",
                    "put the former options back, finish the round, then change them",
                )
            if self.table.jackpot.registered or self.table.jackpot.pending or self.table.jackpot.outbox:
                raise FeltError(
                    CHANGED,
                    "the configuration was changed while Jackpot wagers or prizes were open",
                    "put the former options back, let them be settled and told to the prize meter, then change them",
                )
            if left := _left_on_table(self.table):  # before it is forgotten, so that nothing can come between
                await self.submit(Hold(CHANGED, f"another configuration forgets what was known: {left}"))
            await self.submit(begin)

    # ---- facts

    def submit(
        self,
        fact: AnyFact,
        origin: Origin = NOBODY,
        acknowledge: Acknowledge | None = None,
        unstored: Callable[[], None] | None = None,
    ) -> Stored:
        """Record a fact, then let it act.  The order of submission is the order of the journal.

        `unstored` is called when it could not be recorded, before anything else can be submitted.
        """
        fact = _storable(fact, origin)
        entry = Entry(self._clock(), journal_bytes(fact), origin.device, origin.epoch, origin.counter)
        stored: Stored = asyncio.get_running_loop().create_future()
        self.writer.submit(entry, partial(self._stored, stored, fact, origin.device, acknowledge, unstored))
        self._pending[origin.device] += 1
        return stored

    def _stored(
        self,
        stored: Stored,
        fact: AnyFact,
        device: str,
        acknowledge: Acknowledge | None,
        unstored: Callable[[], None] | None,
        result: Record | Duplicate | JournalError,
    ) -> None:
        self._pending[device] -= 1
        if isinstance(result, JournalError):
            # The writer's owner was told; the device was not, and will send it again.
            if unstored is not None:
                unstored()
            if not stored.done():
                stored.set_exception(result)
                stored.exception()  # most submitters do not wait; that is no mistake
            return
        if isinstance(result, Record):
            self._act(result, fact)  # also when whoever waited has gone: it is on record
        if acknowledge is not None:
            acknowledge()
        if not stored.done():
            stored.set_result(result)

    def follow(self, record: Record, fact: AnyFact) -> None:
        """Take in what is on record already; nobody is told."""
        self._act(record, fact, quietly=True)
        self.disclosure.take_due()

    def _act(self, record: Record, fact: AnyFact, quietly: bool = False) -> None:
        self.seq = record.seq
        if self.defect is not None:
            return
        steps = 1 + len(self.table.history) if isinstance(fact, Amend) else 1  # a correction tells the round again
        try:
            self.table, effects = step(self.table, record.seq, record.at_us, fact)
        except Exception as bug:
            # Never guess on: everything is still recorded, nothing acts until a person has looked.
            self.defect = FeltError(
                "table.defect",
                f"fact {record.seq} ({type(fact).__name__}) could not be followed: {type(bug).__name__}",
                "keep the cards and chips as they are and call the technician: felt doctor",
            )
            self.defect.__cause__ = bug
            log.error("table.defect", cause=self.defect.cause, what=error_place(bug))
            if not quietly:
                self.on_defect()
            return
        for failed in effects:
            if isinstance(failed, Defective):
                self.defects.append(f"fact {record.seq} ({failed.fact}) could not be followed: {failed.what}")
                log.error("table.defect", cause=self.defects[-1])
        self._since_snapshot += steps
        self.refusals.heard(record.seq, effects)
        self.disclosure.follow(record.seq, fact, self.table)
        if quietly:
            return
        between = self._since_snapshot >= SNAPSHOT_EVERY and any(isinstance(e, RoundEnded) for e in effects)
        if between or self._since_snapshot >= SNAPSHOT_AT_LAST:
            self._snapshot()
        for listener in self.listeners:
            try:
                listener(record.seq, fact, self.table, effects)
            except Exception as bug:  # what people see may be old; the table itself goes on
                log.error("view.defect", fact=record.seq, what=error_place(bug))
        self._tell_turned()

    def _snapshot(self) -> None:
        """The next start goes on from here; in mid-round too, with all that a correction needs."""
        if self.writer.closing:
            return
        self._since_snapshot = 0
        payload = state.encode(self.table)
        self.writer.snapshot(self.seq, payload)
        self.submit(snapshots.named(self.seq, payload))

    def _tell_turned(self) -> None:
        """What a round that is over has made public becomes a record of its own."""
        for turned in self.disclosure.take_due():
            self.submit(turned)


def _storable(fact: AnyFact, origin: Origin) -> AnyFact:
    """The fact, or a named fault in its place: what cannot be recorded would be sent again for ever."""
    try:
        facts.encode(fact)
    except (OverflowError, UnicodeError, TypeError) as wrong:
        what = f"{type(fact).__name__}: {type(wrong).__name__}"
        return facts.DeviceFault(origin.device or "table", "device.unstorable", what)
    return fact


def _left_on_table(table: Table) -> str:
    """The chips of a poker table that another configuration would forget; "" when there are none."""
    room = table.room
    if room is None:
        return ""
    told = [f"seat {seat} has {short(stake)}" for seat, stake in sorted(room.stakes.items()) if stake]
    told += [f"{short(chips)} of {name} is picked up" for name, chips in room.secured.items() if chips]
    if room.slide:
        told.append(f"{short(room.slide)} is on the slide")
    return ", ".join(told)
