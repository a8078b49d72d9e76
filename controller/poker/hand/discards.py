"""Discards of the pineapple games: one card too many is thrown away in time, or the hand is dead (9.15)."""

from __future__ import annotations

from controller.poker.hand import leaving, opening
from controller.poker.hand.course import DISCARD, HOLE, LATE, live, substantial, to_discard
from controller.poker.state import Hand
from controller.table.step import Refusal, Step

UNDISCARDED = "9.10"  # the flop lies there before everybody has discarded: its round was not complete (9.15.1)


def discard(s: Step, seat: str, card: str) -> None:
    """8.17.4, 8.18.4."""
    _, h = opening.running(s, "8.17.4")
    due = DISCARD.get(s.t.game)
    rule = due[1] if due is not None else "8.16.1"
    if due is None or h.street < due[0] or (h.street == due[0] and h.betting is not None):
        raise Refusal(rule, "no discard is due now")
    if LATE in (h.trouble, h.ended.get(seat)):
        raise Refusal(LATE, "it is too late to discard: the hand is dead")
    if seat not in live(h) or len(h.cards.get(seat, ())) < HOLE[s.t.game] or seat in h.discarded:
        raise Refusal(rule, "this seat has nothing to discard")
    if card not in h.cards[seat]:
        raise Refusal(rule, "the card is not in this hand")
    h.cards[seat].remove(card)
    h.thrown.append(card)
    h.given[seat] = list(h.cards[seat])
    h.discarded.append(seat)
    if h.unburned == UNDISCARDED and not to_discard(s.t, h):
        h.unburned = ""


def rule_on_late_discards(s: Step, h: Hand) -> None:
    """9.15.2: who has not discarded when the next round is under way has no hand.

    Where nobody has one any more, a person rules that it is a misdeal (AMB-CP-38).
    """
    due = DISCARD.get(s.t.game)
    if due is None or h.street <= due[0] or h.trouble or not substantial(h):
        return
    late = [x for x in live(h) if x not in h.discarded and len(h.cards.get(x, ())) == HOLE[s.t.game]]
    if late and len(late) == len(live(h)):
        h.trouble = LATE
        text = "nobody has discarded in time: all hands are dead; declare a misdeal"
        s.prompt("dealer", text, LATE, offers=("misdeal",))
        return
    for seat in late:
        h.ended[seat] = LATE
        leaving.dead(s, h, seat, LATE, "the hand has a card too many and is dead")
