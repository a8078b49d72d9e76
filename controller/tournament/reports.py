"""What a table tells the record of its tournament: numbered, and kept until the record has it."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from controller.tournament.bets import BetSizes


class BeganReport(msgspec.Struct, frozen=True, omit_defaults=True, tag="began"):
    """A round has begun."""

    number: int  # of this report
    round: int
    bets: BetSizes | None = None  # of a fixed or spread game


class EndedReport(msgspec.Struct, frozen=True, omit_defaults=True, tag="ended"):
    """A round is over, or what it came to was corrected.  Amounts are cents, people stand by name."""

    number: int  # of this report
    round: int
    nets: dict[str, int] = {}  # by how much each bank changes
    used: dict[str, tuple[str, ...]] = {}  # which rights each has used
    practice: bool = False
    rounds: int = 1  # by how many the rounds of the session change: none by a misdeal, one back when it is void now
    corrects: bool = False


AnyReport: TypeAlias = BeganReport | EndedReport
