"""Whether the journal went back: the one place where whoever is greeted is compared with it.

A device, the prize meter's store and the head file each know how far the journal once was.  When one of them knows more
than it has, it is an older copy: `journal.behind` holds the table until a person rules, on record.
"""

from __future__ import annotations

from controller.counts import many
from controller.journal.notes import Note, Verifier
from controller.journal.records import Anchor
from controller.journal.signing import signed_by
from controller.journal.store import CHECKPOINTS_KEPT, Journal
from controller.service.engine import Engine
from controller.table.facts import Hold
from controller.table.holds import BEHIND


def by_anchor(journal: Journal, anchor: Anchor | None) -> str:
    """Returns how a journal has less than an anchor says, or something else; "" when it leads to it."""
    if anchor is None:
        return ""
    if anchor.seq > journal.head.seq:
        return f"record {anchor.seq} was stored, but the journal ends at {journal.head.seq}: it is an older copy"
    if 0 < anchor.seq < journal.begins - 1:
        return f"record {anchor.seq} is in an archive that is not at hand: nobody can compare it"
    if journal.hash_at(anchor.seq) != anchor.hash:
        return f"record {anchor.seq} is not the one that was stored: the journal is another one, or was changed"
    return ""


def by_meter(meter: str, last: int, numbered: int) -> str:
    """Returns how a journal has less movements than the meter was told; "" when it has them."""
    if last <= numbered:
        return ""
    return (
        f"{meter} was told {many(last, 'movement')} of this table, but the journal has {numbered}: it is an older copy"
    )


def by_device(gone: int, counter: int) -> str:
    """Returns how a journal has less events than a device was told are stored."""
    text = f"the device was told that its events up to {gone} are stored, but the journal has them up to "
    return f"{text}{counter}: it is an older copy, or a new one"


def was_reopened(journal: Journal, seq: int, key: Verifier | None = None) -> bool:
    """Tells whether a start said, before its first record, that the journal goes on behind a clean stop at `seq`.

    With a key, signed with it.  What is older than the checkpoints that are kept, nobody can tell any more.
    """
    kept = journal.checkpoints()
    if len(kept) >= CHECKPOINTS_KEPT and seq < kept[0][0]:
        return True
    (kept_there,) = [each for at, each in kept if at == seq] or [None]
    if kept_there is None or kept_there.checkpoint.closed:
        return False
    return key is None or signed_by(Note.from_text(kept_there.note), key)


async def hold(engine: Engine, source: str, text: str) -> None:
    """Holds the table when there is something to say; a source that holds it already says nothing new."""
    known = any(held.code == BEHIND and held.device == source for held in engine.table.holds.values())
    if text and not known:
        await engine.submit(Hold(BEHIND, text, source))
