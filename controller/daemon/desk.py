"""The heart of the daemon: one inbox, journal first, then the table's step, then whoever listens.

A fact acts on the table only when it is durable, and only then does its device hear that it arrived.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeAlias

import msgspec

from controller.errors import FeltError
from controller.games.catalogue import find
from controller.journal.records import Duplicate, Entry, Record
from controller.journal.store import Journal
from controller.journal.writer import JournalWriter
from controller.table import facts, state
from controller.table.effects import AnyEffect, RoundEnded
from controller.table.facts import AnyFact, Started
from controller.table.felt import Game
from controller.table.state import Table
from controller.table.step import step

SNAPSHOT_EVERY = 200  # facts, at the end of a round

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


class Desk:
    """Keeps one table: its journal and its state."""

    def __init__(self, journal: Journal, writer: JournalWriter, clock: Callable[[], int]) -> None:
        self._journal = journal
        self._writer = writer
        self._clock = clock
        self._pending = 0
        self._since_snapshot = 0
        self.table = Table()
        self.seq = 0
        self.listeners: list[Listener] = []
        self.defect: FeltError | None = None  # facts go on being recorded, but act on nothing any more
        self.notes: list[str] = []

    @property
    def game(self) -> Game:
        return find(self.table.game)

    @property
    def pending(self) -> int:
        """Facts on their way to the table."""
        return self._pending

    # ---- start

    def recover(self) -> int:
        """The table as the journal tells it; returns how many facts were replayed."""
        snapshot, note = self._journal.latest_snapshot()
        if note:
            self.notes.append(note)
        if snapshot is not None:
            self.table, self.seq = state.decode(snapshot.payload), snapshot.seq
        replayed = 0
        for record in self._journal.iterate(self.seq + 1):
            self._act(record, facts.decode(record.payload), quietly=True)
            replayed += 1
        return replayed

    async def start(self, begin: Started) -> None:
        """A table that has no past begins; one that has goes on where it was."""
        if not self.table.game:
            await self.submit(begin)
        elif self.table.begun != begin:
            running = self.table.round is not None and not self.table.round.outcome
            if running:
                raise FeltError(
                    "table.changed",
                    "the configuration was changed while a round was running",
                    "put the former options back, finish the round, then change them",
                )
            await self.submit(begin)

    # ---- facts

    def submit(self, fact: AnyFact, origin: Origin = NOBODY, acknowledge: Acknowledge | None = None) -> Stored:
        """Record a fact, then let it act.  The order of submission is the order of the journal."""
        entry = Entry(self._clock(), facts.encode(fact), origin.device, origin.epoch, origin.counter)
        self._pending += 1
        stored = self._writer.submit(entry)
        stored.add_done_callback(lambda done: self._stored(done, fact, acknowledge))
        return stored

    def _stored(self, stored: Stored, fact: AnyFact, acknowledge: Acknowledge | None) -> None:
        self._pending -= 1
        if stored.cancelled() or stored.exception() is not None:
            return  # the writer's owner was told; the device was not, and will send it again
        record = stored.result()
        if isinstance(record, Record):
            self._act(record, fact)
        if acknowledge is not None:
            acknowledge()

    def _act(self, record: Record, fact: AnyFact, quietly: bool = False) -> None:
        self.seq = record.seq
        if self.defect is not None:
            return
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
            return
        self._since_snapshot += 1
        if quietly:
            return
        if self._since_snapshot >= SNAPSHOT_EVERY and any(isinstance(e, RoundEnded) for e in effects):
            self._since_snapshot = 0
            self._writer.snapshot(record.seq, state.encode(self.table))
        for listener in self.listeners:
            listener(record.seq, fact, self.table, effects)
