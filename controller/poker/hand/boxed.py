"""Boxed cards: a card that lay face up does not exist, and the next one takes its place (9.3)."""

from __future__ import annotations

from typing import Final

from controller.poker.hand import deal
from controller.poker.hand.course import BOARD, acted_on
from controller.poker.hand.irregular import defective_after_boxed
from controller.poker.state import Hand
from controller.table.step import Step

BOXED: Final = "a card that lay face up does not exist: put it into the muck; the next one takes its place"


def boxed(s: Step, h: Hand, by_dealer: bool = False) -> None:
    """Rules on a card that lay face up (9.3); the fifth one makes the deck defective (1.1).

    A reader's report and the dealer's are of one card.
    """
    if by_dealer and h.faceup:
        h.faceup = False
        return
    h.boxed += 1
    h.faceup = not by_dealer
    if by_dealer:
        h.boxed_at = ("board", len(h.board)) if h.board else ("tape", len(h.tape))
    s.ruled("continue", "9.3", BOXED)
    s.prompt("dealer", BOXED, "9.3")
    defective_after_boxed(s, h)


def replaces_boxed(s: Step, h: Hand, card: str) -> bool:
    """Puts a card more than was due in the place of a boxed one that a reader had read before it was reported."""
    if h.boxed_at is None or not _boxed_in_this_street(h, *h.boxed_at):
        return False
    where, n = h.boxed_at
    cards = h.board if where == "board" else h.tape
    del cards[n - 1]
    cards.append(card)
    h.boxed_at = None
    if where == "tape":
        deal.lay(s.t, h)
    return True


def _boxed_in_this_street(h: Hand, where: str, n: int) -> bool:
    """Tells whether the boxed card was dealt for the newest street, after which nothing has happened."""
    if len(h.board) not in BOARD:
        return False
    street = BOARD.index(len(h.board))
    if h.burnt > street or acted_on(h, street):
        return False
    cards = h.board if street else h.tape
    if where != ("board" if street else "tape"):
        return False
    before = BOARD[street - 1] if street else 0
    return before < n <= len(cards)
