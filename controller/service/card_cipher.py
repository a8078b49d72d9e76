"""Hides one card: encrypts it under a secret of its own, with a commitment to it that gives nothing away.

The secret of a card is derived from the key of its day, the salt of its fact and its number there.  It opens that card
and no other one: neither the key of the day nor the secret of another card follows from it.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from controller.table.facts import HiddenCard

SECRET_BYTES: Final = 32
_KEY: Final = 16  # bytes of the secret that encrypt; the others are the salt of the commitment
_NONCE: Final = bytes(12)  # each secret encrypts one thing, once
_END: Final = b"\x80"  # of a text, before zeros: its length is not to be seen


def card_secret(day: bytes, salt: bytes, number: int) -> bytes:
    """Returns the secret of card `number` in the fact that has this salt; `day` is the key of its day."""
    info = b"feltd card 1\0" + number.to_bytes(2) + salt
    return hmac.digest(day, info + b"\x01", "sha256")  # HKDF-Expand (RFC 5869) for one block: all that is needed


def hidden_card(secret: bytes, text: bytes, block: int) -> HiddenCard:
    """Returns a text so that only its secret opens it; how long it is shows in whole blocks alone."""
    padded = text + _END + bytes(-(len(text) + 1) % block)
    return HiddenCard(_commitment(secret, padded), AESGCM(secret[:_KEY]).encrypt(_NONCE, padded, None))


def opened_card(secret: bytes, card: HiddenCard) -> bytes | None:
    """Returns the text that this secret opens; None when it is not what its commitment says.

    >>> secret = card_secret(bytes(32), bytes(16), 1)
    >>> opened_card(secret, hidden_card(secret, b"Kh", 16))
    b'Kh'
    """
    if len(secret) != SECRET_BYTES:
        return None
    try:
        padded = AESGCM(secret[:_KEY]).decrypt(_NONCE, card.cipher, None)
    except (InvalidTag, ValueError):
        return None
    text, end, _ = padded.rpartition(_END)
    return text if end and hmac.compare_digest(_commitment(secret, padded), card.commitment) else None


def _commitment(secret: bytes, padded: bytes) -> bytes:
    return sha256(b"feltd commitment 1\0" + secret[_KEY:] + padded).digest()
