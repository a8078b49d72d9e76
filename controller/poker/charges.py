"""Fees that players pay from their stakes and not from the pot: by the hour (7.2.2), per person and hand (7.2.4)."""

from __future__ import annotations

from typing import Final

from controller.money import short
from controller.poker.blinds import expected
from controller.poker.commission import per_hand
from controller.poker.money import running
from controller.poker.seats import room_of
from controller.poker.times import HOUR
from controller.table.scene import Refusal, Scene
from controller.table.state import Table

DROPPED_BY: Final = {"percent": "7.2.1(b)", "per-hand": "7.2.3(c)", "per-person": "7.2.4(c)", "time": "7.2.2(e)"}


def collect(s: Scene, args: tuple[str, ...]) -> None:
    """The fee is taken from the players' stakes."""
    match s.t.options["rake-method"]:
        case "time":
            _by_the_hour(s)
        case "per-person":
            _per_person(s)
        case method:
            raise Refusal("7.2", f"the commission at this table is {method}: it comes from the pot")


def _by_the_hour(s: Scene) -> None:
    """In advance, from everybody who has a seat, inactive or not; the charge waits on the slide (7.2.2)."""
    room = room_of(s.t)
    if room.charged_at is not None and s.t.now - room.charged_at < HOUR:
        raise Refusal("7.2.2(b)", "the charge for this hour was collected already")
    h = running(s.t)
    if h is not None and h.dealt:
        raise Refusal("6.11", "stakes are not reduced during a round of play: collect after it")
    total = _take(s, list(s.t.seats), "7.2.2(a)")
    room.slide += total
    room.charge += total
    room.verified, room.charged_at, room.reminded = False, s.t.now, False
    s.prompt("supervisor", f"verify the time charge of {short(room.charge)}", "7.2.2(e)", offers=("confirm-charge",))


def _per_person(s: Scene) -> None:
    """Before the hand, from whoever will be dealt to, and dropped at once (7.2.4)."""
    room, h = room_of(s.t), running(s.t)
    if h is not None and h.dealt:
        raise Refusal("7.2.4(b)", "the fee is collected before the hand begins")
    if room.collected:
        raise Refusal("7.2.4(b)", "the fee for this hand was collected already")
    room.dropped += _take(s, expected(s.t), "7.2.4(b)")
    room.collected = True


def _take(s: Scene, seats: list[str], rule: str) -> int:
    room, h = room_of(s.t), running(s.t)
    if not seats:
        raise Refusal(rule, "there is nobody to collect from")
    amount = per_hand(s.t.options["rake"], len(seats))
    if not amount:
        raise Refusal("7.4", "no commission is charged at this table")
    total = 0
    for seat in sorted(seats, key=int):
        if room.stakes.get(seat, 0) < amount:
            s.prompt("dealer", f"has not enough chips for the fee of {short(amount)}", rule, seat)
            continue
        room.stakes[seat] -= amount
        if h is not None and seat in h.began:
            h.began[seat] -= amount
        total += amount
    return total


def confirm_charge(s: Scene, args: tuple[str, ...]) -> None:
    """The time charge on the slide was verified."""
    room = room_of(s.t)
    if not room.charge or room.verified:
        raise Refusal("7.2.2(e)", "there is no time charge to verify")
    room.verified = True
    s.prompt("dealer", "the time charge is verified: drop it", "7.2.2(e)", offers=("drop",))


def drop(s: Scene, args: tuple[str, ...]) -> None:
    """What lies on the slide falls into the chip box."""
    room, rule = room_of(s.t), DROPPED_BY[s.t.options["rake-method"]]
    if room.charge and not room.verified:
        raise Refusal("7.2.2(e)", "a supervisor verifies the time charge first")
    if not room.charge and room.slide and running(s.t) is not None:
        raise Refusal(rule, "the commission is dropped when the round of play is over")
    amount = room.charge or room.slide
    if not amount:
        raise Refusal(rule, "there is nothing on the drop slide")
    room.slide -= amount
    room.dropped += amount
    room.charge, room.verified = 0, False


def hourly(s: Scene) -> None:
    """As time passes: tells the dealer once that the next hour is to be paid for."""
    room = room_of(s.t)
    fee = per_hand(s.t.options["rake"], len(s.t.seats))
    if s.t.options["rake-method"] != "time" or room.reminded or not s.t.seats or not fee:
        return
    if room.charged_at is None or s.t.now - room.charged_at >= HOUR:
        room.reminded = True
        s.prompt("dealer", "collect the hourly charge in advance", "7.2.2(b)", offers=("collect",))


def fee_due(t: Table) -> str | None:
    """The rule by which no card may be dealt before the fee of each player was collected."""
    fee = per_hand(t.options["rake"], len(expected(t)))
    due = t.options["rake-method"] == "per-person" and not room_of(t).collected and fee > 0
    return "7.2.4(b)" if due else None
