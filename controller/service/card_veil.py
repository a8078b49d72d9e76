"""Stands between the journal and its file: cards are stored hidden, snapshots encrypted, and read as they were written.

A fact with cards is stored as `Hidden`; a `Turned` gets the secrets of the cards that it makes public, of these alone.
"""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_bytes
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec.structs import replace

from controller.errors import FeltError
from controller.journal.errors import JournalError
from controller.service.day_keys import NAME_BYTES, DayKey, DayKeys
from controller.service.hidden_facts import hide, numbers, opened, secrets_of
from controller.service.journal_encoding import SALT_BYTES, RandomBytes, salt_of, with_salt
from controller.table import facts
from controller.table.facts import AnyFact, CardOut, Hidden, Turned
from controller.views.cards import ALL, has_cards

SEALED: Final = b"feltd sealed 1\0"  # before a snapshot that is encrypted
_TAG: Final = slice(1, 13)  # where every fact says what it is: told apart without decoding all
_HIDDEN: Final = facts.encode(Hidden(b"", b"", CardOut(""), ()))[_TAG]
_NONCE_BYTES: Final = 12


def hidden_in(payload: bytes) -> Hidden | None:
    """Returns the hidden fact of a payload as it is stored; None when it is of another kind."""
    if payload[_TAG] != _HIDDEN:
        return None
    fact = facts.decode(payload)
    return fact if isinstance(fact, Hidden) else None


class CardVeil:
    """The veil of a table whose keys are at hand."""

    def __init__(self, keys: DayKeys, random_bytes: RandomBytes = token_bytes) -> None:
        self.keys = keys
        self._random_bytes = random_bytes

    def hide(self, payload: bytes, at_us: int, stored: Callable[[int], bytes]) -> bytes:
        """Returns a fact as it is stored; raises JournalError when there is no key that could be kept."""
        fact = facts.decode(payload)
        if isinstance(fact, Turned):
            return facts.encode(self._with_secrets(fact, stored))
        if not has_cards(fact):
            return payload
        salt = salt_of(payload) or self._random_bytes(SALT_BYTES)
        return facts.encode(hide(fact, self._day(self.keys.now, at_us), salt))

    def open(self, payload: bytes) -> bytes:
        """Returns a fact as it was told; as it is stored when its key is not there, or does not fit."""
        hidden = hidden_in(payload)
        fact = None if hidden is None else self.fact(hidden)
        return payload if hidden is None or fact is None else with_salt(fact, hidden.salt)

    def fact(self, hidden: Hidden) -> AnyFact | None:
        """Returns the fact that is hidden; None when it cannot be opened."""
        day = self.keys.find(hidden.day)
        return None if day is None else opened(hidden, secrets_of(hidden, day))

    def seal(self, state: bytes, at_us: int) -> bytes:
        """Returns a snapshot encrypted under the newest key; raises JournalError when there is none."""
        day, nonce = self._day(self.keys.last, at_us), self._random_bytes(_NONCE_BYTES)
        head = SEALED + day.name
        return head + nonce + AESGCM(day.secret).encrypt(nonce, state, head)

    def unseal(self, stored: bytes) -> bytes:
        """Returns the snapshot; as it is stored when it is plain, or its key is not there or does not fit."""
        day = self.keys.find(sealed_under(stored))
        if day is None:
            return stored
        head, nonce, cipher = _parts(stored)
        try:
            return AESGCM(day.secret).decrypt(nonce, cipher, head)
        except InvalidTag:
            return stored

    def _with_secrets(self, turned: Turned, stored: Callable[[int], bytes]) -> Turned:
        """Returns what makes cards public, with that which opens them; old journals have plain ones besides."""
        secrets: list[tuple[int, int, bytes]] = []
        for seq, number in turned.cards:
            hidden = hidden_in(stored(seq))
            day = None if hidden is None else self.keys.find(hidden.day)
            if hidden is None or day is None:
                continue
            wanted = numbers(hidden) if number == ALL else (number,)
            secrets += [(seq, n, each) for n, each in secrets_of(hidden, day).items() if n in wanted]
        return replace(turned, secrets=tuple(secrets))

    def _day(self, which: Callable[[int], DayKey], at_us: int) -> DayKey:
        try:
            return which(at_us)
        except FeltError as error:
            raise JournalError(error.code, error.cause, error.next_step) from error


def sealed_under(stored: bytes) -> bytes:
    """Returns the name of the key under which a snapshot is encrypted; b"" for one that is plain."""
    return stored[len(SEALED) : len(SEALED) + NAME_BYTES] if stored.startswith(SEALED) else b""


def _parts(stored: bytes) -> tuple[bytes, bytes, bytes]:
    """Returns the head, the nonce and the cipher of a sealed snapshot."""
    end = len(SEALED) + NAME_BYTES
    return stored[:end], stored[end : end + _NONCE_BYTES], stored[end + _NONCE_BYTES :]
