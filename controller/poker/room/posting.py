"""Blinds, straddles and over-blinds: chips that are placed before the first card (6.5, 8.9, 8.10)."""

from __future__ import annotations

from controller.money import short
from controller.poker.hand.course import clockwise
from controller.poker.hand.opening import open_hand, running
from controller.poker.money import stacks
from controller.poker.options import crown
from controller.poker.room import blinds, seats
from controller.poker.room.seats import room_of
from controller.poker.state import Hand
from controller.poker.words import FOR_A_HAND, Declared, Owing
from controller.table.state import Table, clone
from controller.table.step import Refusal, Step


def post(s: Step, seat: str, amount: int) -> None:
    """Places a blind: the one that is due, or the large one of somebody who may not wait for it."""
    h, room = open_hand(s), room_of(s.t)
    _may_post(s, h, seat)
    needed, rule = _blind_of(s, h, seat)
    if amount != min(needed, room.stakes[seat]):
        raise Refusal(rule, f"the blind is {short(needed)}")
    _put_in(s, h, seat, amount)


def _may_post(s: Step, h: Hand, seat: str) -> None:
    """Refuses a blind of who takes no part in the hand, and one that comes too late or twice."""
    room = room_of(s.t)
    if seat not in room.stakes:
        raise Refusal("8.9.2", f"nobody sits at {seat}")
    if seats.excluded(s.t, s.t.seats.get(seat, "")):
        raise Refusal("13.2.2", "this player is excluded from the game")
    if not h.undealt:
        raise Refusal("8.9.2", "blinds are placed before the first card")
    if (why := blinds.barred(room, seat)) is not None:
        raise Refusal(why, "this player takes no part in the hand")
    if seat in h.posted:
        raise Refusal("8.9.2", "the blind is placed already")


def _blind_of(s: Step, h: Hand, seat: str) -> tuple[int, str]:
    """Returns the blind that this seat has to place, and its rule; refuses when it has none to place."""
    if seat in h.due:
        if seat == h.blinds[-1] and blinds.first_blind_left(s.t, h.blinds):
            return h.due[seat], "8.9.6"
        return h.due[seat], "8.9.2(a)" if seat == h.blinds[0] else "8.9.2(b)"
    owing = blinds.why_owing(s.t, seat)
    if owing is None:
        raise Refusal("8.9.2", "no blind is due from this seat")
    if blinds.never_at_button(s.t, h, seat):
        raise Refusal("8.10", "a new player is not dealt a hand where the button lies")
    large = crown(s.t).last_blind
    return large, "8.10.2" if owing is Owing.NEWCOMER else owing.rule


def straddle(s: Step, seat: str, amount: int) -> None:
    """Places a voluntary blind, twice the one before it (6.5, 8.9.4)."""
    _, h = running(s, "6.5")
    options = crown(s.t)
    chain = options.over_blinds
    rule = "8.9.4" if chain else "6.5"
    if not options.straddle and not chain:
        raise Refusal(rule, "no straddle is permitted at this table")
    if not h.undealt:
        raise Refusal(rule, "a straddle is placed before the cards")
    last = h.blinds[-1]
    if last not in h.posted:
        raise Refusal(rule, "the large blind is not placed yet")
    if h.straddles and not chain:
        raise Refusal(rule, "there is one straddle only")
    from_seat = h.straddles[-1] if h.straddles else last
    entitled = next((x for x in clockwise(_in_play(s.t, h), from_seat) if x != from_seat), "")
    if seat != entitled or _placed_its_blind(h, seat):
        raise Refusal(rule, f"only seat {entitled} may straddle now")
    needed = 2 * h.posted[from_seat] if h.straddles else 2 * options.last_blind
    if amount != needed or amount > room_of(s.t).stakes[seat]:
        raise Refusal(rule, f"a straddle is {short(needed)}")
    _put_in(s, h, seat, amount)
    h.straddles.append(seat)


def _placed_its_blind(h: Hand, seat: str) -> bool:
    """Tells whether this seat has placed the blind that was due from it."""
    return seat in h.due and seat in h.posted


# ---- with chips


def due(s: Step, seat: str) -> int:
    """Returns the blind that this seat has to place now, no more than its stake; 0: none."""
    h = stacks.running(s.t)
    if h is None:
        posts = blinds.next_hand(s.t).posts
    else:
        posts = {at: amount for at, amount in h.due.items() if at not in h.posted}
    return min(posts.get(seat, 0), room_of(s.t).stakes.get(seat, 0))


def pushed(s: Step, seat: str, declared: Declared | None, amount: int) -> None:
    """Reads chips before the cards: as the blind that is due, what is too much goes back; as a straddle; or as none."""
    needed = due(s, seat)
    place, much = post, amount
    if _means_straddle(s, seat, declared, needed):
        place = straddle
    elif needed:
        much = min(needed, amount)
    try:
        place(Step(clone(s.t), s.game, s.seq), seat, much)  # what is refused opens no hand
    except Refusal as no:
        s.prompt("dealer", f"the chips are no blind: {no.why}", no.rule, seat)
        return
    place(s, seat, much)
    if much < amount:
        s.prompt("dealer", f"the blind is {short(much)}: {short(amount - much)} goes back", "8.9.2", seat)


def _means_straddle(s: Step, seat: str, declared: Declared | None, needed: int) -> bool:
    if declared in FOR_A_HAND:
        return declared == "straddle"
    if needed or s.round is None:
        return False
    offered = crown(s.t).straddle or crown(s.t).over_blinds
    return offered and blinds.why_owing(s.t, seat) is None


def _put_in(s: Step, h: Hand, seat: str, amount: int) -> None:
    room = room_of(s.t)
    room.stakes[seat] -= amount
    h.posted[seat] = h.posted.get(seat, 0) + amount
    h.began.setdefault(seat, room.stakes[seat] + amount)
    room.owing.pop(seat, None)
    if "missed-blind" in room.buttons.get(seat, ()):
        room.buttons[seat].remove("missed-blind")


def _in_play(t: Table, h: Hand) -> list[str]:
    """Returns who gets cards as things stand."""
    return h.dealt or blinds.dealt_now(t, h)
