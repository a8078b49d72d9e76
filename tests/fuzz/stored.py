"""Files that a disk has altered or cut: each is opened as it was, or refused by name; what was altered is never sound.

An input is a list of edits: three bytes where, one byte what comes there; 0xFFFFFF cuts the file instead.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import ClassVar

from msgspec.structs import replace

from controller.errors import FeltError
from controller.jackpot.stores.sqlite import SqliteStore
from controller.journal import Journal
from controller.journal.archive_file import read_back
from controller.journal.archives import BITE, NamedArchive, beginning
from controller.journal.archiving import make
from controller.journal.errors import JournalError
from controller.journal.records import Anchor
from controller.journal.repair import repair
from controller.journal.shelf import Shelf
from controller.journal.verify import export_anchor, verify
from controller.service.retelling import rounds_and_asides
from controller.service.round_store import Position, RoundsDamaged, RoundStore, Wanted
from controller.views.record import RoundRecord
from tests.cli.test_inspector import CARD, KEYS, TABLE, fill, keep
from tests.fuzz.target import Target, expect

KEPT = Path(__file__).parents[1] / "kept" / "0.2.0" / "files.tar.xz"
GAME = "casino-war.004.5.10_bettors_on_one_area.7.db"
CUT = 0xFFFFFF
EDIT = 4  # bytes
MEMORY = Path("/dev/shm")


def folder() -> tempfile.TemporaryDirectory[str]:
    """Returns a folder, in memory where there is one: thousands of files are synced."""
    return tempfile.TemporaryDirectory(prefix="felt-fuzz-", dir=MEMORY if MEMORY.is_dir() else None)


def small_journal(at: Path) -> Path:
    """Makes a journal with cards, keys and checkpoints."""
    path = at / "journal.db"
    journal = Journal.open(path, table=TABLE)
    fill(journal, [*KEYS, CARD, *KEYS] * 3)
    keep(journal)
    fill(journal, [CARD, CARD, *KEYS * 5])
    keep(journal)
    journal.close()
    return path


@cache
def kept(name: str) -> bytes:
    """Returns a file as a released version wrote it."""
    with tarfile.open(KEPT) as files:
        found = next(each for each in files.getmembers() if each.name.endswith(name))
        opened = files.extractfile(found)
        assert opened is not None
        return opened.read()


def edited(good: bytes, edits: bytes) -> bytes:
    """Returns a file after these edits."""
    made = bytearray(good)
    for start in range(0, len(edits) - EDIT + 1, EDIT):
        where, what = int.from_bytes(edits[start : start + 3], "big"), edits[start + 3]
        if not made:
            break
        if where == CUT:
            del made[len(made) * what // 256 :]
        else:
            made[where % len(made)] = what
    return bytes(made)


class Stored(Target):
    """A file with edits in it."""

    daily = 60
    file: ClassVar[str]

    def __init__(self) -> None:
        self._folder = folder()
        self.path = Path(self._folder.name) / self.file
        self.good = self.made()

    def made(self) -> bytes:
        """Returns the bytes of a good file."""
        raise NotImplementedError

    def seeds(self) -> list[bytes]:
        return [b"", b"\xff\xff\xff\x80", b"\x00\x00\x12\x00", b"\x00\x10\x00\x01"]

    def generate(self, rng: Random) -> bytes:
        return b"".join(self._edit(rng) for _ in range(rng.choice((1, 1, 1, 2, 4, 30))))

    def mutate(self, rng: Random, data: bytes) -> bytes:
        edits = [data[start : start + EDIT] for start in range(0, len(data), EDIT)]
        if edits and rng.random() < 0.5:
            edits.pop(rng.randrange(len(edits)))
        return b"".join([*edits, self._edit(rng)])

    def _edit(self, rng: Random) -> bytes:
        """Returns an edit; half of them flip one bit of something that is there."""
        if rng.random() < 0.05:
            return CUT.to_bytes(3, "big") + bytes([rng.randrange(256)])
        where = rng.choice((rng.randrange(len(self.good)), rng.randrange(100), self._written(rng)))
        what = self.good[where] ^ (1 << rng.randrange(8)) if rng.random() < 0.5 else rng.choice((0, 1, 127, 128, 255))
        return where.to_bytes(3, "big") + bytes([what])

    def _written(self, rng: Random) -> int:
        """Returns where something is written: most of a database is empty."""
        for _ in range(50):
            where = rng.randrange(len(self.good))
            if self.good[where]:
                return where
        return 0

    def smaller(self, data: bytes) -> list[bytes]:
        return [data[:start] + data[start + EDIT :] for start in range(0, len(data), EDIT)]

    def lay(self, edits: bytes) -> Path:
        """Writes the file with these edits, and nothing beside it."""
        for old in self.path.parent.iterdir():
            old.unlink()
        self.path.write_bytes(edited(self.good, edits))
        self.path.chmod(0o600)
        return self.path

    def close(self) -> None:
        self._folder.cleanup()


def contents(path: Path) -> tuple[str, list[tuple[object, ...]]]:
    """Returns what a journal says: its table, and each record as it stands."""
    journal = Journal.inspect(path)
    try:
        rows = [tuple(record.__class__.__struct_fields__ and record_fields(record)) for record in journal]
        return journal.table, rows
    finally:
        journal.close()


def record_fields(record: object) -> Iterator[object]:
    """Yields each field of a record."""
    for name in record.__class__.__struct_fields__:  # type: ignore[attr-defined]
        yield getattr(record, name)


class JournalFile(Stored):
    """journal.db: opened, read, verified, repaired from."""

    name = "stored.journal"
    file = "journal.db"

    def made(self) -> bytes:
        good = small_journal(self.path.parent)
        self.contents = contents(good)
        self.anchor = export_anchor(good)
        return good.read_bytes()

    def run(self, data: bytes) -> bool:
        path = self.lay(data)
        try:
            report = verify(path, self.anchor)
        except JournalError as error:
            self._named(error)
            sound = False
        else:
            sound = report.ok
            expect(sound or (report.code and report.cause), "a report without a reason", report=report)
        if sound:
            expect(contents(path) == self.contents, "an altered journal is called sound")
        self._open(path)
        return sound

    def _open(self, path: Path) -> None:
        """Opens it as a daemon does, and reads everything."""
        try:
            journal = Journal.open(path, table=TABLE, create=False)
        except JournalError as error:
            self._named(error)
            return
        try:
            for record in journal:
                _ = record.payload
            for seq, snapshot in journal.snapshots():
                _ = seq, snapshot
            journal.checkpoints()
            journal.device_rows()
        except JournalError as error:
            self._named(error)
        finally:
            journal.close()

    @staticmethod
    def _named(error: JournalError) -> None:
        expect(error.code and error.cause and error.next_step, "a fault does not say all", error=error)


def archived_journal(at: Path) -> tuple[Path, Path]:
    """Makes a journal of which 256 records are in an archive beside it; returns both."""
    path = at / "journal.db"
    journal = Journal.open(path, table=TABLE)
    fill(journal, [*KEYS, CARD] * 100)
    keep(journal)
    archive = make(journal, at, BITE, None)
    fill(journal, [*KEYS])  # one of them stands for what names it
    journal.cut(NamedArchive(archive, journal.head.seq))
    keep(journal)
    journal.close()
    return path, at / archive.file


class ArchivedJournal(JournalFile):
    """journal.db whose first records are in an archive."""

    name = "stored.archived"

    def made(self) -> bytes:
        good, _ = archived_journal(self.path.parent)
        self.contents = contents(good)
        self.anchor = export_anchor(good)
        return good.read_bytes()


class ArchiveFile(Stored):
    """An archive: what was altered is never served, and never taken for what an attempt has finished."""

    name = "stored.archive"
    file = "archive.jsonl"

    def made(self) -> bytes:
        journal, path = archived_journal(self.path.parent)
        opened = Journal.inspect(journal)
        self.archive = opened.archives[0].archive
        opened.close()
        return path.read_bytes()

    def run(self, data: bytes) -> bool:
        path = self.lay(data)
        try:
            whole = read_back(path, TABLE, beginning(TABLE), {})
        except JournalError as error:
            expect(error.code and error.cause and error.next_step, "a fault does not say all", error=error)
        else:
            expect((whole.hash, whole.root) == (self.archive.hash, self.archive.root), "an altered archive is whole")
        shelf = Shelf(path.parent)
        try:
            rows = shelf.rows(replace(self.archive, file=path.name), 1, BITE)
        except JournalError as error:
            expect(error.code == "archive.altered", "it is not named", error=error)
            return False
        finally:
            shelf.close()
        expect(path.read_bytes() == self.good, "an altered archive is served", rows=len(rows))
        return True


class Repaired(JournalFile):
    """journal.db, repaired from a good copy: what comes of it is the good one, or nothing."""

    name = "stored.repair"
    daily = 20

    def run(self, data: bytes) -> bool:
        path = self.lay(data)
        copy = path.with_name("copy.db")
        copy.write_bytes(self.good)
        try:
            repair(path, copy)
        except FeltError as error:
            expect(error.code and error.cause and error.next_step, "a fault does not say all", error=error)
            return False
        expect(verify(path, self.anchor).ok, "a repaired journal is not sound")
        expect(contents(path) == self.contents, "a repaired journal says something else")
        return True


class Evidence(Stored):
    """Anchors of any kind for a good journal: only the true one holds."""

    name = "stored.anchor"
    file = "journal.db"
    daily = 60

    def made(self) -> bytes:
        return small_journal(self.path.parent).read_bytes()

    def generate(self, rng: Random) -> bytes:
        seq = rng.choice((0, 1, 5, 27, 28, 2**31, 2**63 - 1, 2**63, 2**64, 10**30, rng.randrange(40)))
        return f"{seq} {rng.randbytes(32).hex()}".encode()

    def mutate(self, rng: Random, data: bytes) -> bytes:
        return self.generate(rng)

    def seeds(self) -> list[bytes]:
        return [b"9223372036854775808 " + b"00" * 32]

    def run(self, data: bytes) -> None:
        seq, _, digest = data.decode().partition(" ")
        if not self.path.exists():
            self.lay(b"")
        report = verify(self.path, Anchor(TABLE, int(seq), bytes.fromhex(digest)))
        expect(not report.ok, "a wrong anchor holds", anchor=data)


class MeterFile(Stored):
    """A store of prize meters."""

    name = "stored.meter"
    file = "meters.db"
    daily = 20

    def made(self) -> bytes:
        return kept("meters.db")

    def run(self, data: bytes) -> None:
        asyncio.run(self._look(self.lay(data)))

    async def _look(self, path: Path) -> None:
        store = SqliteStore(path)
        try:
            await store.open()
            for meter in await store.meters():
                await store.verify(meter.group)
                await store.glance(meter.group)
                await store.hits(meter.group)
                await store.ledger(meter.group)
            await store.systems()
            await store.members()
        except FeltError as error:
            expect(error.code and error.cause and error.next_step, "a fault does not say all", error=error)
        finally:
            await store.close()


class RoundsFile(Stored):
    """rounds.db: what it tells is what was kept, or it is thrown away."""

    name = "stored.rounds"
    file = "rounds.db"
    daily = 30

    def made(self) -> bytes:
        journal_file = self.path.with_name("journal.db")
        journal_file.write_bytes(kept(GAME))
        journal = Journal.inspect(journal_file)
        told = list(rounds_and_asides(journal, lambda _done, _all: None))
        self.table = journal.table
        journal.close()
        self.records = [each for each in told if isinstance(each, RoundRecord)]
        store = RoundStore.open(self.path, self.table)
        store.keep(self.records, Position(5, "ab"), [each for each in told if not isinstance(each, RoundRecord)])
        store.close()
        return self.path.read_bytes()

    def run(self, data: bytes) -> None:
        try:
            store = RoundStore.open(self.lay(data), self.table)
        except (sqlite3.Error, OSError):
            return
        try:
            told = list(store.records(Wanted(most=100)))
            listed = store.list(Wanted(most=100))
            for each in listed:
                store.find(each.number)
            _ = store.position, store.gone, store.floats(), list(store.asides(Wanted())), store.oldest(), store.count()
        except (sqlite3.Error, RoundsDamaged):
            return  # the keeper throws it away
        finally:
            store.close()
        expect(all(each in self.records for each in told), "a round is told that never was", told=told[:1])
        numbers = {each.number for each in self.records}
        expect(all(each.number in numbers for each in listed), "a round is listed that never was")


TARGETS: tuple[type[Target], ...] = (
    JournalFile,
    ArchivedJournal,
    ArchiveFile,
    Repaired,
    Evidence,
    MeterFile,
    RoundsFile,
)
