"""Checkpoints: how many records a journal has and what they hash to, as a text to be signed.

The form is the open one of C2SP (tlog-checkpoint).
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from typing import Final
from urllib.parse import quote, unquote
from zlib import crc32

import msgspec

from controller.journal.notes import Note, Signature
from controller.journal.tree import HASH_BYTES, Frontier

ORIGIN: Final = "feltd.journal/"  # what the name of every journal begins with: no other log has such names
CLOSED: Final = "closed"  # the extension line of a clean stop: nothing is appended behind it but by a start
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")
_LINES: Final = 4  # at least: origin, size, root, and the nothing behind the last newline


class Checkpoint(msgspec.Struct, frozen=True):
    """A promise: the tree over the first `size` records of the log named `origin` has this root."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @property
    def table(self) -> str:
        """The table whose journal this is of; "" when it is of another kind of log."""
        return unquote(self.origin.removeprefix(ORIGIN)) if self.origin.startswith(ORIGIN) else ""

    @property
    def closed(self) -> bool:
        """Whether a clean stop made it."""
        return CLOSED in self.extensions

    def to_text(self) -> str:
        """Returns the text that is signed."""
        return "".join(
            f"{line}\n" for line in (self.origin, self.size, b64encode(self.root).decode(), *self.extensions)
        )

    @classmethod
    def from_text(cls, text: str) -> Checkpoint:
        """Returns the checkpoint of such a text; raises ValueError when it is none."""
        if len(lines := text.split("\n")) < _LINES or lines.pop() or not all(lines):
            raise ValueError("this is no checkpoint")
        origin, size, root, *extensions = lines
        try:
            digest = b64decode(root, validate=True)
        except ValueError:
            digest = b""
        if not _SIZE.fullmatch(size) or len(digest) != HASH_BYTES:
            raise ValueError("this is no checkpoint")
        return cls(origin, int(size), digest, tuple(extensions))


def origin_of(table: str) -> str:
    """Returns the name of a table's journal among all logs; it is the name of its key too.

    >>> origin_of("T1"), origin_of("Salon 2+")
    ('feltd.journal/T1', 'feltd.journal/Salon%202%2B')
    """
    return ORIGIN + quote(table, safe="")


def checkpoint_of(table: str, frontier: Frontier, *, closed: bool = False) -> Checkpoint:
    """Returns the checkpoint of a table's journal with this frontier."""
    return Checkpoint(origin_of(table), frontier.size, frontier.root(), (CLOSED,) if closed else ())


class KeptCheckpoint(msgspec.Struct, frozen=True):
    """A checkpoint as the journal keeps it: with the frontier, from which a running journal goes on."""

    seq: int
    frontier: Frontier
    note: str

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint that the note says; raises ValueError when it says none."""
        return Checkpoint.from_text(Note.from_text(self.note).text)

    @classmethod
    def stored(cls, seq: int, frontier: object, note: object, crc: int) -> KeptCheckpoint | None:
        """Returns the checkpoint of a stored row; None when it does not match its checksum, or makes no sense."""
        if not isinstance(frontier, bytes) or not isinstance(note, str):
            return None  # a damaged page can make anything of a row
        try:
            kept = cls(seq, Frontier.of(seq, frontier), note)
            fits = kept.checkpoint.size == seq and checkpoint_crc(seq, frontier, note) == crc
        except ValueError:
            return None
        return kept if fits else None


class Cosigned(msgspec.Struct, frozen=True):
    """The word of a witness on a kept checkpoint: on which text, and the line with which it signed that."""

    seq: int
    text: str
    signature: Signature

    def added_to(self, note: str) -> str | None:
        """Returns a kept note with this line, in place of an older one of the same key; None when it is of another."""
        kept = Note.from_text(note)
        if kept.text != self.text:
            return None
        same_key = (self.signature.name, self.signature.id)
        others = tuple(each for each in kept.signatures if (each.name, each.id) != same_key)
        return Note(kept.text, (*others, self.signature)).to_text()


def checkpoint_crc(seq: int, frontier: bytes, note: str) -> int:
    """Returns the checksum of a kept checkpoint."""
    return crc32(note.encode(), crc32(frontier, crc32(seq.to_bytes(8, "little"))))
