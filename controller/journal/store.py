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
from controller.journal.archives import (
    BITE,
    Base,
    DeviceEvents,
    Leaving,
    Left,
    NamedArchive,
    archive_of,
    archive_with,
    base_of,
    beginning,
    check_row,
    encoded,
    not_at_hand,
)
from controller.journal.checkpoints import Cosigned, KeptCheckpoint, checkpoint_crc
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
from controller.journal.shelf import Shelf
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
        self.shelf: Shelf | None = None  # where records that left are read from
        self._base, self._archives = _left(connection, table)
        last = connection.execute("SELECT seq, sealed FROM record ORDER BY seq DESC LIMIT 1").fetchone()
        self._head = Head(self._base.seq, self._base.hash) if last is None else Head(last[0], parts(_blob(last[1]))[1])

    @classmethod
    def open(cls, path: Path | None, *, table: str, create: bool = True, veil: Veil = NO_VEIL) -> Journal:
        """Opens the journal of `table`, or creates it where that is wanted; None keeps it in memory.

        Checks the file's identity and every record after the latest snapshot, not the whole journal.
        """
        journal = cls._attach(path, table, create=create)
        journal.veil = veil
        try:
            check_row(journal.archives, journal.base)
            if journal.table != table:
                raise JournalError(OTHER_TABLE, f"{path} is the journal of table {journal.table!r}, not of {table!r}")
            with translated(f"opening {path}"):
                schema.check(journal._connection)  # before the first write, which a trigger of somebody would follow
                schema.complete(journal._connection)
            with translated(f"opening {path}"):
                journal._load_devices()
                journal._check_tail()
                journal._check_devices()
                if path is not None:
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
        if self.shelf is not None:
            self.shelf.close()
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

    def cosign(self, cosigned: Cosigned) -> None:
        """Adds the word of a witness to a checkpoint, in place of an older one of the same key.

        One that is not kept any more, or says something else since, stays as it is.
        """
        with self._lock, translated("storing a cosignature"), self._transaction():
            sql = "SELECT seq, frontier, note, crc FROM checkpoint WHERE seq = ?"
            row = self._connection.execute(sql, (cosigned.seq,)).fetchone()
            kept = None if row is None else KeptCheckpoint.stored(*row)
            note = None if kept is None else cosigned.added_to(kept.note)
            if kept is not None and note is not None:
                crc = checkpoint_crc(kept.seq, kept.frontier.to_bytes(), note)
                self._connection.execute("UPDATE checkpoint SET note = ?, crc = ? WHERE seq = ?", (note, crc, kept.seq))

    def cut(self, named: NamedArchive) -> bool:
        """Lets the next records leave that this archive has; tells whether there are more.

        What the chain, the tree and the devices' counters need of them is kept, in the same transaction.  The last
        bite must come to what the archive was sealed with; else nothing of it leaves.
        """
        archive = named.archive
        with self._lock, translated("letting records leave"):
            known = [each for each in self._archives if each.archive.last != archive.last]
            check_row([*known, named], self._base)
            upto = min(self._base.seq + BITE, archive.last)
            leaving = Leaving(self._base, self._events_before())
            leaving.take(self._kept_rows(self._base.seq + 1, upto - self._base.seq))
            if leaving.seq != upto or upto >= self._head.seq:
                raise JournalError(CORRUPT, f"record {leaving.seq + 1} is missing")
            base = leaving.base()
            come_to = leaving.sealed_as(archive.file, archive.digest, archive.first)
            if upto == archive.last and replace(come_to, earlier=archive.earlier) != archive:
                raise JournalError(CORRUPT, f"the records up to {upto} are not those of the archive {archive.file}")
            with self._transaction():
                self._keep_left(named, base, leaving.device_events)
            self._base, self._archives = base, [*known, named]
            return upto < archive.last

    def _keep_left(self, named: NamedArchive, base: Base, device_events: DeviceEvents) -> None:
        """Takes the records up to the new base out of the file, and keeps what is needed of them."""
        if not schema.has_archives(self._connection):
            schema.add_archives(self._connection)
        values: list[Value] = []
        for (device, epoch), (events, seq) in device_events.items():
            if seq > self._base.seq:
                row = (device, epoch, events.counter, events.gaps_text(), seq)
                values += (*row, device_crc(*row))
        self._insert("INSERT OR REPLACE INTO base_device (device, epoch, counter, gaps, seq, crc) VALUES ", 6, values)
        self._connection.execute("DELETE FROM base")
        self._connection.execute("INSERT INTO base (seq, kept, crc) VALUES (?, ?, ?)", (base.seq, *encoded(base)))
        kept = (named.archive.last, *encoded(named))
        self._connection.execute("INSERT OR REPLACE INTO archive (last, kept, crc) VALUES (?, ?, ?)", kept)
        self._connection.execute("DELETE FROM record WHERE seq <= ?", (base.seq,))

    # ---- reading

    @property
    def base(self) -> Base:
        """What the records come to that left for archives; record `base.seq + 1` is the first of the file."""
        return self._base

    @property
    def archives(self) -> list[NamedArchive]:
        """The archives of this journal, the oldest first."""
        return self._archives

    @property
    def begins(self) -> int:
        """The first record that can be read now: 1, where every archive is at hand."""
        if not self._base.seq:
            return 1
        return self._base.seq + 1 if self.shelf is None else min(self.shelf.begins(self._archives), self._base.seq + 1)

    def left(self) -> Left:
        """Returns what is kept of the records that left."""
        with self._lock, translated("reading devices"):
            return Left(self._base, self._archives, self._events_before())

    @property
    def head(self) -> Head:
        """The seq and hash of the newest record."""
        return self._head

    def hash_at(self, seq: int) -> bytes:
        """Returns the hash of record `seq`; of 0 the one before the first.  Raises JournalError when it is not there.

        With the table's name it is an anchor: whoever has it can prove that nothing up to there was changed.
        """
        base = self._base
        if 1 < seq < base.seq:
            return parts(self._left_rows(seq, 1)[0][1])[1]
        with self._lock, translated("reading records"):
            return self._hash_at(seq)

    def stored_payload(self, seq: int) -> bytes:
        """Returns the payload of record `seq` as it is stored; raises JournalError when it is not there."""
        if 1 <= seq <= self._base.seq:
            return self.read_stored(seq, 1)[0].payload
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
        digest = self.hash_at(seq)
        while rows := self.rows(seq + 1, _CHUNK):
            for stands_as, sealed in rows:
                seq += 1
                record, digest = _next_in_chain(seq, stands_as, sealed, digest)
                yield record

    def __iter__(self) -> Iterator[Record]:
        return self.iterate(self.begins)

    def rows(self, from_seq: int, limit: int) -> list[Row]:
        """Returns records as they are stored, unchecked, for `verify`; those that left from their archives.

        Raises JournalError where an archive is not at hand.
        """
        rows: list[Row] = []
        while 1 <= (at := from_seq + len(rows)) <= self._base.seq and len(rows) < limit:
            rows += self._left_rows(at, min(limit - len(rows), self._base.seq - at + 1))
        return rows + self.kept_rows(from_seq + len(rows), limit - len(rows)) if len(rows) < limit else rows

    def kept_rows(self, from_seq: int, limit: int) -> list[Row]:
        """Returns the same of the records in the file alone."""
        with self._lock, translated("reading records"):
            return self._kept_rows(from_seq, limit)

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
        marks = [
            *(("a snapshot", seq) for (seq,) in snapshots),
            *(("a checkpoint", seq) for seq, _ in self.checkpoints()),
            *((f"device {row[0]}", row[4]) for row in self.device_rows()),
        ]
        if not all(isinstance(seq, int) for _, seq in marks):  # a damaged page can make anything of a row
            raise JournalError(CORRUPT, "what stands on a record does not say on which")
        return marks

    def schema_digest(self) -> str:
        """Returns the digest of the file's tables, as they stand there."""
        with self._lock, translated("reading the tables"):
            return schema.digest(self._connection)

    def check_pages(self) -> str:
        """Runs SQLite's own check of its pages and indexes; returns "", or the first problem.  Reads the whole file."""
        with self._lock, translated("checking pages"):
            verdict = str(self._connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
        return "" if verdict == "ok" else verdict

    # ---- inside

    def _kept_rows(self, from_seq: int, limit: int) -> list[Row]:
        sql = "SELECT seq, sealed FROM record WHERE seq >= ? ORDER BY seq LIMIT ?"
        return [(seq, _blob(sealed)) for seq, sealed in self._connection.execute(sql, (from_seq, limit))]

    def _left_rows(self, from_seq: int, limit: int) -> list[Row]:
        """Returns records that left, from the archive that has the first of them."""
        archive = archive_with(self._archives, from_seq)
        if self.shelf is None:
            raise not_at_hand(archive, from_seq)
        return self.shelf.rows(archive, from_seq, min(limit, archive.last - from_seq + 1))

    def _events_before(self) -> DeviceEvents:
        if not schema.has_archives(self._connection):
            return {}
        device_events: DeviceEvents = {}
        for row in self._connection.execute("SELECT device, epoch, counter, gaps, seq, crc FROM base_device"):
            device, epoch, counter, gaps, seq, crc = row
            if device_crc(device, epoch, counter, gaps, seq) != crc:
                raise JournalError(
                    CORRUPT, f"what was heard from device {device} before record {self._base.seq} was altered"
                )
            device_events[device, epoch] = (StoredEvents.of(counter, gaps), seq)
        return device_events

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
        left = self._events_before()
        for device, epoch, counter, gaps, seq, _ in self.device_rows():
            before, last = left.get((device, epoch), (_NOTHING, 0))
            if seq == last and (before.counter, before.gaps_text()) == (counter, gaps):
                continue  # nothing came since
            newest = unsealed(self._sealed_at(seq))
            if newest is None or (newest.device, newest.epoch) != (device, epoch) or newest.counter > counter:
                raise JournalError(CORRUPT, f"record {seq} is not the newest of device {device}")
            event = (device, epoch, counter)  # an older one may have come last
            if newest.counter == counter or before.has(counter):
                continue
            if all((x.device, x.epoch, x.counter) != event for x in self.iterate(self._base.seq + 1)):
                raise JournalError(CORRUPT, f"no record has event {counter} of device {device}")

    def _sealed_at(self, seq: int) -> bytes:
        row = self._connection.execute("SELECT sealed FROM record WHERE seq = ?", (seq,)).fetchone()
        if row is None:
            raise JournalError(CORRUPT, f"record {seq} is missing")
        return _blob(row[0])

    def _hash_at(self, seq: int) -> bytes:
        if seq in (0, self._base.seq):
            return self._base.hash if seq else genesis(self.table)
        if seq == 1 and self._base.origin:
            return self._base.origin
        return parts(self._sealed_at(seq))[1]

    def _sound_snapshot(self) -> Head:
        """Returns the record at which the newest sound snapshot was taken, and its hash; the beginning for none."""
        with self._lock, translated("reading snapshots"):
            cursor = self._connection.execute("SELECT seq, hash, crc, payload FROM snapshot ORDER BY seq DESC")
            for seq, digest, crc, payload in cursor:
                if self._sound(seq, digest, crc, payload) is not None:
                    return Head(seq, digest)
        return Head(self._base.seq, self._base.hash)

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


def _left(connection: sqlite3.Connection, table: str) -> tuple[Base, list[NamedArchive]]:
    """Returns what the file keeps of the records that left it."""
    if not schema.has_archives(connection):
        return beginning(table), []
    archives = connection.execute("SELECT kept, crc FROM archive ORDER BY last").fetchall()
    bases = connection.execute("SELECT kept, crc FROM base").fetchall()
    if len(bases) != 1:
        raise JournalError(CORRUPT, "the journal does not say where it begins")
    return base_of(*bases[0]), [archive_of(*row) for row in archives]


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
