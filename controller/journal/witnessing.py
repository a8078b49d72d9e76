"""What a witness of journals is asked and how it decides, in the open form of C2SP (tlog-witness).

A witness remembers the newest checkpoint that it was shown of each journal, and takes a later one only with the proof
that nothing before it was changed.  Nothing here reads or writes a file.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

import msgspec

from controller.errors import FeltError
from controller.journal.checkpoints import Checkpoint
from controller.journal.notes import COSIGNED, Note, Verifier
from controller.journal.proofs import consistent
from controller.journal.tree import EMPTY_ROOT, HASH_BYTES

WITNESS: Final = "feltd.witness/"  # what the name of a table's key as a witness begins with
ROLLBACK, FORK = "witness.rollback", "witness.fork"
MOST_HASHES: Final = 63  # of a proof
_OLD: Final = re.compile(r"old (0|[1-9][0-9]{0,18})")


class WitnessError(FeltError):
    """A checkpoint that a witness does not take; `known` is how far its memory of the journal reaches."""

    def __init__(self, code: str, cause: str, known: int = 0) -> None:
        super().__init__(code, cause)
        self.known = known


class Submission(msgspec.Struct, frozen=True):
    """What somebody shows a witness: a checkpoint, and the proof that it only adds to the one of size `old`."""

    old: int
    proof: tuple[bytes, ...]
    note: Note

    def to_text(self) -> str:
        """Returns the body of the request."""
        hashes = "".join(f"{b64encode(each).decode()}\n" for each in self.proof)
        return f"old {self.old}\n{hashes}\n{self.note.to_text()}"

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint; raises ValueError when the note is none."""
        return Checkpoint.from_text(self.note.text)

    @classmethod
    def from_text(cls, text: str) -> Submission:
        """Returns what a body says; raises ValueError when it says no such thing."""
        head, gap, note = text.partition("\n\n")
        first, *encoded = head.split("\n")
        match = _OLD.fullmatch(first)
        if match is None or not gap or len(encoded) > MOST_HASHES:
            raise ValueError("this is no request to a witness")
        proof = tuple(b64decode(each, validate=True) for each in encoded)
        if any(len(each) != HASH_BYTES for each in proof):
            raise ValueError("a hash of the proof has another length")
        shown = cls(int(match[1]), proof, Note.from_text(note))
        if shown.old > shown.checkpoint.size:
            raise ValueError("the proof begins behind the checkpoint")
        return shown


class KnownTree(msgspec.Struct, frozen=True):
    """How far a witness knows a journal; nothing of it at first."""

    size: int = 0
    root: bytes = EMPTY_ROOT


def judge(memory: KnownTree, old: int, proof: Sequence[bytes], checkpoint: Checkpoint) -> KnownTree:
    """Returns what the witness knows from now on; raises WitnessError when the checkpoint does not follow."""
    size = checkpoint.size
    if size < memory.size:
        cause = f"the checkpoint has {size} records, and {memory.size} were shown before"
        raise WitnessError(ROLLBACK, cause, memory.size)
    if size == memory.size and checkpoint.root != memory.root:
        cause = f"two checkpoints of {size} records have different roots"
        raise WitnessError(FORK, cause, memory.size)
    if old != memory.size:
        cause = f"the proof begins at {old} records, and {memory.size} are known"
        raise WitnessError("witness.stale", cause, memory.size)
    if not consistent(old, memory.root, size, checkpoint.root, proof):
        cause = f"the proof does not lead from the {old} records that are known to the {size} of the checkpoint"
        raise WitnessError(FORK, cause, memory.size)
    return KnownTree(size, checkpoint.root)


def witness_name(table: str) -> str:
    """Returns the name of a table's key as a witness.

    >>> witness_name("T2")
    'feltd.witness/T2'
    """
    return WITNESS + quote(table, safe="")


def journal_key(text: str) -> Verifier:
    """Returns the verifier key of a journal; raises ValueError when the line is of something else."""
    verifier = Verifier.from_text(text)
    if verifier.type == COSIGNED:
        raise ValueError("this is the key of a witness, not of a journal")
    return verifier


def cosigner_key(text: str) -> Verifier:
    """Returns the verifier key of a witness; raises ValueError when the line is of something else."""
    verifier = Verifier.from_text(text)
    if verifier.type != COSIGNED:
        raise ValueError("this is the key of a journal, not of a witness")
    return verifier
