"""Acts out of turn (document 000, 6.18): the chips lie in front and wait until the seat's turn has come."""

from __future__ import annotations

from controller.money import short
from controller.poker.hand import betting
from controller.poker.money import stacks
from controller.poker.state import Betting, Early, Hand
from controller.table.step import Step


def stands(s: Step, h: Hand, seat: str) -> bool:
    """The act of a seat whose turn has come is done, unless somebody has bet more; False: the seat has to act."""
    b, early = h.betting, h.early[seat]
    assert b is not None
    if early.word == "back":
        return False  # taken back: to fold or to raise (6.18.2)
    if early.word == "check":
        del h.early[seat]
        if b.level > b.bets.get(seat, 0):
            return False  # there is a bet now: to call or to fold (6.18.3)
        betting.check_or_call(b, seat)
    elif outbid(b, early) and not early.stays:
        if h.turn != seat:  # told once, when the turn has come
            text = "somebody has bet more: make up the difference, or take the bet back and fold or raise"
            s.prompt("dealer", text, "6.18.2", seat, ("call", "take-back"))
        return False
    elif early.word == "short":
        del h.early[seat]
        h.short[seat] = early.to - b.bets.get(seat, 0)
        text = f"{short(early.to)} is less than the bet of {short(b.level)}: make it up, or fold and leave it"
        s.prompt("dealer", text, "6.17", seat, ("call", "fold"))
        return False
    else:
        del h.early[seat]
        _done(s, h, b, seat, early)
    return True


def outbid(b: Betting, early: Early) -> bool:
    """Has somebody bet more than what lies there out of turn, or than what it was short of (6.18.2)?"""
    return b.level > max(early.to, early.over)


def _done(s: Step, h: Hand, b: Betting, seat: str, early: Early) -> None:
    """A call, or a raise over a level that may have risen since: then it is read as chips without a word (6.12)."""
    to = early.to
    may = betting.legal(b, seat)
    if to > b.level and may.raise_to is None:
        s.prompt("dealer", f"{may.why}: a call; the rest goes back", may.rule, seat)
        to = b.level
    elif to > b.level and may.raise_to is not None and to < may.raise_to[0]:
        least = may.raise_to[0]
        half = 2 * (to - b.level) >= betting.least_to(b) - b.level
        text = f"is made up to the least raise, {short(least)}" if half else "is a call; the rest goes back"
        s.prompt("dealer", f"the bet out of turn {text}", "6.12", seat)
        to = least if half else b.level
    if to > b.level:
        betting.bet_to(b, seat, to)
        h.aggressor = seat
    else:
        betting.check_or_call(b, seat)


def commit(s: Step, h: Hand, seat: str) -> None:
    """A hand goes out: what lies in front stays in the pot, also an under-call and a bet out of turn (6.17, 6.18.1)."""
    b = h.betting
    if b is not None and seat in b.order and s.t.room is not None:
        betting.put(b, seat, stacks.in_front(h, seat))
        s.t.room.stakes[seat] = b.stacks[seat]
    h.early.pop(seat, None)
    h.short.pop(seat, None)
