"""Hands that go out although nobody folded them: the player has left, or the hand is dead."""

from __future__ import annotations

import msgspec

from controller.poker.hand import betting, pending_acts
from controller.poker.hand.course import live
from controller.poker.money import stacks
from controller.poker.state import Hand
from controller.poker.words import Misdeal
from controller.table.state import Table
from controller.table.step import Step


def all_in(t: Table, h: Hand, seat: str) -> bool:
    """Tells whether this seat has a hand, and every chip of its stake in it.

    It stays to the showdown, whoever gets up (6.16.1).
    """
    if seat not in live(h) or stacks.behind(t, seat) != 0:
        return False
    return stacks.put_in(h, seat) > 0


def all_in_stays(s: Step, h: Hand, seat: str) -> None:
    """Keeps the cards of a player who has left; an all-in out of turn is neither made up nor taken back."""
    if seat in live(h) and h.trouble is not Misdeal.LATE_DISCARDS:
        s.prompt("dealer", "has left all-in: the hand stays in play until the showdown", "6.16.1", seat)
    if seat in h.pending:
        h.pending[seat] = msgspec.structs.replace(h.pending[seat], stays=True)


def gone(s: Step, h: Hand, seat: str) -> None:
    """Takes out who leaves for good while the hand is prepared or dealt: what is wagered stays in the pot."""
    if seat in h.posted:
        h.dead[seat] = h.posted.pop(seat)
        h.due.pop(seat, None)
    if seat in h.dealt:
        h.out.append(seat)


def dead(s: Step, h: Hand, seat: str, rule: str, text: str) -> None:
    """Takes a hand's claim away: what it has wagered stays in the pot."""
    pending_acts.commit(s, h, seat)
    h.out.append(seat)
    b = betting.joined(h, seat)
    if b is not None:
        betting.drop(b, seat)
    s.ruled("dead", rule, text)
    s.prompt("dealer", text, rule, seat)
