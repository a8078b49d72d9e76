"""What is told of the float of a table, as typed data that can be sent and read; it takes nothing to load."""

from __future__ import annotations

from typing import Literal, TypeAlias

from controller.views.record import Moment, Plain, Who

CommissionTo: TypeAlias = Literal["box", "float"]  # 000 7.2.1(b) and (c): a table of its own adds it to the float


class FloatEntry(Plain, frozen=True, omit_defaults=False):
    """One thing that was done to a float, as it is on record."""

    at: Moment
    deed: str
    amount: str
    about: int = 0
    slip: str = ""
    note: str = ""
    by: Who = Who()
    witness: Who = Who()


class Named(Plain, frozen=True, omit_defaults=False):
    """A difference, and what it is."""

    what: str
    amount: str


class FloatShift(Plain, frozen=True, kw_only=True, omit_defaults=False):
    """The float from its opening to its closing, in dollars; what is not counted yet is null."""

    opened: Moment
    closed: Moment | None
    opening: str
    closing: str | None
    fills: str
    credits: str
    buy_ins: str
    markers: str
    vouchers: str = "0.00"  # chips that were given for them
    noted: str  # what should be in the drop box, by what was noted at the table
    drop: str | None  # what was counted in it
    win: str | None  # what the count room counts; null while the float is not closed
    hold: float | None  # percent of the drop
    rounds: int
    rounds_win: str  # what the rounds come to
    prizes_won: str  # of the meter, in these rounds
    prizes_paid: str  # of them out of the float
    promotions_awarded: str = "0.00"  # prizes of promotions; the cashier gives them
    promotions_paid: str = "0.00"  # of them out of the float
    difference: str | None  # of win and rounds, with prizes that came out of the float put back
    named: tuple[Named, ...]
    notes: tuple[str, ...]
    entries: tuple[FloatEntry, ...]


class FloatReport(Plain, frozen=True, omit_defaults=False):
    """All shifts of a float that were asked for, and the rounds that belong to none."""

    shifts: tuple[FloatShift, ...]
    alone: int  # rounds
    alone_win: str
    alone_vouchers: str = "0.00"  # chips that were given while no float was counted
