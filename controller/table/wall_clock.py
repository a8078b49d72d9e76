"""What the table knows of the computer's clock: which start of the computer it is, who confirms the time, and doubts.

The journal's facts alone decide it, so that a restart within one start of the computer knows exactly how long it was
away, whatever was done to the clock meanwhile.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from controller.rules import Rank, at_least, is_role, spoken_role
from controller.table.facts import SYNCHRONISED, UNKNOWN, ClockConfirmed, ClockReading, ClockStepped, Trust

CLOCK: Final = "clock"  # the device under whose name a clock that cannot be believed is on record
WRONG: Final = "clock.wrong"  # before this program was written
BEHIND: Final = "clock.behind"
AHEAD: Final = "clock.ahead"
DRIFT: Final = "clock.drift"
CONFIRMS: Final[Rank] = "supervisor"  # the lowest role that may
SECOND: Final = 1_000_000
DAY: Final = 24 * 60 * 60 * SECOND
MOST_BACK: Final = 60 * SECOND  # that a clock which nobody confirms may go back
MOST_AHEAD: Final = 7 * DAY  # and ahead
EARLIEST: Final = 1_767_225_600 * SECOND  # 2026-01-01: before this there was no feltd
FARTHEST: Final = 1 << 60


class WallClock(msgspec.Struct, frozen=True, omit_defaults=True):
    """The computer's clock as the newest facts have it."""

    boot: str = ""  # which start of the computer; "": not known
    boottime: int = 0  # microseconds since that start, by a clock that nobody sets, when ...
    at: int = 0  # ... this was the table's time
    trust: Trust = UNKNOWN
    error: int = -1  # microseconds by which it may be wrong at most, as the kernel says; -1: it does not
    battery: bool = False  # a clock runs on while the computer has no power
    source: str = ""  # who says so
    doubt: int = 0  # microseconds by which it has stepped since somebody confirmed it
    confirmed: str = ""  # the person who did, if it was one

    @property
    def is_confirmed(self) -> bool:
        """Whether a time server or a person stands for the time of day."""
        return self.trust == SYNCHRONISED or bool(self.confirmed)


NO_CLOCK: Final = WallClock()


class Doubt(msgspec.Struct, frozen=True):
    """Why the time of day cannot be believed."""

    code: str
    text: str


def read(kept: WallClock, now: int, reading: ClockReading) -> WallClock:
    """Returns what is known after the clock was read at this time of the table."""
    known = {name: getattr(reading, name) for name in reading.__struct_fields__}
    if reading.trust == SYNCHRONISED:
        return WallClock(at=now, **known)
    same = kept.boot == reading.boot
    return WallClock(at=now, doubt=kept.doubt, confirmed=kept.confirmed if same else "", **known)


def stepped(kept: WallClock, now: int, fact: ClockStepped) -> WallClock:
    """Returns what is known after a step at this time of the table: nobody has confirmed the new time yet."""
    doubt = max(-FARTHEST, min(FARTHEST, kept.doubt + fact.after - fact.before))
    if not fact.boottime:
        return replace(kept, doubt=doubt, confirmed="")
    return replace(kept, doubt=doubt, confirmed="", boottime=fact.boottime, at=now)


def confirmed(kept: WallClock, fact: ClockConfirmed) -> tuple[WallClock, str]:
    """Returns what is known after a person has looked at the clock, and why that is refused: "" when it is not."""
    if not (is_role(fact.role) and at_least(fact.role, CONFIRMS)):
        return kept, f"this needs the {spoken_role(CONFIRMS)}"
    if not fact.reason.strip():
        return kept, "say how you know that the time is right"
    return replace(kept, doubt=0, confirmed=fact.person), ""


def doubted(kept: WallClock, wall: int, millionths: int = 0) -> Doubt | None:
    """Returns why the time of day cannot be believed; None: it can, or nothing speaks against it.

    `wall`: what the clock says now; `millionths`: by how much it runs too fast for a minute now, or too slow.

    >>> doubted(WallClock(doubt=-120 * SECOND), EARLIEST)
    Doubt(code='clock.behind', text='the clock went back by 2 min, and no time server confirms that')
    """
    if millionths and not kept.confirmed:
        how = "fast" if millionths > 0 else "slow"
        return Doubt(DRIFT, f"the clock runs {how} by more than a time server ever lets it")
    if kept.is_confirmed:
        return None
    if wall < EARLIEST:
        return Doubt(WRONG, "the clock shows a time before this program was written")
    if kept.doubt < -MOST_BACK:
        return Doubt(BEHIND, f"the clock went back by {_long(-kept.doubt)}, and no time server confirms that")
    if kept.doubt > MOST_AHEAD:
        return Doubt(AHEAD, f"the clock went ahead by {_long(kept.doubt)}, and no time server confirms that")
    return None


def _long(microseconds: int) -> str:
    """Returns how long that is, roughly: it is on record exactly.

    >>> _long(8 * DAY), _long(5 * 3600 * SECOND), _long(61 * SECOND)
    ('8 days', '5 h', '1 min')
    """
    if microseconds >= 2 * DAY:
        return f"{microseconds // DAY} days"
    minutes = round(microseconds / (60 * SECOND))
    return f"{minutes // 60} h" if minutes >= 120 else f"{minutes} min"
