"""A journal that shows its checkpoints, as far as a witness sees of it: leaves, a name and a key."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.journal.checkpoints import Checkpoint, checkpoint_of, origin_of
from controller.journal.notes import Note
from controller.journal.proofs import consistency_proof
from controller.journal.signing import Signer
from controller.journal.tree import Frontier, leaf_hash
from controller.journal.witnessing import Submission

SIGNER = Signer(origin_of("T1"), Ed25519PrivateKey.from_private_bytes(bytes(32)))
KEY = SIGNER.verifier()
TRUE = [leaf_hash(b"record %d" % n) for n in range(1, 41)]
FORGED = [*TRUE[:7], *(leaf_hash(b"forged %d" % n) for n in range(8, 41))]  # the same up to record 7


def checkpoint(size: int, leaves: list[bytes] = TRUE) -> Checkpoint:
    return checkpoint_of("T1", Frontier().plus(leaves[:size]))


def submission(old: int, size: int, leaves: list[bytes] = TRUE, signer: Signer = SIGNER) -> Submission:
    text = checkpoint(size, leaves).to_text()
    proof = tuple(consistency_proof(leaves[:size], old))
    return Submission(old, proof, Note(text).plus(signer.sign(text)))
