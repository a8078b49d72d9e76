"""What everybody sees while nothing can be recorded: no lamp is lit, no gate is open, and all are told why."""

from __future__ import annotations

from controller.journal.errors import JournalError
from controller.table.requests import Gate

SIGN = ("out of service", "please wait for the staff")
TEXT = "nothing can be recorded"


LINE = f"{TEXT}: stop, leave cards and chips as they lie, call the technician"  # what the dealer reads


def shut(why: JournalError) -> Gate:
    """Returns a gate that is shut for this reason."""
    return Gate(False, "", f"{TEXT}: {why.cause}")
