"""Signed notes: a text, and lines that sign it with Ed25519, in the open form of C2SP (signed-note, tlog-cosignature).

Any tool of that family can check them; nothing of feltd is needed.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PLAIN: Final = 0x01  # the type of a signature over the text itself
COSIGNED: Final = 0x04  # over the text and a time, by a witness: cosignature/v1
LARGEST: Final = 64 * 1024  # of a note, in bytes
MOST_SIGNATURES: Final = 64
_KEY_BYTES: Final = 32
_ID_BYTES: Final = 4
_TIME_BYTES: Final = 8
_SIGNATURE_BYTES: Final = 64
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
        if not is_name(name) or len(material) != 1 + _KEY_BYTES or material[0] not in (PLAIN, COSIGNED):
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


class Signer:
    """A private key with its name."""

    def __init__(self, name: str, key: Ed25519PrivateKey) -> None:
        """Takes the key over; raises ValueError when a note cannot have such a name."""
        if not is_name(name):
            raise ValueError(f"a key cannot be named {name!r}")
        self._key = key
        self.name = name

    def verifier(self, type_: int = PLAIN) -> Verifier:
        """Returns what is needed to check the signatures of this key."""
        return Verifier(self.name, self._key.public_key().public_bytes_raw(), type_)

    def sign(self, text: str) -> Signature:
        """Returns the signature over `text`."""
        return Signature(self.name, self.verifier().id, self._key.sign(text.encode()))

    def cosign(self, text: str, at: int) -> Signature:
        """Returns the word of a witness that it saw `text`, and nothing that contradicts it, at this second."""
        signed = at.to_bytes(_TIME_BYTES, "big") + self._key.sign(_cosigned(text, at))
        return Signature(self.name, self.verifier(COSIGNED).id, signed)


def signed_by(note: Note, verifier: Verifier) -> bool:
    """Tells whether this key signed the note; lines of other keys are passed over, a false line of this one counts."""
    lines = [each for each in note.signatures if (each.name, each.id) == (verifier.name, verifier.id)]
    return bool(lines) and all(_holds(note.text, each.signed, verifier) for each in lines)


def cosigned_at(note: Note, verifiers: Iterable[Verifier]) -> dict[str, int]:
    """Returns when each of these witnesses signed the note, by their names; those that did not are not there."""
    return {
        verifier.name: int.from_bytes(line.signed[:_TIME_BYTES], "big")
        for verifier in verifiers
        if verifier.type == COSIGNED and signed_by(note, verifier)
        for line in note.signatures
        if (line.name, line.id) == (verifier.name, verifier.id)
    }


def is_name(name: str) -> bool:
    """Tells whether a key may have this name."""
    return bool(name) and name.isprintable() and not _NO_NAME.search(name)


def _holds(text: str, signed: bytes, verifier: Verifier) -> bool:
    message = text.encode()
    if verifier.type == COSIGNED:
        at, signed = int.from_bytes(signed[:_TIME_BYTES], "big"), signed[_TIME_BYTES:]
        message = _cosigned(text, at)
    if len(signed) != _SIGNATURE_BYTES:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(verifier.key).verify(signed, message)
    except InvalidSignature:
        return False
    return True


def _cosigned(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()


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
