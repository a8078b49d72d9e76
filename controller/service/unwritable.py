"""What everybody sees while nothing can be recorded: no lamp is lit, no gate is open, and all are told why."""

from __future__ import annotations

from typing import Final

from controller.errors import FeltError
from controller.journal.errors import JournalError
from controller.table.requests import Gate

SIGN = ("out of service", "please wait for the staff")
TEXT = "nothing can be recorded"


UNWRITABLE: Final = "Out of service: nothing can be recorded."
DEFECT: Final = "Out of service: the table could not follow what happened."

LINE = f"{TEXT}: stop, leave cards and chips as they lie, call the technician"  # what the dealer reads


def shut(why: JournalError) -> Gate:
    """Returns a gate that is shut for this reason."""
    return Gate(False, "", f"{TEXT}: {why.cause}")


def out_of_service(storage: JournalError | None, defect: FeltError | None) -> str:
    """Returns why nothing can be recorded, or followed, in words for everybody; "" while all is well."""
    return UNWRITABLE if storage is not None else DEFECT if defect is not None else ""
