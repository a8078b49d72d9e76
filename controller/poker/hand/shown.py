"""The cards of a hand as they lie there, and what was shown of them."""

from __future__ import annotations

from typing import Final

from controller.poker.hand.showdown import high, low
from controller.poker.state import Hand
from controller.rules import UNDONE
from controller.table.state import Round
from controller.table.telling import COMMUNITY as COMMUNITY
from controller.table.telling import Hands, Lying

WHOLE_BOARD: Final = 5
SHOWN, ASKED, EXPOSED = "8.20.4", "9.5", "9.7"  # at the showdown; for a player who asks; by mistake
STREETS: Final = ("8.18", "8.18", "8.18", "8.19", "8.20")  # by which the cards of the board come


def lying(r: Round, hand: Hand) -> Lying:
    """Returns the cards by place: a hand that was not shown stays face down for good, but for what the dealer exposed.

    >>> hand = Hand("1", cards={"1": ["As", "Ad"], "2": ["Kh", "Kd"]}, shown=["2"], board=["2c"])
    >>> sorted(lying(Round(1, 1), hand).hidden)
    [('1', 1), ('1', 2)]
    """
    hands = {seat: cards for seat, cards in hand.cards.items() if cards}
    return Lying(
        hands | ({COMMUNITY: hand.board} if hand.board else {}),
        frozenset(_unshown(hand, hands)),
        aside=tuple(hand.thrown),
        burns=tuple(r.burns),
        handed_in=frozenset(place for place in (*hands, COMMUNITY) if _handed_in(r, hand, place)),
        open_by=_open_by(hand, hands),
    )


def _open_by(hand: Hand, hands: Hands) -> dict[tuple[str, int], str]:
    """Returns the rule by which each card lies open.

    >>> hand = Hand("1", cards={"1": ["As"], "2": ["Kh"]}, shown=["2"], exposed=[("1", 1)], board=["2c"])
    >>> _open_by(hand, hand.cards)
    {('1', 1): '9.7', ('2', 1): '8.20.4', ('community', 1): '8.18'}
    """
    out = dict.fromkeys(hand.exposed, EXPOSED)
    for seat in hand.shown:
        rule = ASKED if seat in (*hand.asked, *hand.mucked) else SHOWN
        out |= {(seat, n): rule for n in range(1, len(hands.get(seat, ())) + 1)}
    return out | {(COMMUNITY, n): rule for n, (rule, _) in enumerate(zip(STREETS, hand.board, strict=False), 1)}


def _unshown(hand: Hand, hands: Hands) -> set[tuple[str, int]]:
    every = {(seat, n) for seat, cards in hands.items() if seat not in hand.shown for n in range(1, len(cards) + 1)}
    return every - set(hand.exposed)


def _handed_in(r: Round, hand: Hand, place: str) -> bool:
    """Tells whether nobody holds these cards any more, and nobody has to.

    They are folded, or were taken back with the whole deal.
    """
    if place in hand.shown:
        return False
    return place in hand.out or r.outcome in UNDONE


def names(game: str, hand: Hand, seen: Hands) -> dict[str, str]:
    """Returns the hands that were shown, as the dealer announces them when the board is whole (000 8.20.4)."""
    board = seen.get(COMMUNITY, [])
    if len(board) != WHOLE_BOARD:
        return {}
    return {seat: _name(game, seen[seat], board) for seat in hand.shown if seat in seen}


def _name(game: str, hole: list[str], board: list[str]) -> str:
    lows = low(game, hole, board)
    return high(game, hole, board).name + (f"; low {lows.name}" if lows is not None else "")
