"""The beginning of a hand: the blinds are due, then the first card fixes who plays."""

from __future__ import annotations

from controller.poker.money import charges, stacks
from controller.poker.room import blinds, seats
from controller.poker.state import Hand, hand_in
from controller.poker.words import Misdeal, Owing
from controller.table.deck import UNMIXED, deck_trouble
from controller.table.play import Play
from controller.table.state import Round
from controller.table.step import Refusal, Step


def running(s: Step, rule: str = "8.9.2") -> tuple[Round, Hand]:
    """Returns the hand that is being played, with its round; refuses when there is none."""
    r = s.running(rule)
    hand = hand_in(r)
    if hand is None:
        raise Refusal(rule, "no hand is being played")
    return r, hand


def open_hand(s: Step) -> Hand:
    """Returns the hand that is running, or opens one: the button is in place and the blinds are due."""
    already = stacks.running(s.t)
    if already is not None:
        return already
    if not s.t.open:
        raise Refusal("13.3", "the table is closed")
    plan = blinds.next_hand(s.t)
    if len(plan.dealt) < 2:
        raise Refusal("1.1", "a hand needs two players with chips")
    room = seats.room_of(s.t)
    r = s.round or s.open_round()
    h = Hand(button=plan.button, due=plan.posts, blinds=plan.seats)
    r.play = Play(h)
    room.button = plan.button
    if blinds.first_blind_left(s.t, plan.seats):
        s.prompt("dealer", "who was to place the first blind has left: there is none in this hand", "8.9.6")
    for seat in plan.passed:
        _missed_blind(s, h, seat)
    charges.hourly(s)
    if (rule := charges.fee_due(s.t)) is not None:
        s.prompt("dealer", "collect the fee of each player before the deal", rule, offers=("collect",))
    return h


def _missed_blind(s: Step, h: Hand, seat: str) -> None:
    room = seats.room_of(s.t)
    buttons = room.buttons.setdefault(seat, [])
    if "missed-blind" not in buttons:
        buttons.append("missed-blind")
        h.marked.append(seat)
    room.owing[seat] = Owing.AVOIDED
    text = "has not placed the blind: no cards until the large blind is placed or due"
    s.prompt("dealer", text, "8.9.3", seat, ("missed-blind",))


def replan(s: Step, h: Hand) -> None:
    """Names the blinds anew, since who was to place one has left (8.9.6); those that lie there stay."""
    if len(blinds.able(s.t)) > 1:
        plan = blinds.next_hand(s.t)
        h.button, h.due, h.blinds = plan.button, {**plan.posts, **h.posted}, plan.seats
        s.prompt("dealer", "who was to place a blind has left: the next one places the large blind", "8.9.6")


def first_card(s: Step, r: Round, h: Hand) -> None:
    """Fixes who plays; tells the dealer what should have been done before the first card."""
    room = seats.room_of(s.t)
    trouble = deck_trouble(s.t, s.game)
    if trouble is not None:
        h.unshuffled = trouble.what in UNMIXED
        rule = "9.1.1(b)" if h.unshuffled else trouble.rule
        s.prompt("dealer", trouble.text, rule, offers=("misdeal",))
    if (fee_rule := charges.fee_due(s.t)) is not None:
        s.prompt("dealer", "the fee of this hand was not collected", fee_rule, offers=("collect",))
    for seat in [x for x in h.due if x not in h.posted]:
        _missed_blind(s, h, seat)
    h.dealt = blinds.dealt_now(s.t, h)
    if not h.posted or len(h.dealt) < 2:
        s.prompt("dealer", "cards were dealt before the blinds: declare a misdeal", "8.9.2", offers=("misdeal",))
    if len(h.dealt) < 2:
        h.trouble = Misdeal.NO_BLINDS
    for seat in h.dealt:
        h.began.setdefault(seat, room.stakes[seat])
    s.close_betting("dealt")
