"""Time to act (document 000, 6.15): the dealer is told when it is over.

More of it may be bought, and its fee is collected.
"""

from __future__ import annotations

from controller.money import short
from controller.poker.hand import opening
from controller.poker.hand.course import stage
from controller.poker.money import stacks
from controller.poker.options import crown
from controller.poker.room import seats
from controller.poker.state import Betting, Hand, Overdue, Turn
from controller.table.step import Refusal, Step
from controller.table.times import MILLISECOND


def time_passed(s: Step) -> None:
    """Tells the dealer once that the time to act is over; a person says what becomes of the hand (6.15)."""
    h = stacks.running(s.t)
    seat = _in_turn(s)
    b = h.betting if h is not None else None
    if h is None or b is None:
        return
    if seat and _time_is_over(s, h, seat):
        _tell_once(s, h, b, seat)


def _in_turn(s: Step) -> str:
    """Returns the seat that is to act; "" when no act is due."""
    at = stage(s.t)
    return at.place if at.what == "act" else ""


def _time_is_over(s: Step, h: Hand, seat: str) -> bool:
    options = crown(s.t)
    if options.act_time is None:
        return False
    allowed = options.act_time + h.extensions.count(_turn(h, seat)) * (options.extra_time or 0)
    return s.t.now - h.since >= allowed * MILLISECOND


def _tell_once(s: Step, h: Hand, b: Betting, seat: str) -> None:
    """Tells the dealer of a turn whose time is over; who buys time gets another end."""
    turn = Overdue(h.since, seat, len(h.extensions))
    if turn in h.overdue:
        return
    h.overdue.append(turn)
    if b.bets.get(seat, 0) < b.level:
        s.prompt("dealer", "has not acted in time: the hand may be dead", "6.15", seat, ("dead",))
    else:
        s.prompt("dealer", "has not acted in time: it may be a check", "6.15", seat, ("check",))


def extra_time(s: Step, args: tuple[str, ...]) -> None:
    """Sells more time to act, as often as the sign says (6.15.1)."""
    _, h = opening.running(s, "6.15.1")
    options, seat = crown(s.t), args[0]
    if None in (options.act_time, options.extra_time):
        raise Refusal("6.15.1", "no time is sold at this table")
    if _in_turn(s) != seat:
        raise Refusal("6.15.1", "time is sold to the player who is to act")
    times = options.extra_times
    already = sum(turn.seat == seat for turn in h.extensions)
    if times is not None and already >= times:
        raise Refusal("6.15.2", f"time is sold {times} times")
    h.extensions.append(_turn(h, seat))
    fee = options.extra_fee or 0
    s.ruled("continue", "6.15.2", f"time to act is extended{f': collect {short(fee)}' if fee else ''}")
    often = f" ({already + 1} times in this hand)" if already else ""
    s.prompt("dealer", f"has bought time to act: {s.t.options['extra-time']} more{often}", "6.15.1", seat)
    if fee:
        h.fees[seat] = h.fees.get(seat, 0) + fee
        text = f"the fee for time to act is {short(h.fees[seat])}: it comes off the stake when the hand is over"
        s.prompt("dealer", text, "6.15.2", seat)


def collect_fees(s: Step, h: Hand) -> None:
    """Collects what was bought in a hand that is over: no stake is reduced during a round of play (6.11)."""
    room = seats.room_of(s.t)
    for seat, fee in h.fees.items():
        if seat in s.t.seats and room.stakes.get(seat, 0) >= fee:
            room.stakes[seat] -= fee
            room.dropped += fee
        else:
            s.prompt("dealer", f"collect {short(fee)} from the player: the stake does not pay for it", "6.15.2", seat)


def _turn(h: Hand, seat: str) -> Turn:
    return Turn(h.street, seat, sum(act.seat == seat for act in h.acts))
