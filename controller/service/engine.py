"""The heart of the daemon: one inbox, journal first, then the table's step, then whoever listens.

A fact acts on the table only when it is durable, and only then does its device hear that it arrived.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from secrets import token_bytes
from typing import Final, NamedTuple, Protocol, TypeAlias

import msgspec
import structlog

from controller.games import step
from controller.journal.errors import JournalError
from controller.journal.records import Anchor, Duplicate, Entry, Record
from controller.journal.store import Journal
from controller.journal.writer import JournalWriter
from controller.service import snapshots
from controller.service.error_place import error_place
from controller.service.follower import Follower
from controller.service.foresight import Foresight
from controller.service.journal_encoding import RandomBytes, journal_bytes
from controller.service.new_start import announced_first, check_change, check_kind, goes_on, noted
from controller.table import facts, state
from controller.table.effects import AnyEffect, RoundEnded
from controller.table.facts import AnyFact, CardOut, CardRead, CardsOut, Configured, DeviceFault, Hold, Started
from controller.table.state import Table
from firmware_bridge.messages import UNSTORABLE

log = structlog.get_logger()

SNAPSHOT_EVERY = 200  # steps, at the end of a round
SNAPSHOT_AT_LAST = 1000  # steps that a restart would repeat: then a snapshot is taken whatever is going on
RETOLD = "journal.retold"
CHANGED = "table.changed"  # another configuration, and something is forgotten
PROGRESS_EVERY = 2000  # facts
_CARDS: Final = (CardOut, CardsOut, CardRead)

Acknowledge = Callable[[], None]


class FactListener(Protocol):
    """A listener that is called with every fact after it has acted on the table."""

    def __call__(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None: ...


class EventId(msgspec.Struct, frozen=True):
    """The device event a fact came from."""

    device: str = ""
    epoch: int = 0
    counter: int = 0


class Followed(NamedTuple):
    """What came of a fact: the number of its record, and the effects of its step."""

    seq: int
    effects: Sequence[AnyEffect]


NOBODY = EventId()
REPEATED: Final = Followed(0, ())  # the device had told it before: it is on record, and acts once
Submitted: TypeAlias = "asyncio.Future[Followed]"


class Engine(Follower):
    """Keeps one table: records each fact, then follows it."""

    def __init__(
        self,
        journal: Journal,
        writer: JournalWriter,
        clock: Callable[[], int],
        random_bytes: RandomBytes = token_bytes,
    ) -> None:
        super().__init__()
        self._random_bytes = random_bytes
        self._journal = journal
        self.writer = writer
        self._clock = clock
        self._pending: Counter[str] = Counter()  # by device
        self.listeners: list[FactListener] = []
        self.on_defect: Callable[[], None] = lambda: None
        self.on_foreseen: Callable[[Table], None] = lambda table: None  # may prepare what this table will show
        self.on_come_true: Callable[[Table], None] = lambda table: None  # it is on record: may show what was prepared
        self.on_progress: Callable[[int, int], None] = lambda done, all_: None  # of a long recovery
        self.notes: list[str] = []
        self._foresight = Foresight()
        writer.meanwhile = self._meanwhile
        self._retold = ""  # how the table differs from what an older version's snapshot says

    def origin(self) -> str:
        """Returns a name that distinguishes this journal from any other, of a table of the same name too."""
        return self._journal.hash_at(1).hex() if self._journal.head.seq else ""

    @property
    def table_name(self) -> str:
        """The name of the table, as its journal has it."""
        return self._journal.table

    def anchor(self, seq: int) -> str:
        """Returns the line that proves the journal up to this fact; raises JournalError when it cannot be read."""
        return Anchor(self._journal.table, seq, self._journal.hash_at(seq)).to_text()

    def time(self) -> int:
        """Returns the time that a fact would have now."""
        return self._clock()

    def table_time(self) -> int:
        """Returns the time that a fact would have now, as the table counts it.

        That is without the steps of the computer's clock.
        """
        return self._clock() - self.table.ahead

    @property
    def pending(self) -> int:
        """The number of facts on their way to the table."""
        return self._pending.total()

    def pending_from(self, device: str) -> int:
        """Returns how many facts of this device are not acknowledged yet."""
        return self._pending[device]

    # ---- start

    def recover(self) -> int:
        """Replays the journal, so that the table is what its facts come to; returns how many facts were replayed.

        Raises GameMissing when nobody can tell because the game is not installed, CardsClosed when a key is not there.
        """
        self.table, self.seq = snapshots.newest(self._journal, self.notes)
        self.disclosure.go_on(self._journal, self.seq, self.table)
        self.refusals.since = self.seq
        replayed = 0
        for record in self._journal.iterate(self.seq + 1):
            self.replay(record)
            replayed += 1
            if replayed % PROGRESS_EVERY == 0:
                self.on_progress(record.seq, self._journal.head.seq)
        self._compare_with_unnamed(self.seq - replayed)
        return replayed

    def _compare_with_unnamed(self, began: int) -> None:
        """Compares the table with an older version's snapshot.

        It is not believed, but when it differs a person must know.
        """
        left = snapshots.unnamed(self._journal) if began == 0 and self.defect is None else None
        if left is None:
            return
        self.steps = SNAPSHOT_AT_LAST  # one that is named, at once: this is done once
        other = Follower(*left)
        for record in self._journal.iterate(other.seq + 1):
            other.retell(record)
        if changed := snapshots.differences(self.table, other.table):
            self._retold = f"its facts come to other {', '.join(changed)} now than the version that wrote it had"

    async def start(self, begin: Started) -> None:
        """Begins a table that has no past; one that has goes on where it was.

        Raises FeltError when another configuration would forget what is open.
        """
        check_kind(self.table, begin)
        self._record_turned()
        if self._retold:
            await self.submit(Hold(RETOLD, f"{self._retold}: compare them with what lies on the table"))
        if self.steps >= SNAPSHOT_AT_LAST and self.defect is None:
            self._snapshot()  # the next start need not tell all this again
        if goes_on(self.table, begin, self.table_time()):
            await self._record_program(begin)
            return
        if self.table.game:
            check_change(self.table)
            begin = announced_first(self.table, begin, self.table_time())
            self.notes += noted(begin)
            if chips := self.game.left_on_table(self.table):  # before it is forgotten, so that nothing can come between
                await self.submit(Hold(CHANGED, f"another configuration forgets what was known: {chips}"))
        await self.submit(begin)

    async def _record_program(self, begin: Started) -> None:
        """Records which program goes on with which configuration, where that is not on record already."""
        begun = self.table.begun
        if begun is None or not begin.version:
            return
        now = Configured(begin.version, begin.config, begin.kind, begin.schema)
        if Configured(begun.version, begun.config, begun.kind, begun.schema) != now:
            await self.submit(now)

    # ---- facts

    def submit(
        self,
        fact: AnyFact,
        origin: EventId = NOBODY,
        acknowledge: Acknowledge | None = None,
        unstored: Callable[[], None] | None = None,
    ) -> Submitted:
        """Records a fact, then lets it act; who waits for it gets its effects.

        The order of submission is the journal's.  `unstored` is called when it could not be recorded, before anything
        else can be submitted.
        """
        fact, plain = _storable(fact, origin)
        payload = journal_bytes(fact, plain, self._random_bytes)
        entry = Entry(self._clock(), payload, origin.device, origin.epoch, origin.counter)
        submitted: Submitted = asyncio.get_running_loop().create_future()
        if not self.pending:
            self._foresight.expect(entry.at_us, fact)
        self.writer.submit(entry, partial(self._stored, submitted, fact, origin.device, acknowledge, unstored))
        self._pending[origin.device] += 1
        return submitted

    def _stored(
        self,
        submitted: Submitted,
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
            if not submitted.done():
                submitted.set_exception(result)
                submitted.exception()  # most submitters do not wait; that is no mistake
            return
        followed = REPEATED
        if isinstance(result, Record):
            followed = Followed(result.seq, self._act(result, fact))  # also when whoever waited has gone
        if acknowledge is not None:
            asyncio.get_running_loop().call_soon(acknowledge)  # behind the lamps that this fact lit
        if not submitted.done():
            submitted.set_result(followed)

    def _meanwhile(self) -> None:
        """Takes the step of the fact that is being committed: until then there is nothing to do but to wait."""
        ahead = self._foresight.look_ahead(self.table, self.seq + 1) if self.defect is None else None
        if ahead is not None:
            with suppress(Exception):  # it is met again, and told, when it is shown
                self.on_foreseen(ahead)

    def _taken(self, record: Record, fact: AnyFact) -> tuple[Table, list[AnyEffect]]:
        seen = self._foresight.seen(self.table, record.seq, record.at_us, fact)
        if seen is None:
            return step(self.table, record.seq, record.at_us, fact)
        with suppress(Exception):  # it is met again, and told, when the table is shown
            self.on_come_true(seen[0])
        return seen

    def _act(self, record: Record, fact: AnyFact) -> list[AnyEffect]:
        """Follows a fact that was just recorded, and calls the listeners."""
        sound = self.defect is None
        effects = self.follow(record, fact)
        if self.defect is not None:
            if sound:
                self.on_defect()
            return effects
        between = self.steps >= SNAPSHOT_EVERY and any(isinstance(effect, RoundEnded) for effect in effects)
        if between or self.steps >= SNAPSHOT_AT_LAST:
            self._snapshot()
        for listener in self.listeners:
            try:
                listener(record.seq, fact, self.table, effects)
            except Exception as bug:  # what people see may be old; the table itself goes on
                log.error("view.defect", fact=record.seq, what=error_place(bug))
        self._record_turned()
        return effects

    def _snapshot(self) -> None:
        """Keeps the table: the next start goes on from here; in mid-round too, with all that a correction needs."""
        if self.writer.closing:
            return
        self.steps = 0
        try:
            payload = self._journal.veil.seal(state.encode(self.table), self._clock())
        except JournalError as error:  # without one a restart only takes longer
            log.warning(error.code, cause=error.cause, next_step=error.next_step)
            return
        self.writer.snapshot(self.seq, payload)
        self.submit(snapshots.named(self.seq, payload))

    def _record_turned(self) -> None:
        """Records what a round that is over has made public; what cannot be stored now, behind the next fact."""
        for turned in self.disclosure.take_due():
            self.submit(turned, unstored=partial(self.disclosure.put_back, turned))


def _storable(fact: AnyFact, origin: EventId) -> tuple[AnyFact, bytes]:
    """Returns the fact as a restart will read it, and its bytes; or those of a named fault in its place.

    What cannot be recorded would be sent again for ever, and what cannot be read back would be known until the next
    restart only.  A card that is lost so is no mere fault: a person must look at the table.
    """
    try:
        plain = facts.encode(fact)
        return facts.exact(plain), plain
    except (OverflowError, UnicodeError, TypeError, msgspec.ValidationError) as wrong:
        what, device = f"{type(fact).__name__}: {type(wrong).__name__}", origin.device or "table"
    instead = Hold(UNSTORABLE, what, device) if isinstance(fact, _CARDS) else DeviceFault(device, UNSTORABLE, what)
    return instead, facts.encode(instead)
