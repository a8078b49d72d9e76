"""One betting round of Crown Poker (document 000, rule 6): who acts next, what is legal, and what an act changes.

No cards in here.  "to" is always a seat's total in this betting round, as players say it: "raise to 60".
"""

from __future__ import annotations

from typing import Final

import msgspec

from controller.money import short
from controller.poker.state import Betting, Hand
from controller.poker.words import NO_MORE_THAN_A_CALL, Act, Limit

RATIOS: Final[dict[Limit, tuple[int, int]]] = {"pot": (1, 1), "half-pot": (1, 2)}  # 6.7
_MOST_BY: Final[dict[Limit, str]] = {"fixed": "6.6", "spread": "6.8"}  # the rule of the largest bet; 6.7 elsewhere
MAX_RAISES: Final = 3  # 6.9
HEAD_TO_HEAD: Final = 2

Refusal = tuple[str, str]  # the rule, and the reason in words


class Legal(msgspec.Struct, frozen=True):
    """What a seat may do in its turn; it may always fold."""

    call: int  # to; no more than the seat has
    check: bool
    raise_to: tuple[int, int] | None  # the smallest and the largest bet or raise; None: neither, by `rule`
    rule: str = ""
    why: str = ""


# ---- reading the round


def active(b: Betting) -> list[str]:
    """Returns the seats in the hand; who is all-in is active to the showdown (6.16.1)."""
    folded = b.folded
    return [seat for seat in b.order if seat not in folded]


def is_active(b: Betting, seat: str) -> bool:
    """Tells whether this seat is in the hand."""
    return seat in b.order and seat not in b.folded


def joined(h: Hand, seat: str) -> Betting | None:
    """Returns the betting round that is open, if this seat was in the hand when it began."""
    b = h.betting
    if b is None or seat not in b.order:
        return None
    return b


def total(b: Betting, seat: str) -> int:
    """Returns all that a seat could have in front."""
    return b.bets.get(seat, 0) + b.stacks[seat]


def to_act(b: Betting) -> str | None:
    """Returns the seat that acts next; None when no act is due any more."""
    stacks, bets, folded, acted = b.stacks, b.bets, b.folded, b.acted
    clockwise = b.order
    if b.seen:
        start = clockwise.index(b.seen[-1]) + 1
        clockwise = clockwise[start:] + clockwise[:start]
    turn, able = None, 0  # able: seats with chips behind
    for seat in clockwise:
        if seat in folded or not stacks[seat]:
            continue
        able += 1
        if turn is None and (seat not in acted or bets.get(seat, 0) < b.level):
            turn = seat
        if turn is not None and able > 1:
            return turn
    if turn is None or able > 1:
        return None
    # nobody is left to bet against: only what is owed is due
    owed = max([bets.get(seat, 0) for seat in active(b) if seat != turn], default=0)
    return turn if bets.get(turn, 0) < owed else None


def complete(b: Betting) -> bool:
    """Tells whether the betting round is over."""
    return to_act(b) is None


def whole(b: Betting) -> int:
    """Returns how much a bet or raise must add to be a whole one (6.6, 6.8).

    It is as much as the last one; in a fixed game always the same.  A straddle changes nothing in it (AMB-CP-03); in
    round one `structure.least` is no less than the last blind.
    """
    structure = b.structure
    return structure.least if structure.kind == "fixed" else max(structure.least, b.step)


def least_to(b: Betting) -> int:
    """Returns the total to which a whole bet or raise goes at least.

    In limited games (6.16.2, AMB-CP-09) a short all-in, which left `full` below `level`, is completed to the structured
    level, and a longer one raised by it; in all others the raise goes over any all-in (6.16.3, AMB-CP-10).
    """
    return (b.full if b.structure.limited else b.level) + whole(b)


def legal(b: Betting, seat: str) -> Legal:
    """Returns everything that this seat may do in its turn."""
    bet = b.bets.get(seat, 0)
    everything = bet + b.stacks[seat]
    level = b.level
    call = min(level, everything)
    check = bet >= level
    if everything <= level:
        return Legal(call, check, None, "6.6", "there are no chips for a raise")
    if seat in b.bound:
        return Legal(call, check, None, "6.18.3", "who checked out of turn may not bet or raise in this round")
    limited = b.structure.limited
    if seat in b.acted and bet >= level:
        return Legal(call, check, None, "6.18", "nobody has bet more since this seat acted")
    if seat in b.acted:  # only something less than a raise came after this seat's own act
        rule = "6.16.2(a)" if limited else "6.16.3"
        return Legal(call, check, None, rule, "there was no whole raise since this seat acted")
    if limited and b.raises >= MAX_RAISES and len(active(b)) > HEAD_TO_HEAD:
        return Legal(call, check, None, "6.9", "three raises were made and more than two players are in the hand")
    least, most = _limits(b, bet, everything)
    return Legal(call, check, (min(least, everything), min(most, everything)))


