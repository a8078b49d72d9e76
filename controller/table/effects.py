"""What a step tells the outside: people, meters and the record of a round."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from controller.rules import Outcome, Rule
from controller.table.state import Dispute, Line, Prompt, Ruled


class Effect(msgspec.Struct, frozen=True, tag_field="effect"):
    """Something that a step tells the outside.

    Sending it again is harmless: what cannot be undone is named by round and settlement.
    """


class Refused(Effect, frozen=True, tag="refused"):
    """A wish was not granted; nothing has changed."""

    rule: str
    why: str


class Prompted(Effect, frozen=True, tag="prompt"):
    """Somebody is told something."""

    prompt: Prompt


class RulingMade(Effect, frozen=True, tag="ruling"):
    """A ruling was made on an irregularity."""

    round: int
    ruled: Ruled


class RoundOpened(Effect, frozen=True, tag="opened"):
    """A round has begun."""

    round: int


class LinesSettled(Effect, frozen=True, tag="settled"):
    """Money moves now: each line is named by round, settlement and wager."""

    round: int
    settlement: int
    lines: tuple[Line, ...]


class RoundEnded(Effect, frozen=True, tag="ended"):
    """A round is over."""

    round: int
    outcome: Outcome
    rule: Rule


class DisputeIs(Effect, frozen=True, tag="dispute"):
    """A dispute was noted, or decided: it belongs to the record of its round."""

    dispute: Dispute


class Defective(Effect, frozen=True, tag="defect"):
    """The table's own code failed over a fact of this kind: the technician has to know."""

    fact: str
    what: str  # kind and place of the error


class HouseChoice(Effect, frozen=True, tag="house"):
    """A choice for the whole floor was made here."""

    option: str
    value: str


class SystemClosed(Effect, frozen=True, tag="system-closed"):
    """The prize meter system of several tables was closed here."""

    group: str


class MeterChanged(Effect, frozen=True, tag="meter"):
    """The prize meter holds this now, in ten-thousandths of a dollar."""

    value: int
    resets: int = 0  # how often it has begun anew


class MeterMoved(Effect, frozen=True, tag="moved"):
    """A prize meter system that was closed hands this on to another one."""

    to: str
    value: int


AnyEffect: TypeAlias = Effect  # games have effects of their own besides
