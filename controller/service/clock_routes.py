"""What can be asked about the computer's clock: to confirm it."""

from __future__ import annotations

from typing import Annotated, Final, TypedDict

import msgspec

from controller.service.routes import Route

LONGEST_REASON: Final = 400


class ClockWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to confirm the clock."""

    # how the person knows; the door itself looks at its length, so that who is refused hears why
    reason: Annotated[str, msgspec.Meta(extra_json_schema={"minLength": 1, "maxLength": LONGEST_REASON})]


class ClockAnswered(TypedDict):
    """The clock that somebody has confirmed."""

    person: str
    seq: int  # the fact that says so


CONFIRM_CLOCK: Final = Route(
    "POST",
    "/clock/confirm",
    "Says that the computer's clock is right, and how you know; that is on record.",
    ClockAnswered,
    takes=ClockWish,
    who="a supervisor or somebody above, who is signed in",
    refuses=(401, 404, 409),
)
