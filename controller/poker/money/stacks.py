"""Whose chips are where: in front of a seat, behind it, in the pot; and what a hand was worth to each.  Reads only."""

from __future__ import annotations

from controller.poker.state import Hand, hand_in, room_in
from controller.table.state import Round, Table


def running(t: Table) -> Hand | None:
    """Returns the hand that is being played."""
    r = t.round
    if r is None or r.outcome:
        return None
    return hand_in(r)


def last_hand(t: Table) -> tuple[Round, Hand] | None:
    """Returns the hand that is being played or was played last, with its round."""
    r = t.round
    hand = hand_in(r) if r is not None else None
    if r is None or hand is None:
        return None
    return r, hand


def current(t: Table) -> tuple[Round, Hand] | None:
    """Returns the hand that is being played, with its round."""
    last = last_hand(t)
    if last is None:
        return None
    r, _ = last
    return None if r.outcome else last


def dealt_hand(t: Table) -> Hand | None:
    """Returns the hand that is being played once its first card is dealt."""
    hand = running(t)
    if hand is None:
        return None
    return hand if hand.tape else None


def ruled(hand: Hand, seat: str) -> int:
    """Returns what counts as this seat's bet in this betting round; before it begins, the blinds."""
    if hand.betting is not None:
        return hand.betting.bets.get(seat, 0)
    return hand.posted.get(seat, 0) if hand.in_deal else 0


def in_front(hand: Hand, seat: str) -> int:
    """Returns what lies in front: also an act out of turn that waits (6.18), and an under-call (6.17)."""
    bet = ruled(hand, seat)
    waits = hand.pending.get(seat)
    return max(bet + hand.short.get(seat, 0), waits.to if waits is not None else 0)


def lying(hand: Hand, seat: str) -> int:
    """Returns what everybody sees in front of a seat: the bets of a betting round stay until the next card."""
    return in_front(hand, seat) or hand.gathered.get(seat, 0)


def behind(t: Table, seat: str) -> int:
    """Returns what a seat has left, whether it plays or not."""
    room = room_in(t)
    stake = room.stakes.get(seat, 0) if room is not None else 0
    hand = running(t)
    if hand is None:
        return stake
    if hand.betting is not None and seat not in hand.betting.folded:
        stake = hand.betting.stacks.get(seat, stake)
    return stake - in_front(hand, seat) + ruled(hand, seat)


def put_in(hand: Hand, seat: str) -> int:
    """Returns all that a seat has in this hand; what nobody called is not part of it."""
    return hand.paid.get(seat, 0) + hand.dead.get(seat, 0) + in_front(hand, seat)


def players(hand: Hand) -> list[str]:
    """Returns everybody with cards or chips in the hand, by seat."""
    return sorted({*hand.dealt, *hand.posted, *hand.paid, *hand.dead}, key=int)


def in_play(hand: Hand) -> int:
    """Returns the sum of all bets in front and all pots, before commission."""
    return sum(put_in(hand, seat) for seat in players(hand))


def won(hand: Hand, seat: str) -> int:
    """Returns what a seat won from all pots, after commission."""
    return sum(pot.won.get(seat, 0) for pot in hand.pots)


def net(r: Round, seat: str) -> int:
    """Returns the change of the seat's chips by a hand that is over; without a settlement everything went back."""
    hand = hand_in(r)
    if hand is None or r.outcome != "settled":
        return 0
    if seat in hand.void:
        return 0
    return won(hand, seat) - put_in(hand, seat)
