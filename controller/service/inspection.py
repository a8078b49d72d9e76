"""What an inspector gets of each record: all that is needed to compute chain and tree again, and no hidden card."""

from __future__ import annotations

from base64 import b64encode
from typing import Final, Literal, NamedTuple

import msgspec

from controller.errors import FeltError
from controller.journal.proofs import inclusion_proof
from controller.journal.records import Record, pack
from controller.journal.store import Journal
from controller.journal.tree import Frontier, leaf_hash
from controller.service.journal_encoding import salted
from controller.service.public_hashes import ends_with_salt
from controller.table import facts
from controller.table.facts import Hidden, Snapped
from controller.views.cards import has_cards
from controller.views.inspected import RecordShown

BLOCK: Final = 16  # records that are hidden together where one alone could be guessed
PAGE: Final = 32 * BLOCK
HIDDEN: Final = "proof.hidden"
UNKNOWN: Final = "proof.unknown"


class RecordPage(NamedTuple):
    """Some records in their order, and behind which to go on; None: there are no more."""

    records: list[RecordShown]
    after: int | None


class Inclusion(NamedTuple):
    """The proof that a record is in the tree: its leaf, the tree, and the hashes that lead to its root."""

    leaf: bytes
    size: int
    root: bytes
    path: list[bytes]


def how_shown(record: Record) -> Literal["body", "leaf", "block"]:
    """Returns how much of a record may leave the table: the one place that decides it.

    A body has everything in it that is stored: of a table with keys for its cards these are hidden in it.  Else a card
    that lies face down is there too.  Salt beside a card makes its hash tell nothing; a hash over a card without salt
    (older versions) could be tried out, so it is hidden among others.
    """
    try:
        fact = facts.exact(record.payload)
    except msgspec.DecodeError:
        return "block"  # of another version, or badly made: nobody here knows what is in it
    if isinstance(fact, Hidden) or not (has_cards(fact) or isinstance(fact, Snapped)):
        return "body"
    return "leaf" if salted(record.payload) else "block"


def shown_records(journal: Journal, after: int) -> RecordPage:
    """Returns the records behind `after`, a multiple of the block; the end may be left out where it cannot be hidden.

    A block is hidden when a record in it, or in the one before, could be guessed: then sixteen records whose exact
    times nobody knows stand between the card and every hash that is told.
    """
    if after % BLOCK:
        raise ValueError(f"not at the beginning of a block: {after}")
    near = _secret_before(journal, after)
    records, shown = journal.read_stored(after + 1, PAGE), list[RecordShown]()
    for start in range(0, len(records), BLOCK):
        block = records[start : start + BLOCK]
        ways = [how_shown(record) for record in block]
        secret = "block" in ways
        if (secret or near) and len(block) < BLOCK:
            return RecordPage(shown, None)
        if secret or near:
            root = Frontier().plus(_leaf(record) for record in block).root()
            shown.append({"seq": block[0].seq, "count": BLOCK, "tree": root.hex(), "hash": _hash(journal, block[-1])})
        else:
            shown += [_shown(journal, record, way) for record, way in zip(block, ways, strict=True)]
        near = secret
    return RecordPage(shown, records[-1].seq if len(records) == PAGE else None)


def _secret_before(journal: Journal, after: int) -> bool:
    """Tells whether something could be guessed in the block before this place."""
    if not after or ends_with_salt(journal, after):
        return False
    if after - BLOCK + 1 < journal.begins:
        return True  # nobody can tell
    return any(how_shown(record) == "block" for record in journal.read_stored(after - BLOCK + 1, BLOCK))


def prove(journal: Journal, seq: int, size: int) -> Inclusion:
    """Returns the proof that record `seq` is among the first `size`; raises FeltError when there is none to give.

    Of a record that left, its archive and all later ones must be at hand.
    """
    if not 1 <= seq <= size <= journal.head.seq:
        raise FeltError(UNKNOWN, f"there is no record {seq} among the first {size}")
    first = (seq - 1) // BLOCK * BLOCK + 1
    if any(how_shown(record) == "block" for record in journal.read_stored(first, BLOCK)):
        raise FeltError(HIDDEN, f"beside record {seq} is a card without salt, as older versions wrote them")
    before = journal.base.tree if seq > journal.base.seq else Frontier()
    leaves: list[bytes] = []
    for record in journal.iterate_stored(before.size + 1):
        if record.seq > size:
            break
        leaves.append(_leaf(record))
    path = inclusion_proof(leaves, seq - 1, before)
    return Inclusion(leaves[seq - 1 - before.size], size, before.plus(leaves).root(), path)


def _shown(journal: Journal, record: Record, way: str) -> RecordShown:
    digest = _hash(journal, record)
    if way == "body":
        return {"seq": record.seq, "body": b64encode(pack(record.seq, record)).decode(), "hash": digest}
    return {"seq": record.seq, "leaf": _leaf(record).hex(), "hash": digest}


def _leaf(record: Record) -> bytes:
    return leaf_hash(pack(record.seq, record))


def _hash(journal: Journal, record: Record) -> str:
    return journal.hash_at(record.seq).hex()
