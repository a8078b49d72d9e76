"""Chips that go back to the players: uncalled bets, acts that never became a bet, whatever is handed back."""

from __future__ import annotations

from controller.money import short
from controller.poker.money import pots, stacks
from controller.poker.room import seats
from controller.poker.state import Betting, Hand, hand_in
from controller.poker.words import Street
from controller.table.step import Step


def hand_back(s: Step, seat: str, amount: int) -> None:
    """Gives chips back to a player, also to one who has left the seat; less than none are taken back."""
    if seat not in s.t.seats:
        _owed_to_who_left(s, seat, amount)
        return
    stakes = seats.room_of(s.t).stakes
    stakes[seat] = stakes.get(seat, 0) + amount
    if stakes[seat] < 0:
        s.prompt("dealer", f"{short(-stakes[seat])} is still to be taken back from seat {seat}", "13.6", seat)
        stakes[seat] = 0


def _owed_to_who_left(s: Step, seat: str, amount: int) -> None:
    """Tells the dealer what belongs to a player who is not there any more."""
    text = "belongs to" if amount >= 0 else "is to be taken back from"
    h = hand_in(s.t.round) if s.t.round is not None else None
    before = h.owed.get(seat, 0) if h is not None else 0
    if h is not None:
        h.owed[seat] = before + amount
    in_all = f", {short(before + amount)} in all" if before else ""
    s.prompt("dealer", f"{short(abs(amount))} {text} the player who left seat {seat}{in_all}", "8.3", seat)


def unmade(s: Step, h: Hand) -> None:
    """Gives who has left the chips of an act out of turn that never became a bet; who sits there still has them."""
    for seat in sorted({*h.pending, *h.short} - {*s.t.seats}, key=int):
        amount = stacks.in_front(h, seat) - stacks.ruled(h, seat)
        h.pending.pop(seat, None)
        h.short.pop(seat, None)
        if amount > 0:  # pragma: no branch - only who is all-in leaves such an act behind
            hand_back(s, seat, amount)
            h.returned[seat] = h.returned.get(seat, 0) + amount


def give_back_uncalled(s: Step, h: Hand, b: Betting) -> None:
    """Gives back what nobody called (7.5); of a raise over the blinds these stay in the pot (AMB-CP-05)."""
    over = pots.uncalled(b.bets, h.out)
    if over is not None and h.street == Street.FIRST:
        over = pots.uncalled(b.bets, h.out, h.posted)
    if over is not None:
        seat, amount = over
        h.paid[seat] -= amount
        h.gathered[seat] = max(0, h.gathered.get(seat, 0) - amount)
        h.returned[seat] = h.returned.get(seat, 0) + amount
        hand_back(s, seat, amount)
