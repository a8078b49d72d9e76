"""What a report of added rounds looks like, as typed data that can be sent and read; it takes nothing to load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from controller.views.record import Plain

By: TypeAlias = Literal["shift", "day", "dealer", "game", "wager", "spot", "round"]
BYS: Final[tuple[By, ...]] = get_args(By)


class WithoutTheory(Plain, frozen=True, omit_defaults=False):
    """Wagers whose theoretical win is not known, and why."""

    game: str
    wager: str
    why: str
    wagers: int
    handle: str


class Part(Plain, frozen=True, kw_only=True, omit_defaults=False):
    """Some of the rounds, added up.  Money is dollars in text; `exact`: the theoretical win as a fraction."""

    name: str
    rounds: int
    settled: int
    wagers: int
    staked: str  # also what was given back
    handle: str  # of wagers that were decided
    win: str  # the house's; prizes are the meter's
    hold: float | None  # percent of the handle
    theoretical: str  # of those wagers whose edge is known
    exact: str
    known_handle: str  # of these wagers, with those that follow from them
    known_win: str  # what the house has won of them, less the prizes of Jackpot wagers, which theory counts
    commission: str  # in `win` too
    prizes: str
    prizes_won: int
    played: float  # hours
    pace: float | None  # rounds an hour
    irregular: int  # rounds that were not plain
    rulings: int
    corrections: int
    faults: int  # of devices that failed in rounds, or before one that they lasted in
    device_faults: int = 0  # as devices told them, also between rounds; of parts that a time, dealer or game names
    alerts: int = 0  # of game protection, likewise
    chip_vouchers: str = "0.00"  # chips that were given for vouchers, likewise; in no win
    token_vouchers: str = "0.00"  # promotional tokens that were given for vouchers, likewise; they are no money
    promotion_prizes: str = "0.00"  # of promotions, likewise; the cashier gives them, and they are in no win
    unknown: tuple[WithoutTheory, ...] = ()


class StatedEdge(Plain, frozen=True, omit_defaults=False):
    """An edge by which theoretical win is counted: exact, and what it takes in."""

    game: str
    wager: str
    options: Mapping[str, str]  # those that change it
    exact: str
    percent: str
    covers: str


class Numbers(Plain, frozen=True, omit_defaults=False):
    """A whole report: the parts, and all of them together."""

    by: By
    total: Part
    parts: tuple[Part, ...]
    edges: tuple[StatedEdge, ...] = ()
