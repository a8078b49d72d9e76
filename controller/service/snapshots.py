"""Snapshots are believed only as far as the chain of records vouches for them.

A snapshot alone proves nothing: whoever can write the file can change it and its checksum.  So each one is named, by
its digest, in a record soon after it.  One without such a record is passed over, and the facts are told again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import msgspec

from controller.games import find
from controller.journal.records import Snapshot, snapshot_digest
from controller.journal.store import Journal
from controller.service import older_snapshots
from controller.service.card_veil import SEALED
from controller.service.missing_game import playable, restored
from controller.table import facts, state
from controller.table.facts import Snapped, Started
from controller.table.state import Table

NEAR: Final = 2000  # records behind a snapshot among which the one that names it is looked for
CHUNK: Final = 100
_TAG: Final = slice(1, 14)  # where every fact says what it is: told apart without decoding all
_SNAPPED: Final = facts.encode(Snapped(0, b""))[_TAG]


@cache
def our_version() -> str:
    """Returns the version of this program; "" when it was not installed."""
    try:
        return version("feltd")
    except PackageNotFoundError:
        return ""


def named(seq: int, payload: bytes) -> Snapped:
    """Returns the fact that names a snapshot."""
    return Snapped(seq, snapshot_digest(seq, payload), our_version())


def record_of(journal: Journal, seq: int) -> Snapped | None:
    """Returns what the chain says of the snapshot at `seq`: the first word counts; None: nothing."""
    for first in range(seq + 1, seq + 1 + NEAR, CHUNK):
        for record in journal.read(first, CHUNK):
            if record.payload[_TAG] == _SNAPPED:
                fact = facts.decode(record.payload)
                if isinstance(fact, Snapped) and fact.seq == seq:
                    return fact
    return None


def vouched(journal: Journal, snapshot: Snapshot) -> bool | None:
    """Tells whether the chain vouches for a snapshot; None: it says nothing of it."""
    name = record_of(journal, snapshot.seq)
    return None if name is None else name.digest == snapshot_digest(snapshot.seq, snapshot.payload)


class SnapshotClosed(msgspec.DecodeError):
    """The error of a snapshot whose key is not there."""


def table_of(journal: Journal, payload: bytes) -> Table:
    """Returns the table that a snapshot of this journal keeps.

    Raises GameMissing; SnapshotClosed when its key is not there; msgspec.DecodeError for what is no table.
    """
    return restored(_unsealed(journal, payload))


def state_of(journal: Journal, payload: bytes) -> Table:
    """Returns the table that a snapshot keeps, whether its game is installed or not; raises as `table_of` does."""
    return state.decode(_unsealed(journal, payload))


def _unsealed(journal: Journal, payload: bytes) -> bytes:
    plain = journal.veil.unseal(payload)
    if plain.startswith(SEALED):
        raise SnapshotClosed("its key is not there")
    return plain


def newest(journal: Journal, notes: list[str]) -> tuple[Table, int]:
    """Returns where a start goes on from: the newest snapshot that can be believed, or the beginning.

    Raises GameMissing when the game of that snapshot is not installed.
    """
    for seq, snapshot in reversed(journal.snapshots()):
        where = f"the snapshot at record {seq}"
        if snapshot is None:
            notes.append(f"{where} is corrupt and was passed over")
            continue
        good = vouched(journal, snapshot)
        if good is None:
            notes.append(f"{where} is not named in the chain and was passed over")
        elif not good:
            notes.append(f"{where} was altered and passed over: run `felt journal verify`")
        else:
            try:
                return table_of(journal, snapshot.payload), seq
            except SnapshotClosed:
                notes.append(f"{where} cannot be opened, because its key is not there, and was passed over")
            except msgspec.DecodeError:
                notes.append(f"{where} is of another version and was passed over")
    return Table(), 0


def check_game(journal: Journal) -> None:
    """Raises GameMissing when a start could not follow the facts of this journal."""
    _, seq = newest(journal, [])
    for record in journal.iterate(seq + 1):
        fact = facts.decode(record.payload)
        if isinstance(fact, Started):
            playable(fact.game)


def kept(journal: Journal) -> Iterator[tuple[int, Snapshot | None, Snapped | None]]:
    """Yields all snapshots, the oldest first, with what the chain says of each."""
    for seq, snapshot in journal.snapshots():
        yield seq, snapshot, record_of(journal, seq)


# ---- a journal of version 0.1.0, which named no snapshot


def unnamed(journal: Journal) -> tuple[Table, int] | None:
    """Returns where the program that wrote the journal left off: its newest snapshot, which nothing vouches for."""
    for seq, snapshot in reversed(journal.snapshots()):
        if snapshot is not None and record_of(journal, seq) is None:
            table = older_snapshots.read(snapshot.payload)
            if table is not None:
                return table, seq
    return None


def differences(one: Table, other: Table) -> list[str]:
    """Returns in what two tables differ, of what people have in their hands."""
    ours, theirs = _in_hand(one), _in_hand(other)
    differing = [what for what in ours | theirs if ours.get(what) != theirs.get(what)]
    options = one.options.keys() & other.options.keys()  # a later version may know more
    return differing + sorted(option for option in options if one.options[option] != other.options[option])


def _in_hand(t: Table) -> dict[str, object]:
    game, r = t.jackpot, t.round if t.round is not None and not t.round.outcome else None
    return {
        "seats": t.seats,
        "prize meter": game.meter,
        "Jackpot wagers": (game.registered, game.carried, [(w.round, w.places) for w in game.pending]),
        "wagers": (r.wagers, r.lines) if r is not None else None,
        **(find(t.game).belongings(t) if t.game else {}),
    }
