"""What a journal remembers of the records that left it: where it begins now, and which sealed files have the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple, TypeVar
from zlib import crc32

import msgspec

from controller.counts import many
from controller.journal.counters import StoredEvents
from controller.journal.errors import ARCHIVED, CORRUPT, JournalError
from controller.journal.records import Record, chained, genesis, parts, unsealed
from controller.journal.tree import Frontier, leaf_hash

BITE: Final = 256  # records that leave at once; every archive ends at a multiple of it
Source = tuple[str, int]  # device and epoch
DeviceEvents = dict[Source, tuple[StoredEvents, int]]  # with the record of the newest event
Kept = TypeVar("Kept", "Base", "NamedArchive")
MOST_NAMED: Final = 3  # files in one line
_encoder = msgspec.msgpack.Encoder()


class Archive(msgspec.Struct, frozen=True):
    """One sealed file: which records it has, and what proves that it has exactly those."""

    first: int
    last: int
    file: str  # its name; the folder is the configuration's
    digest: bytes  # SHA-256 of the whole file
    hash: bytes  # of record `last`, in the chain
    root: bytes  # of the tree over the first `last` records
    devices: bytes  # digest of what was heard of every device up to there
    origin: bytes  # hash of record 1, by which a journal is told from any other
    earlier: bytes = b""  # stands for all archives before this one, in their order

    @property
    def records(self) -> str:
        """Which records it has, in words."""
        return f"records {self.first} to {self.last}"

    def seal(self) -> bytes:
        """Returns the digest of all this: what the next archive calls `earlier`."""
        return sha256(b"feltd archive 1\0" + _encoder.encode(self)).digest()


class NamedArchive(msgspec.Struct, frozen=True):
    """An archive with the record of the chain that names it."""

    archive: Archive
    record: int


class Base(msgspec.Struct, frozen=True):
    """What must be known of the records that left: how many, and what they come to.

    From it the chain goes on, the tree grows, and a journal is told from any other by the hash of its first record.
    """

    seq: int
    hash: bytes
    origin: bytes  # hash of record 1
    frontier: tuple[bytes, ...] = ()

    @property
    def tree(self) -> Frontier:
        """The tree over the records that left."""
        return Frontier(self.seq, self.frontier)


class Left(NamedTuple):
    """All that a journal keeps of the records that left it, as it is at one moment."""

    base: Base
    archives: list[NamedArchive]  # the oldest first
    device_events: DeviceEvents  # in the records that left


def beginning(table: str) -> Base:
    """Returns the base of a journal that no record has left yet."""
    return Base(0, genesis(table), b"")


class Leaving:
    """Follows records from a base on, each of which must be in the chain, and counts up what they come to."""

    def __init__(self, base: Base, device_events: DeviceEvents) -> None:
        self.seq, self.hash, self.origin = base.seq, base.hash, base.origin
        self.tree, self.device_events = base.tree, dict(device_events)

    def take(self, rows: Iterable[tuple[int, bytes]]) -> None:
        """Takes the records that follow; raises JournalError when one does not."""
        leaves = []
        for stands_as, sealed in rows:
            record, place = unsealed(sealed), self.seq + 1
            body, digest = parts(sealed)
            if stands_as != place or record is None or record.seq != place or chained(self.hash, body) != digest:
                raise JournalError(
                    CORRUPT, f"record {place} is missing, was altered or does not follow from {self.seq}"
                )
            leaves.append(leaf_hash(body))
            self._count(record)
            self.seq, self.hash, self.origin = place, digest, self.origin or digest
        self.tree = self.tree.plus(leaves)

    def base(self) -> Base:
        """Returns what the records so far come to."""
        return Base(self.seq, self.hash, self.origin, self.tree.hashes)

    def sealed_as(self, file: str, digest: bytes, first: int) -> Archive:
        """Returns the archive that has the records from `first` to here."""
        root, devices = self.tree.root(), devices_digest(self.device_events)
        return Archive(first, self.seq, file, digest, self.hash, root, devices, self.origin)

    def _count(self, record: Record) -> None:
        if record.device:
            source = (record.device, record.epoch)
            events, _ = self.device_events.get(source, (StoredEvents(), 0))
            self.device_events[source] = (events.plus(record.counter), record.seq)


def devices_digest(device_events: DeviceEvents) -> bytes:
    """Returns the digest of what was heard of every device."""
    lines = sorted(
        [device, epoch, seen.counter, seen.gaps_text(), seq] for (device, epoch), (seen, seq) in device_events.items()
    )
    return sha256(b"feltd devices 1\0" + _encoder.encode(lines)).digest()


def encoded(kept: Base | NamedArchive) -> tuple[bytes, int]:
    """Returns what is stored, with its checksum."""
    content = _encoder.encode(kept)
    return content, crc32(content)


def base_of(content: object, crc: object) -> Base:
    """Returns the stored base; raises JournalError when it was altered."""
    base = _decoded(content, crc, Base)
    try:
        Frontier.of(base.seq, b"".join(base.frontier))
    except ValueError as error:
        raise JournalError(CORRUPT, str(error)) from None
    return base


def archive_of(content: object, crc: object) -> NamedArchive:
    """Returns a stored archive; raises JournalError when it was altered."""
    return _decoded(content, crc, NamedArchive)


def check_row(archives: Sequence[NamedArchive], base: Base) -> None:
    """Raises JournalError unless the archives follow each other from record 1 on, and the journal goes on from them.

    While records leave it, the journal begins within the newest archive.
    """
    last, earlier, begun = 0, b"", 0
    for named in archives:
        each = named.archive
        if each.first != last + 1 or each.last < each.first or each.earlier != earlier or "/" in each.file:
            raise JournalError(CORRUPT, f"the archive {each.file} does not follow the one before it")
        begun, last, earlier = last, each.last, each.seal()
    if not begun <= base.seq <= last:
        raise JournalError(CORRUPT, f"the journal begins behind record {base.seq}, and its archives end at {last}")


def archive_with(archives: Sequence[NamedArchive], seq: int) -> Archive:
    """Returns the archive that has this record."""
    for named in archives:
        if named.archive.first <= seq <= named.archive.last:
            return named.archive
    raise JournalError(CORRUPT, f"record {seq} is missing, and no archive has it")


def not_at_hand(archive: Archive, seq: int) -> JournalError:
    """Returns the error of a record that left, where its archive cannot be read."""
    return JournalError(ARCHIVED, f"record {seq} is in the archive {archive.file} ({archive.records})")


def unseen(archives: Sequence[NamedArchive], upto: int) -> str:
    """Returns which records could not be looked at, and which files have them, in words."""
    files = [named.archive.file for named in archives if named.archive.first <= upto]
    shown = ", ".join(files) if len(files) <= MOST_NAMED else f"{files[0]} to {files[-1]}"
    which = "record 1" if upto == 1 else f"records 1 to {upto}"
    return f"NOT SEEN: {which}, in {many(len(files), 'archive')} ({shown})"


def _decoded(content: object, crc: object, kind: type[Kept]) -> Kept:
    if not isinstance(content, bytes) or crc32(content) != crc:
        raise JournalError(CORRUPT, "what the journal keeps of its archives was altered")
    try:
        return msgspec.msgpack.decode(content, type=kind)
    except (msgspec.DecodeError, ValueError):
        raise JournalError(CORRUPT, "what the journal keeps of its archives makes no sense") from None
