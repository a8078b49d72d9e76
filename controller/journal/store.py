"""The journal: append a batch durably, read it back in order, start again fast from a snapshot."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from controller.journal import schema
from controller.journal.checkpoints import KeptCheckpoint, checkpoint_crc
from controller.journal.counters import StoredEvents, device_crc
from controller.journal.database import connect, sync_directory
from controller.journal.errors import CORRUPT, OTHER_TABLE, JournalError, translated
from controller.journal.records import (
    Duplicate,
    Entry,
    Record,
    Row,
    Snapshot,
    chained,
    genesis,
    pack,
    parts,
    seal,
    snapshot_crc,
    unsealed,
)
from controller.journal.veil import NO_VEIL, Veil

SNAPSHOTS_KEPT = 3
CHECKPOINTS_KEPT = 500  # a table in service makes some hundred a day; copies elsewhere are what proves most
_CHUNK = 1000
_LARGEST_INSERT = 512
_NOTHING = StoredEvents()
_INTO_RECORD = "INSERT INTO record (seq, sealed) VALUES "
_INTO_DEVICE = "INSERT OR REPLACE INTO device (device, epoch, counter, gaps, seq, crc) VALUES "

Value = int | str | bytes


class Head(NamedTuple):
    """The newest record's place and hash; seq 0 is the empty journal."""

    seq: int
    hash: bytes


