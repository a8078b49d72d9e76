"""Acts out of turn (document 000, 6.18): the chips lie in front and wait until the seat's turn has come."""

from __future__ import annotations

from controller.money import short
from controller.poker import betting, money
from controller.poker.state import Betting, Early, Hand
from controller.table.scene import Scene


def stands(s: Scene, h: Hand, seat: str) -> bool:
    """The act of a seat whose turn has come is done, unless somebody has bet more; False: the seat has to act."""
    b, early = h.betting, h.early[seat]
    assert b is not None
    if early.word == "check":
        del h.early[seat]
        if b.level > b.bets.get(seat, 0):
            return False  # there is a bet now: to call or to fold (6.18.3)
        betting.check_or_call(b, seat)
    elif early.to < b.level and not early.stays:
        text = "somebody has bet more: make up the difference, or take the bet back and fold or raise"
        s.prompt("dealer", text, "6.18.2", seat, ("call", "take-back"))
        return False
    else:
        del h.early[seat]
        _done(s, h, b, seat, early)
    return True


def _done(s: Scene, h: Hand, b: Betting, seat: str, early: Early) -> None:
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


def commit(s: Scene, h: Hand, seat: str) -> None:
    """A hand goes out: what lies in front stays in the pot, also an under-call and a bet out of turn (6.17, 6.18.1)."""
    b = h.betting
    if b is not None and seat in b.order and s.t.room is not None:
        betting.put(b, seat, money.in_front(h, seat))
        s.t.room.stakes[seat] = b.stacks[seat]
    h.early.pop(seat, None)
    h.short.pop(seat, None)
