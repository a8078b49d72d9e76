"""Acts out of turn (document 000, 6.18): the chips lie in front and wait until the seat's turn has come."""

from __future__ import annotations

from controller.money import short
from controller.poker.hand import betting
from controller.poker.money import stacks
from controller.poker.room.seats import room_of
from controller.poker.state import Betting, Hand, PendingAct
from controller.table.step import Step


def stands(s: Step, h: Hand, seat: str) -> bool:
    """Carries out the act of a seat whose turn has come, unless somebody has bet more; False: the seat has to act."""
    b, act = h.betting, h.pending[seat]
    assert b is not None
    if act.word == "back":
        return False  # taken back: to fold or to raise (6.18.2)
    if act.word == "check":
        del h.pending[seat]
        if b.level > b.bets.get(seat, 0):
            return False  # there is a bet now: to call or to fold (6.18.3)
        betting.check_or_call(b, seat)
        return True
    if outbid(b, act) and not act.stays:
        if h.turn != seat:  # told once, when the turn has come
            text = "somebody has bet more: make up the difference, or take the bet back and fold or raise"
            s.prompt("dealer", text, "6.18.2", seat, ("call", "take-back"))
        return False
    del h.pending[seat]
    if act.word == "short":
        h.short[seat] = act.to - b.bets.get(seat, 0)
        text = f"{short(act.to)} is less than the bet of {short(b.level)}: make it up, or fold and leave it"
        s.prompt("dealer", text, "6.17", seat, ("call", "fold"))
        return False
    _call_or_raise(s, h, b, seat, act.to)
    return True


def outbid(b: Betting, act: PendingAct) -> bool:
    """Tells whether somebody has bet more than what was pushed out of turn, or than what it was short of (6.18.2)."""
    return b.level > max(act.to, act.over)


def _call_or_raise(s: Step, h: Hand, b: Betting, seat: str, to: int) -> None:
    """Calls, or raises over a level that may have risen since: then it is read as chips without a word (6.12)."""
    if to > b.level:
        to = _as_silent_chips(s, b, seat, to)
    if to > b.level:
        betting.bet_to(b, seat, to)
        h.aggressor = seat
    else:
        betting.check_or_call(b, seat)


def _as_silent_chips(s: Step, b: Betting, seat: str, to: int) -> int:
    """Returns the total to which chips beyond the bet go: made up to the least raise, or no more than a call."""
    may = betting.legal(b, seat)
    if may.raise_to is None:
        s.prompt("dealer", f"{may.why}: a call; the rest goes back", may.rule, seat)
        return b.level
    least = may.raise_to[0]
    if to >= least:
        return to
    half = 2 * (to - b.level) >= betting.least_to(b) - b.level
    text = f"is made up to the least raise, {short(least)}" if half else "is a call; the rest goes back"
    s.prompt("dealer", f"the bet out of turn {text}", "6.12", seat)
    return least if half else b.level


def commit(s: Step, h: Hand, seat: str) -> None:
    """Leaves in the pot what lies in front of a hand that goes out: an under-call, a bet out of turn (6.17, 6.18.1)."""
    b = betting.joined(h, seat)
    if b is not None:
        betting.put(b, seat, stacks.in_front(h, seat))
        room_of(s.t).stakes[seat] = b.stacks[seat]
    h.pending.pop(seat, None)
    h.short.pop(seat, None)
