"""A prize meter as a ledger: what tables and people record in it, what each record does, and whether it all adds up.

Pure.  Both stores apply movements with these functions, and an audit applies them once more from the first.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from controller.errors import Coded
from controller.jackpot.rules import CENT, METER_HANDS, Award, Jurisdiction, Terms, given_back, resets, settle, surplus

CONTRIBUTION = "contribution"  # a Jackpot wager was registered
REVERSAL = "reversal"  # that wager was cancelled or returned: what it added leaves the meter
OUTCOME = "outcome"  # royal and straight flushes of a round, to be settled
UNDO = "undo"  # the outcome of a round is invalid
REFILL = "refill"  # 003 9.3: the house fills the meter up to its seed
OF_TABLES = (CONTRIBUTION, REVERSAL, OUTCOME, UNDO, REFILL)
ADJUSTMENT = "adjustment"  # a correction by two people
TRANSFER = "transfer"  # from or to another meter
CLOSING = "closing"  # the end of this meter; what it holds in reserve becomes part of what it hands on
TERMS = "terms"  # another option, reset or cost is in force
MOST_FLUSHES = 7  # 002 Table 7: as many as a table has areas


class LedgerError(Coded, ValueError):
    """The error of a movement that no sound table or person would send, with a stable code."""


class Movement(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing a table reports to its prize meter. Its number names it, so a repeat does no harm."""

    number: int  # counts up from 1 at each table of a meter, without gaps
    round: int  # a reversal names the round of the contribution that it takes back; an undo that of the outcome
    kind: str
    wager: str = ""  # the place of the wager; "" for what concerns the round
    ticks: int = 0
    flushes: tuple[tuple[str, str], ...] = ()  # of an outcome: place, name of the Category


