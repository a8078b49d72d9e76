"""The part of a journal's check that goes by its tree: checkpoints that it keeps, and one that was kept elsewhere."""

from __future__ import annotations

from typing import Final

import msgspec

from controller.counts import many
from controller.journal.checkpoints import Checkpoint, KeptCheckpoint
from controller.journal.notes import Note, Verifier
from controller.journal.store import CHECKPOINTS_KEPT, Journal
from controller.journal.tree import Frontier, leaf_hash

MISMATCH: Final = "checkpoint.mismatch"
ALTERED: Final = "checkpoint.altered"
SIGNATURE: Final = "checkpoint.signature"
OTHER_TABLE: Final = "checkpoint.other-table"
ARCHIVED: Final = "checkpoint.archived"
APPENDED: Final = "journal.appended"


class Unsound(Exception):
    """The first thing that is wrong: its code, the record where it is, and the cause in words."""

    def __init__(self, code: str, seq: int | None, cause: str) -> None:
        super().__init__(cause)
        self.code, self.seq, self.cause = code, seq, cause


class Evidence(msgspec.Struct, frozen=True):
    """What somebody kept elsewhere, to hold it against the journal."""

    note: Note | None = None  # a checkpoint
    key: Verifier | None = None

    @property
    def checkpoint(self) -> Checkpoint | None:
        """The checkpoint of the note; raises ValueError when it is none."""
        return None if self.note is None else Checkpoint.from_text(self.note.text)


NOTHING: Final = Evidence()
EMPTY: Final = Frontier()


class TreeCheck:
    """The tree computed again beside the chain, and compared wherever a checkpoint says what it must be."""

    def __init__(self, journal: Journal, evidence: Evidence, begin: Frontier = EMPTY) -> None:
        self._table = journal.table
        self._evidence = evidence
        self._given = evidence.checkpoint
        self._journal = journal
        self._by_size: dict[int, KeptCheckpoint] = {}  # of those that the journal keeps
        self._frontier, self._begin = begin, begin.size
        self._leaves: list[bytes] = []  # not in the frontier yet
        self._proven: int | None = None  # how far what was kept elsewhere reaches

    def begin(self) -> None:
        """Checks what needs no record: whose the checkpoints are, and who signed them; raises Unsound."""
        if self._given is not None:
            self._proven = self._given.size
        if self._given is not None and self._given.table != self._table:
            cause = f"the checkpoint is of {self._given.origin!r}, the journal of table {self._table!r}"
            raise Unsound(OTHER_TABLE, None, cause)
        if self._given is not None and self._given.size < self._begin:
            cause = f"the checkpoint ends at record {self._given.size}, which is in an archive that was not given"
            raise Unsound(ARCHIVED, None, cause)
        for seq, kept in self._journal.checkpoints():
            if kept is None:
                raise Unsound(ALTERED, seq, f"the checkpoint at record {seq} does not match its checksum")
            self._by_size[seq] = kept
        if self._evidence.key is not None:
            self._check_signatures(self._evidence.key)
        self._compare(self._begin)

    def take(self, place: int, body: bytes) -> None:
        """Adds the record that stands at `place`, and compares the tree with what was promised there."""
        self._leaves.append(leaf_hash(body))
        self._compare(place)

    def now(self) -> Frontier:
        """Returns the tree over all records so far."""
        self._frontier, self._leaves = self._frontier.plus(self._leaves), []
        return self._frontier

    def marks(self) -> list[tuple[str, int]]:
        """Returns what the evidence says must exist, in words, with its record."""
        return [] if self._given is None else [("the checkpoint", self._given.size)]

    def end(self, last: int) -> None:
        """Checks that nothing was put behind a clean stop; raises Unsound."""
        for seq, kept in self._by_size.items():
            # A start says that it goes on before its first record: then the checkpoint is not a closed one any more.
            if kept.checkpoint.closed and seq < last:
                cause = f"the daemon stopped cleanly at record {seq}, and records follow that no start of it announced"
                raise Unsound(APPENDED, seq + 1, cause)
        given = self._given
        if given is not None and given.closed and self._begin <= given.size < last and not self._reopened(given.size):
            cause = f"the daemon stopped cleanly at record {given.size}, says the checkpoint that was kept elsewhere"
            raise Unsound(APPENDED, given.size + 1, f"{cause}, and records follow that no start of it announced")

    def notes(self, last: int) -> tuple[str, ...]:
        """Returns what the evidence does not reach."""
        if self._proven is None or self._proven >= last:
            return ()
        behind = many(last - self._proven, "record")
        return (
            f"the checkpoint covers {self._proven} of {many(last, 'record')}: it says nothing of the {behind} since",
        )

    def _compare(self, place: int) -> None:
        given = self._given if self._given is not None and self._given.size == place else None
        kept = self._by_size.get(place)
        if given is None and kept is None:
            return
        root = self.now().root()
        if given is not None and given.root != root:
            cause = f"the first {many(place, 'record')} are sound in themselves but not those that the checkpoint names"
            raise Unsound(MISMATCH, place, cause)
        if kept is not None and (kept.frontier != self._frontier or not self._is_ours(kept, root)):
            raise Unsound(ALTERED, place, f"the checkpoint at record {place} is not what the records come to")

    def _reopened(self, size: int) -> bool:
        """Tells whether a start said, before its first record, that the journal goes on there.

        What is older than the checkpoints that are kept, nobody can tell any more.
        """
        if len(self._by_size) >= CHECKPOINTS_KEPT and size < min(self._by_size):
            return True
        kept, key = self._by_size.get(size), self._evidence.key
        if kept is None or kept.checkpoint.closed or key is None:
            return kept is not None and not kept.checkpoint.closed
        from controller.journal.signing import signed_by

        return signed_by(Note.from_text(kept.note), key)

    def _is_ours(self, kept: KeptCheckpoint, root: bytes) -> bool:
        checkpoint = kept.checkpoint
        return (checkpoint.table, checkpoint.root) == (self._table, root)

    def _check_signatures(self, key: Verifier) -> None:
        from controller.journal.signing import signed_by  # only who checks signatures waits for the library to load

        if self._evidence.note is not None:
            if not signed_by(self._evidence.note, key):
                raise Unsound(SIGNATURE, None, f"the checkpoint is not signed by {key.name} with this key")
            return
        signed = [kept.seq for kept in self._by_size.values() if signed_by(Note.from_text(kept.note), key)]
        if not signed:
            raise Unsound(SIGNATURE, None, f"the journal keeps no checkpoint that {key.name} signed with this key")
        self._proven = max(signed)
        if self._proven < self._begin:
            cause = (
                f"the newest checkpoint that {key.name} signed ends at record {self._proven}, which is in an archive"
            )
            raise Unsound(ARCHIVED, None, f"{cause} that was not given")
