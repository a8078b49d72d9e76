"""The keys of a poker room; here those for seats and stakes, the buttons in front of players, and moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.money import cents, short
from controller.poker.money import charges
from controller.poker.money.stacks import running
from controller.poker.options import crown
from controller.poker.room import lists
from controller.poker.room.blinds import MISSED, able, barred, next_hand, seats_after
from controller.poker.room.seats import (
    RESERVED,
    begin_anew,
    excluded,
    give,
    on_layout,
    places,
    playing,
    room_of,
    seat_of,
    tied,
    vacate,
)
from controller.poker.state import Hand
from controller.poker.words import Button, Owing
from controller.table import people
from controller.table.state import Table
from controller.table.step import Refusal, Step

Handler = Callable[[Step, tuple[str, ...]], None]

LIVE_SEATS: Final = 2  # so many may lie between, clockwise, before a move costs a blind (8.9.5)


# ---- seats and stakes


def seat(s: Step, args: tuple[str, ...]) -> None:
    """Seats somebody, or changes a stake."""
    options = dict(arg.split("=", 1) for arg in args[1:])
    for place in people.places(args[0]):
        if "take" in options:
            _take_off(s, place)
        elif "add" in options:
            _add(s, place, cents(options["add"]))
        else:
            _sit(s, place, options.get("player", ""), cents(options["stack"]) if "stack" in options else None)


def _buy_in(t: Table) -> int:
    return crown(t).buy_in or 0


def _sit(s: Step, place: str, name: str, stack: int | None) -> None:
    t, room = s.t, room_of(s.t)
    on_layout(t, place)
    if place in t.seats:
        raise Refusal("8.1", f"seat {place} is taken")
    who = name or _unnamed(t, place, stack)
    _may_sit(t, place, who)
    back = stack is None and who in room.secured
    if back:
        stack = room.secured.pop(who)  # it has been this player's stake all the time
    stack = stack or 0
    if not back and stack < _buy_in(t):
        raise Refusal("6.3", f"the minimum buy-in is {short(_buy_in(t))}")
    people.sit_down(s, place, who)
    room.stakes[place] = stack
    room.buttons.pop(place, None)
    if not _before_the_first_hand(t):
        room.owing[place] = Owing.NEWCOMER
    if not name and not back:
        room.hours.pop(who, None)  # without a name it is somebody else than who sat there before
    if who not in room.hours:
        room.reminded = False  # a newcomer pays for an hour too (7.2.2(a))
    lists.took(s, place, who)


def _may_sit(t: Table, place: str, who: str) -> None:
    """Refuses a seat to who sits already, is excluded, or comes after somebody else."""
    if (sits := seat_of(t, who)) is not None:
        raise Refusal("8.1", f"{who} sits at {sits} already")
    if excluded(t, who):
        raise Refusal("13.2.2", f"{who} is excluded from the game")
    if tied(t, place):
        raise Refusal("8.3", "the seat is given when this hand is over")
    lists.give_way(t, place, who)


def _before_the_first_hand(t: Table) -> bool:
    return not room_of(t).blinds and running(t) is None


def _unnamed(t: Table, place: str, stack: int | None) -> str:
    """Returns the name of a player who gave none: S3 at seat 3.

    Another number, if that is somebody who has moved, or was picked up and does not come back just now.
    """
    name, n = f"S{place}", 1
    secured = room_of(t).secured if stack is not None else {}
    while name in secured or seat_of(t, name) is not None:
        n += 1
        name = f"S{place}_{n}"
    return name


def _add(s: Step, place: str, amount: int) -> None:
    t = s.t
    if place not in t.seats:
        raise Refusal("6.11", f"nobody sits at {place}")
    if excluded(t, t.seats[place]):
        raise Refusal("13.2.2", "this player is excluded from the game")
    if playing(t, place):
        raise Refusal("6.11", "a stake does not change while the player is in a hand")
    if not room_of(t).stakes.get(place) and amount < _buy_in(t):  # to buy in again is to buy in
        raise Refusal("6.3", f"the minimum buy-in is {short(_buy_in(t))}")
    give(t, place, amount)


def _take_off(s: Step, place: str) -> None:
    """Refuses to take chips off the table at any moment, in a hand or between hands (6.11, AMB-CP-40)."""
    if place not in s.t.seats:
        raise Refusal("6.11", f"nobody sits at {place}")
    raise Refusal("6.11", "chips leave the table only with the player")


def leave(s: Step, args: tuple[str, ...]) -> None:
    """Lets a player go for good, with the stake.  Whoever calls this has ended the player's part in a hand."""
    (place,) = args
    if place in s.t.seats:
        _first_blind_left(s.t, place)
        vacate(s, place)
        lists.gone(s, place)


def _first_blind_left(t: Table, place: str) -> None:
    """Keeps button and blinds of the first hand: nobody steps in for a first blind that has left (8.9.6)."""
    room = room_of(t)
    if room.blinds or room.begun:
        return
    if len(able(t)) > 2:  # two are left to play
        coming = next_hand(t)
        room.begun = [coming.button, *coming.seats[:-1]] if place in coming.seats[:-1] else []


# ---- buttons


def button(name: Button, s: Step, args: tuple[str, ...]) -> None:
    """Puts a button in front of a seat, or takes it away (1.1)."""
    place, off = args[0], args[1:] == ("off",)
    on_layout(s.t, place)
    _fits_the_seat(s.t, name, place)
    if off:
        _taken_away(s, name, place)
        return
    if name == "dealt-out" and _in_the_hand(s.t, place):
        raise Refusal("1.1", "this player is in the current hand")
    buttons = room_of(s.t).buttons.get(place, [])
    if name not in buttons:
        room_of(s.t).buttons[place] = [*buttons, name]


