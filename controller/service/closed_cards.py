"""Facts whose cards cannot be opened, because their key is not there: they can be shown, and never followed."""

from __future__ import annotations

from typing import Final

from controller.errors import FeltError
from controller.journal.records import Record
from controller.table import facts
from controller.table.facts import AnyFact, Hidden

CODE: Final = "cards.closed"


class CardsClosed(FeltError):
    """A fact that cannot be followed: which cards it is about is not known here."""

    def __init__(self, seq: int, fact: Hidden) -> None:
        why = f"the key {fact.day.hex()} is not there, or does not open them"
        super().__init__(CODE, f"the cards of record {seq} cannot be opened: {why}")
        self.seq = seq


def followed_fact(record: Record) -> AnyFact:
    """Returns the fact of a record for whoever follows it; raises CardsClosed when its cards are not known.

    An unread card in its place would be another round.
    """
    fact = facts.decode(record.payload)
    if isinstance(fact, Hidden):
        raise CardsClosed(record.seq, fact)
    return fact
