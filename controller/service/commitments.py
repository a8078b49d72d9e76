"""Checks the hidden cards of a journal against their commitments: all with the keys, without them those turned."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from controller.counts import many
from controller.journal.errors import JournalError
from controller.journal.records import unsealed
from controller.journal.store import Journal
from controller.service.card_veil import CardVeil, hidden_in
from controller.service.hidden_facts import numbers, opened
from controller.table import facts
from controller.table.facts import Hidden, Turned

CHUNK = 500


class CardCheck:
    """The check of the records up to `end`, which are sound in themselves."""

    def __init__(self, journal: Journal, end: int) -> None:
        self._journal, self._end = journal, end
        self._begins = journal.begins
        self._left = 0  # cards that were turned and are in an archive that is not at hand
        self._turned = self._closed = 0  # cards whose key is not there: that anybody can open; that nobody here can

    def altered(self) -> int | None:
        """Returns a record with a card that is not what its commitment says; None when there is none."""
        for seq, payload in self._payloads():
            hidden = hidden_in(payload)
            if hidden is not None:
                if self._is_altered(hidden):
                    return seq
                continue
            for of, number, secret in _secrets(payload):
                if not self._fits(of, number, secret):
                    return of
        return None

    def notes(self) -> list[str]:
        """Returns what people must know of the check: which cards it could not open."""
        notes = []
        if self._left:
            notes.append(f"NOT SEEN: {many(self._left, 'turned card')} of records that are in archives")
        if not self._closed + self._turned:
            return notes
        checked = f"{many(self._turned, 'turned card')} checked by what turned them"
        return [*notes, f"{many(self._closed, 'card')} could not be opened: their keys are not here; {checked}"]

    def _payloads(self) -> Iterator[tuple[int, bytes]]:
        """Yields every payload as it is stored."""
        for first in range(self._begins, self._end + 1, CHUNK):
            for seq, sealed in self._journal.rows(first, min(CHUNK, self._end - first + 1)):
                if (record := unsealed(sealed)) is not None:
                    yield seq, record.payload

    def _is_altered(self, hidden: Hidden) -> bool:
        if not self._has_key(hidden):
            self._closed += len(hidden.cards)
            return False
        veil = self._journal.veil
        return isinstance(veil, CardVeil) and veil.fact(hidden) is None

    def _has_key(self, hidden: Hidden) -> bool:
        veil = self._journal.veil
        return isinstance(veil, CardVeil) and veil.keys.find(hidden.day) is not None

    def _fits(self, seq: int, number: int, secret: bytes) -> bool:
        """Tells whether a secret opens this card of a fact, and what it opens is what was stored."""
        if seq < self._begins:
            self._left += 1
            return True
        try:
            hidden = hidden_in(self._journal.stored_payload(seq))
        except JournalError:
            return False
        if hidden is None or number not in numbers(hidden) or opened(hidden, {number: secret}) is None:
            return False
        if not self._has_key(hidden):
            self._turned += 1
            self._closed -= 1
        return True


def _secrets(payload: bytes) -> tuple[tuple[int, int, bytes], ...]:
    """Returns what a record makes public; nothing for one of a version that is not known here."""
    try:
        fact = facts.decode(payload)
    except msgspec.DecodeError:
        return ()
    return fact.secrets if isinstance(fact, Turned) else ()
