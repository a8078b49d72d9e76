"""The chain of a prize meter's ledger: every entry hashes what it says together with the entry before it.

Pure.  One chain for each meter: a meter's entries are written one after the other anyway, because its row is locked
until the commit; a chain over all meters of a store would make tables of different meters wait for each other.
PostgreSQL hashes the everyday entry by itself (`jackpot_contribute`), by the same texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, Final
from urllib.parse import quote

import msgspec

from controller.jackpot.marks import LedgerMark
from controller.journal.checkpoints import Checkpoint
from controller.journal.notes import Note
from controller.journal.tree import Frontier, leaf_hash

ORIGIN: Final = "feltd.ledger/"  # what the name of every ledger begins with, among all logs that are signed
FORM: Final = "feltd.ledger/1"
MOST_NAMED: Final = 5  # links of one meter: a ledger that was rewritten is wrong all the way


class EntryRow(msgspec.Struct, frozen=True):
    """What was recorded together, as its row says."""

    seq: int
    table: str
    first_number: int
    size: int
    recorded_at: int
    holds: int
    awarded: bool


def genesis(meter: str, first_terms: str, startup: int, ceiling: int | None, spare: int) -> str:
    """Returns the hash on which the first entry of a meter stands: with what the meter began.

    >>> genesis("G", "{}", 5, None, 0)[:16]
    '50cdc1efe1698780'
    """
    most = "-" if ceiling is None else ceiling
    return _hash(f"{FORM}\n{len(meter)}:{meter} {startup} {most} {spare}\n{first_terms}\n")


def line_text(line: Sequence[Any]) -> str:
    """Returns what is hashed of a movement: a row of `books.LINE`, as the columns have it."""
    _table, number, round_, kind, wager, ticks, flushes, moved, overflow, award, repeated, note = line
    counts = f"{number} {round_} {kind} {ticks} {moved} {overflow} {int(bool(repeated))}"
    return f"{counts} {len(wager)}:{wager}\n{flushes}\n{award or ''}\n{note or ''}\n"


def lines_hash(lines: Iterable[Sequence[Any]]) -> str:
    """Returns the hash over the movements of one entry, in their order."""
    return _hash("".join(line_text(line) for line in lines))


def entry_hash(before: str, entry: EntryRow, lines: str) -> str:
    """Returns the hash of an entry: over the one before it, what its row says, and the hash of its movements."""
    counts = f"{entry.seq} {entry.first_number} {entry.size} {entry.recorded_at} {entry.holds} {int(entry.awarded)}"
    return _hash(f"{before} {counts} {len(entry.table)}:{entry.table}\n{lines}\n")


def origin_of(meter: str) -> str:
    """Returns the name of a meter's ledger among all logs.

    >>> origin_of("Main 1")
    'feltd.ledger/Main%201'
    """
    return ORIGIN + quote(meter, safe="")


def mark_of(note: str) -> LedgerMark:
    """Returns what a checkpoint says; raises ValueError when it is none of a ledger."""
    checkpoint = Checkpoint.from_text(Note.from_text(note).text)
    if not checkpoint.origin.startswith(ORIGIN):
        raise ValueError(f"this is a checkpoint of {checkpoint.origin}, not of a ledger")
    return LedgerMark(checkpoint.origin, checkpoint.size, checkpoint.root)


class ChainCheck:
    """Follows the entries of a meter from the first, and names those that do not fit."""

    def __init__(self, meter: str, first: str, evidence: Sequence[LedgerMark] = ()) -> None:
        self.problems: list[str] = []
        self._origin, self._frontier, self.head = origin_of(meter), Frontier(), first
        self._evidence = sorted((each for each in evidence if each.origin == self._origin), key=lambda mark: mark.size)
        for other in evidence:
            if other.origin != self._origin:
                self._say(f"the checkpoint is of {other.origin}, not of {self._origin}")
        self._compare()  # with those that were made before the first entry

    @property
    def mark(self) -> LedgerMark:
        """What a checkpoint would say of the entries so far."""
        return LedgerMark(self._origin, self._frontier.size, self._frontier.root())

    def follow(self, entry: EntryRow, lines: str, kept: str) -> None:
        """Takes in the next entry, with the hash of its movements and the hash that is kept of it."""
        if entry_hash(self.head, entry, lines) != kept:
            self._say(f"entry {entry.seq}: it or the one before it is not what was recorded")
        self.head = kept  # go on from what is kept, so that one wrong entry is named once
        self._frontier = self._frontier.plus([leaf_hash(kept.encode())])
        self._compare()

    def done(self) -> list[str]:
        """Returns, after the last entry, everything that does not fit, in words."""
        for wanted in self._evidence:
            self._say(
                f"a checkpoint was made of {wanted.size} entries, and there are {self._frontier.size}: it was cut"
            )
        return self.problems

    def _compare(self) -> None:
        while self._evidence and self._evidence[0].size <= self._frontier.size:
            wanted = self._evidence.pop(0)
            if wanted.size == self._frontier.size and wanted.root != self._frontier.root():
                self._say(f"the first {wanted.size} entries are not those of the checkpoint: they were rewritten")

    def _say(self, problem: str) -> None:
        if len(self.problems) < MOST_NAMED:
            self.problems.append(problem)


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