def _fits_the_seat(t: Table, name: Button, place: str) -> None:
    """Refuses a reserved button at a seat that is taken, and any other one at a vacant seat."""
    taken = place in t.seats
    if name == RESERVED:
        if taken:
            raise Refusal("8.3", "a reserved button lies at a vacant seat")
    elif not taken:
        raise Refusal("1.1", f"nobody sits at {place}")


def _in_the_hand(t: Table, place: str) -> bool:
    return playing(t, place) or _has_posted(t, place)


def _has_posted(t: Table, place: str) -> bool:
    h = running(t)
    return h is not None and place in h.posted


def _taken_away(s: Step, name: Button, place: str) -> None:
    room = room_of(s.t)
    if name == MISSED and room.owing.get(place) is Owing.AVOIDED:
        if not _has_posted(s.t, place):
            raise Refusal(Owing.AVOIDED.rule, "the missed blind was not posted yet")
        del room.owing[place]
    room.buttons[place] = [other for other in room.buttons.get(place, ()) if other != name]
    if not room.buttons[place]:
        del room.buttons[place]


def hand_over(s: Step, misdealt: bool = False) -> None:
    """Ends what was for one hand alone, and gives the seats that were wanted meanwhile.

    After a misdeal all is as before: a fee per person that was collected holds for the next deal, and who got the
    big blind back owes it again.
    """
    room, h = room_of(s.t), running(s.t)
    for place in list(room.buttons):
        _taken_away(s, "dealt-out", place)
    if h is not None:  # pragma: no branch - a hand is over before its round is
        _blinds_paid(s.t, h)
        if misdealt:
            _blinds_owed_again(s.t, h)
    if not misdealt:
        room.collected = False
    begin_anew(s.t)
    for place in list(room.wishes):
        lists.contest(s, place, ended=True)


def _blinds_paid(t: Table, h: Hand) -> None:
    """Notes which players have paid a blind that was due."""
    paid = room_of(t).paid
    seated = [place for place in h.due if place in t.seats]
    for place in seated:
        if place in h.paid and place not in paid:
            paid.append(place)


def _blinds_owed_again(t: Table, h: Hand) -> None:
    """Lets who has got back a blind that was not due owe it again."""
    room = room_of(t)
    not_due = [place for place in h.posted if place not in (*h.due, *h.straddles)]
    for place in not_due:
        if place in t.seats:
            room.owing[place] = Owing.AVOIDED if place in room.paid else Owing.NEWCOMER


# ---- moves


def move(s: Step, args: tuple[str, ...]) -> None:
    """Moves a seated player to an empty seat (8.9.5)."""
    (old, new), t, room = args, s.t, room_of(s.t)
    if old not in t.seats:
        raise Refusal("8.9.5", f"nobody sits at {old}")
    on_layout(t, new)
    if new in t.seats:
        raise Refusal("8.9.5", f"seat {new} is not empty")
    if tied(t, old) or tied(t, new):
        raise Refusal("8.9.5", "seats are changed when this hand is over")
    lists.give_way(t, new, t.seats[old])
    if _costs_a_blind(t, old, new):
        room.owing.setdefault(old, Owing.FAR_MOVE)
        text = "moved far: waits for the big blind, or posts it to get cards"
        s.prompt("dealer", text, "8.9.5", new, ("post",))
    t.seats[new] = t.seats.pop(old)
    room.buttons.pop(new, None)
    for of_seat in (room.stakes, room.held):
        if old in of_seat:
            of_seat[new] = of_seat.pop(old)
    if old in room.owing:
        room.owing[new] = room.owing.pop(old)
    if old in room.buttons:
        room.buttons[new] = room.buttons.pop(old)
    for seats in (room.moved, room.paid):
        seats[:] = [new if at == old else at for at in seats]
    lists.took(s, new, t.seats[new])
    lists.gone(s, old)


def _costs_a_blind(t: Table, old: str, new: str) -> bool:
    """Tells whether more than two live players are between, clockwise.

    Not for who has paid blinds and goes to the button.
    """
    room = room_of(t)
    if _before_the_first_hand(t):
        return False  # seats are chosen before it
    around = seats_after(places(t), old)
    passed = _live_players(t, around[: around.index(new)])
    other_way = _live_players(t, around[around.index(new) + 1 : -1])
    if passed <= LIVE_SEATS:
        return False
    if int(new) < int(old) and other_way < passed:
        return False  # went the other way, towards the blinds
    return old not in room.paid or next_hand(t).button != new


def _live_players(t: Table, around: list[str]) -> int:
    room = room_of(t)
    return sum(place in t.seats and barred(room, place) is None for place in around)


def moved(s: Step, args: tuple[str, ...]) -> None:
    """Lets a newcomer owe nothing whom the house moved here, or who comes from a game that has closed (8.10)."""
    (place,) = args
    room = room_of(s.t)
    if place not in s.t.seats:
        raise Refusal("8.10", f"nobody sits at {place}")
    if room.owing.get(place) in (Owing.NEWCOMER, Owing.FAR_MOVE):
        del room.owing[place]
    if place not in room.moved:
        room.moved.append(place)


def agree(s: Step, args: tuple[str, ...]) -> None:
    """Keeps that the majority of the players (6.10), or all of them (13.3), agree to what is changed next."""
    room_of(s.t).agreed = "all" if args[0] == "all" else "majority"


drawing, card_for_seat = lists.drawing, lists.card_for_seat
hourly = charges.hourly
first_for = lists.first_for
