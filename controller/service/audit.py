"""The whole check of a table's journal: its records, and whether its snapshots are what the facts come to."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.errors import step_for
from controller.journal.errors import JournalError
from controller.journal.records import Anchor, Snapshot, snapshot_digest
from controller.journal.shelf import Shelf
from controller.journal.store import Journal
from controller.journal.veil import NO_VEIL, Veil
from controller.journal.verify import Report
from controller.journal.verify import verify as verify_records
from controller.journal.verify_tree import NOTHING, Evidence
from controller.service import snapshots
from controller.service.archive_naming import check_named
from controller.service.audit_rounds import OPENED_ANEW, RoundCheck
from controller.service.closed_cards import CardsClosed
from controller.service.commitments import CardCheck
from controller.service.follower import Follower
from controller.service.missing_game import GameMissing
from controller.service.round_store import FILE, RoundStore
from controller.table import state
from controller.table.facts import Snapped
from controller.table.state import Table

ALTERED: Final = "snapshot.altered"
DIFFERS: Final = "snapshot.differs"
UNTOLD: Final = "replay.defect"
ROUND: Final = "round.differs"
COMMITMENT: Final = "card.altered"
_EVERY: Final = 2000

Progress = Callable[[int, int], None]


def verify(
    journal: Journal | Path,
    anchor: Anchor | None = None,
    *,
    evidence: Evidence = NOTHING,
    replay: bool = False,
    progress: Progress | None = None,
    veil: Veil = NO_VEIL,
    index: RoundStore | None = None,
    shelf: Shelf | None = None,
) -> Report:
    """Checks every record and every hidden card, then replays the facts from each snapshot to the next and compares.

    `anchor` and `evidence` are what was kept elsewhere.  With `replay` everything is replayed from record 1, and every
    round is settled again and compared with the `index` of rounds; that of a file stands beside it.  `veil` opens the
    cards of a file; without it those are checked that were turned; `shelf` has its archives.  Raises JournalError only
    when there is nothing to check.
    """
    if isinstance(journal, Path):
        opened = Journal.inspect(journal, veil)
        opened.shelf = shelf
        beside = RoundStore.inspect(journal.with_name(FILE), opened.table) if replay else None
        try:
            alone = verify_records(opened, anchor, progress, alone=True, evidence=evidence)
            return _check_snapshots(opened, alone, replay, progress, beside)
        finally:
            opened.close()
            if beside is not None:
                beside.close()
    report = verify_records(journal, anchor, progress, evidence=evidence)
    return _check_snapshots(journal, report, replay, progress, index)


def _check_snapshots(
    journal: Journal, report: Report, replay: bool, progress: Progress | None, index: RoundStore | None
) -> Report:
    """Returns the report, with snapshots and rounds compared to what the facts come to, if the records are sound."""
    if not report.ok:
        return report
    check = _Check(journal, report.head.seq, progress)
    try:
        check.archives()
        check.cards()
        check.run(replay)
        if replay:
            check.rounds(index)
    except _Finding as bad:
        code, seq, cause = bad.args
        return replace(report, ok=False, first_bad=seq, code=code, cause=cause, next_step=step_for(code))
    return replace(report, notes=(*report.notes, *check.notes))


class _Finding(Exception):
    """The end of a check: code, record and cause of what is wrong."""


class _Check:
    def __init__(self, journal: Journal, end: int, progress: Progress | None) -> None:
        self.notes: list[str] = []
        self._journal = journal
        self._end = end  # facts that come meanwhile are not looked at
        self._progress = progress
        self._follower = Follower()

    def archives(self) -> None:
        """Checks that the chain names every archive; raises _Finding when it does not."""
        try:
            self.notes += check_named(self._journal)
        except JournalError as error:
            raise _Finding(error.code, None, error.cause) from None

    def cards(self) -> None:
        """Checks that every card that can be opened is the one that was stored; says how many cannot."""
        check = CardCheck(self._journal, self._end)
        if (altered := check.altered()) is not None:
            raise _Finding(COMMITMENT, altered, f"a card of record {altered} is not the one that was stored")
        self.notes += check.notes()

    def run(self, replay: bool) -> None:
        """Tells the facts again; what nobody can follow here, for a game or a key is missing, can only be noted."""
        try:
            self._tell_again(replay)
        except CardsClosed as closed:
            self.notes.append(f"{closed.cause}: from record {closed.seq} on no fact was told again")
        except GameMissing as missing:
            self.notes.append(f"{missing.cause}: from record {self._follower.seq + 1} on no fact was told again")

    def rounds(self, index: RoundStore | None) -> None:
        """Settles every round again and compares it with the index; raises _Finding when one differs."""
        if index is None:
            self.notes.append("there is no index of rounds to compare the settlements with")
            return
        if self._journal.begins > 1:
            self.notes.append("NOT SEEN: whether the index of rounds is right: the first records are in archives")
            return
        if not self._of_this_journal(index):
            stranger = "the index of rounds is of another journal, or ahead of it: no start believes it"
            self.notes.append(OPENED_ANEW if index.closed else stranger)
            return
        check = RoundCheck(self._journal, index, self._end, self._progress)
        if (difference := check.difference()) is not None:
            raise _Finding(ROUND, difference.seq or None, difference.cause)
        self.notes += check.notes

    def _of_this_journal(self, index: RoundStore) -> bool:
        try:
            position = index.position
            return position.seq <= self._journal.head.seq and (
                not position.seq or self._journal.hash_at(position.seq).hex() == position.hash
            )
        except (sqlite3.Error, ValueError):
            return False

    def _tell_again(self, replay: bool) -> None:
        """Follows the facts from snapshot to snapshot and compares each; with `replay` from the first record."""
        named = [(snapshot, name) for snapshot, name in self._believable() if snapshot.seq <= self._end]
        whole = replay and self._journal.begins == 1
        if whole:
            self._begin(Table(), 0)
        elif named:
            first, _ = named.pop(0)  # the chain names it; what it stands on is told again with --replay
            self._begin(snapshots.table_of(self._journal, first.payload), first.seq)
        for snapshot, name in named:
            self._follow_to(snapshot.seq)
            self._compare(snapshot, name)
            if not whole:
                self._begin(snapshots.table_of(self._journal, snapshot.payload), snapshot.seq)
        if replay and not whole:
            self.notes.append(f"NOT SEEN: what was told before record {self._journal.begins}: it is in archives")
        if whole or (replay and self._follower.seq >= self._journal.begins - 1):
            self._follow_to(self._end)

    def _believable(self) -> list[tuple[Snapshot, Snapped]]:
        """Returns the snapshots that a start would believe; raises _Finding when one was touched."""
        believable = []
        for seq, snapshot, name in snapshots.kept(self._journal):
            if name is None:
                self.notes.append(f"the snapshot at record {seq} is not named in the chain: no start believes it")
            elif snapshot is None:
                raise _Finding(ALTERED, seq, f"the snapshot at record {seq} does not match its checksum")
            elif name.digest != snapshot_digest(seq, snapshot.payload):
                raise _Finding(ALTERED, seq, f"the snapshot at record {seq} is not the one that the chain names")
            elif (why := self._unreadable(snapshot)) is not None:
                self.notes.append(f"the snapshot at record {seq} {why}")
            else:
                believable.append((snapshot, name))
        return believable

    def _unreadable(self, snapshot: Snapshot) -> str | None:
        """Returns why a snapshot cannot be compared; None when it can."""
        try:
            snapshots.state_of(self._journal, snapshot.payload)
        except snapshots.SnapshotClosed:
            return "cannot be opened, because its key is not there: it was compared with its digest alone"
        except msgspec.DecodeError:
            return "is of another version: no start believes it"
        return None

    def _begin(self, table: Table, seq: int) -> None:
        self._follower = Follower(table, seq)

    def _follow_to(self, end: int) -> None:
        for record in self._journal.iterate(self._follower.seq + 1):
            if record.seq > end:
                break
            try:
                self._follower.retell(record)
            except msgspec.DecodeError:
                raise _Finding(UNTOLD, record.seq, f"fact {record.seq} is of another version") from None
            if self._follower.defect is not None:
                raise _Finding(UNTOLD, record.seq, self._follower.defect.cause)
            if self._progress is not None and record.seq % _EVERY == 0:
                self._progress(record.seq, self._end)

    def _compare(self, snapshot: Snapshot, name: Snapped) -> None:
        if name.version != snapshots.our_version():
            which = f"the snapshot at record {snapshot.seq} is of version {name.version or 'unknown'}"
            self.notes.append(f"{which}: it was not compared with what this one makes of the facts")
        elif _plain(snapshots.state_of(self._journal, snapshot.payload)) != _plain(self._follower.table):
            cause = f"the snapshot at record {snapshot.seq} is not what the facts come to"
            raise _Finding(DIFFERS, snapshot.seq, cause)


def _plain(table: Table) -> bytes:
    """Returns a table so that it can be compared: as it is kept, read, and kept again."""
    return state.encode(state.decode(state.encode(table)))
