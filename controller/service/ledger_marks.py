"""Keeps signed checkpoints of a prize meter's ledger: beside the journal, and in the store for all tables."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final
from urllib.parse import quote

import structlog

from controller.errors import FeltError
from controller.jackpot.chain import mark_of
from controller.jackpot.marks import LedgerMark
from controller.journal.checkpoints import Checkpoint
from controller.journal.database import sync_directory
from controller.journal.notes import Note
from controller.journal.signing import Signer

log = structlog.get_logger()

UNREADABLE: Final = "ledger.unreadable"
UNWRITABLE: Final = "ledger.unwritable"


class LedgerMarks:
    """The checkpoints that a table makes of its meters' ledgers; without a key they are not signed."""

    def __init__(self, directory: Path | None = None, signer: Signer | None = None) -> None:
        self._directory, self._signer = directory, signer

    def note_of(self, mark: LedgerMark) -> str:
        """Returns the checkpoint of a ledger as it is handed on."""
        text = Checkpoint(mark.origin, mark.size, mark.root).to_text()
        return (Note(text) if self._signer is None else Note(text).plus(self._signer.sign(text))).to_text()

    def kept(self, meter: str) -> list[LedgerMark]:
        """Returns what was kept of a meter's ledger last; one that cannot be read is told, and stops no table."""
        file = self._file(meter)
        if file is None or not file.exists():
            return []
        try:
            return [mark_of(file.read_text(encoding="utf-8"))]
        except (OSError, ValueError) as error:
            log.error(UNREADABLE, file=str(file), cause=str(error))
            return []

    def keep(self, meter: str, note: str) -> None:
        """Puts a checkpoint in the place of the one before: after a power cut it is the old one or the new one."""
        file = self._file(meter)
        if file is None:
            return
        fresh = file.with_name(f".{file.name}.new")
        try:
            with fresh.open("w", encoding="utf-8") as out:
                out.write(note)
                out.flush()
                os.fsync(out.fileno())
            fresh.replace(file)
            sync_directory(file.parent)
        except OSError as error:
            log.error(UNWRITABLE, file=str(file), cause=error.strerror or str(error))

    def _file(self, meter: str) -> Path | None:
        return None if self._directory is None else self._directory / f"ledger-{quote(meter, safe='')}.checkpoint"


def read_note(note: str) -> LedgerMark:
    """Returns what a checkpoint says that somebody hands in; raises FeltError when it is none of a ledger."""
    try:
        return mark_of(note)
    except ValueError as error:
        raise FeltError(UNREADABLE, str(error)) from None
