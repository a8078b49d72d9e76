"""Where a hand stands: what is due next, and by which rule.  Reads only."""

from __future__ import annotations

from typing import Final, NamedTuple

from controller.cards import UNREAD
from controller.places import At
from controller.poker.hand import betting
from controller.poker.money.stacks import running
from controller.poker.state import Hand
from controller.poker.words import Due, Street
from controller.table.state import Round, Table

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
    "pineapple": (Street.FIRST, "8.17.4"),
    "crazy-pineapple": (Street.FLOP, "8.18.4"),
    "crazy-pineapple-hi-lo": (Street.FLOP, "8.18.4"),
}
BOARD: Final = (0, 3, 4, 5)  # community cards in each betting round
STREET_RULE: Final = ("8.17", "8.18", "8.19", "8.20")
BURN_RULE: Final = ("", "8.18.1", "8.19.1", "8.20.1")
FOR_SIDE_WAGERS: Final = "8.17.3(a)(i)"  # one player is left, and the flop is dealt all the same
SIDE: Final = ("red", "black")  # 2.3: the areas of the layout for side wagers
PLACE: Final = ("", "flop", "turn", "river")
ON_THE_BOARD: Final = ("flop", "turn", "river", "community")  # how people name it, or a part of it


def played(game: str) -> int:
    """Returns how many of the cards are in a hand at the showdown.

    >>> played("omaha"), played("pineapple")
    (4, 2)
    """
    return HOLE[game] - (game in DISCARD)


class Stage(NamedTuple):
    """What the table waits for, by which rule, and where."""

    what: Due
    rule: str
    place: str = ""  # "": nowhere in particular


# ---- seats


def live(h: Hand) -> list[str]:
    """Returns the seats with a claim to the pot, clockwise from the button's left."""
    return [seat for seat in h.dealt if seat not in h.out]


def contested(h: Hand) -> bool:
    """Tells whether two or more have a claim to the pot."""
    return len(live(h)) > 1


def clockwise(seats: list[str], after: str) -> list[str]:
    """Returns seats in the order in which the dealer goes around, the first one left of `after`.

    >>> clockwise(["1", "4", "9"], "4")
    ['9', '1', '4']
    """
    numbers = sorted(int(seat) for seat in set(seats))
    pivot = int(after) if after else 0
    return [str(n) for n in (*(n for n in numbers if n > pivot), *(n for n in numbers if n <= pivot))]


def turns(t: Table, h: Hand) -> list[str]:
    """Returns where the cards of the initial deal went, or go, one after the other."""
    around = [*h.dealt, *(seat for seat in h.strays if seat not in h.dealt)]
    if h.strays:
        last = h.dealt[-1] if h.dealt else ""
        around = clockwise(around, h.button or last)
    if not h.missed:
        return around * HOLE[t.game]
    left_out = {seat for seat, n in h.missed if n == 0}
    served = [seat for seat in around if seat not in left_out]
    plan = [(seat, n) for n in range(1, HOLE[t.game] + 1) for seat in served]
    return [seat for seat, n in plan if (seat, n) not in h.missed]


def missing_cards(t: Table, h: Hand) -> int:
    """Returns how many cards of the initial deal were not dealt."""
    return len(turns(t, h)) - len(h.tape)


def shows_first(h: Hand) -> str:
    """Returns who shows first: who was called in the last betting round.

    Without a bet it is the first left of the button (8.20.4, AMB-CP-23).
    """
    return h.aggressor if h.aggressor in live(h) else live(h)[0]


# ---- what was done


def substantial(h: Hand) -> bool:
    """Tells whether two or more players have acted in this betting round (1.1)."""
    return len({act.seat for act in h.acts if act.street == h.street}) > 1


def acted(h: Hand, seat: str = "") -> bool:
    """Tells whether somebody, or this seat, has acted in the hand."""
    return any(seat in ("", act.seat) for act in h.acts)


def acted_on(h: Hand, street: int) -> bool:
    """Tells whether somebody has acted in this betting round."""
    return any(act.street == street for act in h.acts)


def before_substantial_action(h: Hand) -> bool:
    """Tells whether the first betting round is under way, with no more than one act."""
    return h.street == Street.FIRST and not substantial(h)


# ---- cards


