"""How checks and proofs of a journal are asked for and written: by the daemon and by `felt` on a file the same."""

from __future__ import annotations

from datetime import UTC, datetime

from controller.api.shapes import ProofShown, RecordsShown, Verified, WitnessShown
from controller.errors import FeltError
from controller.journal.checkpoints import Checkpoint
from controller.journal.notes import Note, Verifier
from controller.journal.store import Journal
from controller.journal.verify import Report
from controller.journal.verify_tree import Evidence
from controller.service.checkpoint_publisher import WitnessStanding
from controller.service.inspection import BLOCK, prove, shown_records


def report_json(report: Report) -> Verified:
    """Returns a report as plain data; the anchor is the last sound record."""
    return {
        "ok": report.ok,
        "checked": report.checked,
        "anchor": report.head.to_text(),
        "first_bad": report.first_bad,
        "code": report.code,
        "cause": report.cause,
        "next_step": report.next_step,
        "notes": list(report.notes),
    }


def evidence_of(checkpoint: str | None, key: str | None) -> Evidence:
    """Returns what somebody kept elsewhere, from its texts; raises FeltError when they are no such thing."""
    note = verifier = None
    try:
        if checkpoint is not None:
            note = Note.from_text(checkpoint)
            Checkpoint.from_text(note.text)
    except ValueError as error:
        raise FeltError("checkpoint.invalid", str(error)) from None
    try:
        if key is not None:
            verifier = Verifier.from_text(key)
    except ValueError as error:
        raise FeltError("checkpoint.key", str(error)) from None
    return Evidence(note, verifier)


def newest_notes(journal: Journal, count: int) -> list[str]:
    """Returns the newest checkpoints that a journal keeps, the oldest of them first."""
    return [kept.note for _, kept in journal.checkpoints() if kept is not None][-count:]


def witness_json(standing: WitnessStanding) -> WitnessShown:
    """Returns how a witness stands to the journal as plain data."""
    at, error = standing.at, standing.error
    return {
        "name": standing.witness.name,
        "size": standing.size,
        "at": datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds") if at else None,
        "error": None if error is None else {"code": error.code, "cause": error.cause, "next_step": error.next_step},
    }


def proof_json(journal: Journal, seq: int) -> ProofShown:
    """Returns the proof of a record as plain data, up to the newest checkpoint that covers it.

    Raises FeltError when there is none to give.
    """
    kept = next((each for _, each in reversed(journal.checkpoints()) if each is not None and each.seq >= seq), None)
    proof = prove(journal, seq, journal.head.seq if kept is None else kept.seq)
    return {
        "seq": seq,
        "leaf": proof.leaf.hex(),
        "size": proof.size,
        "root": proof.root.hex(),
        "path": [each.hex() for each in proof.path],
        "checkpoint": "" if kept is None else kept.note,
    }


def records_json(journal: Journal, after: int) -> RecordsShown:
    """Returns records for an inspector as plain data, from the block on in which `after` ends.

    0: from the first one that no archive has.
    """
    base = journal.base
    page = shown_records(journal, after // BLOCK * BLOCK or base.seq)
    shown: RecordsShown = {
        "table": journal.table,
        "head": journal.head.seq,
        "records": page.records,
        "next": page.after,
    }
    if base.seq and not after:
        shown["begin"] = {
            "after": base.seq,
            "chain": base.hash.hex(),
            "tree": [each.hex() for each in base.frontier],
            "archives": [named.archive.file for named in journal.archives],
        }
    return shown
