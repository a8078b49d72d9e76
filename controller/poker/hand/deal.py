"""The initial deal: which card lies where, and what was left out."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.poker.hand import betting, rounds
from controller.poker.hand.course import HOLE, clockwise, live, missing_cards, turns
from controller.poker.options import crown
from controller.poker.state import Hand
from controller.poker.words import Street
from controller.table.state import Table
from controller.table.step import Step


def hole_card(s: Step, h: Hand, seat: str, card: str) -> None:
    """Takes a card of the initial deal; one that came to another seat than the next shows who was missed."""
    expected = turns(s.t, h)[len(h.tape) :]
    if not expected:
        _take(s, h, card)
        return
    served = seat or expected[0]
    if served != expected[0]:
        _out_of_order(s, h, served, expected)
    _take(s, h, card, unread_at=served)


def _take(s: Step, h: Hand, card: str, unread_at: str = "") -> None:
    h.tape.append(card)
    lay(s.t, h)
    if card == UNREAD and unread_at:
        text = f"a card of seat {unread_at} could not be read: name the hand, such as reconstruct 1=Kh,Qd"
        s.prompt("dealer", text, "8.13", unread_at, ("reconstruct",))
    if missing_cards(s.t, h) <= 0:
        deal_done(s, h)


def _out_of_order(s: Step, h: Hand, seat: str, expected: list[str]) -> None:
    """Notes who was left out, or that a hand too many is dealt: the reader of another seat has the card."""
    if seat in h.dealt and seat in expected:
        skipped = expected[: expected.index(seat)]
        for missed in skipped:
            have = sum(x == missed for x in turns(s.t, h)[: len(h.tape)])
            h.missed.append((missed, have + 1))
        rule = "9.1.1(c)"
    else:
        h.strays.append(seat)
        rule = "9.1.1(d)"
    s.prompt("dealer", f"the card went to seat {seat} instead of seat {expected[0]}", rule, seat, ("misdeal",))


def lay(t: Table, h: Hand) -> None:
    """Works out the hands from the order of the cards and from who was really served."""
    order = turns(t, h)
    kept = {seat: h.cards[seat] for seat in h.given if seat in h.cards}
    h.cards = {seat: [] for seat in h.dealt}
    for seat, card in zip(order, h.tape, strict=False):
        h.cards.setdefault(seat, []).append(card)
    for seat, cards in h.given.items():
        h.cards[seat] = kept.get(seat) or list(cards)


def deal_seems_over(s: Step, h: Hand) -> None:
    """Ends the deal when players act although a card, or all those of one seat, are missing; the dealer is told.

    What follows depends on who has acted when it is found (9.1.1(d), (e), (f)).
    """
    if not h.in_deal or h.undealt:
        return
    if h.trouble is not None:
        return
    missing = missing_cards(s.t, h)
    if missing == 1:
        text, rule = "the deal is one card short: say who was missed with short SEAT", "9.1.1(e)"
    elif missing == HOLE[s.t.game] and len(h.dealt) > 2:
        text, rule = "a seat was dealt no cards: say which one with short SEAT all", "9.1.1(d)"
    else:
        return
    s.prompt("dealer", text, rule, offers=("short", "misdeal"))
    deal_done(s, h)


def deal_done(s: Step, h: Hand) -> None:
    """Begins the first betting round, from the left of the last blind: everybody has cards."""
    if h.exposed:
        h.replaces = h.exposed[0][0]
        text = "replace the exposed card with the next one; it becomes the first burn card"
        s.prompt("dealer", text, "9.7", h.replaces, ("burn",))
    if not h.in_deal:
        return
    h.street = Street.FIRST
    b = h.betting = rounds.new_round(s, h, clockwise(live(h), _last_blind(h)))
    large = crown(s.t).last_blind
    for seat, amount in list(h.posted.items()):
        if seat in b.order:
            b.stacks[seat] += amount
            betting.post(b, seat, amount)
        else:
            h.dead[seat] = h.dead.get(seat, 0) + h.posted.pop(seat)  # posted, and no cards after all
    b.level = b.full = max(b.level, large if h.due or h.posted else 0)
    rounds.go_on(s, h)


def _last_blind(h: Hand) -> str:
    """Returns the seat of the last straddle, else of the last blind that was posted, else of the button."""
    if h.straddles:
        return h.straddles[-1]
    return next((seat for seat in reversed(h.blinds) if seat in h.posted), h.button)
