"""Which hashes of the journal may stand beside public facts: all of them, where salt covers what is hidden.

A hash covers its record, hidden card and all, and the hash before it.  Since records have a salt beside a card
(`journal_encoding`), nobody can try which card fits: the hash says nothing, and whoever verifies the journal needs it.

Journals of older versions have records without a salt.  Whoever knows the rest of such a record could try all cards;
what he does not know is the time of a record below the millisecond.  So behind a card that is hidden in one of these no
hash is told until enough records have passed that nobody can try all their times.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from controller.journal.records import Record
from controller.journal.store import Journal
from controller.service.disclosure import CHUNK, disclosed
from controller.service.journal_encoding import salted
from controller.table import facts
from controller.table.facts import AnyFact, Snapped

FAR: Final = 16  # records with a thousand times each, some of which may have come together


def hashes(journal: Journal, records: list[Record], now: Mapping[int, Collection[int]]) -> dict[int, str]:
    """Returns the hashes that may be told, by the numbers of their records; `now`: as for `disclosed`."""
    if not records:
        return {}
    wanted = {record.seq for record in records}
    public: dict[int, str] = {}
    guessable = max(0, records[0].seq - FAR) - FAR  # the last record whose secret its hash would tell
    last, begins = records[-1].seq, journal.begins
    if begins > max(1, records[0].seq - FAR + 1) and not ends_with_salt(journal, begins - 1):
        guessable = begins - 1  # nobody can tell
    for first in range(max(begins, records[0].seq - FAR + 1), last + 1, CHUNK):
        piece = journal.read(first, min(CHUNK, last - first + 1))
        for record, shown in disclosed(journal, piece, now):
            if _keeps_secret(record, shown) and not salted(record.payload):
                guessable = record.seq
            if record.seq in wanted and record.seq - guessable >= FAR:
                public[record.seq] = journal.hash_at(record.seq).hex()
    return public


def ends_with_salt(journal: Journal, seq: int) -> bool:
    """Tells whether an archive ends with this record: none ends beside a card without salt."""
    return any(named.archive.last == seq for named in journal.archives)


def _keeps_secret(record: Record, shown: AnyFact) -> bool:
    """Tells whether a record has more than is told of it: a card, or the digest of a table with its cards."""
    return isinstance(shown, Snapped) or shown != facts.decode(record.payload)
