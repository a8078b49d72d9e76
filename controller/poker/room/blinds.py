"""Whose turn it is to have the button and to post the blinds, and who gets no cards (rules 8.9, 8.10)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec

from controller.poker.hand.course import clockwise
from controller.poker.money.stacks import running
from controller.poker.options import crown
from controller.poker.room.seats import excluded, places, room_of
from controller.poker.state import Hand, Room
from controller.poker.words import Button, Owing
from controller.table.state import Table

AWAY: Final[tuple[Button, ...]] = ("absent", "walking", "dealt-out")  # whose player is not dealt to
MISSED: Final = "missed-blind"


class Plan(msgspec.Struct, frozen=True):
    """The next hand's button and blinds."""

    button: str  # may lie at an empty seat
    posts: dict[str, int]  # what is due, in the order of posting; never more than the seat has
    seats: list[str]  # where the blinds are, empty seats too; the last one always posts
    passed: list[str]  # players whom a blind passes by now
    dealt: list[str]  # who can be dealt to, from the left of the button, if everybody posts what is due or owed


# ---- the order of seats


def seats_after(seats: int, after: str) -> list[str]:
    """Returns all seats from the left of one; that one comes last.

    >>> seats_after(4, "3")
    ['4', '1', '2', '3']
    """
    return [str((int(after) + n) % seats + 1) for n in range(seats)]


# ---- who may get cards


def owes(room: Room, seat: str) -> Owing | None:
    """Returns why a player gets no cards before the big blind is posted, or due; None when nothing is owed."""
    if seat in room.owing:
        return room.owing[seat]
    return Owing.AVOIDED if MISSED in room.buttons.get(seat, ()) else None


def barred(room: Room, seat: str) -> str | None:
    """Returns the rule by which a seated player cannot take part in a hand at all."""
    if any(button in AWAY for button in room.buttons.get(seat, ())):
        return "1.1"
    return None if room.stakes.get(seat) else "6.3"


def eligible(room: Room, seat: str, button: str, due: Collection[str], posted: Collection[str]) -> str | None:
    """Returns the rule by which a seated player gets no cards in this hand; None for who does."""
    if seat not in posted:
        return _without_blind(room, seat, due)
    if seat in due:  # a posted blind is played, and may be all there was
        return None
    if owes(room, seat) is Owing.NEWCOMER and seat == button:  # not even with a posted blind
        return Owing.NEWCOMER.rule
    return None


def _without_blind(room: Room, seat: str, due: Collection[str]) -> str | None:
    why = barred(room, seat)
    if why is not None:
        return why
    reason = Owing.AVOIDED if seat in due else owes(room, seat)
    return None if reason is None else reason.rule


# ---- the next hand


def plan(room: Room, seats: int, taken: Collection[str], blinds: list[int], able: Collection[str]) -> Plan:
    """Returns the button and the blinds of the next hand.

    `room.blinds` are those of the last hand that was completed.  `able`: players who are present with chips, whether or
    not they owe a blind.
    """
    before = room.blinds or room.begun
    if not able:
        return Plan(room.button, {}, [], [], [])
    if not before:
        button = room.button or max(taken, key=int)  # at the dealer's right (1.1)
        due = clockwise(_paying(room, able) or list(able), button)[: len(blinds)]
        path = seats_after(seats, button)
    else:
        path = seats_after(seats, before[-1])
        last = next(seat for seat in path if seat in able)
        button, due = _next(before, seats, len(blinds), last, _paying(room, able, last))
    amounts = dict(zip(due, blinds[-len(due) :], strict=True))
    posting = {due[-1], *_paying(room, [seat for seat in due if seat in able])}
    skipped = {*path[: path.index(due[-1])], *due}  # whom the last blind passes, and where the others lie
    absent = [seat for seat in path if seat in taken and seat not in able]
    return Plan(
        button,
        {seat: min(amount, room.stakes.get(seat, amount)) for seat, amount in amounts.items() if seat in posting},
        due,
        _paying(room, [seat for seat in absent if seat in skipped]),
        clockwise(list(able), button),
    )


def _paying(room: Room, able: Collection[str], last: str = "") -> list[str]:
    """Returns who takes a turn at the blinds: not who waits for the big blind, until it comes to `last`."""
    return [seat for seat in able if seat == last or owes(room, seat) is None]


def _next(before: list[str], seats: int, count: int, last: str, paying: list[str]) -> tuple[str, list[str]]:
    """Returns button and blinds: the last blind goes to the next player, the others follow it from seat to seat.

    So nobody pays a blind twice or not at all when others leave: the small blind's seat may be empty, and one hand
    later the button's (8.9.6).
    """
    count = min(count, len(paying))
    if count == len(paying) == 1:
        return last, [last]
    button, *due = [*before, last][-count - 1 :]
    steps = [seats_after(seats, button).index(seat) for seat in due]
    in_order = len(due) == count and steps == sorted(set(steps))
    if button == last and len(paying) > count:
        in_order = False  # more players than blinds: the button has none
    if in_order:
        return button, due
    ring = clockwise(paying, last)  # players came or went so that the seats are not in order: count anew
    return ring[-count - 1] if len(ring) > count else last, ring[-count:]


# ---- at a table


def able(t: Table) -> list[str]:
    """Returns the players who are present with chips, whether or not they owe a blind."""
    room = room_of(t)
    admitted = [seat for seat in sorted(t.seats, key=int) if not excluded(t, t.seats[seat])]
    return [seat for seat in admitted if barred(room, seat) is None]


def next_hand(t: Table) -> Plan:
    """Returns the button and the blinds of the next hand."""
    taken = [seat for seat, who in t.seats.items() if not excluded(t, who)]
    return plan(room_of(t), places(t), taken, list(crown(t).blinds), able(t))


def no_cards(t: Table, seat: str) -> str | None:
    """Returns the rule by which this seat gets no cards in the hand that is about to be dealt; None when it does.

    Before the hand opens a blind that will be due is no reason yet.
    """
    if seat not in t.seats:
        return "8.3"
    if excluded(t, t.seats[seat]):
        return "13.2.2"
    h = running(t)
    if h is not None:
        return eligible(room_of(t), seat, h.button, h.due, h.posted)
    coming = next_hand(t)
    return eligible(room_of(t), seat, coming.button, coming.posts, coming.posts)


def dealt_now(t: Table, h: Hand) -> list[str]:
    """Returns who gets cards as things stand, from the left of the button."""
    return clockwise([seat for seat in t.seats if no_cards(t, seat) is None], h.button)


def expected(t: Table) -> list[str]:
    """Returns who gets cards, if everybody posts what is due."""
    h = running(t)
    due = [seat for seat in able(t) if seat in h.due] if h is not None else []
    return [seat for seat in sorted(t.seats, key=int) if no_cards(t, seat) is None or seat in due]


def why_owing(t: Table, seat: str) -> Owing | None:
    """Returns why this seat owes the big blind; None when it does not."""
    return owes(room_of(t), seat)


def first_blind_left(t: Table, seats: list[str]) -> bool:
    """Tells whether nobody is present to place a blind before the last one, so that it is left out (8.9.6)."""
    return any(seat not in t.seats for seat in seats[:-1])


def never_at_button(t: Table, h: Hand, seat: str) -> bool:
    """Tells whether this is a new player at the button, who is not dealt to even with a blind posted (8.10)."""
    if seat != h.button or seat in h.due:
        return False
    return room_of(t).owing.get(seat) is Owing.NEWCOMER
