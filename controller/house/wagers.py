"""What a wager counts for, and the lines that end it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.house.layout import Layout, Stake
from controller.money import Odds, up_to_chip
from controller.rules import Unsettled
from controller.table.limits import limit_now
from controller.table.state import Line, Table

if TYPE_CHECKING:
    from controller.house.game import HouseGame


def stake(f: Layout, place: str, spot: str, *, equal_to: int | None = None) -> Stake:
    """Returns how much of a wager counts: under the minimum settled once, then returned; at most the maximum.

    A wager that must equal another one has no limits of its own: what exceeds that one is surplus.
    """
    amount = f.wager(place, spot)
    if equal_to is not None:
        return Stake(min(amount, equal_to), max(0, amount - equal_to))
    limit = f.own.limits.get(place) or limit_now(f.table, place)
    if amount < limit.least and limit.warned:
        return Stake(amount, back=f.cites.under)
    most = left_of(f, place, spot, limit.most)
    if amount and not most:
        return Stake(amount, back=f.cites.advise_over)
    return Stake(min(amount, most), max(0, amount - most))


def left_of(f: Layout, place: str, spot: str, most: int) -> int:
    """Returns what a maximum leaves for this wager: all of it, unless others share it with this one (004 6.5)."""
    return max(0, most - sum(f.wager(other, spot) for other in f.game.shares(f, place)))


def chip(f: Layout) -> int:
    """Returns the smallest chip in the float."""
    return f.table.options.typed.chip


def win(f: Layout, place: str, spot: str, at: Stake, odds: Odds, rule: str) -> Line:
    """Returns the line of a won wager, paid up to what chips can pay (001 6.2.3; 002 7.3; 003 6.2.3; 004 6.2.3)."""
    return Line(place, spot, at.counts, "win", odds.pay(at.counts, chip(f)), rule, at.surplus)


def lose(place: str, spot: str, at: Stake, rule: str) -> Line:
    """Returns the line of a lost wager."""
    return Line(place, spot, at.counts, "lose", -at.counts, rule, at.surplus)


def stand_off(place: str, spot: str, at: Stake, rule: str) -> Line:
    """Returns the line of a wager that neither wins nor loses."""
    return Line(place, spot, at.counts, "stand-off", 0, rule, at.surplus)


def returned(place: str, spot: str, at: Stake, rule: str, result: Unsettled = "returned") -> Line:
    """Returns the line of a wager that goes back, with its surplus."""
    return Line(place, spot, at.counts + at.surplus, result, 0, rule)


def half_back(f: Layout, place: str, spot: str, at: Stake, rule: str) -> Line:
    """Returns the line of a surrender: half comes back, rounded up to what chips can pay (004 6.2.3)."""
    back = up_to_chip(-(-at.counts // 2), chip(f))
    return Line(place, spot, at.counts, "surrender", back - at.counts, rule, at.surplus)


def payable(f: Layout, place: str, spot: str, odds: Odds) -> bool:
    """Tells whether a win could be paid exactly in chips."""
    amount = min(f.wager(place, spot), limit_now(f.table, place).most)
    exact = amount * odds.to % odds.one == 0
    return exact and amount * odds.to // odds.one % chip(f) == 0


def lock_rule(table: Table, game: HouseGame) -> str:
    """Returns the rule by which wagers stand once cards are out: a document may name the machine's first set."""
    cites = game.document.citations
    by_machine = cites.lock_machine if table.options.typed.machine else ""
    return by_machine or cites.lock
