"""Discards of the pineapple games: one card too many is thrown away in time, or the hand is dead (9.15)."""

from __future__ import annotations

from controller.poker.hand import leaving, opening
from controller.poker.hand.course import (
    DISCARD,
    HOLE,
    discards_due,
    has_card_too_many,
    live,
    substantial,
    to_discard,
)
from controller.poker.state import Hand
from controller.poker.words import BoardFault, Ended, Misdeal
from controller.table.step import CardsForbid, Refusal, Step


def discard(s: Step, seat: str, card: str) -> None:
    """Throws one card of a hand away (8.17.4, 8.18.4)."""
    _, h = opening.running(s, "8.17.4")
    _, rule = DISCARD.get(s.t.game, (None, "8.16.1"))
    if not discards_due(s.t, h):
        raise Refusal(rule, "no discard is due now")
    if _too_late(h, seat):
        raise Refusal("9.15.2", "it is too late to discard: the hand is dead")
    if not _may_discard(s, h, seat):
        raise Refusal(rule, "this seat has nothing to discard")
    if card not in h.cards[seat]:
        raise CardsForbid(rule, "the card is not in this hand")
    h.cards[seat].remove(card)
    h.thrown.append(card)
    h.given[seat] = list(h.cards[seat])
    h.discarded.append(seat)
    if h.unburned is BoardFault.FLOP_EARLY and not to_discard(s.t, h):
        h.unburned = None


def _too_late(h: Hand, seat: str) -> bool:
    return h.trouble is Misdeal.LATE_DISCARDS or h.ended.get(seat) is Ended.LATE_DISCARD


def _may_discard(s: Step, h: Hand, seat: str) -> bool:
    if seat not in live(h) or seat in h.discarded:
        return False
    return len(h.cards.get(seat, ())) >= HOLE[s.t.game]


def name_those_to_discard(s: Step, h: Hand) -> None:
    """Names who has not discarded: the betting round is not complete before each of these has (9.15.1)."""
    for seat in to_discard(s.t, h):
        s.prompt("dealer", "has not discarded: the betting round is not complete", "9.15.1", seat, ("discard",))


def rule_on_late_discards(s: Step, h: Hand) -> None:
    """Ends the hands of those who have not discarded when the next round is under way (9.15.2).

    Where nobody has one any more, a person rules that it is a misdeal (AMB-CP-38).
    """
    if not _next_round_under_way(s, h) or h.trouble is not None:
        return
    late = [seat for seat in live(h) if has_card_too_many(s.t, h, seat)]
    if not late:
        return
    if late == live(h):
        h.trouble = Misdeal.LATE_DISCARDS
        text = "nobody has discarded in time: all hands are dead; declare a misdeal"
        s.prompt("dealer", text, "9.15.2", offers=("misdeal",))
        return
    for seat in late:
        h.ended[seat] = Ended.LATE_DISCARD
        leaving.dead(s, h, seat, "9.15.2", "the hand has a card too many and is dead")


def _next_round_under_way(s: Step, h: Hand) -> bool:
    if s.t.game not in DISCARD:
        return False
    after, _ = DISCARD[s.t.game]
    return h.street > after and substantial(h)
