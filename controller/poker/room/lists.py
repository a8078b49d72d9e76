"""Who waits for which seat: the list, the draw of cards for a contested seat, players picked up and back again."""

from __future__ import annotations

from controller.cards import RANKS, SUITS, UNREAD
from controller.poker.money.stacks import running
from controller.poker.room.seats import excluded, on_layout, room_of, seat_of, tied, vacate
from controller.table.state import Table
from controller.table.step import Refusal, Step
from controller.table.times import TWENTY_MINUTES


def askers(t: Table, seat: str) -> list[str]:
    """Returns who asked for this seat: seated players have priority over those who wait (8.1.2)."""
    asked = room_of(t).wishes.get(seat, [])
    return [name for name in asked if seat_of(t, name)] + [name for name in asked if not seat_of(t, name)]


def first_for(t: Table, seat: str) -> list[str]:
    """Returns who comes first for this seat; last those on the list who take any."""
    asked = askers(t, seat)
    return asked + [name for name in room_of(t).waiting if name not in asked]


def rivals(t: Table, seat: str) -> list[str]:
    """Returns the players with the same right to a seat; [] when it was drawn for."""
    asked = askers(t, seat)
    seated = [name for name in asked if seat_of(t, name)]
    same = seated or asked
    return same if len(same) > 1 and seat not in room_of(t).decided else []


def ask(s: Step, args: tuple[str, ...]) -> None:
    """Puts somebody, waiting or seated, on the list for a place: `list NAME [SEAT]`."""
    name, room = args[0], room_of(s.t)
    wish = args[1] if len(args) > 1 else ""
    if excluded(s.t, name):
        raise Refusal("13.2.2", f"{name} is excluded from the game")
    sits = seat_of(s.t, name)
    if sits is not None and wish in ("", sits):
        raise Refusal("8.1", f"{name} sits at {sits} already")
    if wish:
        on_layout(s.t, wish)
    if sits is None and name not in room.waiting:
        room.waiting.append(name)
    if wish:
        _wants(s, name, wish)


def _wants(s: Step, name: str, seat: str) -> None:
    asked = room_of(s.t).wishes.setdefault(seat, [])
    if name not in asked:
        asked.append(name)
        contest(s, seat)


def contest(s: Step, seat: str, ended: bool = False) -> None:
    """Calls for a draw of cards for a vacant seat that several want (8.1.1).

    It waits until no hand needs the cards any more.
    """
    room = room_of(s.t)
    if seat in s.t.seats:
        return
    if not ended and running(s.t) is not None:
        return
    if room.drawn and seat == next(iter(room.drawing)):
        return  # the draw has begun: who asks now comes after it
    same = rivals(s.t, seat)
    if not same:
        room.drawing.pop(seat, None)
    elif room.drawing.get(seat) != same:
        room.drawing[seat] = same
        s.prompt("dealer", f"draw a card each for {', '.join(same)}: the highest gets the seat", "8.1.1", seat)


def drawing(s: Step) -> bool:
    """Tells whether the next card is drawn for a contested seat."""
    return bool(room_of(s.t).drawing) and running(s.t) is None


def card_for_seat(s: Step, card: str) -> None:
    """Takes the card drawn for the next contender; after the last one the highest card wins (suits by 3.3)."""
    room = room_of(s.t)
    seat, names = next(iter(room.drawing.items()))
    if card == UNREAD:
        s.prompt("dealer", "the card could not be read: draw another one", "8.1.1", seat)
        return
    room.drawn[next(name for name in names if name not in room.drawn)] = card
    if len(room.drawn) < len(names):
        return
    ranked = sorted(names, key=lambda name: _height(room.drawn[name]), reverse=True)
    room.wishes[seat] = ranked + [name for name in room.wishes[seat] if name not in ranked]
    room.decided.append(seat)
    del room.drawing[seat]
    room.drawn = {}
    s.prompt("dealer", f"{ranked[0]} drew the highest card and has the choice of this seat", "8.1.1", seat)


def _height(card: str) -> tuple[int, int]:
    return RANKS.index(card[0]), SUITS.index(card[1])


def give_way(t: Table, seat: str, name: str) -> None:
    """Refuses a seat that somebody else comes first for."""
    if rivals(t, seat):
        raise Refusal("8.1.1", f"{' and '.join(rivals(t, seat))} want this seat: a draw of cards decides")
    first = next(iter(askers(t, seat)), name)
    if first != name:
        seated_first = seat_of(t, first) and not seat_of(t, name)
        raise Refusal("8.1.2" if seated_first else "8.1.1", f"{first} asked for this seat and comes first")


def took(s: Step, seat: str, name: str) -> None:
    """Ends the wishes of who took a seat, and a draw for it."""
    room = room_of(s.t)
    if name in room.waiting:
        room.waiting.remove(name)
        for names in room.wishes.values():  # somebody who sits here now has to ask again for another seat
            if name in names:
                names.remove(name)
    elif name in room.wishes.get(seat, ()):
        room.wishes[seat].remove(name)
    room.picked.pop(name, None)
    room.wishes = {at: names for at, names in room.wishes.items() if names}
    if seat in room.decided:
        room.decided.remove(seat)


def gone(s: Step, seat: str) -> None:
    """Looks again who wants what: a seat is vacant, and its player has no wishes any more."""
    room = room_of(s.t)
    for at, names in list(room.drawing.items()):
        if any(name not in room.wishes.get(at, ()) for name in names):  # a contender has left
            room.drawn = {} if at == next(iter(room.drawing)) else room.drawn
            del room.drawing[at]
    for at in [seat, *room.wishes]:
        contest(s, at)


def pick_up(s: Step, args: tuple[str, ...]) -> None:
    """Removes an absent player's chips from the table and secures them (8.11)."""
    (seat,) = args
    name, room = s.t.seats.get(seat), room_of(s.t)
    if name is None:
        raise Refusal("8.11", f"nobody sits at {seat}")
    h = running(s.t)
    folded = h is not None and seat in h.out
    if tied(s.t, seat) and not folded:
        raise Refusal("8.11", "this player is in the hand")
    room.secured[name] = room.secured.get(name, 0) + vacate(s, seat)
    room.picked[name] = s.t.now
    gone(s, seat)


def back(s: Step, args: tuple[str, ...]) -> None:
    """Puts who was picked up on top of the list within twenty minutes, later at its end (8.12)."""
    (name,) = args
    room = room_of(s.t)
    if name not in room.picked:
        raise Refusal("8.12", f"{name} was not picked up")
    if excluded(s.t, name):
        raise Refusal("13.2.2", f"{name} is excluded from the game")
    room.waiting = [other for other in room.waiting if other != name]
    soon = s.t.now - room.picked.pop(name) <= TWENTY_MINUTES
    room.waiting.insert(0 if soon else len(room.waiting), name)
