"""Pace: how long each part of a round took, and which took far too long without anybody saying why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from controller.guard.suspicions import Suspicion, Suspicions

Phase: TypeAlias = Literal["betting", "dealing", "decisions", "settlement"]
LONGEST: Final[Mapping[Phase, int]] = {"dealing": 300, "decisions": 900, "settlement": 300}  # seconds; bets take theirs
WORDS: Final[Mapping[Phase, str]] = {
    "betting": "Betting",
    "dealing": "Dealing",
    "decisions": "Deciding",
    "settlement": "Settling",
}
LOOK: Final = "Look at the recording of this round: nothing was held, ruled or corrected in it."


class PhaseTimes(msgspec.Struct, frozen=True):
    """The milliseconds of each part of a round."""

    round: int
    took: dict[Phase, int]
    plain: bool = True  # nothing was held, ruled, corrected or out of order in it


def find(times: PhaseTimes) -> Suspicions:
    """Finds parts of a plain round that took longer than anything explains."""
    for phase, most in LONGEST.items():
        seconds = times.took.get(phase, 0) // 1000
        if times.plain and seconds > most:
            text = f"{WORDS[phase]} took {seconds} seconds in round {times.round}; {most} is the most without a reason."
            yield Suspicion("pace", f"{phase} {times.round}", text, LOOK, times.round)
