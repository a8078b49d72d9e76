"""PINs as people.toml keeps them: Argon2id, with its parameters, and never more memory than a table can spare."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import Final, Self

MEMORY: Final = 16 * 1024  # KiB
PASSES: Final = 2
LANES: Final = 1
MOST_MEMORY: Final = 19 * 1024  # KiB: what a Raspberry Pi can spare while the table goes on
MOST_PASSES: Final = 10
MOST_LANES: Final = 4
WEAK_MEMORY: Final = 8 * 1024  # KiB: less is good for simulated people
LONGEST_PIN: Final = 64
_SALT, _DIGEST = 16, 32  # bytes
_PHC: Final = re.compile(
    r"\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,4}),p=(\d{1,4})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})"
)
_PIN: Final = re.compile(r"[0-9]{4,12}")


@dataclass(frozen=True, slots=True)
class PinHash:
    """What is kept of a PIN."""

    memory: int  # KiB
    passes: int
    lanes: int
    salt: bytes = field(repr=False)
    digest: bytes = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Returns the hash in a PHC string; raises ValueError, which never quotes it."""
        parts = _PHC.fullmatch(text)
        if parts is None:
            raise ValueError("is no Argon2id hash: write it with `felt people pin NAME`")
        memory, passes, lanes = (int(parts[n]) for n in (1, 2, 3))
        if memory > MOST_MEMORY:
            raise ValueError(f"takes {memory} KiB of memory: at most {MOST_MEMORY} are allowed")
        if not 1 <= lanes <= MOST_LANES or not 1 <= passes <= MOST_PASSES or memory < 8 * lanes:
            raise ValueError(f"has parameters that cannot be used: m={memory}, t={passes}, p={lanes}")
        try:
            return cls(memory, passes, lanes, _bytes(parts[4]), _bytes(parts[5]))
        except binascii.Error:
            raise ValueError("is no Argon2id hash: its salt or its end is not base64") from None

    def __str__(self) -> str:
        parameters = f"m={self.memory},t={self.passes},p={self.lanes}"
        return f"$argon2id$v=19${parameters}${_text(self.salt)}${_text(self.digest)}"

    @property
    def weak(self) -> bool:
        """Whether it is quicker to try all PINs than it should be."""
        return self.memory < WEAK_MEMORY

    def matches(self, pin: str) -> bool:
        """Tells whether this is the PIN.  Takes as long as it takes: never call it on the loop of a table."""
        derived = _derive(pin, self.memory, self.passes, self.lanes, self.salt, len(self.digest))
        return hmac.compare_digest(derived, self.digest)

    def dummy(self) -> PinHash:
        """Returns a hash that takes as long, and that no PIN matches."""
        return PinHash(self.memory, self.passes, self.lanes, secrets.token_bytes(_SALT), secrets.token_bytes(_DIGEST))


def hashed(pin: str, memory: int = MEMORY, passes: int = PASSES, lanes: int = LANES) -> PinHash:
    """Returns what is kept of a new PIN."""
    salt = secrets.token_bytes(_SALT)
    return PinHash(memory, passes, lanes, salt, _derive(pin, memory, passes, lanes, salt, _DIGEST))


def misfit(pin: str) -> str:
    """Returns why this is no good PIN; "" when it is one.

    >>> misfit("258"), misfit("4444"), misfit("25801")
    ('a PIN has 4 to 12 digits', 'a PIN has different digits', '')
    """
    if _PIN.fullmatch(pin) is None:
        return "a PIN has 4 to 12 digits"
    return "a PIN has different digits" if len(set(pin)) == 1 else ""


def _derive(pin: str, memory: int, passes: int, lanes: int, salt: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id  # with the first PIN, away from the loop

    algorithm = Argon2id(salt=salt, length=length, iterations=passes, lanes=lanes, memory_cost=memory)
    return algorithm.derive(pin.encode(errors="surrogatepass"))


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode().rstrip("=")
