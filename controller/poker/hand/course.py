"""Where a hand stands: what is due next, and by which rule.  Reads only."""

from __future__ import annotations

from typing import Final, NamedTuple

from controller.cards import UNREAD
from controller.poker.hand import betting
from controller.poker.state import Hand
from controller.table.state import Round, Table, key

HOLE: Final = {  # 8.16.1
    "holdem": 2,
    "holdem-hi-lo": 2,
    "pineapple": 3,
    "crazy-pineapple": 3,
    "crazy-pineapple-hi-lo": 3,
    "omaha": 4,
    "omaha-hi-lo": 4,
}
DISCARD: Final = {  # the betting round after which a card is discarded, and its rule
    "pineapple": (0, "8.17.4"),
    "crazy-pineapple": (1, "8.18.4"),
    "crazy-pineapple-hi-lo": (1, "8.18.4"),
}
LATE: Final = "9.15.2"  # the rule on a discard that came too late, or never
BOARD: Final = (0, 3, 4, 5)  # community cards in each betting round
STREET: Final = ("8.17", "8.18", "8.19", "8.20")
BURN: Final = ("", "8.18.1", "8.19.1", "8.20.1")
SIDE: Final = ("red", "black")
SHOWDOWN: Final = 4
PLACE: Final = ("", "flop", "turn", "river")


def played(game: str) -> int:
    """How many of the cards are in a hand at the showdown.

    >>> played("omaha"), played("pineapple")
    (4, 2)
    """
    return HOLE[game] - (game in DISCARD)


class Stage(NamedTuple):
    """What the table waits for: blinds, deal, ruling, act, discard, shuffle, cut, burn, board, over."""

    what: str
    place: str
    rule: str


def live(h: Hand) -> list[str]:
    """Seats with a claim to the pot, clockwise from the button's left."""
    return [seat for seat in h.dealt if seat not in h.out]


def turns(t: Table, h: Hand) -> list[str]:
    """Where the cards of the initial deal went, or go, one after the other."""
    around = [*h.dealt, *(seat for seat in h.strays if seat not in h.dealt)]
    if h.strays:
        after = h.dealt[-1] if h.dealt else h.button
        around = clockwise(around, h.button or after)
    plan = [(seat, n) for n in range(1, HOLE[t.game] + 1) for seat in around]
    return [seat for seat, n in plan if (seat, n) not in h.missed and (seat, 0) not in h.missed]


def clockwise(seats: list[str], after: str) -> list[str]:
    """Seats in the order in which the dealer goes around, the first one left of `after`.

    >>> clockwise(["1", "4", "9"], "4")
    ['9', '1', '4']
    """
    numbers = sorted(int(seat) for seat in set(seats))
    pivot = int(after) if after else 0
    return [str(n) for n in (*(n for n in numbers if n > pivot), *(n for n in numbers if n <= pivot))]


def to_discard(t: Table, h: Hand) -> list[str]:
    """Who still has a card too many, the first one left of the button first."""
    due = DISCARD.get(t.game)
    if due is None or h.street < due[0] or (h.betting is not None and h.street == due[0]):
        return []
    return [seat for seat in live(h) if seat not in h.discarded and len(h.cards.get(seat, ())) == HOLE[t.game]]


def unsettled_side_wagers(r: Round) -> list[tuple[str, str]]:
    """Flop Chase wagers that are not settled: seat and colour."""
    ended = {key(line.place, line.spot) for line in r.lines}
    return [(at.split(" ")[0], at.split(" ")[1]) for at in r.wagers if at not in ended]


def known(r: Round, h: Hand) -> list[str]:
    """Cards that everybody or a reader has seen leave the deck: in the hands, on the board, discarded, burned."""
    burns = [burn.card for burn in r.burns]
    out = [*h.board, *h.thrown, *burns, *(card for cards in h.cards.values() for card in cards)]
    return [card for card in out if card != UNREAD]


def twice(r: Round, h: Hand) -> bool:
    """Does the same card lie there twice?"""
    cards = known(r, h)
    return len(set(cards)) < len(cards)


def substantial(h: Hand) -> bool:
    """Two or more players have acted in this betting round (1.1)."""
    return len({seat for street, seat, _ in h.acts if street == h.street}) > 1


def acted(h: Hand, seat: str = "") -> bool:
    """Somebody, or this seat, has acted in the hand."""
    return any(seat in ("", who) for _, who, _ in h.acts)


def shows_first(h: Hand) -> str:
    """Who was called in the last betting round; without a bet the first left of the button (8.20.4, AMB-CP-23)."""
    return h.aggressor if h.aggressor in live(h) else live(h)[0]


def contested(h: Hand) -> bool:
    return len(live(h)) > 1


def stage(t: Table) -> Stage:
    """What comes next."""
    r = t.round
    h = r.hand if r is not None and not r.outcome else None
    if r is None or h is None:
        return Stage("blinds", "", "8.9.2")
    if h.trouble:
        return Stage("ruling", "", h.trouble)
    if not h.tape and h.street < 0:
        unposted = [seat for seat in h.due if seat not in h.posted]
        return Stage("blinds", unposted[0], "8.9.3") if unposted else Stage("deal", "", "8.16.1")
    if h.street < 0:
        return Stage("deal", next(iter(turns(t, h)[len(h.tape) :]), ""), "8.16.1")
    if h.replaces:
        return Stage("deal", h.replaces, "9.7")
    return _streets(t, r, h)


def _streets(t: Table, r: Round, h: Hand) -> Stage:
    if not contested(h):
        if len(h.board) >= BOARD[1] or not unsettled_side_wagers(r):
            return Stage("over", "", f"{STREET[min(h.street, 3)]}.3(a)")
        return _next_cards(h, 1, "8.17.3(a)(i)")
    if h.betting is not None:
        return Stage("act", betting.to_act(h.betting) or "", f"{STREET[h.street]}.3")
    if (waiting := to_discard(t, h)) and (h.street == DISCARD[t.game][0] or h.street >= 3):
        return Stage("discard", waiting[0], "9.15.1")
    if h.street >= 3:
        return Stage("over", "", "8.20.4")
    return _next_cards(h, h.street + 1, f"{STREET[h.street + 1]}.1")


def _next_cards(h: Hand, street: int, rule: str) -> Stage:
    if h.shuffle:
        return Stage("shuffle", "", h.shuffle)
    if h.cut:
        return Stage("cut", "", h.cut)
    if h.burnt < street and not h.spare:
        return Stage("burn", "", rule if "(" in rule else BURN[street])
    return Stage("board", "board", rule)
