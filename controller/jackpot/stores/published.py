"""Checkpoints of journals in a store: what a table has published once, it cannot take back.

A checkpoint is kept only with the proof that it adds to the newest one of the same journal.
"""

from __future__ import annotations

from controller.jackpot.stores.books import Books
from controller.jackpot.stores.checkpoint_store import Published
from controller.jackpot.stores.store import failed
from controller.journal.tree import EMPTY_ROOT
from controller.journal.witnessing import KnownTree, Submission, judge


async def newest(books: Books, origin: str) -> Published | None:
    """Returns the newest checkpoint of a journal; None before the first."""
    sql = "SELECT size, root, note, anew, recorded_at FROM journal_checkpoints WHERE origin = ?"
    rows = await books.query(f"{sql} ORDER BY number DESC LIMIT 1", (origin,))
    return Published(*rows[0]) if rows else None


async def history(books: Books, origin: str) -> list[Published]:
    """Returns all checkpoints of a journal, the oldest first."""
    sql = "SELECT size, root, note, anew, recorded_at FROM journal_checkpoints WHERE origin = ? ORDER BY number"
    return [Published(*row) for row in await books.query(sql, (origin,))]


async def publish(books: Books, shown: Submission, anew: str) -> Published:
    """Keeps a checkpoint behind the newest one; raises WitnessError when it does not follow from that.

    `anew`: who decided that it need not; that is kept with it, for everybody to see.
    """
    checkpoint = shown.checkpoint
    sql = "INSERT INTO journal_logs VALUES (?, 0) ON CONFLICT DO NOTHING"
    await books.query(sql, (checkpoint.origin,))
    locked = f"SELECT last FROM journal_logs WHERE origin = ?{books.for_update}"
    ((last,),) = await books.query(locked, (checkpoint.origin,))
    known = await newest(books, checkpoint.origin)
    memory = KnownTree() if known is None else KnownTree(known.size, _root(known))
    after = KnownTree(checkpoint.size, checkpoint.root)
    if not anew:
        after = judge(memory, shown.old, shown.proof, checkpoint)
    if known is not None and after == memory:
        return known
    published = Published(after.size, after.root.hex(), shown.note.to_text(), anew, await books.now())
    row = (checkpoint.origin, last + 1, *published.to_row())
    await books.query("INSERT INTO journal_checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    await books.query("UPDATE journal_logs SET last = ? WHERE origin = ?", (last + 1, checkpoint.origin))
    return published


def _root(known: Published) -> bytes:
    try:
        root = bytes.fromhex(known.root)
    except ValueError:
        root = b""
    if len(root) != len(EMPTY_ROOT):
        raise failed("jackpot.corrupt", "the root of a checkpoint cannot be read")
    return root
