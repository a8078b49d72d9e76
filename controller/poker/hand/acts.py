"""What players do: acts in turn and out of turn (6.18), chips pushed forward (6.12-6.14, 6.17)."""

from __future__ import annotations

from typing import Final

from controller.money import cents, short
from controller.poker.hand import betting, deal, opening, out_of_turn, rounds
from controller.poker.hand.choices import comes_first
from controller.poker.hand.course import STREET_RULE, Stage, live, stage
from controller.poker.hand.pushed_chips import Meant, read
from controller.poker.money import stacks
from controller.poker.money.settle import contested_pots
from controller.poker.room import posting, seats
from controller.poker.state import Betting, Done, Hand
from controller.poker.words import (
    BETS,
    ENDS_UNDER_CALL,
    FOR_A_HAND,
    NO_MORE_THAN_A_CALL,
    Act,
    Due,
    Street,
    is_act,
    is_declared,
)
from controller.table.state import Table
from controller.table.step import Refusal, Step


def act(s: Step, args: tuple[str, ...]) -> None:
    """Carries out a player's act, as the dealer keys it at the console."""
    seat, word = args[0], args[1]
    amount = cents(args[2]) if len(args) > 2 else 0
    if word == "post":
        posting.post(s, seat, amount)
        return
    if word == "straddle":
        posting.straddle(s, seat, amount)
        return
    _, h = opening.running(s, "8.17.1")
    if word == "muck":
        _muck(s, h, seat)
        return
    b = _betting(s, h, seat, word)
    if word == "take-back":
        out_of_turn.take_back(h, b, seat)
    else:
        assert is_act(word)  # nothing else fits the key
        _do(s, h, b, seat, word, amount)
    rounds.advance(s, h)


def _do(s: Step, h: Hand, b: Betting, seat: str, word: Act, amount: int) -> None:
    if betting.to_act(b) == seat:
        _in_turn(s, h, b, seat, word, amount)
    else:
        out_of_turn.act(s, h, b, seat, word, amount)


def _betting(s: Step, h: Hand, seat: str, word: str) -> Betting:
    """Returns the betting round that is open to this seat; refuses when none is."""
    deal.deal_seems_over(s, h)
    at = stage(s.t)
    if seat in h.ended:
        raise Refusal(h.ended[seat].rule, f"the hand of seat {seat} is dead or void")
    if at.what != "act" or h.betting is None:
        raise Refusal(at.rule, _closed(s.t, at.what))
    if not betting.is_active(h.betting, seat):
        raise Refusal(f"{STREET_RULE[h.street]}.3", f"seat {seat} is not in this hand")
    if not h.betting.stacks[seat]:
        rule = "6.18.4" if word == "take-back" else "6.16.1"
        raise Refusal(rule, "who is all-in takes no further part in the betting")
    return h.betting


_CLOSED: Final[dict[Due, str]] = {
    "deal": "the cards are not dealt yet",
    "over": "the betting is over",
    "ruling": "a ruling is awaited",
}


def _closed(t: Table, what: Due) -> str:
    return f"{_CLOSED.get(what, 'no betting is open')}: {comes_first(t)}"


def _in_turn(s: Step, h: Hand, b: Betting, seat: str, word: Act, to: int) -> None:
    if word == "all-in" and out_of_turn.calls_only(s, h, b, seat):
        word = "check" if betting.legal(b, seat).check else "call"
    if seat in h.short:
        _after_short(s, h, b, seat, word)
    elif _took_back(h, seat) and _no_more_than_a_call(b, seat, word):
        raise Refusal("6.18.2", "the bet was taken back: fold or raise")
    street = STREET_RULE[h.street]
    refused = betting.refusal(b, seat, word, to, check_rule=f"{street}.3", call_rule=f"{street}.2")
    if refused is not None:
        raise Refusal(*refused)
    if word in BETS:
        to = out_of_turn.within_limits(s, b, seat, betting.total(b, seat) if word == "all-in" else to)
    h.pending.pop(seat, None)
    do(s, h, b, seat, word, to)


def _took_back(h: Hand, seat: str) -> bool:
    return seat in h.pending and h.pending[seat].word == "back"


def _no_more_than_a_call(b: Betting, seat: str, word: Act) -> bool:
    if word == "all-in":
        return betting.total(b, seat) <= b.level
    return word in NO_MORE_THAN_A_CALL