class Journal:
    """One table's facts, in one order, on disk before anyone acts on them.

    >>> journal = Journal.open(None, table="tcp-1")
    >>> journal.append([Entry(at_us=5, payload=b"Kh", device="shoe", epoch=9, counter=1)])[0].seq
    1
    >>> journal.append([Entry(at_us=6, payload=b"Kh", device="shoe", epoch=9, counter=1)])
    [Duplicate(device='shoe', epoch=9, counter=1)]
    """

    def __init__(self, connection: sqlite3.Connection, table: str) -> None:
        """Takes over an open connection: use `open` or `inspect` instead."""
        self.table = table
        self.veil = NO_VEIL
        self._connection = connection
        self._lock = threading.Lock()  # one transaction at a time; a reader never sees half of one
        self._seen: dict[tuple[str, int], StoredEvents] = {}  # by device and epoch
        self._epochs: dict[str, int] = {}  # the one each device's newest record is of
        self.before_commit: Callable[[], None] = lambda: None  # called when one record alone is about to be committed
        last = connection.execute("SELECT seq, sealed FROM record ORDER BY seq DESC LIMIT 1").fetchone()
        self._head = Head(0, genesis(table)) if last is None else Head(last[0], parts(_blob(last[1]))[1])

    @classmethod
    def open(cls, path: Path | None, *, table: str, create: bool = True, veil: Veil = NO_VEIL) -> Journal:
        """Opens the journal of `table`, or creates it where that is wanted; None keeps it in memory.

        Checks the file's identity and every record after the latest snapshot, not the whole journal.
        """
        journal = cls._attach(path, table, create=create)
        journal.veil = veil
        try:
            if journal.table != table:
                raise JournalError(OTHER_TABLE, f"{path} is the journal of table {journal.table!r}, not of {table!r}")
            with translated(f"opening {path}"):
                schema.check(journal._connection)  # before the first write, which a trigger of somebody would follow
                schema.complete(journal._connection)
            journal._load_devices()
            journal._check_tail()
            journal._check_devices()
            if path is not None:
                with translated(f"opening {path}"):
                    sync_directory(path.parent)
        except BaseException:
            journal.close()
            raise
        return journal

    @classmethod
    def inspect(cls, path: Path, veil: Veil = NO_VEIL) -> Journal:
        """Opens an existing journal for reading only, even one that `open` refuses as corrupt."""
        journal = cls._attach(path, None, create=False)
        journal.veil = veil
        journal._connection.execute("PRAGMA query_only = ON")
        with suppress(JournalError):
            journal._load_devices()
        return journal

    @classmethod
    def _attach(cls, path: Path | None, table: str | None, *, create: bool) -> Journal:
        connection, owner = connect(path, table, create=create)
        try:
            with translated(f"opening {path}"):
                return cls(connection, owner)
        except BaseException:
            connection.close()
            raise

    def close(self) -> None:
        """Closes the file; harmless twice."""
        with self._lock, translated("closing the journal"):
            self._connection.close()

    # ---- writing

    def append(self, batch: Sequence[Entry]) -> list[Record | Duplicate]:
        """Stores the batch in its order, in one transaction; durable when this returns.

        Device events that the journal has already are not stored again.  After a JournalError nothing of the batch is
        stored and the same call may be tried again.
        """
        payloads = [self.veil.hide(entry.payload, entry.at_us, self.stored_payload) for entry in batch]
        with self._lock, translated("storing records"):
            seq, digest = self._head
            results: list[Record | Duplicate] = []
            values: list[Value] = []  # of all new rows, one after the other
            seen: dict[tuple[str, int], StoredEvents] = {}
            last: dict[tuple[str, int], int] = {}  # the newest record of each of these
            for entry, payload in zip(batch, payloads, strict=True):
                device, epoch, counter = entry.device, entry.epoch, entry.counter
                if device:
                    source = (device, epoch)
                    before = seen.get(source) or self._seen.get(source, _NOTHING)
                    if before.has(counter):
                        results.append(Duplicate(device, epoch, counter))
                        continue
                    seen[source] = before.plus(counter)
                    last[source] = seq + 1
                seq += 1
                body = pack(seq, replace(entry, payload=payload) if payload is not entry.payload else entry)
                digest = chained(digest, body)
                values += (seq, seal(body, digest))
                results.append(Record(seq, entry.at_us, device, epoch, counter, entry.payload))
            device_values: list[Value] = []
            for source, now in seen.items():
                row = (*source, now.counter, now.gaps_text(), last[source])
                device_values += (*row, device_crc(*row))
            if values:
                with self._transaction():
                    self._insert(_INTO_RECORD, 2, values)
                    self._insert(_INTO_DEVICE, 6, device_values)
                    if len(batch) == 1:
                        self.before_commit()
                self._head = Head(seq, digest)
                self._seen.update(seen)
                for device, epoch in sorted(last, key=last.__getitem__):
                    self._epochs[device] = epoch
            return results

    def snapshot(self, seq: int, payload: bytes) -> None:
        """Keeps what the owner derived from the records up to `seq`; the last three are kept."""
        if not 0 <= seq <= self._head.seq:
            raise ValueError(f"no record {seq} to take a snapshot at; the newest is {self._head.seq}")
        with self._lock, translated("storing a snapshot"):
            digest = self._hash_at(seq)
            with self._transaction():
                self._connection.execute(
                    "INSERT OR REPLACE INTO snapshot (seq, hash, crc, payload) VALUES (?, ?, ?, ?)",
                    (seq, digest, snapshot_crc(seq, digest, payload), payload),
                )
                self._connection.execute(
                    "DELETE FROM snapshot WHERE seq NOT IN (SELECT seq FROM snapshot ORDER BY seq DESC LIMIT ?)",
                    (SNAPSHOTS_KEPT,),
                )

    def keep_checkpoint(self, kept: KeptCheckpoint) -> None:
        """Keeps a checkpoint with its frontier, in place of one of the same size; the newest ones are kept."""
        if not 0 <= kept.seq <= self._head.seq:
            raise ValueError(f"no record {kept.seq} to take a checkpoint at; the newest is {self._head.seq}")
        row = (kept.seq, kept.frontier.to_bytes(), kept.note)
        with self._lock, translated("storing a checkpoint"), self._transaction():
            self._connection.execute(
                "INSERT OR REPLACE INTO checkpoint (seq, frontier, note, crc) VALUES (?, ?, ?, ?)",
                (*row, checkpoint_crc(*row)),
            )
            self._connection.execute(
                "DELETE FROM checkpoint WHERE seq NOT IN (SELECT seq FROM checkpoint ORDER BY seq DESC LIMIT ?)",
                (CHECKPOINTS_KEPT,),
            )

    # ---- reading

    @property
    def head(self) -> Head:
        """The seq and hash of the newest record."""
        return self._head

    def hash_at(self, seq: int) -> bytes:
        """Returns the hash of record `seq`; of 0 the one before the first.  Raises JournalError when it is not there.

        With the table's name it is an anchor: whoever has it can prove that nothing up to there was changed.
        """
        with self._lock, translated("reading records"):
            return self._hash_at(seq)

    def stored_payload(self, seq: int) -> bytes:
        """Returns the payload of record `seq` as it is stored; raises JournalError when it is not there."""
        with self._lock, translated("reading records"):
            record = unsealed(self._sealed_at(seq))
        if record is None:
            raise JournalError(CORRUPT, f"record {seq} was altered")
        return record.payload

    def seen(self, device: str, epoch: int) -> StoredEvents:
        """Returns the stored events of this epoch of `device`."""
        return self._seen.get((device, epoch), _NOTHING)

    def epoch_of(self, device: str) -> int:
        """Returns the epoch of the newest event of `device`; 0 when nothing was ever stored from it."""
        return self._epochs.get(device, 0)

    def read(self, from_seq: int, limit: int = _CHUNK) -> list[Record]:
        """Returns up to `limit` records from `from_seq` (at least 1) on, in order, each one checked."""
        return [self._opened(record) for record in self.read_stored(from_seq, limit)]

    def read_stored(self, from_seq: int, limit: int = _CHUNK) -> list[Record]:
        """Returns the same records as they are stored, which is what hashes cover."""
        records = []
        from_seq = max(from_seq, 1)
        for place, (stands_as, sealed) in enumerate(self.rows(from_seq, limit), start=from_seq):
            record = unsealed(sealed)
            if stands_as != place or record is None or record.seq != place:
                raise JournalError(CORRUPT, f"record {place} is missing or was altered")
            records.append(record)
        return records

    def iterate(self, from_seq: int = 1) -> Iterator[Record]:
        """Yields every record from `from_seq` on, each checked and in the chain.

        No more than a chunk of them is in memory.
        """
        return map(self._opened, self.iterate_stored(from_seq))

    def iterate_stored(self, from_seq: int = 1) -> Iterator[Record]:
        """Yields the same records as they are stored, which is what hashes cover."""
        seq = max(from_seq, 1) - 1
        if seq > self._head.seq:
            return
        with self._lock, translated("reading records"):
            digest = self._hash_at(seq)
        while rows := self.rows(seq + 1, _CHUNK):
            for stands_as, sealed in rows:
                seq += 1
                record, digest = _next_in_chain(seq, stands_as, sealed, digest)
                yield record

    def __iter__(self) -> Iterator[Record]:
        return self.iterate()

    def rows(self, from_seq: int, limit: int) -> list[Row]:
        """Returns records as they are stored, unchecked, for `verify`."""
        with self._lock, translated("reading records"):
            cursor = self._connection.execute(
                "SELECT seq, sealed FROM record WHERE seq >= ? ORDER BY seq LIMIT ?", (from_seq, limit)
            )
            return [(seq, _blob(sealed)) for seq, sealed in cursor]

    def snapshots(self) -> list[tuple[int, Snapshot | None]]:
        """Returns every kept snapshot with its seq, the oldest first; None where it does not match its checksum."""
        with self._lock, translated("reading snapshots"):
            rows = self._connection.execute("SELECT seq, hash, crc, payload FROM snapshot ORDER BY seq").fetchall()
        return [(row[0], self._sound(*row)) for row in rows]

    def checkpoints(self) -> list[tuple[int, KeptCheckpoint | None]]:
        """Returns every kept checkpoint with its size, the oldest first; None where it does not match its checksum."""
        with self._lock, translated("reading checkpoints"):
            if not schema.has_checkpoints(self._connection):  # only read, and by an older version
                return []
            rows = self._connection.execute("SELECT seq, frontier, note, crc FROM checkpoint ORDER BY seq").fetchall()
        return [(row[0], KeptCheckpoint.stored(*row)) for row in rows]

    def strange(self) -> str:
        """Returns what somebody else did to the tables of the file, in words; "" when they are ours."""
        with self._lock, translated("reading the tables"):
            return schema.strange(self._connection)

    def device_rows(self) -> list[tuple[str, int, int, str, int, int]]:
        """Returns (device, epoch, newest counter, gaps, seq of its newest record, crc) as stored, for `verify`."""
        with self._lock, translated("reading devices"):
            return self._connection.execute(
                "SELECT device, epoch, counter, gaps, seq, crc FROM device ORDER BY seq"
            ).fetchall()

    def marks(self) -> list[tuple[str, int]]:
        """Returns what says that a record existed, in words, with its seq: finds a cut-off end without an anchor."""
        with self._lock, translated("reading snapshots"):
            snapshots = self._connection.execute("SELECT seq FROM snapshot ORDER BY seq").fetchall()
        return [
            *(("a snapshot", seq) for (seq,) in snapshots),
            *(("a checkpoint", seq) for seq, _ in self.checkpoints()),
            *((f"device {row[0]}", row[4]) for row in self.device_rows()),
        ]

    def check_pages(self) -> str:
        """Runs SQLite's own check of its pages and indexes; returns "", or the first problem.  Reads the whole file."""
        with self._lock, translated("checking pages"):
            verdict = str(self._connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
        return "" if verdict == "ok" else verdict

    # ---- inside

    def _opened(self, record: Record) -> Record:
        payload = self.veil.open(record.payload)
        return record if payload is record.payload else replace(record, payload=payload)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self._connection.in_transaction:  # a roll-back that failed with the disk; nothing goes on before it is done
            self._connection.execute("ROLLBACK")
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                with suppress(sqlite3.Error):  # the first error is the one to tell
                    self._connection.execute("ROLLBACK")
            raise

    def _insert(self, into: str, width: int, values: Sequence[Value]) -> None:
        # Many rows per statement, in powers of two so that few statements are prepared.  Each statement gives up the
        # interpreter lock, and with executemany a busy event loop would make the writer queue for it at every row.
        done, rows = 0, _LARGEST_INSERT
        while done < len(values):
            while done + rows * width > len(values):
                rows //= 2
            end = done + rows * width
            self._connection.execute(_statement(into, width, rows), values[done:end])
            done = end

    def _load_devices(self) -> None:
        for device, epoch, counter, gaps, seq, crc in self.device_rows():
            if device_crc(device, epoch, counter, gaps, seq) != crc:
                raise JournalError(CORRUPT, f"what was heard from device {device} was altered")
            self._seen[device, epoch] = StoredEvents.of(counter, gaps)
            self._epochs[device] = epoch

    def _check_devices(self) -> None:
        """Checks that no counter is without its record.

        Otherwise the device's next events would be taken for old ones, and forgotten.
        """
        for device, epoch, counter, _, seq, _ in self.device_rows():
            newest = unsealed(self._sealed_at(seq))
            if newest is None or (newest.device, newest.epoch) != (device, epoch) or newest.counter > counter:
                raise JournalError(CORRUPT, f"record {seq} is not the newest of device {device}")
            event = (device, epoch, counter)  # an older one may have come last
            if newest.counter < counter and all((x.device, x.epoch, x.counter) != event for x in self):
                raise JournalError(CORRUPT, f"no record has event {counter} of device {device}")

    def _sealed_at(self, seq: int) -> bytes:
        row = self._connection.execute("SELECT sealed FROM record WHERE seq = ?", (seq,)).fetchone()
        if row is None:
            raise JournalError(CORRUPT, f"record {seq} is missing")
        return _blob(row[0])

    def _hash_at(self, seq: int) -> bytes:
        if seq == 0:
            return genesis(self.table)
        return parts(self._sealed_at(seq))[1]

    def _sound_snapshot(self) -> Head:
        """Returns the record at which the newest sound snapshot was taken, and its hash; the beginning for none."""
        with self._lock, translated("reading snapshots"):
            cursor = self._connection.execute("SELECT seq, hash, crc, payload FROM snapshot ORDER BY seq DESC")
            for seq, digest, crc, payload in cursor:
                if self._sound(seq, digest, crc, payload) is not None:
                    return Head(seq, digest)
        return Head(0, genesis(self.table))

    def _sound(self, seq: int, stored_hash: object, crc: int, stored: object) -> Snapshot | None:
        digest, payload = _blob(stored_hash), _blob(stored)
        sound = len(digest) == len(self._head.hash) and snapshot_crc(seq, digest, payload) == crc
        return Snapshot(seq, payload) if sound else None

    def _check_tail(self) -> None:
        """Checks the records from the latest snapshot to the head: nothing missing, altered or out of the chain."""
        for what, seq in self.marks():
            if seq > self._head.seq:
                raise JournalError(CORRUPT, f"{what} stands on record {seq}, but the journal ends at {self._head.seq}")
        seq, digest = self._sound_snapshot()
        with self._lock, translated("reading records"):
            if self._hash_at(seq) != digest:
                raise JournalError(CORRUPT, f"record {seq} is not the one that its snapshot was taken at")
        while rows := self.rows(seq + 1, _CHUNK):
            for stands_as, sealed in rows:
                seq += 1
                _, digest = _next_in_chain(seq, stands_as, sealed, digest)


def _blob(stored: object) -> bytes:
    """Returns stored bytes; none where a damaged page has something else in their place, which no checksum accepts."""
    return stored if isinstance(stored, bytes) else b""


def _next_in_chain(seq: int, stands_as: int, sealed: bytes, before: bytes) -> tuple[Record, bytes]:
    """Returns the record that must stand here, and its hash; raises JournalError when it is not what was written."""
    record = unsealed(sealed)
    body, stored = parts(sealed)
    if stands_as != seq or record is None or record.seq != seq or chained(before, body) != stored:
        raise JournalError(CORRUPT, f"record {seq} is missing, was altered or does not follow the one before")
    return record, stored


@cache
def _statement(into: str, width: int, rows: int) -> str:
    row = "(" + ", ".join("?" * width) + ")"
    return into + ", ".join([row] * rows)
