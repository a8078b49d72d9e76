"""Tells the rounds of a journal again: its facts are followed once more, and each round that ends is a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeAlias

import msgspec
import structlog
from msgspec.structs import replace

from controller.journal.records import Record
from controller.journal.store import Journal
from controller.service import snapshots
from controller.service.closed_cards import followed_fact
from controller.service.error_place import error_place
from controller.service.follower import Follower
from controller.service.missing_game import playable
from controller.service.round_store import Waypoint
from controller.table import state
from controller.table.effects import Refused
from controller.table.facts import FloatMoved, Started
from controller.table.state import Table, opening
from controller.views.asides import Aside, aside
from controller.views.float_form import FloatEntry
from controller.views.promotion_prizes import prize_entry
from controller.views.record import RoundRecord
from controller.views.recorder import LaterLines, News, Recorder, renewed
from controller.views.round_notes import Happened
from controller.views.table_float import entry_of
from controller.views.vouchers import float_entry

log = structlog.get_logger()

Beside: TypeAlias = FloatEntry | Aside
Progress = Callable[[int, int], None]
BEGINNING = Waypoint()  # of the journal
PROGRESS_EVERY = 500  # facts
RECENT = 2  # rounds before one that may still get a dispute


class Retelling:
    """A table of its own that follows the journal: it shares nothing with the one that is played."""

    def __init__(self, journal: Journal, table: Table | None = None, seq: int = 0) -> None:
        self._journal = journal
        self._follower = Follower(table, seq)
        self._recorder = Recorder(journal.table, _defect)

    @classmethod
    def behind(cls, journal: Journal, seq: int, opened: int) -> Retelling:
        """Returns one that tells all that comes behind record `seq`, and the round that `opened` has opened once more.

        It begins at the newest snapshot before both; without one at the first record, or, where that is in an archive
        that is not at hand, at the oldest snapshot.  Raises GameMissing.
        """
        for at, snapshot in reversed(journal.snapshots()) if seq else ():
            if snapshot is None or not snapshots.vouched(journal, snapshot):
                continue
            try:
                table, begin = _beginning(snapshots.table_of(journal, snapshot.payload), at)
            except msgspec.DecodeError:
                continue  # of another version, or its key is not there
            if begin <= seq and (begin < opened or not opened):
                return cls(journal, table, begin)
        earliest = cls.past(journal, journal.begins - 1) if journal.begins > 1 else None
        return earliest or cls(journal)

    @classmethod
    def past(cls, journal: Journal, seq: int) -> Retelling | None:
        """Returns one that begins at the oldest snapshot behind record `seq`; None when none is kept there."""
        for at, snapshot in journal.snapshots():
            if at < seq or snapshot is None or not snapshots.vouched(journal, snapshot):
                continue
            with suppress(msgspec.DecodeError):  # of another version, or its key is not there
                return cls(journal, snapshots.table_of(journal, snapshot.payload), at)
        return None

    @classmethod
    def from_waypoint(cls, journal: Journal, begin: Waypoint) -> Retelling:
        """Returns one that tells all that comes behind a waypoint; behind none that another version has kept."""
        try:
            return cls(journal, snapshots.table_of(journal, begin.state), begin.seq) if begin.state else cls(journal)
        except msgspec.DecodeError:
            return cls(journal)

    def waypoint(self, *, counted_up: bool) -> Waypoint | None:
        """Returns where another one can begin: the table between two rounds; None within a round."""
        table = self._follower.table
        r = table.round
        if r is None or not r.outcome:
            return None
        sealed = self._journal.veil.seal(state.encode(table), table.now)
        return Waypoint(self.seq, r.number, counted_up, sealed)

    @property
    def version(self) -> str:
        """The version of the program that was in force where it stands; "" when that is not on record."""
        begun = self._follower.table.begun
        return "" if begun is None else begun.version

    @property
    def seq(self) -> int:
        """The last record that was told."""
        return self._follower.seq

    def running(self) -> RoundRecord | None:
        """Returns the round that runs, as far as it was told; None between rounds."""
        record = self._recorder.running()
        return None if record is None else hashed(self._journal, record)

    def tell(self, record: Record) -> list[News | Beside]:
        """Follows a record; returns the rounds that are over by it or have changed, and what happened beside them.

        Raises GameMissing and CardsClosed.
        """
        fact = followed_fact(record)
        if isinstance(fact, Started):
            playable(fact.game)
        before = self._follower.table
        effects = self._follower.follow(record, fact)
        self._follower.disclosure.take_due()
        happened = Happened(record.seq, record.at_us, record.device, fact, before, self._follower.table, effects)
        changed = self._recorder.follow(happened)
        new: list[News | Beside] = [
            hashed(self._journal, news) if isinstance(news, RoundRecord) else news for news in changed
        ]
        if isinstance(fact, FloatMoved) and not any(isinstance(effect, Refused) for effect in effects):
            new.append(entry_of(happened.moment, fact))
        if (by_voucher := float_entry(happened)) is not None:
            new.append(by_voucher)
        if (by_promotion := prize_entry(happened)) is not None:
            new.append(by_promotion)
        if (happening := aside(happened)) is not None:
            new.append(happening)
        return new


def _beginning(table: Table, seq: int) -> tuple[Table, int]:
    """Returns the table of a snapshot at `seq`; of one in the middle of a round, as it was when the round opened."""
    r = table.round
    if r is not None and not r.outcome and table.opening:
        return opening(table), r.opened - 1
    return table, seq


def _defect(number: int, bug: Exception) -> None:
    log.error("rounds.defect", round=number, what=error_place(bug))


def rounds(
    journal: Journal,
    progress: Progress | None = None,
    rest: Callable[[], None] | None = None,
    begin: Waypoint = BEGINNING,
) -> Iterator[RoundRecord]:
    """Yields the record of every round of a journal, from the first record on; again when one changes later.

    `rest` is called after every fact; `begin`: only those behind it.
    """
    for news in rounds_and_asides(journal, progress, rest, begin):
        if isinstance(news, RoundRecord):
            yield news


def settled_again(
    journal: Journal, end: int, progress: Progress | None = None
) -> Iterator[tuple[RoundRecord | FloatEntry, str]]:
    """Yields every round that was over by record `end`, and what was done to the float, with the version in force.

    A round comes again when it changes.

    Raises GameMissing and CardsClosed.
    """
    retelling = Retelling(journal)
    for news in _news_of(journal, retelling, progress, None, end):
        if isinstance(news, RoundRecord | FloatEntry):
            yield news, retelling.version


def rounds_and_asides(
    journal: Journal,
    progress: Progress | None = None,
    rest: Callable[[], None] | None = None,
    begin: Waypoint = BEGINNING,
) -> Iterator[RoundRecord | Beside]:
    """Yields the rounds of a journal as `rounds` does, and what happened beside them, with the float of the table."""
    retelling = Retelling.from_waypoint(journal, begin)
    yield from _news_of(journal, retelling, progress, rest)
    if (running := retelling.running()) is not None:
        yield running


def _news_of(
    journal: Journal,
    retelling: Retelling,
    progress: Progress | None,
    rest: Callable[[], None] | None,
    end: int | None = None,
) -> Iterator[RoundRecord | Beside]:
    """Yields what comes of the records behind `retelling`, up to `end`; up to the last without one."""
    unpaid: dict[int, RoundRecord] = {}  # with something to be decided when the round is over, and the last ones
    for record in journal.iterate(retelling.seq + 1):
        if end is not None and record.seq > end:
            return
        for news in retelling.tell(record):
            if isinstance(news, FloatEntry | Aside):
                yield news
                continue
            if isinstance(news, LaterLines):
                if news.number not in unpaid:
                    continue
                news = hashed(journal, renewed(unpaid.pop(news.number), news))
            unpaid[news.number] = news
            recent = range(news.number - RECENT, news.number + 1)
            unpaid = {number: kept for number, kept in unpaid.items() if number in recent or kept.unfinished}
            yield news
        if progress is not None and record.seq % PROGRESS_EVERY == 0:
            progress(record.seq, journal.head.seq)
        if rest is not None:
            rest()


def hashed(journal: Journal, record: RoundRecord) -> RoundRecord:
    """Returns a record with the hash of the last fact that belongs to it."""
    return replace(record, hash=journal.hash_at(record.last).hex())
