"""Bonus prizes (document 000, rule 11): claimed by the dealer, verified by a supervisor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from controller.cards import UNREAD
from controller.hands import Hand as Ranked
from controller.hands import best
from controller.money import dollars
from controller.poker.hand import showdown
from controller.poker.hand.course import BOARD, HOLE, contested, live, played, twice
from controller.poker.money import stacks
from controller.poker.options import crown
from controller.poker.state import Hand
from controller.poker.words import Ended, Misdeal, Street
from controller.table.state import Round, Table
from controller.table.step import CardsForbid, Refusal, Step


def prize_of(t: Table, outcome: str) -> int:
    """Returns what the sign promises for this hand; 0: nothing."""
    bonus = crown(t).bonus
    return 0 if bonus is None else bonus.prize(outcome)


# ---- who may have one


def _hand(s: Step) -> tuple[Round, Hand]:
    hand = stacks.last_hand(s.t)
    if hand is None:
        raise Refusal("11.3", "no hand was played")
    return hand


def _stands(r: Round, h: Hand, seat: str) -> None:
    """Refuses a prize for a hand that is folded, dead or void, or whose deal counts for nothing (11.4, 9.1.1, 13.6)."""
    if seat not in h.cards:
        raise Refusal("11.3", f"seat {seat} has no hand")
    if seat in h.void:
        raise Refusal(h.ended.get(seat, Ended.WRONG_NUMBER).rule, "the hand is void")
    if seat in h.out or h.trouble is Misdeal.LATE_DISCARDS:
        raise Refusal("11.4", "a hand that is folded or dead is not eligible")
    rule = h.refund or r.rule
    if r.outcome == "misdeal":
        raise Refusal(rule, "the hand was misdealt")
    if r.outcome == "void":
        raise Refusal(rule, "the outcome is invalid")


def _over(t: Table, r: Round, h: Hand) -> bool:
    """Tells whether no act is due any more.

    Only then may anybody ask what a concealed hand holds (8.21, AMB-CP-32).
    """
    if r.outcome:
        return True
    if h.in_deal or h.trouble is not None:
        return False
    if not contested(h):
        return True
    if h.betting is not None:
        return False
    able = [seat for seat in live(h) if stacks.behind(t, seat)]
    return h.street >= Street.SHOWDOWN or len(able) < 2


def claim(s: Step, args: tuple[str, ...]) -> None:
    """Asks a supervisor to verify the hand for which the dealer claims a prize (11.3)."""
    (r, h), seat = _hand(s), args[0]
    if crown(s.t).bonus is None:
        raise Refusal("11.2", "no bonus prizes are offered at this table")
    _stands(r, h, seat)
    if not _over(s.t, r, h):
        raise Refusal("8.21", "hands are inspected when no act is due any more")
    worth = _worth(s.t, r, h, seat)
    if not (prize := prize_of(s.t, worth)):
        raise CardsForbid("11.2", "this hand qualifies for no bonus prize")
    if seat in h.confirmed:
        raise Refusal("11.3", "the bonus prize of this hand is confirmed already")
    h.claims[seat] = worth
    text = f"verify the {worth.replace('-', ' ')}: bonus prize {dollars(prize)}"
    s.prompt("supervisor", text, "11.3", seat, ("confirm-bonus",))


def _worth(t: Table, r: Round, h: Hand, seat: str) -> str:
    """Returns the outcome of a hand; who won before a discard was due has the best two of the three cards."""
    cards, count = h.cards[seat], played(t.game)
    if twice(r, h):
        raise CardsForbid("9.1.1(h)", "the same card lies there twice")
    if len(h.board) < BOARD[Street.FLOP] or UNREAD in (*cards, *h.board):
        raise CardsForbid("11.2", "the hand is not complete")
    if not count <= len(cards) <= HOLE[t.game]:
        raise Refusal("9.1.1(f)", "the hand has the wrong number of cards")
    best_hand = max(_high(t.game, held, h.board) for held in combinations(cards, count))
    return best_hand.category.name.lower().replace("_", "-")


def _high(game: str, hole: Sequence[str], board: Sequence[str]) -> Ranked:
    """Returns the high hand, also of who won before the river.

    At Omaha then, two cards of the hole with three of those on the board.
    """
    if game in showdown.OMAHA:
        return max(best([*two, *three]) for two in combinations(hole, 2) for three in combinations(board, 3))
    return showdown.high(game, hole, board)


def confirm(s: Step, args: tuple[str, ...]) -> None:
    """Puts a prize that was verified on record, to be paid (11.3.1)."""
    (r, h), seat = _hand(s), args[0]
    if seat not in h.claims or seat in h.confirmed:
        raise Refusal("11.3", "no bonus prize waits here")
    _stands(r, h, seat)
    claimed = h.claims[seat]
    h.confirmed.append(seat)
    text = f"bonus prize for a {claimed.replace('-', ' ')}: pay {dollars(prize_of(s.t, claimed))}"
    s.ruled("bonus", "11.3.1", text)
    s.prompt("dealer", text, "11.3.1", seat)


def falls(s: Step, h: Hand, rule: str) -> None:
    """Tells the supervisor that a prize confirmed on this hand does not stand, since it counts for nothing."""
    for seat in h.claims:
        if seat in h.confirmed:
            s.prompt("supervisor", "the bonus prize of this hand does not stand: take it back", rule, seat)
