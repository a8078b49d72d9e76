"""Whether the ledger of a prize meter adds up: all movements applied once more, or the newest looked at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from controller.jackpot.ledger import (
    CONTRIBUTION,
    OUTCOME,
    REVERSAL,
    UNDO,
    LedgerError,
    Meter,
    Movement,
    Posting,
    apply,
    began_anew,
    opened,
)
from controller.jackpot.rules import Terms

MOST_NAMED = 20  # problems of one meter


class Standing:
    """The contributions and outcomes that still stand, by table, round and wager: those that could be taken back."""

    def __init__(self) -> None:
        self._posted: dict[tuple[str, int, str, str], Posting] = {}
        self._resets: dict[tuple[str, int, str, str], int] = {}  # outcomes that emptied the meter -> seq

    def earlier(self, table: str, m: Movement) -> Posting | None:
        """Returns the contribution or outcome that still stands of this movement's round and wager, or None."""
        return self._posted.get(_name(table, m))

    def reset_since(self, earlier: Posting | None) -> bool:
        """Tells whether a prize that still stands has emptied the meter since this posting."""
        return earlier is not None and any(seq > earlier.seq for seq in self._resets.values())

    def post(self, posting: Posting, meter: Meter) -> None:
        """Takes in the next posting of this meter: it stands from now on, or takes an earlier one back."""
        name, kind = _name(posting.table, posting.movement), posting.movement.kind
        if posting.repeat:
            return
        if kind in (CONTRIBUTION, OUTCOME):
            self._posted[name] = posting
        elif kind in (REVERSAL, UNDO):
            self._posted.pop(name, None)
            self._resets.pop(name, None)
        if began_anew(meter, posting):
            self._resets[name] = posting.seq


def _name(table: str, m: Movement) -> tuple[str, int, str, str]:
    return table, m.round, m.wager, OUTCOME if m.kind in (OUTCOME, UNDO) else CONTRIBUTION


class Audit:
    """Applies every movement of a meter once more, from the first."""

    def __init__(self, meter: Meter, first: Terms) -> None:
        self.meter, self.last = meter, dict[str, int]()  # by table
        self._problems: list[str] = []
        self._again, self._standing = opened(meter.group, first, meter.ceiling, meter.spare), Standing()
        if wrong := meter.wrong():
            self.say(wrong)
        if self._again.startup != meter.startup:
            self.say(f"it started with {meter.startup}, and its first terms say {self._again.startup}")

    def say(self, problem: str) -> None:
        """Adds a problem to the list. Of a meter that is all wrong the first MOST_NAMED are enough."""
        if len(self._problems) < MOST_NAMED:
            self._problems.append(problem)

    def post(self, posting: Posting) -> None:
        """Compares the next line of the ledger with what its movement does when it is applied once more."""
        m, table, where = posting.movement, posting.table, f"movement {posting.seq}"
        before, expected = self._again.recorded, None
        if posting.seq != before + 1:
            self.say(f"movement {before + 1} is missing")
        if table and m.number != self.last.get(table, 0) + 1:
            self.say(f"{where}: table {table} told {m.number} after {self.last.get(table, 0)}")
        self.last[table] = m.number
        earlier = self._standing.earlier(table, m)
        try:
            reset = self._standing.reset_since(earlier)
            self._again, expected = apply(self._again, table, m, posting.when, earlier, posting.note, reset)
        except LedgerError as bad:
            self.say(f"{where}: {bad}")
        else:
            self._standing.post(expected, self._again)
            if expected != posting and posting.seq == before + 1:
                self.say(f"{where}: {_difference(posting, expected)}")
        if expected != posting:  # go on from what is kept, so that one wrong line is named once
            self._again = replace(self._again, value=posting.after, recorded=posting.seq)

    def done(self) -> list[str]:
        """Returns, after the last line, everything that does not fit, in words."""
        if self._again.recorded < self.meter.recorded:
            self.say(f"the movements after {self._again.recorded} are missing, up to {self.meter.recorded}")
        if self._again != self.meter:
            self.say(_difference(self.meter, self._again))
        return self._problems


def unlinked(meter: Meter, newest: Sequence[Posting]) -> list[str]:
    """Returns what does not fit between the newest lines and what the meter holds, in words.

    Quick, not a whole audit.
    """
    problems = [wrong] if (wrong := meter.wrong()) else []
    for one, two in pairwise(newest):
        if two.seq != one.seq + 1:
            problems.append(f"movement {one.seq + 1} is missing")
        elif two.after != one.after + two.moved:
            problems.append(f"movement {two.seq}: after is {two.after}, and should be {one.after + two.moved}")
    seq, value = (newest[-1].seq, newest[-1].after) if newest else (0, meter.startup)
    if seq != meter.recorded:
        problems.append(f"the movements after {seq} are missing, up to {meter.recorded}")
    elif value != meter.value:
        problems.append(f"the meter holds {meter.value}, and its last movement left {value}")
    return problems[:MOST_NAMED]


def _difference(kept: msgspec.Struct, expected: msgspec.Struct) -> str:
    names = [f for f in kept.__struct_fields__ if getattr(kept, f) != getattr(expected, f)]
    return "; ".join(f"{f} is {getattr(kept, f)}, and should be {getattr(expected, f)}" for f in names)
