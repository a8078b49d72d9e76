#!/usr/bin/env python3
"""Checks an export of a feltd journal, trusting nobody: needs this one file and Python 3.8 or later, nothing else.

    python3 verify_export.py records.jsonl --key 'feltd.journal/T1+...' --checkpoint kept-elsewhere.txt

An archive has the same form as an export.  Give archives first, in their order, and behind them the export of what the
journal still has: `verify_export.py T1-1-*.jsonl T1-262145-*.jsonl records.jsonl`.

It computes the chain of hashes and the Merkle tree (RFC 6962) again from the records, holds them against every
checkpoint, checks the signatures of the keys that you give (Ed25519, RFC 8032; signed notes and cosignatures of C2SP),
and says what it proved and what it could not see.  Exit status 0: all of it holds; 1: it does not, or a checkpoint that
you kept could not be held against it; 2: no such export.  Use a copy of this program that you have from elsewhere: who
could change an export could change the program beside it.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import hashlib
import json
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:  # written so that Python 3.8 reads it: what is only an annotation is never looked at
    from collections.abc import Iterator

    Point = tuple[int, int, int, int]  # extended coordinates: x = X/Z, y = Y/Z, T = XY/Z

FORM = "feltd-journal-export-1"
LATER = "feltd-journal-export-2"  # it goes on behind records that are in archives
HEAD = struct.Struct("<QqQQII")  # of a record: seq, time, epoch, counter, length of device, length of payload
ORIGIN = "feltd.journal/"
PLAIN, COSIGNED = 1, 4  # types of keys
DASH = "\u2014 "
CLOSED = "closed"  # the line of a checkpoint that a clean stop made
TIME_BYTES = 8
HASH_BYTES = 32
BLOCK = 16  # records that are hidden together; fewer than that may be left out at the end
BODY, LEAF, HIDDEN = (
    {"seq", "body", "hash"},
    {"seq", "leaf", "hash"},
    {"seq", "count", "tree", "hash"},
)  # a record's line


class Refuted(Exception):
    """The export does not hold: what is wrong, in words."""


class Unproved(Exception):
    """A checkpoint that was kept elsewhere could not be compared: the export may hold, or not."""


class Unusable(Exception):
    """The files cannot be read as what they should be."""


# ---- Ed25519 (RFC 8032, section 5.1)

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def add(one: Point, other: Point) -> Point:
    """Returns the sum of two points."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(factor: int, point: Point) -> Point:
    """Returns a multiple of a point."""
    result: Point = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            result = add(result, point)
        point = add(point, point)
        factor >>= 1
    return result


def same(one: Point, other: Point) -> bool:
    """Tells whether two points are the same."""
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


def point_of(encoded: bytes) -> Point | None:
    """Returns the point of 32 bytes; None when they encode none."""
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


_BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
assert _BASE is not None
BASE = _BASE


