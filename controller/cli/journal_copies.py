"""The copy of a journal whose daemon is stopped: compared with the journal, and used to repair it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from controller.api.shapes import Verified
from controller.counts import many
from controller.errors import FeltError

if TYPE_CHECKING:
    from controller.journal.repair import Repaired


def noted(file: Path, copy: Path, report: Verified) -> Verified:
    """Returns the report of a sound journal with what its copy is; raises FeltError when that is no copy of it."""
    from controller.journal import Journal, JournalError, verify
    from controller.journal.copying import UNUSABLE, check_same_course

    try:
        checked = verify(copy)
        if not checked.ok:
            raise FeltError(UNUSABLE, f"{copy}: {checked.cause}")
        with closing(Journal.inspect(file)) as journal, closing(Journal.inspect(copy)) as second:
            check_same_course(journal, second, copy)
            note = f"{copy} has {second.head.seq} of {many(journal.head.seq, 'record')}, the same"
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
    report["notes"] = [*report["notes"], note]
    return report


def repaired(file: Path, copy: Path, archives: Path | None) -> Repaired:
    """Repairs a journal with its copy; raises FeltError when it cannot."""
    from controller.journal import JournalError
    from controller.journal.repair import repair
    from controller.journal.shelf import Shelf

    try:
        return repair(file, copy, None if archives is None else Shelf(archives))
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
