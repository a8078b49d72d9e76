"""What everybody may see of the cards of a hand."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.poker.state import Hand

COMMUNITY = "community"


def public_hands(hand: Hand) -> dict[str, list[str]]:
    """Returns the cards that may be seen, by place.

    A hand that was not shown stays face down for good, but for what the dealer exposed.

    >>> public_hands(Hand("1", cards={"1": ["As", "Ad"], "2": ["Kh", "Kd"]}, shown=["2"], board=["2c"]))
    {'1': ['??', '??'], '2': ['Kh', 'Kd'], 'community': ['2c']}
    """
    out = {}
    for seat, cards in hand.cards.items():
        if cards:
            open_ = seat in hand.shown
            out[seat] = [c if open_ or (seat, n) in hand.exposed else UNREAD for n, c in enumerate(cards, 1)]
    return out | ({COMMUNITY: list(hand.board)} if hand.board else {})
