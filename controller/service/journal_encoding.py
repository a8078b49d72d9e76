"""Encodes a fact for the journal, so that the hash of its record tells nothing of a card.

Anybody who may look sees the newest hash of the chain.  Of a record with a card that lies face down all else is known,
so one of 52 guesses would fit: random bytes beside the card leave nothing to guess.
"""

from __future__ import annotations

from secrets import token_bytes
from typing import Any, Final

import msgspec

from controller.table.facts import AnyFact, Snapped
from controller.views.cards import has_cards

SALT_BYTES: Final = 16
_encoder = msgspec.msgpack.Encoder()


def journal_bytes(fact: AnyFact, plain: bytes) -> bytes:
    """Returns the fact as the journal keeps it; `facts.decode` reads it and passes over the salt.

    `plain` is what `facts.encode` made of it.
    """
    if not has_cards(fact) and not isinstance(fact, Snapped):  # a digest names a table with its cards
        return plain
    fields: dict[str, Any] = msgspec.to_builtins(fact, builtin_types=(bytes,))
    return _encoder.encode({**fields, "salt": token_bytes(SALT_BYTES)})


def salted(payload: bytes) -> bool:
    """Tells whether a record has such random bytes; those of older versions have none."""
    fields = msgspec.msgpack.decode(payload)
    return len(fields.get("salt", b"")) >= SALT_BYTES
