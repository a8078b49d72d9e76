"""The request for a correction, and its declaration."""

from __future__ import annotations

from typing import Final

import msgspec

from controller.api.routes import SUPERVISORS
from controller.api.shapes import Corrected
from controller.service.routes import Route
from controller.table.facts import AnyFact


class Correction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request for a correction: `to` takes the place of fact `seq`; null strikes it out.

    `by` is who answers for it.
    """

    seq: int
    to: AnyFact | None
    by: str
    preview: bool = False


CORRECT: Final = Route(
    "POST",
    "/correct",
    "Replaces an earlier fact of the running round, or shows what that would change.",
    Corrected,
    takes=Correction,
    who=SUPERVISORS,
    refuses=(401, 409, 422),
)
