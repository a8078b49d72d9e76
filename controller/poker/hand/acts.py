"""What players do: acts in turn and out of turn (6.18), chips pushed forward (6.12-6.14, 6.17)."""

from __future__ import annotations

from controller.money import cents, short
from controller.poker.hand import betting, deal, opening, out_of_turn, rounds
from controller.poker.hand.choices import comes_first
from controller.poker.hand.course import SHOWDOWN, STREET, live, stage
from controller.poker.hand.pushed_chips import Meant, read
from controller.poker.money import stacks
from controller.poker.money.settle import contested_pots
from controller.poker.room import posting, seats
from controller.poker.state import Betting, Hand
from controller.table.state import Table
from controller.table.step import Refusal, Step


def act(s: Step, args: tuple[str, ...]) -> None:
    """A player acts; the dealer says so at the console."""
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
    elif betting.to_act(b) != seat:
        out_of_turn.act(s, h, b, seat, word, amount)
    else:
        _in_turn(s, h, b, seat, word, amount)
    rounds.advance(s, h)


def _betting(s: Step, h: Hand, seat: str, word: str) -> Betting:
    """The betting round that is open to this seat; refuses when none is."""
    deal.deal_seems_over(s, h)
    at = stage(s.t)
    if seat in h.ended:
        raise Refusal(h.ended[seat], f"the hand of seat {seat} is dead or void")
    if at.what != "act" or h.betting is None:
        raise Refusal(at.rule, _closed(s.t, at.what))
    if seat not in h.betting.order or seat in h.betting.folded:
        raise Refusal(f"{STREET[h.street]}.3", f"seat {seat} is not in this hand")
    if not h.betting.stacks[seat]:
        rule = "6.18.4" if word == "take-back" else "6.16.1"
        raise Refusal(rule, "who is all-in takes no further part in the betting")
    return h.betting


def _closed(t: Table, what: str) -> str:
    why = {"deal": "the cards are not dealt yet", "over": "the betting is over", "ruling": "a ruling is awaited"}
    return f"{why.get(what, 'no betting is open')}: {comes_first(t)}"


def _in_turn(s: Step, h: Hand, b: Betting, seat: str, word: str, to: int) -> None:
    early = h.early.get(seat)
    if word == "all-in" and out_of_turn.calls_only(s, h, b, seat):
        word = "check" if betting.legal(b, seat).check else "call"
    if seat in h.short:
        _after_short(s, h, b, seat, word)
    elif early is not None and early.word == "back" and _no_more_than_a_call(b, seat, word):
        raise Refusal("6.18.2", "the bet was taken back: fold or raise")
    refused = betting.refusal(b, seat, word, to, f"{STREET[h.street]}.3")
    if refused is not None:
        rule = f"{STREET[h.street]}.2" if refused[0] == "1.1" else refused[0]
        raise Refusal(rule, refused[1])
    if word in out_of_turn.BETS:
        to = out_of_turn.within_limits(s, b, seat, betting.total(b, seat) if word == "all-in" else to)
    h.early.pop(seat, None)
    do(s, h, b, seat, word, to)


def _no_more_than_a_call(b: Betting, seat: str, word: str) -> bool:
    return word in ("call", "check") or (word == "all-in" and betting.total(b, seat) <= b.level)


def do(s: Step, h: Hand, b: Betting, seat: str, word: str, to: int) -> None:
    """An act that is legal."""
    before = b.level
    betting.apply(b, seat, word, to)
    h.acts.append((h.street, seat, word))
    if word == "fold":
        h.out.append(seat)
    if b.level > before:
        h.aggressor = seat


def _after_short(s: Step, h: Hand, b: Betting, seat: str, word: str) -> None:
    """6.17: the difference is made up, or the hand is folded and the chips stay."""
    if word not in ("call", "fold", "all-in"):
        raise Refusal("6.17", "make up the difference to call, or fold")
    lying = h.short.pop(seat)
    if word == "fold":
        betting.put(b, seat, b.bets.get(seat, 0) + lying)
        seats.room_of(s.t).stakes[seat] = b.stacks[seat]


# ---- chips


def said(s: Step, args: tuple[str, ...]) -> None:
    """The word that goes with the chips that come next."""
    seats.room_of(s.t).said[args[0]] = args[1]


def pushed(s: Step, seat: str, chips: tuple[int, ...]) -> None:
    """Chips in front of a seat: never refused, always read as something, or prompted."""
    r = s.round
    h = r.hand if r is not None else None
    say = seats.room_of(s.t).said.pop(seat, "")
    before_cards = not h.tape and h.street < 0 if h is not None else posting.due(s, seat) > 0
    if say in ("post", "straddle") or before_cards:
        posting.pushed(s, seat, say, sum(chips))
        return
    if h is not None:
        deal.deal_seems_over(s, h)
    at = stage(s.t)
    if h is None or h.betting is None or at.what != "act" or seat not in h.betting.order or seat in h.betting.folded:
        s.prompt("dealer", f"{short(sum(chips))} was pushed forward, but no act is due: hand it back", at.rule, seat)
        return
    b = h.betting
    lying = stacks.in_front(h, seat) - b.bets.get(seat, 0)  # an under-call, or chips pushed out of turn
    if (over := sum(chips) - (b.stacks[seat] - lying)) > 0:
        s.prompt("dealer", "more than the table stake: the rest goes back", "6.11", seat)
        chips = _without(chips, over)
    if not b.stacks[seat]:
        return
    meant = read(b, seat, chips, lying, say, h.street == 0)
    if betting.to_act(b) != seat:
        out_of_turn.pushed(s, h, b, seat, meant)
    else:
        _pushed_in_turn(s, h, b, seat, meant)
    rounds.advance(s, h)


def _without(chips: tuple[int, ...], over: int) -> tuple[int, ...]:
    """The chips that stay when so much goes back, as many pieces as before where that is possible."""
    kept = []
    for chip in sorted(chips, reverse=True):
        back = min(over, chip)
        over -= back
        kept.append(chip - back)
    return tuple(chip for chip in kept if chip)


def _pushed_in_turn(s: Step, h: Hand, b: Betting, seat: str, meant: Meant) -> None:
    offers = ("call", "fold") if meant.word == "short" else ()
    s.prompt("dealer", meant.text, meant.rule, seat, offers)
    if meant.word == "short":
        h.short[seat] = meant.to - b.bets.get(seat, 0)
        h.early.pop(seat, None)
        return
    h.short.pop(seat, None)
    h.early.pop(seat, None)
    word = meant.word
    if word == "check" and not betting.legal(b, seat).check:
        word = "call"
    do(s, h, b, seat, "raise" if word == "all-in" and meant.to > b.level else word, meant.to)


# ---- the showdown


def _muck(s: Step, h: Hand, seat: str) -> None:
    if h.street != SHOWDOWN:
        raise Refusal("8.20.4", "hands are mucked at the showdown")
    if seat not in live(h):
        raise Refusal("8.20.4", "this seat has no hand")
    if any(pot.eligible == (seat,) for pot in contested_pots(h)):
        raise Refusal("8.20.4", "the last hand wins the pot")
    h.out.append(seat)
    h.mucked.append(seat)