def next_street(h: Hand) -> Street:
    """Returns the betting round for which the next community card is dealt."""
    to_come = (Street.FLOP, Street.TURN, Street.RIVER)
    return next((street for street in to_come if len(h.board) < BOARD[street]), Street.SHOWDOWN)


def discards_due(t: Table, h: Hand) -> bool:
    """Tells whether the betting round is complete after which this game discards."""
    if t.game not in DISCARD:
        return False
    after, _ = DISCARD[t.game]
    if h.street == after:
        return h.betting is None
    return h.street > after


def has_card_too_many(t: Table, h: Hand, seat: str) -> bool:
    """Tells whether this seat holds all the cards that were dealt to it."""
    return seat not in h.discarded and len(h.cards.get(seat, ())) == HOLE[t.game]


def to_discard(t: Table, h: Hand) -> list[str]:
    """Returns who still has a card too many, the first one left of the button first."""
    if not discards_due(t, h):
        return []
    return [seat for seat in live(h) if has_card_too_many(t, h, seat)]


def known(r: Round, h: Hand) -> list[str]:
    """Returns the cards that everybody or a reader has seen leave the deck.

    They are in the hands, on the board, discarded or burned.
    """
    burns = [burn.card for burn in r.burns]
    cards = [*h.board, *h.thrown, *burns, *(card for cards in h.cards.values() for card in cards)]
    return [card for card in cards if card != UNREAD]


def twice(r: Round, h: Hand) -> bool:
    """Tells whether the same card lies on the layout twice."""
    cards = known(r, h)
    return len(set(cards)) < len(cards)


def unsettled_side_wagers(r: Round) -> list[At]:
    """Returns the Flop Chase wagers that are not settled: seat and colour."""
    ended = {line.at for line in r.lines}
    return [at for at in r.wagers if at not in ended]


# ---- what comes next


def stage(t: Table) -> Stage:
    """Returns what comes next."""
    h = running(t)
    if h is None:
        return Stage("blinds", "8.9.2")
    if h.trouble is not None:
        return Stage("ruling", h.trouble.rule)
    if h.undealt:
        unposted = [seat for seat in h.due if seat not in h.posted]
        return Stage("blinds", "8.9.3", unposted[0]) if unposted else Stage("deal", "8.16.1")
    if h.in_deal:
        return Stage("deal", "8.16.1", next(iter(turns(t, h)[len(h.tape) :]), ""))
    if h.replaces:
        return Stage("deal", "9.7", h.replaces)
    if not contested(h):
        return _one_is_left(t, h)
    if h.betting is not None:
        return Stage("act", f"{STREET_RULE[h.street]}.3", betting.to_act(h.betting) or "")
    return _between_rounds(t, h)


def _one_is_left(t: Table, h: Hand) -> Stage:
    """Returns what comes next when the pot is won; a flop is dealt only for the side wagers that lie on it."""
    wagers = unsettled_side_wagers(t.round) if t.round is not None else []
    flop_is_dealt = len(h.board) >= BOARD[Street.FLOP]
    if flop_is_dealt or not wagers:
        return Stage("over", f"{STREET_RULE[min(h.street, Street.RIVER)]}.3(a)")
    return _next_cards(h, Street.FLOP, FOR_SIDE_WAGERS, FOR_SIDE_WAGERS)


def _between_rounds(t: Table, h: Hand) -> Stage:
    waiting = to_discard(t, h) if _waits_for_discards(t, h) else []
    if waiting:
        return Stage("discard", "9.15.1", waiting[0])
    if h.street >= Street.RIVER:
        return Stage("over", "8.20.4")
    coming = Street(h.street + 1)
    return _next_cards(h, coming, BURN_RULE[coming], f"{STREET_RULE[coming]}.1")


def _waits_for_discards(t: Table, h: Hand) -> bool:
    """Tells whether this is the round after which the game discards, or the last at which it can."""
    if t.game not in DISCARD:
        return False
    after, _ = DISCARD[t.game]
    return h.street == after or h.street >= Street.RIVER


def _next_cards(h: Hand, street: Street, burn_rule: str, board_rule: str) -> Stage:
    if h.shuffle is not None:
        return Stage("shuffle", h.shuffle.rule)
    if h.cut is not None:
        return Stage("cut", h.cut.rule)
    if h.burnt < street and not h.spare:
        return Stage("burn", burn_rule)
    return Stage("board", board_rule, "board")
