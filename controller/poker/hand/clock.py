"""Time to act (document 000, 6.15): told when it is over; more of it may be bought, and its fee is collected."""

from __future__ import annotations

from controller.money import cents, short
from controller.poker.hand import opening
from controller.poker.hand.course import stage
from controller.poker.room import seats
from controller.poker.state import Hand
from controller.poker.times import microseconds
from controller.table.step import Refusal, Step


def time_passed(s: Step) -> None:
    """6.15: the dealer is told once; a person says what becomes of the hand."""
    r = s.round
    h = r.hand if r is not None else None
    limit = s.t.options.get("act-time", "none")
    at = stage(s.t)
    if h is None or h.betting is None or limit == "none" or at.what != "act" or not at.place:
        return
    seat = at.place
    extra = s.t.options["extra-time"]
    more = h.bought.get(_turn(h, seat), 0) * (0 if extra == "none" else microseconds(extra))
    if s.t.now - h.since < microseconds(limit) + more or _told(s, seat, h.since):
        return
    facing = h.betting.bets.get(seat, 0) < h.betting.level
    offer = "dead" if facing else "check"
    text = "has not acted in time: the hand may be dead" if facing else "has not acted in time: it may be a check"
    s.prompt("dealer", text, "6.15", seat, (offer,))


def _told(s: Step, seat: str, since: int) -> bool:
    """Already prompted in this turn; buying time gives it another end."""
    h = s.t.round.hand if s.t.round is not None else None
    turn = f"{since} {seat} {sum(h.bought.values()) if h is not None else 0}"
    mark = f"late {turn}"
    assert s.t.round is not None
    if mark in s.t.round.flags:
        return True
    s.t.round.flags[mark] = "6.15"
    return False


def extra_time(s: Step, args: tuple[str, ...]) -> None:
    """6.15.1: more time is bought, as often as the sign says."""
    _, h = opening.running(s, "6.15.1")
    options, seat = s.t.options, args[0]
    at = stage(s.t)
    if options["act-time"] == "none" or options["extra-time"] == "none":
        raise Refusal("6.15.1", "no time is sold at this table")
    if at.what != "act" or at.place != seat:
        raise Refusal("6.15.1", "time is sold to the player who is to act")
    times = options["extra-times"]
    already = sum(n for turn, n in h.bought.items() if turn.split(" ")[1] == seat)
    if times != "none" and already >= int(times):
        raise Refusal("6.15.2", f"time is sold {times} times")
    turn = _turn(h, seat)
    h.bought[turn] = h.bought.get(turn, 0) + 1
    fee = 0 if options["extra-fee"] == "none" else cents(options["extra-fee"])
    s.ruled("continue", "6.15.2", f"time to act is extended{f': collect {short(fee)}' if fee else ''}")
    often = f" ({already + 1} times in this hand)" if already else ""
    s.prompt("dealer", f"has bought time to act: {options['extra-time']} more{often}", "6.15.1", seat)
    if fee:
        h.fees[seat] = h.fees.get(seat, 0) + fee
        text = f"the fee for time to act is {short(h.fees[seat])}: it comes off the stake when the hand is over"
        s.prompt("dealer", text, "6.15.2", seat)


def collect_fees(s: Step, h: Hand) -> None:
    """The hand is over: what was bought in it is paid, since no stake is reduced during a round of play (6.11)."""
    room = seats.room_of(s.t)
    for seat, fee in h.fees.items():
        if seat in s.t.seats and room.stakes.get(seat, 0) >= fee:
            room.stakes[seat] -= fee
            room.dropped += fee
        else:
            s.prompt("dealer", f"collect {short(fee)} from the player: the stake does not pay for it", "6.15.2", seat)


def _turn(h: Hand, seat: str) -> str:
    """Names this turn of a seat; what others do meanwhile makes it no other one."""
    return f"{h.street} {seat} {sum(who == seat for _, who, _ in h.acts)}"
