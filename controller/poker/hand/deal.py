"""The initial deal: which card lies where, and what was left out."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.poker.hand import betting, rounds
from controller.poker.hand.course import HOLE, clockwise, live, turns
from controller.poker.room import blinds
from controller.poker.state import Hand
from controller.table.state import Table
from controller.table.step import Step


def hole_card(s: Step, h: Hand, seat: str, card: str) -> None:
    """A card of the initial deal; one that came to another seat than the next shows who was missed."""
    expected = turns(s.t, h)[len(h.tape) :]
    if seat and expected and seat != expected[0]:
        _out_of_order(s, h, seat, expected)
    h.tape.append(card)
    lay(s.t, h)
    if card == UNREAD and expected:
        text = f"a card of seat {seat or expected[0]} could not be read: name the hand, such as reconstruct 1=Kh,Qd"
        s.prompt("dealer", text, "8.13", seat or expected[0], ("reconstruct",))
    if len(h.tape) >= len(turns(s.t, h)):
        deal_done(s, h)


def _out_of_order(s: Step, h: Hand, seat: str, expected: list[str]) -> None:
    """The reader of another seat has the card: what lies between them was left out."""
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
    """The hands follow from the order of the cards and from who was really served."""
    order = turns(t, h)
    kept = {seat: h.cards[seat] for seat in h.given if seat in h.cards}
    h.cards = {seat: [] for seat in h.dealt}
    for seat, card in zip(order, h.tape, strict=False):
        h.cards.setdefault(seat, []).append(card)
    for seat, cards in h.given.items():
        h.cards[seat] = kept.get(seat) or list(cards)


def deal_seems_over(s: Step, h: Hand) -> None:
    """Players act although a card, or all those of one seat, are missing: the dealer is told, and it goes on.

    What follows depends on who has acted when it is found (9.1.1(d), (e), (f)).
    """
    if h.street >= 0 or h.trouble or not h.tape:
        return
    missing = len(turns(s.t, h)) - len(h.tape)
    if missing == 1:
        text, rule = "the deal is one card short: say who was missed with short SEAT", "9.1.1(e)"
    elif missing == HOLE[s.t.game] and len(h.dealt) > 2:
        text, rule = "a seat was dealt no cards: say which one with short SEAT all", "9.1.1(d)"
    else:
        return
    s.prompt("dealer", text, rule, offers=("short", "misdeal"))
    deal_done(s, h)


def deal_done(s: Step, h: Hand) -> None:
    """Everybody has cards: the first betting round, from the left of the last blind."""
    if h.exposed:
        h.replaces = h.exposed[0][0]
        text = "replace the exposed card with the next one; it becomes the first burn card"
        s.prompt("dealer", text, "9.7", h.replaces, ("burn",))
    if h.street >= 0:
        return
    h.street = 0
    last = next(reversed(h.straddles), "") or next((b for b in reversed(h.blinds) if b in h.posted), h.button)
    b = h.betting = rounds.new_round(s, h, clockwise(live(h), last))
    large = blinds.amounts(s.t.options["blinds"])[-1]
    for seat, amount in list(h.posted.items()):
        if seat in b.order:
            b.stacks[seat] += amount
            betting.post(b, seat, amount)
        else:
            h.dead[seat] = h.dead.get(seat, 0) + h.posted.pop(seat)  # posted, and no cards after all
    b.level = b.full = max(b.level, large if h.due or h.posted else 0)
    rounds.go_on(s, h)