def do(s: Step, h: Hand, b: Betting, seat: str, word: Act, to: int) -> None:
    """Carries out an act that is legal."""
    before = b.level
    betting.apply(b, seat, word, to)
    h.acts.append(Done(h.street, seat, word))
    if word == "fold":
        h.out.append(seat)
    if b.level > before:
        h.aggressor = seat


def _after_short(s: Step, h: Hand, b: Betting, seat: str, word: Act) -> None:
    """Makes up the difference of an under-call, or folds the hand and leaves the chips (6.17)."""
    if word not in ENDS_UNDER_CALL:
        raise Refusal("6.17", "make up the difference to call, or fold")
    lying = h.short.pop(seat)
    if word == "fold":
        betting.put(b, seat, b.bets.get(seat, 0) + lying)
        seats.room_of(s.t).stakes[seat] = b.stacks[seat]


# ---- chips


def declare(s: Step, args: tuple[str, ...]) -> None:
    """Keeps the word that goes with the chips that come next."""
    seat, word = args
    assert is_declared(word)  # nothing else fits the key
    seats.room_of(s.t).declared[seat] = word


def pushed(s: Step, seat: str, chips: tuple[int, ...]) -> None:
    """Takes chips that were pushed forward: never refused, always read as something, or prompted."""
    declared = seats.room_of(s.t).declared.pop(seat, None)
    h = stacks.running(s.t)
    if declared in FOR_A_HAND or _before_the_cards(s, h, seat):
        posting.pushed(s, seat, declared, sum(chips))
        return
    if h is not None:
        deal.deal_seems_over(s, h)
    at = stage(s.t)
    b = _open_to(h, at, seat)
    if h is None or b is None:
        s.prompt("dealer", f"{short(sum(chips))} was pushed forward, but no act is due: hand it back", at.rule, seat)
        return
    lying = stacks.in_front(h, seat) - b.bets.get(seat, 0)  # an under-call, or chips pushed out of turn
    if (over := sum(chips) - (b.stacks[seat] - lying)) > 0:
        s.prompt("dealer", "more than the table stake: the rest goes back", "6.11", seat)
        chips = _without(chips, over)
    if not b.stacks[seat]:
        return
    meant = read(b, seat, chips, lying, declared, h.street == Street.FIRST)
    if betting.to_act(b) != seat:
        out_of_turn.pushed(s, h, b, seat, meant)
    else:
        _pushed_in_turn(s, h, b, seat, meant)
    rounds.advance(s, h)


def _before_the_cards(s: Step, h: Hand | None, seat: str) -> bool:
    if h is None:
        return posting.due(s, seat) > 0
    return h.undealt


def _open_to(h: Hand | None, at: Stage, seat: str) -> Betting | None:
    """Returns the betting round in which this seat may act, now or later."""
    if h is None or at.what != "act":
        return None
    b = betting.joined(h, seat)
    if b is None or seat in b.folded:
        return None
    return b


def _without(chips: tuple[int, ...], over: int) -> tuple[int, ...]:
    """Returns the chips that stay when so much goes back, as many pieces as before where that is possible."""
    kept = []
    for chip in sorted(chips, reverse=True):
        back = min(over, chip)
        over -= back
        kept.append(chip - back)
    return tuple(chip for chip in kept if chip)


def _pushed_in_turn(s: Step, h: Hand, b: Betting, seat: str, meant: Meant) -> None:
    offers = ("call", "fold") if meant.word == "short" else ()
    s.prompt("dealer", meant.text, meant.rule, seat, offers)
    h.pending.pop(seat, None)
    if meant.word == "short":
        h.short[seat] = meant.to - b.bets.get(seat, 0)
        return
    h.short.pop(seat, None)
    word = meant.word
    if word == "check" and not betting.legal(b, seat).check:
        word = "call"
    if word == "all-in" and meant.to > b.level:
        word = "raise"
    do(s, h, b, seat, word, meant.to)


# ---- the showdown


def _muck(s: Step, h: Hand, seat: str) -> None:
    if h.street != Street.SHOWDOWN:
        raise Refusal("8.20.4", "hands are mucked at the showdown")
    if seat not in live(h):
        raise Refusal("8.20.4", "this seat has no hand")
    if any(pot.eligible == (seat,) for pot in contested_pots(h)):
        raise Refusal("8.20.4", "the last hand wins the pot")
    h.out.append(seat)
    h.mucked.append(seat)
