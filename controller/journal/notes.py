"""Signed notes: a text, lines that sign it, and the keys that they name, in the open form of C2SP (signed-note).

Any tool of that family can read them; nothing of feltd is needed.  `signing` makes and checks the signatures.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from hashlib import sha256
from typing import Final

import msgspec

PLAIN: Final = 0x01  # the type of a signature over the text itself
COSIGNED: Final = 0x04  # over the text and a time, by a witness: cosignature/v1
LARGEST: Final = 64 * 1024  # of a note, in bytes
MOST_SIGNATURES: Final = 64
KEY_BYTES: Final = 32
_ID_BYTES: Final = 4
_DASH: Final = "\N{EM DASH} "
_CONTROLS: Final = re.compile(r"[\x00-\x09\x0b-\x1f]")
_NO_NAME: Final = re.compile(r"[\s+]")


class Verifier(msgspec.Struct, frozen=True):
    """The public part of a key, with its name: what whoever checks a note must have from elsewhere."""

    name: str
    key: bytes
    type: int = PLAIN

    @property
    def id(self) -> bytes:
        """The four bytes by which a signature line names its key."""
        return sha256(self.name.encode() + b"\n" + bytes([self.type]) + self.key).digest()[:_ID_BYTES]

    def to_text(self) -> str:
        """Returns the line by which this key is handed on: name, id, type and key."""
        return f"{self.name}+{self.id.hex()}+{_base64(bytes([self.type]) + self.key)}"

    @classmethod
    def from_text(cls, text: str) -> Verifier:
        """Returns the key of such a line; raises ValueError when `text` is none."""
        name, _, rest = text.strip().partition("+")
        key_id, _, encoded = rest.partition("+")
        material = _bytes(encoded)
        if not is_name(name) or len(material) != 1 + KEY_BYTES or material[0] not in (PLAIN, COSIGNED):
            raise ValueError("this is no verifier key")
        verifier = cls(name, material[1:], material[0])
        if key_id != verifier.id.hex():
            raise ValueError("the parts of this verifier key do not belong together")
        return verifier


class Signature(msgspec.Struct, frozen=True):
    """One signature line: whose key, and what it made of the text."""

    name: str
    id: bytes
    signed: bytes


class Note(msgspec.Struct, frozen=True):
    """A text with the lines that sign it; without any it is only a text, which proves nothing."""

    text: str
    signatures: tuple[Signature, ...] = ()

    def to_text(self) -> str:
        """Returns the note as it is stored and handed on."""
        lines = [f"{_DASH}{each.name} {_base64(each.id + each.signed)}\n" for each in self.signatures]
        return self.text + "\n" + "".join(lines) if lines else self.text

    def plus(self, signature: Signature) -> Note:
        """Returns the note with one more signature."""
        return Note(self.text, (*self.signatures, signature))

    @classmethod
    def from_text(cls, text: str) -> Note:
        """Returns the note of such a text; raises ValueError when it is none."""
        if not text.endswith("\n") or _CONTROLS.search(text) or len(text.encode()) > LARGEST:
            raise ValueError("this is no note")
        body, gap, lines = text.rpartition("\n\n")
        if not gap:
            return cls(text)
        signatures = tuple(_signature(line) for line in lines.splitlines())
        if not 0 < len(signatures) <= MOST_SIGNATURES:
            raise ValueError("this note has no signature lines, or too many")
        return cls(body + "\n", signatures)


def is_name(name: str) -> bool:
    """Tells whether a key may have this name."""
    return bool(name) and name.isprintable() and not _NO_NAME.search(name)


def _signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    signed = _bytes(encoded)
    if not line.startswith(_DASH) or not is_name(name) or len(signed) <= _ID_BYTES:
        raise ValueError("this note has a line among its signatures that is none")
    return Signature(name, signed[:_ID_BYTES], signed[_ID_BYTES:])


def _base64(raw: bytes) -> str:
    return b64encode(raw).decode()


def _bytes(encoded: str) -> bytes:
    """Returns what base64 stands for; b"" when it is none."""
    try:
        return b64decode(encoded, validate=True)
    except (NoBase64, ValueError):
        return b""
