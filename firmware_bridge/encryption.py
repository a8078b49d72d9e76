"""Encrypts and decrypts frames: the keys of a session from a device's key, one frame at a time.  No state, no chance.

Both ends of a wire share these functions and nothing else; who says what when is each end's own affair.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from firmware_bridge.frame import ENCRYPTED, ENCRYPTION_OVERHEAD, VERSION, Frame

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 32
MAX_COUNTER: Final = 2**64 - 1
_COUNTER: Final = struct.Struct("<Q")
_NUMBER: Final = struct.Struct("<I")
_HEAD: Final = struct.Struct("<BBBI")
_SESSION: Final = b"feltd 1 session"
_PROOF: Final = b"feltd 1 proof"
_PAIRING: Final = b"feltd 1 pairing"
_COMMITMENT: Final = b"feltd 1 commitment"
_CODE: Final = b"feltd 1 code"
_KEEP: Final = b"feltd 1 keep"
CODE_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class SessionKeys:
    """What one session is encrypted with: `down` to the device, `up` to the controller.  Never shown."""

    proof: bytes = field(repr=False)
    down: ChaCha20Poly1305 = field(repr=False)
    up: ChaCha20Poly1305 = field(repr=False)


def derive(key: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Returns three keys of 32 bytes: for the proof, down, up.

    `ours` is the controller's nonce, `theirs` the device's.  ValueError when a length is wrong, or when both nonces are
    the same: then one end only repeats the other.
    """
    if len(key) != KEY_BYTES or len(ours) != NONCE_BYTES or len(theirs) != NONCE_BYTES:
        raise ValueError("a key and a nonce have 32 bytes each")
    if ours == theirs:
        raise ValueError("both ends gave the same nonce")
    return HKDF(SHA256(), 3 * KEY_BYTES, salt=ours + theirs, info=_SESSION).derive(key)


def session_keys(key: bytes, ours: bytes, theirs: bytes) -> SessionKeys:
    """Returns what `derive` gives, ready for use."""
    made = derive(key, ours, theirs)
    return SessionKeys(made[:32], ChaCha20Poly1305(made[32:64]), ChaCha20Poly1305(made[64:]))


def prove(keys: SessionKeys, number: int, serial: str) -> bytes:
    """Returns the proof that a device has the key: it has this serial number, and it answers this HELLO."""
    return hmac.digest(keys.proof, _PROOF + _NUMBER.pack(number) + serial.encode(), "sha256")


def proves(keys: SessionKeys, number: int, serial: str, proof: bytes) -> bool:
    """Tells whether a device with the key made this proof."""
    return hmac.compare_digest(prove(keys, number, serial), proof)


def close(cipher: ChaCha20Poly1305, counter: int, frame: Frame) -> Frame:
    """Returns the frame encrypted; ValueError when the counter does not fit.

    A counter must never be used twice with one cipher.
    """
    if not 0 < counter <= MAX_COUNTER:
        raise ValueError(f"counter {counter} cannot encrypt a frame")
    head = _HEAD.pack(VERSION, frame.kind, frame.flags | ENCRYPTED, frame.number)
    count = _COUNTER.pack(counter)
    body = count + cipher.encrypt(b"\0\0\0\0" + count, frame.body, head)
    return Frame(frame.kind, frame.number, body, frame.flags | ENCRYPTED)


def opened(cipher: ChaCha20Poly1305, frame: Frame) -> tuple[int, Frame] | None:
    """Returns the counter and the decrypted frame; None when this cipher did not encrypt it so."""
    if not frame.flags & ENCRYPTED or len(frame.body) < ENCRYPTION_OVERHEAD:
        return None
    head = _HEAD.pack(VERSION, frame.kind, frame.flags, frame.number)
    count = frame.body[: _COUNTER.size]
    try:
        body = cipher.decrypt(b"\0\0\0\0" + count, frame.body[_COUNTER.size :], head)
    except InvalidTag:
        return None
    return _COUNTER.unpack(count)[0], Frame(frame.kind, frame.number, body, frame.flags & ~ENCRYPTED)


# ---- pairing: a new key that never travels, and a code by which a person sees that nobody sits between


def half(secret: bytes) -> bytes:
    """Returns the public half that belongs to 32 secret random bytes."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def agreed_key(secret: bytes, theirs: bytes, controller: bytes, device: bytes) -> bytes:
    """Returns the device's new key from our secret and the other end's public half; ValueError when that is unfit."""
    shared = X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(theirs))
    return HKDF(SHA256(), KEY_BYTES, salt=controller + device, info=_PAIRING).derive(shared)


@dataclass(frozen=True, slots=True)
class Exchange:
    """What both ends have said in the open while pairing; with somebody between them it is not the same at both."""

    serial: str
    controller: bytes  # its public half
    device: bytes

    def commitment(self, nonce: bytes) -> bytes:
        """Returns what binds the device to a nonce that nobody else knows yet."""
        return hmac.digest(nonce, _COMMITMENT + self.controller + self.device, "sha256")

    def commits(self, commitment: bytes, nonce: bytes) -> bool:
        """Tells whether this is the nonce to which the device bound itself."""
        return len(nonce) == NONCE_BYTES and hmac.compare_digest(self.commitment(nonce), commitment)

    def code(self, ours: bytes, theirs: bytes) -> str:
        """Returns the digits that the device shows; `ours` is the controller's nonce, `theirs` the device's."""
        compared = _CODE + self.controller + self.device + ours + theirs + self.serial.encode()
        number = int.from_bytes(hashlib.sha256(compared).digest()[:8], "little")
        return f"{number % 10**CODE_DIGITS:0{CODE_DIGITS}d}"


def keep_proof(key: bytes) -> bytes:
    """Returns the proof that an end has the new key and shall keep it: the codes are the same."""
    return hmac.digest(key, _KEEP, "sha256")


def is_keep_proof(key: bytes, proof: bytes) -> bool:
    """Tells whether an end with this key made this proof."""
    return hmac.compare_digest(keep_proof(key), proof)
