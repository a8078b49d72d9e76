"""A device as a witness: it keeps the newest checkpoint as a note, and gives it back; the table compares."""

from __future__ import annotations

from typing import Final

from controller.errors import FeltError
from controller.journal.checkpoints import Checkpoint
from controller.journal.notes import Note, Signature, Verifier
from controller.journal.signing import signed_by
from controller.journal.tree import HASH_BYTES
from controller.journal.witnessing import KnownTree, Submission, judge
from drivers.driver import Driver

NOTELESS: Final = "witness.noteless"
_SIZE: Final = 8  # bytes of the number of records


class DeviceWitness:
    """One device.  What it keeps counts only when the key of the journal signed it: it may come from another table."""

    begins_anew = True
    goes_with_the_table = True
    key: Verifier | None = None

    def __init__(self, name: str, driver: Driver, journal: Verifier) -> None:
        self.name, self._driver, self._journal = name, driver, journal

    async def show(self, shown: Submission, anew: str) -> Signature | None:
        checkpoint, (signature,) = shown.checkpoint, shown.note.signatures
        known = await self._known()
        if known is not None and not anew:
            kept = Checkpoint.from_text(known.text)
            judge(KnownTree(kept.size, kept.root), shown.old, shown.proof, checkpoint)
        note = checkpoint.size.to_bytes(_SIZE, "big") + checkpoint.root + signature.signed
        reply = await self._driver.keep_note(note)
        if not reply.ok:
            raise FeltError(NOTELESS, f"{self.name} keeps no note: {reply.detail}")
        return None

    async def remembered(self, origin: str, key: Verifier | None) -> Note | None:
        return await self._known()

    async def close(self) -> None:
        """Has nothing to release: the device belongs to the table."""

    async def _known(self) -> Note | None:
        """Returns what the device keeps, as a note of this journal; None when it keeps none that its key signed."""
        reply = await self._driver.tell_note()
        if not reply.ok:
            raise FeltError(NOTELESS, f"{self.name} keeps no note: {reply.detail}")
        try:
            raw = bytes.fromhex(reply.detail)
        except ValueError:
            return None
        size, root, signed = raw[:_SIZE], raw[_SIZE : _SIZE + HASH_BYTES], raw[_SIZE + HASH_BYTES :]
        if len(root) != HASH_BYTES:
            return None
        text = Checkpoint(self._journal.name, int.from_bytes(size, "big"), root).to_text()
        note = Note(text, (Signature(self._journal.name, self._journal.id, signed),))
        return note if signed_by(note, self._journal) else None