def ed25519(key: bytes, message: bytes, signature: bytes) -> bool:
    """Tells whether `signature` is that of this public key over this message."""
    if len(key) != 32 or len(signature) != 64:
        return False
    a, r, s = point_of(key), point_of(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    return same(times(s, BASE), add(r, times(h, a)))


# ---- keys, notes, checkpoints


class Key:
    """A verifier key: whose signatures count."""

    def __init__(self, line: str) -> None:
        name, _, rest = line.strip().partition("+")
        key_id, _, encoded = rest.partition("+")
        material = decoded(encoded)
        self.name, self.type, self.key = name, material[:1], material[1:]
        self.id = hashlib.sha256(name.encode() + b"\n" + material).digest()[:4]
        if self.id.hex() != key_id or self.type not in (bytes([PLAIN]), bytes([COSIGNED])) or len(self.key) != 32:
            raise Unusable("this is no verifier key")  # not quoted: it may be the private one

    def signed(self, note: Note) -> bool:
        """Tells whether this key signed a note; a false line of it spoils the note."""
        lines = [signed for name, key_id, signed in note.signatures if (name, key_id) == (self.name, self.id)]
        if not all(self._holds(note.text, each) for each in lines):
            raise Refuted(f"a signature of {self.name} under the checkpoint of {note.size} records is false")
        return bool(lines)

    def _holds(self, text: str, signed: bytes) -> bool:
        if self.type == bytes([PLAIN]):
            return ed25519(self.key, text.encode(), signed)
        at = int.from_bytes(signed[:TIME_BYTES], "big")
        return ed25519(self.key, f"cosignature/v1\ntime {at}\n{text}".encode(), signed[TIME_BYTES:])


class Note:
    """A checkpoint: the log's name, how many records it has, what they hash to, and who signed that."""

    def __init__(self, whole: str) -> None:
        text, gap, lines = whole.rpartition("\n\n")
        self.text = text + "\n" if gap else whole
        self.signatures = [_signature(line) for line in lines.splitlines()] if gap else []
        parts = self.text.split("\n")
        if len(parts) < 4 or not parts[1].isdigit() or len(decoded(parts[2])) != 32:
            raise Unusable("this is no checkpoint")
        self.origin, self.size, self.root = parts[0], int(parts[1]), decoded(parts[2])
        self.closed = CLOSED in parts[3:]


def _signature(line: str) -> tuple[str, bytes, bytes]:
    name, _, encoded = line[len(DASH) :].partition(" ")
    signed = decoded(encoded)
    if not line.startswith(DASH) or len(signed) < 5:
        raise Unusable("this is no checkpoint: a line below it is no signature")
    return name, signed[:4], signed[4:]


def decoded(text: str) -> bytes:
    """Returns what base64 stands for; b"" when it is none."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


# ---- the tree (RFC 6962)


class Tree:
    """The Merkle tree over the records so far, as the roots of its perfect parts, the largest first."""

    def __init__(self, size: int = 0, parts: list[bytes] | None = None) -> None:
        self.size = size
        self._parts = parts or []
        if len(self._parts) != bin(size).count("1"):
            raise Unusable(f"this is no tree of {size} records")

    def parts(self) -> list[bytes]:
        """Returns the roots of its perfect parts."""
        return list(self._parts)

    def add(self, root: bytes, count: int) -> None:
        """Adds a leaf, or the root over a power of two of them."""
        if count < 1 or count & (count - 1) or self.size % count:
            raise Unusable("a block of records stands where none can begin")
        level = self.size // count
        while level & 1:
            root = node(self._parts.pop(), root)
            level >>= 1
        self._parts.append(root)
        self.size += count

    def root(self) -> bytes:
        """Returns the hash over all records."""
        if not self._parts:
            return hashlib.sha256(b"").digest()
        root = self._parts[-1]
        for part in reversed(self._parts[:-1]):
            root = node(part, root)
        return root


def node(left: bytes, right: bytes) -> bytes:
    """Returns the hash of a node over two others."""
    return hashlib.sha256(b"\x01" + left + right).digest()


# ---- the export


class ExportedJournal:
    """An export while it is read: the chain, the tree, and the checkpoints that they are held against."""

    def __init__(self, header: dict[str, Any], head: int) -> None:
        """Begins as the first line says; `head` is how many records the journal had that all this is of."""
        if header.get("form") not in (FORM, LATER):
            raise Unusable("this is no export that this program knows (form {!r})".format(header.get("form")))
        self.table = str(header["table"])
        self.head = head
        self.before, self.chain, self.tree = 0, self._genesis(), Tree()
        if header["form"] == LATER:
            self.before = int(header["after"])
            if not 0 < self.before <= head:
                raise Unusable(f"it goes on behind record {self.before}, and the journal had {head}")
            self.chain, self.tree = _hash(header["chain"]), Tree(self.before, [_hash(part) for part in header["tree"]])
        self.hidden = 0
        self.notes: dict[int, list[Note]] = {}
        self.met: list[Note] = []
        self.own: list[Note] = []  # those that the journal kept itself
        self.newest: Note | None = None  # of these

    def _genesis(self) -> bytes:
        return hashlib.sha256(b"feltd journal 1\0" + self.table.encode()).digest()

    def go_on(self, header: dict[str, Any]) -> None:
        """Goes on with another file, which must begin exactly where this one ended."""
        if header.get("form") != LATER or str(header["table"]) != self.table:
            raise Refuted(f"the file behind record {self.tree.size} does not go on with table {self.table}")
        if int(header["after"]) != self.tree.size:
            raise Refuted(f"the files do not follow: record {self.tree.size}, then those behind {header['after']}")
        if _hash(header["chain"]) != self.chain or [_hash(each) for each in header["tree"]] != self.tree.parts():
            raise Refuted(f"the next file goes on behind other records than the first {self.tree.size} here")

    def expect(self, note: Note) -> None:
        """Takes a checkpoint that the records must come to."""
        if note.size < self.before:
            raise Unproved(f"the checkpoint of {note.size} records ends in an archive: give that first")
        if note.size < self.tree.size:
            raise Unusable(f"the checkpoint of {note.size} records stands behind them")
        if note.size > self.head:
            raise Refuted(f"the checkpoint names {note.size} records, and the journal has {self.head}")
        if note.origin != ORIGIN + quote(self.table, safe=""):
            raise Refuted(f"a checkpoint is of {note.origin}, not of the journal of table {self.table}")
        self.notes.setdefault(note.size, []).append(note)

    def meet(self) -> None:
        """Compares the tree with the checkpoints of its size."""
        for note in self.notes.pop(self.tree.size, []):
            if note.root != self.tree.root():
                raise Refuted(f"the first {note.size} records are not those that a checkpoint names")
            self.met.append(note)

    def take(self, line: dict[str, Any]) -> None:
        """Takes the next line with a record, or with a block of hidden ones."""
        place = self.tree.size + 1
        if line["seq"] != place:
            raise Refuted(f"record {place} is missing: the next one is {line['seq']}")
        if set(line) not in (BODY, LEAF, HIDDEN):
            raise Unusable(f"the line of record {place} has other words than a record: {sorted(line)}")
        chain = hash_in(line, "hash")
        if "body" in line:
            body = decoded(line["body"])
            if len(body) < HEAD.size or HEAD.unpack_from(body)[0] != place:
                raise Refuted(f"record {place} was written at another place")
            if hashlib.sha256(self.chain + body).digest() != chain:
                raise Refuted(f"record {place} does not follow from the one before, or was changed")
            self.tree.add(hashlib.sha256(b"\0" + body).digest(), 1)
        elif "leaf" in line:
            self.tree.add(hash_in(line, "leaf"), 1)
            self.hidden += 1
        else:
            if line["count"] != BLOCK:
                raise Unusable(f"record {place} is hidden among {line['count']}, not among {BLOCK}")
            self.tree.add(hash_in(line, "tree"), BLOCK)
            self.hidden += BLOCK
        self.chain = chain
        self.meet()

    def finish(self, end: int) -> None:
        """Checks that a file says where it ends."""
        size = self.tree.size
        if end != size:
            raise Refuted(f"the export says that it ends at record {end}, and it ends at {size}")

    def finish_all(self) -> None:
        """Checks that the last file leaves out no more than can be hidden at the end."""
        size = self.tree.size
        if not 0 <= self.head - size < BLOCK:
            raise Refuted(f"the journal had {self.head} records, and the export ends at {size}")


def _hash(text: str) -> bytes:
    """Returns a hash of a first line; raises Unusable when it is none."""
    digest = bytes.fromhex(text)
    if len(digest) != HASH_BYTES:
        raise Unusable(f"a hash of the first line has {len(digest)} bytes")
    return digest


def hash_in(line: dict[str, Any], word: str) -> bytes:
    """Returns a hash of a line; raises Unusable when it is none."""
    digest = bytes.fromhex(line[word])
    if len(digest) != HASH_BYTES:
        raise Unusable(f"{word} of record {line['seq']} has {len(digest)} bytes")
    return digest


def lines_of(path: str) -> Iterator[dict[str, Any]]:
    """Yields the lines of an export."""
    with Path(path).open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns an object that says each thing once: two readers must not read two things."""
    if len(dict(pairs)) < len(pairs):
        raise Unusable("a line says the same word twice")
    return dict(pairs)


def check(paths: list[str], keys: list[Key], elsewhere: list[Note]) -> list[str]:
    """Returns what was proved and what could not be seen, in words; raises Refuted or Unusable."""
    files = [lines_of(path) for path in paths]
    headers = [next(lines, {}) for lines in files]
    journal = ExportedJournal(headers[0], max(int(header.get("records", 0)) for header in headers))
    for note in elsewhere:
        journal.expect(note)
    journal.meet()
    for number, lines in enumerate(files):
        if number:
            journal.go_on(headers[number])
        _read(journal, lines)
    journal.finish_all()
    newest = journal.newest
    if newest is not None and newest.closed and newest.size < journal.head:
        raise Refuted(f"the table stopped at record {newest.size}, and records follow that no start of it announced")
    stops = [note for note in elsewhere if note.closed and note.size < journal.head]
    return [
        *_elsewhere(journal, elsewhere),
        *(word for stop in stops for word in _announced(journal, keys, stop, len(paths))),
        *_signers(journal, keys),
        *_summary(journal, keys, elsewhere),
    ]


def _read(journal: ExportedJournal, lines: Iterator[dict[str, Any]]) -> None:
    """Takes all lines of one file behind its first."""
    ended = False
    for line in lines:
        if ended:
            raise Refuted("the export goes on behind its end")
        if "checkpoint" in line:
            note = Note(line["checkpoint"])
            journal.expect(note)
            journal.meet()
            journal.own.append(note)
            journal.newest = note if journal.newest is None or note.size >= journal.newest.size else journal.newest
        elif "end" in line:
            journal.finish(line["end"])
            ended = True
        else:
            journal.take(line)
    if not ended:
        raise Refuted(f"the export is cut off behind record {journal.tree.size}")


def _elsewhere(journal: ExportedJournal, elsewhere: list[Note]) -> Iterator[str]:
    for note in elsewhere:
        if note not in journal.met:
            raise Unproved(
                f"the checkpoint of {note.size} records that you kept ends among hidden records: take another"
            )
        unseen = f", of which {journal.before} are not in these files" if journal.before else ""
        yield f"proved: the first {note.size} records are those of the checkpoint that you kept{unseen}"


def _announced(journal: ExportedJournal, keys: list[Key], stop: Note, files: int) -> Iterator[str]:
    """Checks that a start said, before its first record, that the journal goes on behind a clean stop.

    It does so by a checkpoint of the same size without that word; the journal keeps the newest ones only.
    """
    owners = [key for key in keys if key.name == stop.origin]
    for note in journal.own:
        if note.size == stop.size and not note.closed and all(key.signed(note) for key in owners):
            return
    if files == 1 and not journal.before and any(note.size < stop.size for note in journal.own):
        raise Refuted(f"the table stopped at record {stop.size}, and records follow that no start of it announced")
    yield f"NOT SEEN: whether a start of the table announced what follows record {stop.size}, where it had stopped"


def _signers(journal: ExportedJournal, keys: list[Key]) -> Iterator[str]:
    for key in keys:
        sizes = [note.size for note in journal.met if key.signed(note)]
        if not sizes:
            raise Refuted(f"no checkpoint here is signed by {key.name} with this key")
        newest = f"the newest over {max(sizes)} records"
        yield f"proved: {key.name} signed {len(sizes)} of {len(journal.met)} checkpoints, {newest}"
        if max(sizes) < journal.tree.size:
            yield f"NOT SEEN: who made the records behind {max(sizes)}: {key.name} signed none of them"


def _summary(journal: ExportedJournal, keys: list[Key], elsewhere: list[Note]) -> Iterator[str]:
    size = journal.tree.size
    seen = size - journal.before
    yield f"proved: {seen} records in one unbroken order; tree root {journal.tree.root().hex()}"
    yield f"proved: every checkpoint that could be compared fits them ({len(journal.met)})"
    if unmet := sum(map(len, journal.notes.values())):
        yield f"NOT SEEN: whether {unmet} more checkpoints fit: they end among hidden records"
    if journal.before:
        yield f"NOT SEEN: records 1 to {journal.before}: they are in archives; give those first"
    if journal.hidden:
        yield f"NOT SEEN: what {journal.hidden} records hold: they have cards, and only their hashes are here"
    if size < journal.head:
        yield f"NOT SEEN: the last {journal.head - size} records: a card of an older version in them could be guessed"
    if not keys:
        yield "NOT SEEN: who made this: no --key was given, so no signature was checked"
    if not elsewhere:
        yield "NOT SEEN: whether it was written anew as a whole: no --checkpoint from elsewhere was given"
    yield f"NOT SEEN: whether more was recorded after record {journal.head}, and whether what was recorded is true"


UNUSABLE = (
    Unusable,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)  # what an export can bring about that is none


def main() -> int:
    """Runs the check and returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "export", nargs="+", help="archives in their order, and the file that `felt journal export --inspector` wrote"
    )
    parser.add_argument("--key", action="append", default=[], help="a verifier key, or a file with it")
    parser.add_argument("--checkpoint", action="append", default=[], help="a file with a checkpoint kept elsewhere")
    given = parser.parse_args()
    try:
        keys = [Key(Path(each).read_text(encoding="utf-8") if Path(each).exists() else each) for each in given.key]
        words = check(given.export, keys, [Note(Path(each).read_text(encoding="utf-8")) for each in given.checkpoint])
    except Refuted as wrong:
        print(f"NOT SOUND: {plain(wrong)}")
        return 1
    except Unproved as missing:
        print(f"NOT PROVED: {plain(missing)}")
        return 1
    except UNUSABLE as wrong:
        print(f"this cannot be checked: {plain(wrong)}", file=sys.stderr)
        return 2
    print("\n".join(["SOUND", *map(plain, words)]))
    return 0


def plain(text: object) -> str:
    """Returns a text in which nothing moves the cursor or begins a line: an export may say anything."""
    return "".join(each if each.isprintable() and each.isascii() else ascii(each)[1:-1] for each in str(text))


if __name__ == "__main__":
    sys.exit(main())