def _limits(b: Betting, bet: int, everything: int) -> tuple[int, int]:
    """Returns the smallest and the largest total to which a seat may bet or raise, if it had the chips."""
    structure, least = b.structure, least_to(b)
    kind = structure.kind
    if kind == "no-limit":
        return least, everything
    if kind == "fixed":
        return least, least
    if kind == "spread":  # 6.8
        return least, max(least, b.full + structure.most)
    over, under = RATIOS[kind]
    pot = b.pot + sum(b.bets.values()) + max(0, b.level - bet)  # 6.7: with the call (AMB-CP-26)
    return least, max(least, b.level + pot * over // under // structure.chip * structure.chip)


def offers(b: Betting, seat: str) -> tuple[Act, ...]:
    """Returns the words that are legal now."""
    may = legal(b, seat)
    words: list[Act] = ["fold"]
    if may.check:
        words.append("check")
    else:
        words.append("call")
    most = b.level
    if may.raise_to is not None:
        words.append("raise" if b.level else "bet")
        _, most = may.raise_to
    if total(b, seat) <= most:
        words.append("all-in")
    return tuple(words)


def refusal(
    b: Betting, seat: str, word: Act, to: int = 0, check_rule: str = "1.1", call_rule: str = "1.1"
) -> Refusal | None:
    """Returns why this seat may not do this in its turn, with the rule; None when it may.

    `check_rule` is the street's own rule for a check that faces a bet (8.17.3, 8.18.3, 8.19.3, 8.20.3), `call_rule` the
    one for a call of nothing (8.17.2, ...).  What is too large is not refused: `reduced` says what is left of it.
    """
    match word:
        case "fold":
            return None
        case "check":
            faces_bet = b.bets.get(seat, 0) < b.level
            return (check_rule, f"there is a bet of {short(b.level)} to call") if faces_bet else None
        case "call":
            to_call = b.level or b.bets.get(seat, 0)  # who posted may say call for the check (AMB-CP-17)
            return None if to_call else (call_rule, "there is nothing to call")
        case "all-in":
            to = total(b, seat)
            return None if to <= b.level else _refused_raise(b, seat, word, to)
        case "bet" | "raise":  # pragma: no branch - every act has its case
            return _refused_raise(b, seat, word, to)


def _refused_raise(b: Betting, seat: str, word: Act, to: int) -> Refusal | None:
    may = legal(b, seat)
    if may.raise_to is None:
        return may.rule, may.why
    least = may.raise_to[0]
    if word == "bet" and to < b.level:
        return "6.17", f"there is a bet of {short(b.level)} to call"
    if to < least:
        rule = "6.8" if b.structure.kind == "spread" else "6.6"
        return rule, f"the least {'raise' if b.level else 'bet'} is to {short(least)}"
    return None


def reduced(b: Betting, seat: str, to: int) -> tuple[int, str, str] | None:
    """Returns what is left of a bet or raise that is too large, with rule and reason; None when it is not.

    Call it for a legal bet or raise.
    """
    everything = total(b, seat)
    bounds = legal(b, seat).raise_to
    most = everything if bounds is None else bounds[1]
    if to <= most:
        return None
    if most == everything:
        return most, "1.1", f"the table stake is {short(everything)}"
    rule = _MOST_BY.get(b.structure.kind, "6.7")
    return most, rule, f"the most is {short(most)}"


# ---- changing it


def put(b: Betting, seat: str, to: int) -> None:
    """Puts chips in front of a seat, or takes them back, up to this total, whatever they mean."""
    b.stacks[seat] -= to - b.bets.get(seat, 0)
    b.bets[seat] = to


def post(b: Betting, seat: str, amount: int) -> None:
    """Posts a blind or straddle of this size, with fewer chips all-in.

    It is a live bet (1.1), but no act and no raise (6.5.1(a)).  What must be called is the whole blind, also when it
    was posted short.
    """
    put(b, seat, max(b.bets.get(seat, 0), min(amount, total(b, seat))))
    if amount > b.level:
        b.level = b.full = amount


def fold(b: Betting, seat: str) -> None:
    """Folds the hand of a seat in its turn."""
    b.folded.append(seat)
    b.seen.append(seat)


def drop(b: Betting, seat: str) -> None:
    """Takes a hand out, but not by an act in its turn: it is dead.  The turn stays where it is."""
    if seat not in b.folded:
        b.folded.append(seat)


def check_or_call(b: Betting, seat: str) -> None:
    """Checks or calls; with fewer chips all-in (6.16.1)."""
    bet = b.bets.get(seat, 0)
    if bet < b.level:
        put(b, seat, min(b.level, bet + b.stacks[seat]))
    if seat not in b.acted:
        b.acted.append(seat)
    b.seen.append(seat)


def bet_to(b: Betting, seat: str, to: int) -> None:
    """Bets or raises to this total, also when it is all-in for less than a whole bet (6.16.2, 6.16.3)."""
    level, needed = b.level, whole(b)
    if b.structure.limited:
        added = to - b.full
        counts = 2 * added >= needed  # 6.16.2(a), (b); completing a short all-in counts too (AMB-CP-11)
    else:
        added = to - level
        counts = added >= needed  # 6.16.3
    put(b, seat, to)
    b.seen.append(seat)
    b.level = to
    if counts:
        if level:  # the first bet of a round is no raise
            b.raises += 1
        b.step = max(b.step, added)
        b.full = to
        b.acted = [seat]
    else:  # who has acted since the last whole raise may not raise
        b.acted.append(seat)


def apply(b: Betting, seat: str, word: Act, to: int = 0) -> None:
    """Carries out a legal act by its word.  What is too large is reduced."""
    if word == "fold":
        fold(b, seat)
        return
    if word == "all-in":
        to = total(b, seat)
    raises = to > b.level and word not in NO_MORE_THAN_A_CALL
    if not raises:
        check_or_call(b, seat)
        return
    less = reduced(b, seat, to)
    bet_to(b, seat, to if less is None else less[0])
