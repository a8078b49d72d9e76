"""Bonus prizes (document 000, rule 11): claimed by the dealer, verified by a supervisor."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.money import cents, dollars
from controller.poker import showdown
from controller.poker.course import BOARD
from controller.poker.state import Hand
from controller.table.scene import Refusal, Scene

CONFIRMED = "+"


def offered(text: str) -> dict[str, int]:
    """Qualifying hands and their prizes.

    >>> offered("royal-flush:1000,four-of-a-kind:50")
    {'royal-flush': 100000, 'four-of-a-kind': 5000}
    """
    if text == "none":
        return {}
    return {name: cents(amount) for name, _, amount in (part.partition(":") for part in text.split(","))}


def _hand(s: Scene) -> Hand:
    h = s.t.round.hand if s.t.round is not None else None
    if h is None:
        raise Refusal("11.3", "no hand was played")
    return h


def claim(s: Scene, args: tuple[str, ...]) -> None:
    """The dealer notifies a supervisor, who verifies the hand (11.3)."""
    h, seat, prizes = _hand(s), args[0], offered(s.t.options["bonus"])
    if not prizes:
        raise Refusal("11.2", "no bonus prizes are offered at this table")
    if seat not in h.cards or seat in h.void:
        raise Refusal("11.3", f"seat {seat} has no hand")
    if seat in h.out:
        raise Refusal("11.4", "a folded hand is not eligible")
    if len(h.board) < BOARD[1] or UNREAD in (*h.cards[seat], *h.board):
        raise Refusal("11.2", "the hand is not complete")
    worth = showdown.high(s.t.game, h.cards[seat], h.board).category.name.lower().replace("_", "-")
    if worth not in prizes:
        raise Refusal("11.2", "this hand qualifies for no bonus prize")
    h.bonuses.setdefault(seat, worth)
    text = f"verify the {worth.replace('-', ' ')}: bonus prize {dollars(prizes[worth])}"
    s.prompt("supervisor", text, "11.3", seat, ("confirm-bonus",))


def confirm(s: Scene, args: tuple[str, ...]) -> None:
    """Verified: the prize is on record and is paid (11.3.1)."""
    h, seat = _hand(s), args[0]
    claimed = h.bonuses.get(seat, CONFIRMED)
    if claimed.startswith(CONFIRMED):
        raise Refusal("11.3", "no bonus prize waits here")
    h.bonuses[seat] = CONFIRMED + claimed
    prize = offered(s.t.options["bonus"]).get(claimed, 0)
    text = f"bonus prize for a {claimed.replace('-', ' ')}: pay {dollars(prize)}"
    s.ruled("bonus", "11.3.1", text)
    s.prompt("dealer", text, "11.3.1", seat)
