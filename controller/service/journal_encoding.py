"""Encodes a fact for the journal, so that the hash of its record tells nothing of a card.

Anybody who may look sees the newest hash of the chain.  Of a record with a card that lies face down all else is known,
so one of 52 guesses would fit: random bytes beside the card leave nothing to guess.  Where the table has keys
(`card_veil`), the same bytes are what the secrets of its cards are derived with.
"""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_bytes
from typing import Any, Final, TypeAlias

import msgspec

from controller.table.facts import AnyFact, Snapped
from controller.views.cards import has_cards

SALT_BYTES: Final = 16
RandomBytes: TypeAlias = Callable[[int], bytes]  # returns so many; those of a simulation come from its seed
_encoder = msgspec.msgpack.Encoder()


class _Salt(msgspec.Struct, frozen=True):
    """The salt of a record; those of older versions, and those without a card, have none."""

    salt: bytes = b""


_decoder = msgspec.msgpack.Decoder(_Salt)


def journal_bytes(fact: AnyFact, plain: bytes, random_bytes: RandomBytes = token_bytes) -> bytes:
    """Returns the fact as it is handed to the journal; `facts.decode` reads it and passes over the salt.

    `plain` is what `facts.encode` made of it.
    """
    if not has_cards(fact) and not isinstance(fact, Snapped):  # a digest names a table with its cards
        return plain
    return with_salt(fact, random_bytes(SALT_BYTES))


def with_salt(fact: AnyFact, salt: bytes) -> bytes:
    """Returns a fact with this salt beside it."""
    fields: dict[str, Any] = msgspec.to_builtins(fact, builtin_types=(bytes,))
    return _encoder.encode({**fields, "salt": salt})


def salt_of(payload: bytes) -> bytes:
    """Returns the salt of a record; b"" when it has none."""
    return _decoder.decode(payload).salt


def salted(payload: bytes) -> bool:
    """Tells whether a record has such random bytes; those of older versions have none."""
    return len(salt_of(payload)) >= SALT_BYTES
