"""Who sits where, who was warned, excluded, or has limits of their own."""

from __future__ import annotations

from controller.money import cents, short
from controller.places import Place, area_of
from controller.table.state import Person, Table
from controller.table.step import Refusal, Step


def places(text: str) -> list[str]:
    """Returns the places of a list such as "1-3,6".

    >>> places("1-3,6")
    ['1', '2', '3', '6']
    """
    out = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        out += [str(n) for n in range(int(first), int(last or first) + 1)]
    return out


def excluded(t: Table, place: Place) -> bool:
    """Tells whether the player there is excluded from the game."""
    return place in t.seats and t.people[t.seats[place]].excluded


def sit_down(s: Step, place: str, name: str = "") -> None:
    """Seats somebody at a place; a wager also seats whoever makes it."""
    if place not in s.t.seats or name:
        s.t.seats[place] = name or f"S{place}"
        s.t.unseen.pop(place, None)
        _blind_by_name(s, place)
    s.t.people.setdefault(s.t.seats[place], Person(arrived=s.seq))


def _blind_by_name(s: Step, place: str) -> None:
    """Declares a place blind whose player views the hand of another area (001 5.9.2, 003 5.12.2).

    A person views the hand of the area that came first; every further one is blind.
    """
    t, who = s.t, s.t.seats[place]
    homes = [p for p, name in t.seats.items() if name == who and p != place and p not in t.unseen]
    if homes and s.policy.unseen_extras:
        t.unseen[place] = homes[0]


def seat(s: Step, args: tuple[str, ...]) -> None:
    """Seats people at these places; refuses places that the table does not have."""
    options = dict(arg.split("=", 1) for arg in args[1:])
    for place in places(args[0]):
        _on_the_layout(s, place)
        sit_down(s, place, options.get("player", ""))


def _on_the_layout(s: Step, place: str) -> None:
    """Refuses a place that the table does not have."""
    if area_of(place) > s.t.options.typed.seats:
        raise Refusal(s.cites.places, f"this table has {s.t.options.typed.seats} places")


def leave(s: Step, args: tuple[str, ...]) -> None:
    """Records that a player has left for good.

    With the person goes what was known of them, but not the exclusion of somebody known by name.
    """
    s.game.leaves(s, args[0])
    who = s.t.seats.pop(args[0], None)
    for area in [a for a, home in s.t.unseen.items() if args[0] in (a, home)]:
        s.game.leaves(s, area)
        del s.t.unseen[area]
        s.t.seats.pop(area, None)
    if who is None or who in s.t.seats.values():
        return
    if not s.t.people[who].excluded or who == f"S{args[0]}":
        del s.t.people[who]


def owner(s: Step, args: tuple[str, ...]) -> None:
    """Gives a player who sits elsewhere one area more."""
    area, of = args
    _on_the_layout(s, area)
    if s.policy.one_hand:
        raise Refusal(s.cites.one_hand, "a player wagers on one hand only")
    if of not in s.t.seats:
        raise Refusal(s.cites.extra, f"nobody sits at {of}")
    home = s.t.unseen.get(of, of)
    if area == home:
        raise Refusal(s.cites.extra, "this is where the player sits")
    before = s.t.seats.get(area)
    wagers = s.round.wagers if s.round is not None else {}
    lies_there = any(place == area for place, _ in wagers)  # the dealer says whose wager it is
    if s.policy.unseen_extras and before not in (None, s.t.seats[of]) and not lies_there:
        raise Refusal(s.cites.extra_seat, "somebody else sits there")
    s.t.seats[area], s.t.unseen[area] = s.t.seats[of], home
    if before is not None and before not in s.t.seats.values():
        del s.t.people[before]


def marker(s: Step, args: tuple[str, ...]) -> None:
    """Keeps personal limits, denoted by a marker at the place; none where they are those of the sign again."""
    _on_the_layout(s, args[0])
    sit_down(s, args[0])
    person, sign = s.t.people[s.t.seats[args[0]]], s.t.options.typed
    agreed = dict(arg.split("=", 1) for arg in args[1:])
    least = cents(agreed["min"]) if "min" in agreed else person.least
    most = cents(agreed["max"]) if "max" in agreed else person.most
    rule = s.cites.limits if s.powers.marker is None else s.powers.marker.rule
    if (sign.min if least is None else least) > (sign.max if most is None else most):
        raise Refusal(rule, "the player's minimum would be above their maximum")
    if least is not None and least < sign.approved_least:
        raise Refusal(
            rule, f"no limits may be agreed under the minimum of {short(sign.approved_least)} that was approved"
        )
    if (least, most) == (sign.min, sign.max):
        least = most = None
    person.least, person.most = least, most
