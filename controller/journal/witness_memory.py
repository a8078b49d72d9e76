"""What this table remembers as a witness of other tables' journals: the newest checkpoint of each, on disk first."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from controller.journal.checkpoints import Checkpoint
from controller.journal.database import sync_directory
from controller.journal.notes import LARGEST, Note, Verifier
from controller.journal.signing import Signer, signed_by
from controller.journal.witnessing import FORK, KnownTree, Submission, WitnessError, judge

FOLDER: Final = "witnessed"  # in the state directory
UNKNOWN, SIGNATURE, MEMORY = "witness.unknown", "witness.signature", "witness.memory"
_KNOWN, _REFUSED = ".checkpoint", ".refused"


class WitnessMemory:
    """The checkpoints that one witness was shown; of each journal one file, with the note as its key signed it.

    A journal is known by its name and its key: one that went back for a good reason gets a new key, and somebody must
    tell the witness so.
    """

    def __init__(self, folder: Path, signer: Signer, journals: Sequence[Verifier]) -> None:
        self._folder, self._signer, self._journals = folder, signer, tuple(journals)

    def add(self, shown: Submission, at: int) -> Note:
        """Returns the note with our cosignature of this second; what it says is remembered, durably, before.

        Raises WitnessError when the checkpoint is of an unknown journal, not signed by it, or does not follow.
        """
        checkpoint = shown.checkpoint
        key = self._key_of(shown.note, checkpoint)
        memory = self._memory(key)
        try:
            known = judge(memory, shown.old, shown.proof, checkpoint)
        except WitnessError as error:
            if error.code == FORK and checkpoint.size == memory.size:
                self._keep_refused(key, shown.note)
            raise
        if known != memory or (checkpoint.closed and not self._knows_the_stop(key)):
            self._write(self._file(key, _KNOWN), _only(shown.note, key))
        return Note(shown.note.text, (self._signer.cosign(shown.note.text, at),))

    def newest(self, origin: str, key_id: str) -> Note | None:
        """Returns the newest checkpoint that is remembered of a journal, by its name and its key; None without one."""
        for key in self._journals:
            if (key.name, key.id.hex()) == (origin, key_id):
                return self._read(self._file(key, _KNOWN), key)
        raise WitnessError(UNKNOWN, f"no journal {origin} with the key {key_id} is witnessed here")

    def forks(self) -> list[WitnessError]:
        """Returns the journals of which two checkpoints of one size were shown; both are kept."""
        return [
            WitnessError(FORK, f"two different checkpoints of {key.name} were shown; the second is in {file}")
            for key in self._journals
            if (file := self._file(key, _REFUSED)).exists()
        ]

    def _key_of(self, note: Note, checkpoint: Checkpoint) -> Verifier:
        named = [key for key in self._journals if key.name == checkpoint.origin]
        if not named:
            raise WitnessError(UNKNOWN, f"no journal {checkpoint.origin} is witnessed here")
        for key in named:
            if signed_by(note, key):
                return key
        raise WitnessError(SIGNATURE, f"the checkpoint is not signed by the key that is known of {checkpoint.origin}")

    def _memory(self, key: Verifier) -> KnownTree:
        note = self._read(self._file(key, _KNOWN), key)
        if note is None:
            return KnownTree()
        checkpoint = Checkpoint.from_text(note.text)
        return KnownTree(checkpoint.size, checkpoint.root)

    def _knows_the_stop(self, key: Verifier) -> bool:
        """Tells whether what is remembered is a clean stop; showing its records again does not take that back."""
        note = self._read(self._file(key, _KNOWN), key)
        return note is not None and Checkpoint.from_text(note.text).closed

    def _read(self, file: Path, key: Verifier) -> Note | None:
        """Returns the note in a file; raises WitnessError when it is not what was written: nothing is guessed then."""
        try:
            with file.open("rb") as opened:
                note = Note.from_text(opened.read(LARGEST).decode())
            Checkpoint.from_text(note.text)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise WitnessError(MEMORY, f"{file}: {error.strerror or error}") from None
        except ValueError:
            raise WitnessError(MEMORY, f"{file} has no checkpoint") from None
        if not signed_by(note, key):
            raise WitnessError(MEMORY, f"{file} has a checkpoint that {key.name} did not sign")
        return note

    def _keep_refused(self, key: Verifier, note: Note) -> None:
        """Keeps the first checkpoint that contradicts what is known: two signatures of one key are the proof."""
        file = self._file(key, _REFUSED)
        if not file.exists():
            with suppress(WitnessError):  # it is refused all the same
                self._write(file, _only(note, key))

    def _write(self, file: Path, note: Note) -> None:
        fresh = file.with_name(f".{file.name}.new")
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            with fresh.open("wb") as opened:
                opened.write(note.to_text().encode())
                opened.flush()
                os.fsync(opened.fileno())
            fresh.replace(file)
            sync_directory(self._folder)
        except OSError as error:
            raise WitnessError(MEMORY, f"{file}: {error.strerror or error}") from None

    def _file(self, key: Verifier, suffix: str) -> Path:
        return self._folder / f"{quote(key.name, safe='')}-{key.id.hex()}{suffix}"


def _only(note: Note, key: Verifier) -> Note:
    """Returns the note with the lines of this key alone."""
    return Note(note.text, tuple(each for each in note.signatures if (each.name, each.id) == (key.name, key.id)))