class Meter(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a prize meter keeps; money in ten-thousandths of a dollar."""

    group: str
    terms: Terms
    value: int
    startup: int  # what it held at its very start
    ceiling: int | None = None  # what would lift it higher goes to the reserve
    spare: int = 0  # the reserve at its very start
    reserve: int = 0
    cap: int = 0  # the largest increment that any of its terms had: more from one wager is a fault
    wagers: int = 0  # registered and not taken back
    contributions: int = 0
    reversals: int = 0
    overflow: int = 0  # what went to the reserve
    hits: int = 0
    wins: int = 0  # all that royal and straight flushes were paid
    house: int = 0  # what the house put in: rounding, further reset values, the seed after a hit
    adjustments: int = 0
    transfers: int = 0
    recorded: int = 0  # movements; also the number of the last
    closed: bool = False

    @property
    def kind(self) -> Jurisdiction:
        """The document its rules come from."""
        return self.terms.kind

    @property
    def seed(self) -> int:
        """What the meter is reset to."""
        return self.terms.seed

    @property
    def expected(self) -> int:
        """What the meter must hold by its other counts: the meter equation."""
        came = self.startup + self.contributions - self.reversals - self.overflow
        return came - self.wins + self.house + self.adjustments + self.transfers

    def wrong(self) -> str:
        """Returns why these counts cannot all be true; "" when they can."""
        if self.value != self.expected:
            return f"the meter holds {self.value}, and its movements come to {self.expected}"
        if self.reserve != self.spare + self.overflow:
            return f"the reserve holds {self.reserve}, and its movements come to {self.spare + self.overflow}"
        if self.reserve < 0 or self.wagers < 0 or self.hits < 0:
            return "a count is below zero"
        return ""


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of a movement that people made."""

    reason: str
    by: tuple[str, str]
    other: str = ""  # the meter at the other end of a transfer
    terms: Terms | None = None  # from now on


class Posting(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the ledger: a movement, and what it did."""

    seq: int  # of all movements of the meter, without gaps: the order in which they were recorded
    table: str  # "" when people did it
    movement: Movement
    when: int  # microseconds since 1970
    after: int  # what the meter held then
    moved: int = 0
    overflow: int = 0
    award: Award | None = None
    repeat: bool = False  # said under another number before: it did nothing
    note: Note | None = None


class Hit(msgspec.Struct, frozen=True):
    """A prize of the meter."""

    when: int
    table: str
    round: int
    place: str
    hand: str
    cents: int
    before: int
    after: int
    rule: str
    undone: bool = False


def opened(group: str, terms: Terms, ceiling: int | None = None, spare: int = 0) -> Meter:
    """Returns a new meter, which holds its seed."""
    seed, cap = terms.seed, terms.increment
    return Meter(
        group=group, terms=terms, value=seed, startup=seed, ceiling=ceiling, spare=spare, reserve=spare, cap=cap
    )


def apply(
    meter: Meter,
    table: str,
    movement: Movement,
    when: int = 0,
    earlier: Posting | None = None,
    note: Note | None = None,
    reset: bool = False,
) -> tuple[Meter, Posting]:
    """Returns the meter after a movement, and the posting to be written.

    `earlier` is what still stands of the same table, round and wager: the contribution (for a contribution or a
    reversal) or the outcome (for an undo).  A contribution that already stands, and a reversal of nothing, do nothing.
    `reset` says that a prize which still stands has emptied the meter since `earlier`.
    """
    meter, moved, overflow, award = _effect(meter, movement, earlier, note, reset)
    repeat = _repeats(movement.kind, earlier)
    meter = replace(meter, value=meter.value + moved, recorded=meter.recorded + 1)
    return meter, Posting(meter.recorded, table, movement, when, meter.value, moved, overflow, award, repeat, note)


def _repeats(kind: str, earlier: Posting | None) -> bool:
    return (kind == CONTRIBUTION and earlier is not None) or (kind in (REVERSAL, UNDO) and earlier is None)


_Effect = tuple[Meter, int, int, Award | None]  # the other meters; what the value, what the reserve gets; prizes


def _effect(meter: Meter, m: Movement, earlier: Posting | None, note: Note | None, reset: bool) -> _Effect:
    match m.kind:
        case "contribution":
            return _contribution(meter, m, earlier)
        case "reversal":
            return _reversal(meter, earlier, reset)
        case "outcome":
            return _outcome(meter, m, earlier)
        case "undo":
            return _undo(meter, earlier)
        case "refill":
            ticks = max(0, meter.seed - meter.value)
            return replace(meter, house=meter.house + ticks), ticks, 0, None
        case "adjustment":
            return _adjustment(meter, m)
        case "transfer":
            return replace(meter, transfers=meter.transfers + m.ticks), m.ticks, 0, None
        case "closing":
            back = meter.reserve
            return replace(meter, overflow=meter.overflow - back, reserve=0, closed=True), back, -back, None
        case "terms":
            terms = note.terms if note is not None and note.terms is not None else meter.terms
            return replace(meter, terms=terms, cap=max(meter.cap, terms.increment)), 0, 0, None
    raise LedgerError("jackpot.refused", f"there is no movement {m.kind!r}")


def _adjustment(meter: Meter, m: Movement) -> _Effect:
    least = meter.seed if meter.kind == "vic" and m.ticks < 0 else 0
    if meter.value + m.ticks < least:
        why = "no Victorian meter holds less than its seed (003 9.3)" if least else "a meter holds no debt"
        raise LedgerError("jackpot.refused", why)
    return replace(meter, adjustments=meter.adjustments + m.ticks), m.ticks, 0, None


def _contribution(meter: Meter, m: Movement, earlier: Posting | None) -> _Effect:
    # A closed meter takes it too: the wager was registered before its table heard of the closing.
    if not 0 < m.ticks <= meter.cap:
        raise LedgerError("jackpot.excess", f"an increment of {m.ticks}; this meter rises by {meter.cap} at most")
    if earlier is not None:
        return meter, 0, 0, None
    room = m.ticks if meter.ceiling is None else max(0, meter.ceiling - meter.value)
    over = max(0, m.ticks - room)
    meter = replace(
        meter,
        wagers=meter.wagers + 1,
        contributions=meter.contributions + m.ticks,
        overflow=meter.overflow + over,
        reserve=meter.reserve + over,
    )
    return meter, m.ticks - over, over, None


def _reversal(meter: Meter, earlier: Posting | None, reset: bool) -> _Effect:
    """Takes a contribution out of the meter again (003 9.3.2, 002 12.4).

    What was in the meter before a reset left with the prize; the house bears what stays.
    """
    if earlier is None:
        return meter, 0, 0, None
    over = min(earlier.overflow, meter.reserve)  # a meter that was closed has handed on its reserve
    added = earlier.movement.ticks - over
    taken = 0 if reset else given_back(meter.terms, meter.value, added)
    meter = replace(
        meter,
        wagers=meter.wagers - 1,
        reversals=meter.reversals + earlier.movement.ticks,
        overflow=meter.overflow - over,
        reserve=meter.reserve - over,
        house=meter.house + added - taken,
    )
    return meter, -taken, -over, None


def _outcome(meter: Meter, m: Movement, earlier: Posting | None) -> _Effect:
    names = {hand.name: hand for hand in METER_HANDS}
    if not 0 < len(m.flushes) <= MOST_FLUSHES or any(hand not in names for _, hand in m.flushes):
        raise LedgerError("jackpot.refused", "an outcome is of one to seven royal or straight flushes")
    if earlier is not None:
        raise LedgerError("jackpot.refused", f"the outcome of round {m.round} is recorded already")
    award = settle(meter.terms, meter.value, [(place, names[hand]) for place, hand in m.flushes])
    meter = _counted(meter, award, 1)
    return meter, award.after - award.at, 0, award


def _undo(meter: Meter, earlier: Posting | None) -> _Effect:
    award = None if earlier is None else earlier.award
    if award is None:
        return meter, 0, 0, None
    return _counted(meter, award, -1), award.at - award.after, 0, None


def _counted(meter: Meter, award: Award, sign: int) -> Meter:
    """Returns the meter with the hits and wins of an award, and what the house puts in for them, added or taken back.

    The house puts in what is missing so that the meter can pay them and stands where it does afterwards.
    """
    paid = sum(prize.cents for prize in award.prizes) * CENT
    return replace(
        meter,
        hits=meter.hits + sign * len(award.prizes),
        wins=meter.wins + sign * paid,
        house=meter.house + sign * (paid + award.after - award.at),
    )


def began_anew(meter: Meter, posting: Posting) -> bool:
    """Tells whether the prizes of an outcome emptied the meter."""
    return posting.award is not None and resets(meter.kind, posting.award)


def by_people(meter: Meter, kind: str, ticks: int = 0) -> Movement:
    """Returns a movement made by people, not by a table."""
    return Movement(meter.recorded + 1, 0, kind, ticks=ticks)


def handed_on(meter: Meter) -> int:
    """Returns what other meters must get when this one is closed."""
    return surplus(meter.terms, meter.value) + meter.reserve


def hits_of(posting: Posting, undone: bool = False) -> list[Hit]:
    """Returns the prizes of an outcome, as hits."""
    award, m = posting.award, posting.movement
    if award is None:
        return []
    return [
        Hit(posting.when, posting.table, m.round, p.place, p.hand, p.cents, award.at, award.after, p.rule, undone)
        for p in award.prizes
    ]
