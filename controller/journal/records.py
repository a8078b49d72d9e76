"""What the journal keeps, and the exact bytes that its checksums and its hash chain cover."""

from __future__ import annotations

import struct
from hashlib import sha256
from zlib import crc32

import msgspec

MAX_INT = 2**63 - 1
Row = tuple[int, bytes]  # as stored: seq, and the sealed record

_HEAD = struct.Struct("<QqQQII")  # seq, at_us, epoch, counter, length of device, length of payload
_SEAL = struct.Struct("<I32s")  # CRC-32 and hash
_SNAPSHOT_HEAD = struct.Struct("<Q32s")
ANCHOR_WORD = "feltd-anchor-1"

# Structs of plain values cannot be part of a cycle; without `gc=False` a burst of them costs the collector dearly.


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One thing that happened, before it has its place in the order.

    `device`, `epoch` and `counter` name the device event it came from; a fact that is no device event has none of them.
    """

    at_us: int
    payload: bytes
    device: str = ""
    epoch: int = 0
    counter: int = 0

    def __post_init__(self) -> None:
        # Refused here, so that one bad entry can never fail the batch it would have shared with good ones.
        if not -MAX_INT <= self.at_us <= MAX_INT:
            raise ValueError(f"at_us out of range: {self.at_us}")
        if not self.device:
            if self.epoch or self.counter:
                raise ValueError("an entry without a device has neither epoch nor counter")
        elif not (self.device.isprintable() and 0 <= self.epoch <= MAX_INT and 1 <= self.counter <= MAX_INT):
            raise ValueError(f"not a device event: {self.device!r} epoch {self.epoch} counter {self.counter}")


class Record(msgspec.Struct, frozen=True, gc=False):
    """One durable thing that happened; `seq` starts at 1 and has no gaps."""

    seq: int
    at_us: int
    device: str
    epoch: int
    counter: int
    payload: bytes


class Duplicate(msgspec.Struct, frozen=True, gc=False):
    """The answer for a device event that was in the journal already; nothing was added."""

    device: str
    epoch: int
    counter: int


class Snapshot(msgspec.Struct, frozen=True):
    """What the owner derived from the records up to and including `seq`."""

    seq: int
    payload: bytes


class Anchor(msgspec.Struct, frozen=True):
    """A place in the chain, kept elsewhere: it proves later that nothing up to it was changed or cut off."""

    table: str
    seq: int
    hash: bytes

    def to_text(self) -> str:
        """Returns one line that can be printed, mailed or signed: word, seq, hash, table."""
        return f"{ANCHOR_WORD} {self.seq} {self.hash.hex()} {self.table}"

    @classmethod
    def from_text(cls, text: str) -> Anchor:
        """Returns the anchor of such a line; raises ValueError when `text` is no anchor."""
        try:
            word, seq, digest, table = text.strip().split(" ", 3)
            anchor = cls(table, int(seq), bytes.fromhex(digest))
        except ValueError:
            raise ValueError(f"not an anchor: {text!r}") from None
        if word != ANCHOR_WORD or anchor.seq < 0 or len(anchor.hash) != sha256().digest_size:
            raise ValueError(f"not an anchor: {text!r}")
        return anchor


def genesis(table: str) -> bytes:
    """Returns the hash before record 1; it binds the chain to its table."""
    return sha256(b"feltd journal 1\0" + table.encode()).digest()


def pack(seq: int, entry: Entry | Record) -> bytes:
    """Returns the body of a record, which its checksum and hash cover.

    It names its place, so that a moved one shows.
    """
    name, payload = entry.device.encode(), entry.payload
    return _HEAD.pack(seq, entry.at_us, entry.epoch, entry.counter, len(name), len(payload)) + name + payload


def chained(previous: bytes, body: bytes) -> bytes:
    """Returns the hash of a record, given the hash of the one before."""
    return sha256(previous + body).digest()


def seal(body: bytes, digest: bytes) -> bytes:
    """Returns a record as stored: body, checksum, hash."""
    return body + _SEAL.pack(crc32(body), digest)


def parts(sealed: bytes) -> tuple[bytes, bytes]:
    """Returns the body and the hash of a record that `unsealed` accepted."""
    return sealed[: -_SEAL.size], sealed[-32:]


def unsealed(sealed: bytes) -> Record | None:
    """Returns the record in these bytes; None when they are not exactly what `seal` made.

    >>> unsealed(seal(pack(1, Entry(5, b"Kh", "shoe", 9, 1)), genesis("tcp-1")))
    Record(seq=1, at_us=5, device='shoe', epoch=9, counter=1, payload=b'Kh')
    """
    end = len(sealed) - _SEAL.size
    if end < _HEAD.size or crc32(sealed[:end]) != _SEAL.unpack_from(sealed, end)[0]:
        return None
    seq, at_us, epoch, counter, name_length, payload_length = _HEAD.unpack_from(sealed)
    middle = _HEAD.size + name_length
    if middle + payload_length != end:
        return None
    try:
        return Record(seq, at_us, sealed[_HEAD.size : middle].decode(), epoch, counter, sealed[middle:end])
    except UnicodeDecodeError:
        return None


def snapshot_digest(seq: int, payload: bytes) -> bytes:
    """Returns the digest that names a snapshot in the chain: what its own record says."""
    return sha256(b"feltd snapshot 1\0" + seq.to_bytes(8, "little") + payload).digest()


def snapshot_crc(seq: int, digest: bytes, payload: bytes) -> int:
    """Returns the checksum of a snapshot, its place, and the hash of the record it stands on."""
    return crc32(payload, crc32(_SNAPSHOT_HEAD.pack(seq, digest)))
