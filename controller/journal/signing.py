"""Signatures of notes by Ed25519: those of a journal's own key, and those of witnesses with their time (C2SP)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.journal.checkpoints import KeptCheckpoint, checkpoint_of
from controller.journal.notes import COSIGNED, PLAIN, Note, Signature, Verifier, is_name
from controller.journal.tree import Frontier

_TIME_BYTES: Final = 8
_SIGNATURE_BYTES: Final = 64
_LATEST: Final = 253_402_300_799  # the last second of the year 9999: nobody can tell a later one as a date


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


def signed(table: str, frontier: Frontier, signer: Signer | None, *, closed: bool = False) -> KeptCheckpoint:
    """Returns the checkpoint to keep, signed where there is a key."""
    text = checkpoint_of(table, frontier, closed=closed).to_text()
    note = Note(text) if signer is None else Note(text).plus(signer.sign(text))
    return KeptCheckpoint(frontier.size, frontier, note.to_text())


def _holds(text: str, signed: bytes, verifier: Verifier) -> bool:
    message = text.encode()
    if verifier.type == COSIGNED:
        at, signed = int.from_bytes(signed[:_TIME_BYTES], "big"), signed[_TIME_BYTES:]
        if at > _LATEST:
            return False
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
