"""What the player in turn may do, and for how much; what the dealer is waiting for, in words.  Reads only."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from controller.money import short
from controller.poker.hand import betting
from controller.poker.hand.course import Stage, stage
from controller.poker.money.stacks import running
from controller.poker.room import blinds
from controller.poker.state import Betting, Hand
from controller.poker.view import next_reader
from controller.poker.words import NO_MORE_THAN_A_CALL, WITH_A_TOTAL, Due, Offered
from controller.table.state import Table


class Choices(msgspec.Struct, frozen=True):
    """A turn: post, act or discard.  Amounts are cents; "to" is a seat's total in this betting round."""

    seat: str
    what: Literal["post", "act", "discard"]
    offers: tuple[Offered, ...]
    amount: int = 0  # what a post or a call adds
    least: int = 0  # the smallest bet or raise, to; 0: none is allowed
    most: int = 0  # the largest
    all_in: int = 0  # what an all-in goes to


def choices(t: Table) -> Choices | None:
    """Returns what the player may do whose turn it is; None when the table waits for somebody else."""
    h, at = running(t), stage(t)
    if h is None or not at.place:
        return None
    match at.what:
        case "blinds":
            return Choices(at.place, "post", ("post",), h.due[at.place])
        case "discard":
            return Choices(at.place, "discard", ("discard",))
        case "act":
            return _turn(h, at.place)
    return None


def _turn(h: Hand, seat: str) -> Choices:
    b = h.betting
    assert b is not None  # an act is due
    offers, may = _offers(h, b, seat), betting.legal(b, seat)
    raises = any(word in WITH_A_TOTAL for word in offers)
    least, most = may.raise_to if raises and may.raise_to is not None else (0, 0)
    owed = may.call - b.bets.get(seat, 0) - h.short.get(seat, 0) if "call" in offers else 0
    return Choices(seat, "act", offers, owed, least, most, betting.total(b, seat) if "all-in" in offers else 0)


def _offers(h: Hand, b: Betting, seat: str) -> tuple[Offered, ...]:
    """Returns the words that are legal; fewer after chips that were too few, or after an act out of turn."""
    words = betting.offers(b, seat)
    if seat in h.short:  # 6.17
        return "fold", "call"
    waits = h.pending.get(seat)
    if waits is None:
        return words
    if waits.word == "back":  # 6.18.2: taken back, so fold or raise
        return tuple(word for word in words if word not in NO_MORE_THAN_A_CALL)
    return (*words, "take-back")


def words(turn: Choices) -> str:
    """Returns a turn in words, as one tells the dealer.

    >>> words(Choices("3", "act", ("fold", "call", "raise", "all-in"), 1000, 2000, 50_000, 50_000))
    'seat 3 acts: fold, call 10, raise to 20 up to 500, or all-in'
    >>> words(Choices("1", "post", ("post",), 500))
    'seat 1 posts the blind of 5'
    """
    if turn.what == "post":
        return f"seat {turn.seat} posts the blind of {short(turn.amount)}"
    if turn.what == "discard":
        return f"seat {turn.seat} discards a card"
    offers = [_offer(turn, word) for word in turn.offers]
    return f"seat {turn.seat} acts: {', '.join(offers[:-1])}{',' if len(offers) > 2 else ''} or {offers[-1]}"


def _offer(turn: Choices, word: Offered) -> str:
    if word == "call":
        return f"call {short(turn.amount)}"
    if word in WITH_A_TOTAL:
        to = f"{word} {'to ' if word == 'raise' else ''}{short(turn.least)}"
        return to if turn.least == turn.most else f"{to} up to {short(turn.most)}"
    return f"all-in for {short(turn.all_in)}" if word == "all-in" and turn.all_in != turn.most else word


_DUTIES: Final[dict[Due, str]] = {
    "board": "deal a card to the board",
    "burn": "burn a card, and press burn",
    "shuffle": "shuffle the deck, and press shuffled",
    "cut": "cut the deck, and press cut",
    "ruling": "rule on it: reconstruct or misdeal",
    "over": "push the pot with settle",
}


def due(t: Table) -> tuple[str, str]:
    """Returns what comes next in the hand that is running: the rule, and what the dealer reads on the console."""
    at, turn = stage(t), choices(t)
    if turn is not None:
        return at.rule, words(turn)
    return at.rule, _duty(t, at)


def _duty(t: Table, at: Stage) -> str:
    if at.what == "deal":
        return f"deal a card to seat {next_reader(t)}"
    h = running(t)
    trouble = h.trouble if h is not None else None
    if trouble is not None and not trouble.can_be_rebuilt:
        return "rule on it: misdeal"
    return _DUTIES[at.what]


def comes_first(t: Table) -> str:
    """Returns, in words, what a running hand needs before anything else: at which seat, and with which key."""
    at = stage(t)
    _, text = due(t)
    if at.what == "discard":
        return f"{text} with discard {at.place} CARD"
    if at.what == "blinds" and (turn := choices(t)) is not None:
        return f"{text} with act {at.place} post {short(turn.amount)}"
    return text


def next_blinds(t: Table) -> str:
    """Returns what is due before the next hand, in words."""
    if not blinds.able(t) or len((plan := blinds.next_hand(t)).dealt) < 2:
        return "a hand needs two players with chips: seat them with seat N stack=AMOUNT"
    posts = ", ".join(f"seat {seat} posts {short(amount)}" for seat, amount in plan.posts.items())
    return f"the blinds of the next hand: {posts}"
