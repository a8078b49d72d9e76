"""Pace: how long each part of a round took, and which took far too long without anybody saying why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from controller.guard.suspicions import Suspicion, Suspicions
from controller.table.pace import LONGEST, Phase

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


def find(times: PhaseTimes, longest: Mapping[Phase, int] = LONGEST) -> Suspicions:
    """Finds parts of a plain round that took longer than anything explains; `longest` in milliseconds."""
    for phase, most in longest.items():
        seconds, allowed = times.took.get(phase, 0) // 1000, most // 1000
        if times.plain and seconds > allowed:
            text = (
                f"{WORDS[phase]} took {seconds} seconds in round {times.round}; {allowed} is the most without a reason."
            )
            yield Suspicion("pace", f"{phase} {times.round}", text, LOOK, times.round)
