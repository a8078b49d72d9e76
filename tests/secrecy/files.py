"""All files that a table leaves on its disks, and what can be read of them without a key.

What is encrypted is told by its length alone, hashes by the number of their record: these are others at every table.
"""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.journal.checkpoints import origin_of
from controller.journal.copying import JournalCopy
from controller.journal.growth import GrowingTree
from controller.journal.head_file import HeadFile
from controller.journal.records import Anchor, unsealed
from controller.journal.signing import Signer, signed
from controller.journal.store import Journal
from controller.service.card_veil import SEALED
from controller.service.round_store import FILE
from tests.secrecy.watched import Outputs, Watched, masked, readable

TABLES: Final = ("meta", "round", "waypoint", "float", "aside")  # of the index of rounds


def files(table: Watched, directory: Path) -> Outputs:
    """Returns what the files have: the journal with a snapshot and a checkpoint, copy, head file, index of rounds."""
    journal = table.table.journal
    table.table.service.engine._snapshot()
    keep_checkpoint(journal)
    HeadFile(directory / "T.head", journal.table).write(Anchor(journal.table, *journal.head))
    copy = JournalCopy(journal, directory / "copy.db")
    while copy.go_on():
        pass
    copy.close()
    again = Journal.inspect(directory / "copy.db")
    hashes = table.hashes()
    try:
        return {
            "file journal.db": _journal(journal),
            "file of the copy": _journal(again),
            "head file": masked((directory / "T.head").read_text(), hashes),
            "file rounds.db": masked(_rounds(directory / FILE), hashes),
        }
    finally:
        again.close()
        for name in ("T.head", "copy.db", "copy.db-wal", "copy.db-shm"):
            (directory / name).unlink(missing_ok=True)


def keep_checkpoint(journal: Journal) -> None:
    """Makes a checkpoint as the daemon does between two rounds."""
    signer = Signer(origin_of(journal.table), Ed25519PrivateKey.from_private_bytes(bytes(32)))
    journal.keep_checkpoint(signed(journal.table, GrowingTree(journal).grow(), signer))


def _journal(journal: Journal) -> str:
    """Returns every row of a journal; of snapshots how long they are, unless they can be read."""
    records = [unsealed(sealed) for _, sealed in journal.rows(1, journal.head.seq)]
    lines = [readable(record) for record in records if record is not None]
    lines += [f"snapshot {seq} {_shown(kept.payload)}" for seq, kept in journal.snapshots() if kept is not None]
    lines += [f"checkpoint {seq} {len(kept.note)}" for seq, kept in journal.checkpoints() if kept is not None]
    return "\n".join([*lines, *map(repr, journal.device_rows())])


def _rounds(path: Path) -> str:
    """Returns every row of the index of rounds."""
    connection = sqlite3.connect(path)
    try:
        rows = [row for name in TABLES for row in connection.execute(f"SELECT * FROM {name}")]
    finally:
        connection.close()
    return "\n".join(" ".join(_shown(each) if isinstance(each, bytes) else str(each) for each in row) for row in rows)


def _shown(stored: bytes) -> str:
    if stored.startswith(SEALED):
        return f"{len(stored)} bytes encrypted"
    try:
        return zlib.decompress(stored).decode(errors="backslashreplace")
    except zlib.error:
        return stored.decode(errors="backslashreplace")
