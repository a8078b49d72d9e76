"""A player gets up for good, perhaps in the middle of a hand."""

from __future__ import annotations

from controller.poker.hand import leaving, opening, rounds
from controller.poker.hand.course import live
from controller.poker.money import settle, side_wagers, stacks
from controller.poker.room import players
from controller.poker.state import Done, Hand
from controller.poker.words import Misdeal
from controller.table.step import Step


def leave(s: Step, args: tuple[str, ...]) -> None:
    """Lets a player go: a hand that is left is folded, and what it has wagered stays in the pot."""
    seat = args[0]
    h = stacks.running(s.t)
    if h is None:
        players.leave(s, args)
    elif h.in_deal:
        _before_the_betting(s, h, seat)
    elif live(h) == [seat]:
        _as_the_last(s, h, seat)
    elif _nothing_to_decide(s, h, seat):
        _with_nothing_to_decide(s, h, seat)
    elif seat in live(h):
        leaving.dead(s, h, seat, "8.3", "the player has left: the hand is folded")
        h.acts.append(Done(h.street, seat, "fold"))
        players.leave(s, args)
        rounds.advance(s, h)
    else:
        players.leave(s, args)


def _nothing_to_decide(s: Step, h: Hand, seat: str) -> bool:
    """Tells whether this seat is all-in, or all hands are dead for want of a discard."""
    return h.trouble is Misdeal.LATE_DISCARDS or leaving.all_in(s.t, h, seat)


def _as_the_last(s: Step, h: Hand, seat: str) -> None:
    """Pushes the pot first: the last player has won before leaving."""
    if s.t.holds:
        s.prompt("dealer", "has left as the last in the hand: the pot waits until the table goes on", "8.17.3", seat)
    else:
        r = s.running("8.17.3")
        side_wagers.give_back(s, r, "8.17.3(a)", "returned")
        settle.push(s, r, h)
    players.leave(s, (seat,))


def _with_nothing_to_decide(s: Step, h: Hand, seat: str) -> None:
    """Keeps an all-in hand in play (6.16.1); who has a dead hand takes only their chips."""
    leaving.all_in_stays(s, h, seat)
    players.leave(s, (seat,))
    if h.betting is not None and h.trouble is None:
        rounds.advance(s, h)


def _before_the_betting(s: Step, h: Hand, seat: str) -> None:
    """Takes a player out of a hand that is prepared or dealt; the next one owes a blind that was not placed."""
    if _nothing_to_decide(s, h, seat):
        _with_nothing_to_decide(s, h, seat)
        return
    unposted = [other for other in h.due if other not in h.posted]
    owed = h.undealt and seat in unposted
    leaving.gone(s, h, seat)
    players.leave(s, (seat,))
    if owed:
        opening.replan(s, h)
