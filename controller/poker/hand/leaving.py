"""Hands that go out although nobody folded them: the player has left, or the hand is dead."""

from __future__ import annotations

import msgspec

from controller.poker.hand import betting, pending_acts
from controller.poker.hand.course import LATE, live
from controller.poker.money import stacks
from controller.poker.state import Hand
from controller.table.state import Table
from controller.table.step import Step


def all_in(t: Table, h: Hand, seat: str) -> bool:
    """Has a hand, and every chip of its stake in it: it stays to the showdown, whoever gets up (6.16.1)."""
    return seat in live(h) and stacks.behind(t, seat) == 0 and stacks.put_in(h, seat) > 0


def all_in_stays(s: Step, h: Hand, seat: str) -> None:
    """The player has left: the dealer keeps the cards; an all-in out of turn is neither made up nor taken back."""
    if seat in live(h) and h.trouble != LATE:
        s.prompt("dealer", "has left all-in: the hand stays in play until the showdown", "6.16.1", seat)
    if seat in h.early:
        h.early[seat] = msgspec.structs.replace(h.early[seat], stays=True)


def gone(s: Step, h: Hand, seat: str) -> None:
    """A player leaves for good while the hand is being prepared or dealt: what is wagered stays in the pot."""
    if h.street >= 0 or all_in(s.t, h, seat):
        return
    if seat in h.posted:
        h.dead[seat] = h.posted.pop(seat)
        h.due.pop(seat, None)
    if seat in h.dealt:
        h.out.append(seat)


def dead(s: Step, h: Hand, seat: str, rule: str, text: str) -> None:
    """A hand without a claim: what it has wagered stays in the pot."""
    pending_acts.commit(s, h, seat)
    h.out.append(seat)
    if h.betting is not None and seat in h.betting.order:
        betting.drop(h.betting, seat)
    s.ruled("dead", rule, text)
    s.prompt("dealer", text, rule, seat)
