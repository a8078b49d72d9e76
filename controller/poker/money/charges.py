"""Fees that players pay from their stakes and not from the pot: by the hour (7.2.2), per person and hand (7.2.4)."""

from __future__ import annotations

from typing import Final

from controller.money import short
from controller.poker.money.stacks import running
from controller.poker.options import crown
from controller.poker.room.blinds import expected
from controller.poker.room.seats import room_of
from controller.table.state import Table
from controller.table.step import Refusal, Step
from controller.table.times import HOUR

DROPPED_BY: Final = {"percent": "7.2.1(b)", "per-hand": "7.2.3(c)", "per-person": "7.2.4(c)", "time": "7.2.2(e)"}


def collect(s: Step, args: tuple[str, ...]) -> None:
    """Takes the fee from the players' stakes."""
    match crown(s.t).rake_method:
        case "time":
            _by_the_hour(s)
        case "per-person":
            _per_person(s)
        case method:
            raise Refusal("7.2", f"the commission at this table is {method}: it comes from the pot")


def _by_the_hour(s: Step) -> None:
    """Takes the charge in advance from everybody seated who has not paid for this hour (7.2.2, AMB-CP-36).

    Inactive players pay too.  The charge waits on the slide.
    """
    room, owing = room_of(s.t), _owing(s.t)
    if s.t.seats and not owing:
        raise Refusal("7.2.2(b)", "everybody has paid for this hour")
    if _is_dealt(s.t):
        raise Refusal("6.11", "stakes are not reduced during a round of play: collect after it")
    paid, total = _take(s, owing, "7.2.2(a)", len(s.t.seats))
    room.hours.update({s.t.seats[seat]: s.t.now for seat in paid})
    room.slide += total
    room.charge += total
    room.verified, room.charged_at, room.reminded = False, s.t.now, False
    s.prompt("supervisor", f"verify the time charge of {short(room.charge)}", "7.2.2(e)", offers=("confirm-charge",))


def _is_dealt(t: Table) -> bool:
    """Tells whether it is fixed who plays in the hand that is running."""
    h = running(t)
    return h is not None and bool(h.dealt)


def _owing(t: Table) -> list[str]:
    """Returns the seats whose player has not paid for the hour that is running: each one's own, from the payment on."""
    room = room_of(t)
    paid = {name for name, since in room.hours.items() if t.now - since < HOUR}
    return [seat for seat, name in t.seats.items() if name not in paid]


def _per_person(s: Step) -> None:
    """Takes the fee before the hand, from whoever will be dealt to, and drops it at once (7.2.4)."""
    room = room_of(s.t)
    if _is_dealt(s.t):
        raise Refusal("7.2.4(b)", "the fee is collected before the hand begins")
    if room.collected:
        raise Refusal("7.2.4(b)", "the fee for this hand was collected already")
    room.dropped += _take(s, expected(s.t), "7.2.4(b)", len(expected(s.t)))[1]
    room.collected = True


def _take(s: Step, seats: list[str], rule: str, players: int) -> tuple[list[str], int]:
    """Takes the fee for so many players from these seats; returns who has paid it, and how much that is together."""
    room, h = room_of(s.t), running(s.t)
    if not seats:
        raise Refusal(rule, "there is nobody to collect from")
    amount = crown(s.t).rake.fee(players)
    if not amount:
        raise Refusal("7.4", "no commission is charged at this table")
    paid = []
    for seat in sorted(seats, key=int):
        if room.stakes.get(seat, 0) < amount:
            s.prompt("dealer", f"has not enough chips for the fee of {short(amount)}", rule, seat)
            continue
        room.stakes[seat] -= amount
        if h is not None and seat in h.began:
            h.began[seat] -= amount
        paid.append(seat)
    return paid, amount * len(paid)


def confirm_charge(s: Step, args: tuple[str, ...]) -> None:
    """Takes note that the time charge on the slide was verified."""
    room = room_of(s.t)
    if not room.charge or room.verified:
        raise Refusal("7.2.2(e)", "there is no time charge to verify")
    room.verified = True
    s.prompt("dealer", "the time charge is verified: drop it", "7.2.2(e)", offers=("drop",))


def drop(s: Step, args: tuple[str, ...]) -> None:
    """Drops what lies on the slide into the chip box."""
    room, rule = room_of(s.t), DROPPED_BY[crown(s.t).rake_method]
    amount = room.slide
    if room.charge:
        if not room.verified:
            raise Refusal("7.2.2(e)", "a supervisor verifies the time charge first")
        amount = room.charge
    elif room.slide and running(s.t) is not None:
        raise Refusal(rule, "the commission is dropped when the round of play is over")
    if not amount:
        raise Refusal(rule, "there is nothing on the drop slide")
    room.slide -= amount
    room.dropped += amount
    room.charge, room.verified = 0, False


def hourly(s: Step) -> None:
    """Tells the dealer once, as time passes, that the next hour is to be paid for."""
    room = room_of(s.t)
    if crown(s.t).rake_method != "time" or room.reminded:
        return
    fee = crown(s.t).rake.fee(len(s.t.seats))
    if fee and _owing(s.t):
        room.reminded = True
        s.prompt("dealer", "collect the hourly charge in advance", "7.2.2(b)", offers=("collect",))


def fee_due(t: Table) -> str | None:
    """Returns the rule by which no card may be dealt before the fee of each player was collected.

    None when none is due.
    """
    if crown(t).rake_method != "per-person" or room_of(t).collected:
        return None
    fee = crown(t).rake.fee(len(expected(t)))
    return "7.2.4(b)" if fee > 0 else None
