"""A poker table as everybody may see it: stakes, bets, pots, whose turn it is; never a card that lies face down."""

from __future__ import annotations

from typing import Any, Final, Literal

from controller.money import dollars, short
from controller.poker.hand.choices import Choices, choices
from controller.poker.money import stacks
from controller.poker.money.settle import contested_pots
from controller.poker.room import blinds, notice_board
from controller.poker.room.seats import room_of
from controller.poker.state import Hand
from controller.poker.view import button_at
from controller.table.rules import Rules
from controller.table.state import Notice, Table
from controller.table.telling import COMMUNITY, Hands
from controller.table.times import SECOND
from controller.views.cards import public_hands

Json = dict[str, Any]
Standing = Literal["", "in", "all-in", "folded", "mucked", "dead", "no cards"]  # of a seat in the hand
_ACT_WORDS: Final = {
    "fold": "folds",
    "check": "checks",
    "call": "calls, {} in front",
    "bet": "bets {}",
    "raise": "raises to {}",
    "all-in": "is all-in, {} in front",
}
STREETS = ("deal", "before the flop", "flop", "turn", "river", "showdown")  # from Hand.street = -1 on


def room(table: Table, rules: Rules) -> Json:
    """Returns the seats and the hand that is running."""
    kept = room_of(table)
    seats = {seat: _seat(table, seat) for seat in sorted(table.seats, key=int)}
    out: Json = {
        "button": button_at(table),
        "seats": seats,
        "hand": None,
        "list": list(kept.waiting),
        "slide": dollars(kept.slide),
        "dropped": dollars(kept.dropped),
    }
    if hand := stacks.running(table):
        cards = public_hands(table, rules)
        for seat, shown in seats.items():
            shown |= _in_hand(table, hand, seat) | {"cards": cards.get(seat, [])}
        out["hand"] = _hand(table, hand, cards)
    return out


def _seat(table: Table, seat: str) -> Json:
    """Returns a seat as it is while no hand is played."""
    kept = room_of(table)
    owing = blinds.owes(kept, seat)
    return {
        "player": table.seats[seat],
        "stack": dollars(stacks.behind(table, seat)),
        "bet": dollars(0),
        "state": "",
        "cards": [],
        "buttons": list(kept.buttons.get(seat, [])),
        "owes": owing.rule if owing is not None else "",
    }


def _in_hand(table: Table, hand: Hand, seat: str) -> Json:
    return {"bet": dollars(stacks.in_front(hand, seat)), "state": _state(table, hand, seat)}


def _state(table: Table, hand: Hand, seat: str) -> Standing:
    """Returns in one word where a seat stands in the hand; "" before cards are dealt."""
    if seat in hand.mucked:
        return "mucked"
    if seat in hand.out:
        return "folded" if any(act[1:] == (seat, "fold") for act in hand.acts) else "dead"
    if hand.dealt and seat not in hand.dealt:
        return "no cards"
    if not hand.dealt:
        return ""
    return "in" if stacks.behind(table, seat) else "all-in"


def _hand(table: Table, hand: Hand, cards: Hands) -> Json:
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


def posts(table: Table) -> dict[str, int]:
    """Returns the blinds of the next hand, by seat; nothing while one is played, or too few sit here."""
    return {} if stacks.running(table) is not None else blinds.next_hand(table).posts


def amounts(table: Table) -> list[int]:
    """Returns what a blind, a call or the least raise costs now."""
    if stacks.running(table) is None:
        return list(dict.fromkeys(posts(table).values()))
    turn = choices(table)
    return [] if turn is None else [amount for amount in (turn.amount, turn.least) if amount]


def names(table: Table) -> list[str]:
    """Returns who waits for a seat, and who was picked up."""
    kept = room_of(table)
    return list(dict.fromkeys((*kept.waiting, *kept.picked)))


def stakes(shown: Json) -> Json:
    """Returns those parts of what `room` tells that a correction may change."""
    seats, hand = shown["seats"], shown["hand"] or {"pot": dollars(0)}
    return {
        "stacks": {seat: held["stack"] for seat, held in seats.items()},
        "bets": {seat: held["bet"] for seat, held in seats.items()},
        "pot": hand["pot"],
        "buttons": {seat: held["buttons"] for seat, held in seats.items()},
    }


def acts(table: Table) -> list[tuple[str, str, str, str]]:
    """Returns every blind and act of the hand: seat, word, how people say it, and the chips in front now."""
    last = stacks.last_hand(table)
    if last is None:
        return []
    hand = last[1]
    posted = [(seat, "post", f"posts {short(amount)}", dollars(amount)) for seat, amount in hand.posted.items()]
    return posted + [_act(act.seat, act.word, stacks.lying(hand, act.seat)) for act in hand.acts]


def _act(seat: str, word: str, chips: int) -> tuple[str, str, str, str]:
    return seat, word, _ACT_WORDS[word].format(short(chips)), dollars(chips)


# ---- the sign of the room


def sign(table: Table, now: int) -> Json:
    """Returns what is in force, large and small, and what is announced with what must pass before it."""
    (_, name), large, compulsory, *small = notice_board.sign(table)
    return {
        "game": name,
        "open": table.open,
        "large": [large, compulsory],
        "small": small,
        "notices": [_notice(table, notice, now) for notice in table.notices],
    }


def _notice(table: Table, notice: Notice, now: int) -> Json:
    """Returns a notice with what it waits for: hands, time, both, or only the hand that is played now."""
    hands, time = notice_board.wait(table, notice, now)
    out: Json = {"text": notice_board.announcement(table, notice)}
    if hands is not None:
        out["hands"] = hands
    if time is not None:
        out["seconds"] = -(-time // SECOND)
    return out
