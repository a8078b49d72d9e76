"""A poker table as everybody may see it: stakes, bets, pots, whose turn it is; never a card that lies face down."""

from __future__ import annotations

from typing import Any

from controller.money import dollars
from controller.poker.hand.choices import Choices, choices
from controller.poker.hand.shown import COMMUNITY
from controller.poker.money import stacks
from controller.poker.money.settle import contested_pots
from controller.poker.room import blinds
from controller.poker.room.seats import room_of
from controller.poker.state import Hand, room_in
from controller.poker.view import button_at
from controller.table.rules import Rules
from controller.table.state import Table
from controller.views.cards import public_hands

Json = dict[str, Any]
STREETS = ("deal", "before the flop", "flop", "turn", "river", "showdown")  # from Hand.street = -1 on


def room(table: Table, rules: Rules) -> Json | None:
    """Returns the seats and the hand that is running; None at a table of another kind."""
    kept = room_in(table)
    if kept is None:
        return None
    hand = stacks.running(table)
    cards = public_hands(table, rules) if hand is not None else {}
    return {
        "button": button_at(table),
        "seats": {seat: _seat(table, hand, seat, cards) for seat in sorted(table.seats, key=int)},
        "hand": None if hand is None else _hand(table, hand, cards),
        "list": list(kept.waiting),
        "slide": dollars(kept.slide),
        "dropped": dollars(kept.dropped),
    }


def _seat(table: Table, hand: Hand | None, seat: str, cards: dict[str, list[str]]) -> Json:
    kept = room_of(table)
    owing = blinds.owes(kept, seat)
    return {
        "player": table.seats[seat],
        "stack": dollars(stacks.behind(table, seat)),
        "bet": dollars(0 if hand is None else stacks.in_front(hand, seat)),
        "state": "" if hand is None else _state(table, hand, seat),
        "cards": cards.get(seat, []),
        "buttons": list(kept.buttons.get(seat, [])),
        "owes": owing.rule if owing is not None else "",
    }


def _state(table: Table, hand: Hand, seat: str) -> str:
    """Where a seat stands in the hand."""
    if seat in hand.mucked:
        return "mucked"
    if seat in hand.out:
        return "folded" if any(act[1:] == (seat, "fold") for act in hand.acts) else "dead"
    if hand.dealt and seat not in hand.dealt:
        return "no cards"
    if not hand.dealt:
        return ""
    return "in" if stacks.behind(table, seat) else "all-in"


def _hand(table: Table, hand: Hand, cards: dict[str, list[str]]) -> Json:
    turn = choices(table)
    return {
        "street": STREETS[hand.street + 1],
        "board": cards.get(COMMUNITY, []),
        "pot": dollars(stacks.in_play(hand)),
        "pots": [{"amount": dollars(pot.amount), "eligible": list(pot.eligible)} for pot in contested_pots(hand)],
        "turn": None if turn is None else _turn(turn),
    }


def _turn(turn: Choices) -> Json:
    return {
        "seat": turn.seat,
        "what": turn.what,
        "offers": list(turn.offers),
        "amount": dollars(turn.amount),
        "raise": {"least": dollars(turn.least), "most": dollars(turn.most)} if turn.least else None,
    }
