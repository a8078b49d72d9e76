"""Which hashes of the journal may stand beside public facts.

A hash covers its record, hidden card and all, and the hash before it.  Whoever knows the rest of a record could try all
cards until the hash fits.  What he does not know is the time of a record below the millisecond; so behind a card that
is hidden no hash is told until enough records have passed that nobody can try all their times.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from controller.journal.records import Record
from controller.journal.store import Journal
from controller.service.disclosure import CHUNK, disclosed
from controller.table import facts

FAR: Final = 16  # records with a thousand times each, some of which may have come together


def hashes(journal: Journal, records: list[Record], now: Mapping[int, Collection[int]]) -> dict[int, str]:
    """Returns the hashes that may be told, by the numbers of their records; `now`: as for `disclosed`."""
    if not records:
        return {}
    wanted = {record.seq for record in records}
    public: dict[int, str] = {}
    hidden = max(0, records[0].seq - FAR) - FAR  # the last record with a hidden card
    last = records[-1].seq
    for first in range(max(1, records[0].seq - FAR + 1), last + 1, CHUNK):
        piece = journal.read(first, min(CHUNK, last - first + 1))
        for record, shown in disclosed(journal, piece, now):
            if shown != facts.decode(record.payload):
                hidden = record.seq
            if record.seq in wanted and record.seq - hidden >= FAR:
                public[record.seq] = journal.hash_at(record.seq).hex()
    return public
