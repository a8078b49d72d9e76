"""The seats of a poker table: who sits there, who is in the hand, how a seat is vacated and a stake grows."""

from __future__ import annotations

from typing import Final

from controller.poker.money.stacks import running
from controller.poker.options import CrownOptions, crown
from controller.poker.state import Room, room_in
from controller.table import people
from controller.table.state import Table
from controller.table.step import Refusal, Step

RESERVED: Final = "reserved"


def room_of(t: Table) -> Room:
    """Returns the room of a poker table."""
    room = room_in(t)
    assert room is not None
    return room


def places(t: Table) -> int:
    """Returns how many seats the layout has; never more than the game may have players (4.1)."""
    return t.options.typed.seats


def playing(t: Table, seat: str) -> bool:
    """Tells whether this seat has cards in the hand that is running, and a claim to the pot."""
    h = running(t)
    if h is None or seat in h.out:
        return False
    return seat in h.dealt


def tied(t: Table, seat: str) -> bool:
    """Tells whether cards or chips of this seat belong to the hand that is running, or a blind is due from it."""
    h = running(t)
    return h is not None and seat in {*h.dealt, *h.posted, *h.due}


def excluded(t: Table, name: str) -> bool:
    """Tells whether this player is excluded from the game (13.2)."""
    return name in t.people and t.people[name].excluded


def seat_of(t: Table, name: str) -> str | None:
    """Returns the seat of a player."""
    return next((seat for seat, who in t.seats.items() if who == name), None)


# ---- changes


def on_layout(t: Table, seat: str) -> None:
    """Refuses a seat that the table does not have."""
    if not 1 <= int(seat) <= places(t):
        raise Refusal("4.1", f"this table has {places(t)} seats")


def vacate(s: Step, seat: str) -> int:
    """Frees the seat of a player who is gone for good, with a reserved button (8.3); returns the chips there."""
    room = room_of(s.t)
    name = s.t.seats[seat]
    people.leave(s, (seat,))
    stake = room.stakes.pop(seat, 0) + room.held.pop(seat, 0)
    room.owing.pop(seat, None)
    room.buttons[seat] = [RESERVED]
    for seats in (room.moved, room.paid):
        if seat in seats:
            seats.remove(seat)
    for names in room.wishes.values():
        if name in names:
            names.remove(name)
    if running(s.t) is None:
        begin_anew(s.t)
    return stake


def begin_anew(t: Table) -> None:
    """Makes the next hand a first hand again when everybody has left."""
    if not t.seats:
        room_of(t).blinds, room_of(t).begun, room_of(t).button = [], [], first_button(crown(t))


def first_button(options: CrownOptions) -> str:
    """Returns where the button starts; "" when the table's options do not say so."""
    return str(options.button or "")


def give(t: Table, seat: str, amount: int) -> None:
    """Adds chips to a stake now; to that of a player who has folded in the running hand too (6.11)."""
    room, h = room_of(t), running(t)
    room.stakes[seat] = room.stakes.get(seat, 0) + amount
    if h is None:
        return
    if seat in h.began:
        h.began[seat] += amount  # what was added is neither won nor lost in this hand
    if h.betting is not None and seat in h.betting.stacks:
        h.betting.stacks[seat] += amount
