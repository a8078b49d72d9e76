"""How chips that a player pushes forward are read (document 000, 6.12-6.14, 6.17): silent, or with a word (1.1, 6.18).

Chips lie on the felt and cannot be refused: they are always read as something, and the rest goes back.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.money import short
from controller.poker.hand.betting import Legal, least_to, legal, reduced, total
from controller.poker.state import Betting
from controller.poker.words import WITH_A_TOTAL, Act, ChipsAs, Declared


class Meant(msgspec.Struct, frozen=True):
    """What chips are read as.  `to` is the seat's total in the betting round when it is done."""

    word: ChipsAs  # all-in: every chip of the stake; short: the player must choose (6.17)
    to: int
    rule: str
    text: str  # for the dealer
    surplus: int = 0  # goes back to the player
    completes: int = 0  # must be added by the player


def read(
    b: Betting,
    seat: str,
    chips: tuple[int, ...],
    lying: int = 0,
    declared: Declared | None = None,
    first_round: bool = False,
) -> Meant:
    """Returns what these chips mean, pushed by the seat whose turn it is.

    `lying` is what an earlier under-call left in front beyond the seat's bet; it is still counted in the stack.
    """
    pushed = _Pushed(b, seat, chips, lying, legal(b, seat))
    match declared:
        case "fold":
            return pushed.meant("fold", pushed.bet, "6.18", "said fold")
        case "check":
            return pushed.meant("check", pushed.bet, "6.18", "said check")
        case "call":
            return pushed.call("1.1", "said call")
        case "all-in":
            return pushed.all_in()
        case "bet" | "raise":
            return pushed.announced()
        case _:
            return pushed.silent(first_round)


class _Pushed:
    """Chips in front of a seat, beside what the seat may do."""

    def __init__(self, b: Betting, seat: str, chips: tuple[int, ...], lying: int, may: Legal) -> None:
        self.b, self.seat, self.may = b, seat, may
        self.bet = b.bets.get(seat, 0)
        self.everything = total(b, seat)
        self.front = self.bet + lying + sum(chips)
        self.one_chip = len(chips) == 1
        self.limited = b.structure.limited
        self.raising: Literal["bet", "raise"] = "raise" if b.level else "bet"

    def meant(self, word: Act, to: int, rule: str, text: str) -> Meant:
        """Returns what the chips mean, in words for the dealer, with what goes back and what is still due."""
        if self._takes_every_chip(word, to):
            word, text = "all-in", f"{text}; all-in"
        surplus, completes = max(0, self.front - to), max(0, to - self.front)
        if completes:
            text += f"; {short(completes)} more is due"
        if surplus:
            text += f"; {short(surplus)} goes back"
        return Meant(word, to, rule, text, surplus, completes)

    def _takes_every_chip(self, word: Act, to: int) -> bool:
        if to != self.everything:
            return False
        if word == "call":
            return to < self.b.level
        return word in WITH_A_TOTAL

    def call(self, rule: str, text: str) -> Meant:
        """Reads the chips as a call; of nothing, as a check."""
        word: Act = "check" if self.may.check else "call"
        if self.may.call == self.everything < self.b.level:
            rule = "6.16.1"
        return self.meant(word, max(self.bet, self.may.call), rule, text)

    def raised(self, to: int, rule: str, text: str, one_large_chip: bool = False) -> Meant:
        """Reads the chips as a bet or raise, reduced to what the limit and the stake allow."""
        if less := reduced(self.b, self.seat, to):
            to, limit, why = less
            rule = rule if one_large_chip else limit  # 6.14 says so itself
            text = f"{text}; {why}"
        elif to == self.everything and to < least_to(self.b):
            rule = "6.16.2" if self.limited else "6.16.3"
        return self.meant(self.raising, to, rule, text)

    def all_in(self) -> Meant:
        """Reads the chips of who says all-in."""
        if self.everything <= self.b.level:
            return self.call("6.16.1", "said all-in")
        if self.may.raise_to is None:
            return self.call(self.may.rule, f"said all-in, but {self.may.why}: a call")
        return self.raised(self.everything, "1.1", "said all-in")

    def announced(self) -> Meant:
        """Reads the chips of who says raise and is bound to it (1.1); one large chip counts as a whole (6.14.2)."""
        if self.may.raise_to is None:
            return self.call(self.may.rule, f"said {self.raising}, but {self.may.why}: a call")
        least = self.may.raise_to[0]
        if self.front < least:
            return self.raised(least, "1.1", f"said {self.raising}: the least is to {short(least)}")
        large = self.one_chip and not self.limited
        return self.raised(self.front, "6.14.2" if large else "8.2.2", f"said {self.raising}", large)

    def silent(self, first_round: bool) -> Meant:
        """Reads chips without a word."""
        level = self.b.level
        if self.front < level:
            return self._too_few()
        if self.front == level:
            return self.call("8.2.1", "a call")
        if self.one_chip and self._large_chip_calls(first_round):
            return self.call(self._large_chip_rule(first_round), "one large chip without a word is a call")
        if self.may.raise_to is None:
            return self.call(self.may.rule, f"{self.may.why}: a call")
        return self._more_than_a_call(self.may.raise_to[0])

    def _too_few(self) -> Meant:
        level = self.b.level
        if self.front >= self.everything:
            return self.call("6.16.1", "every chip, less than the bet")
        why = f"{short(self.front)} is less than the bet of {short(level)}: make it up, or fold and leave it"
        return Meant("short", self.front, "6.17", why, completes=min(level, self.everything) - self.front)

    def _large_chip_calls(self, first_round: bool) -> bool:
        if self.b.level:
            return True
        return first_round and not self.limited

    def _large_chip_rule(self, first_round: bool) -> str:
        if self.limited:
            return "6.13"
        return "6.14.1(a)" if first_round else "6.14.1(b)"

    def _more_than_a_call(self, least: int) -> Meant:
        level = self.b.level
        if self.front >= least:
            large = self.one_chip and not self.limited
            return self.raised(self.front, "6.14.1(b)" if large else "8.2.2", f"a {self.raising}", large)
        if 2 * (self.front - level) >= least_to(self.b) - level:  # AMB-CP-08
            return self.raised(least, "6.12", f"half of the least {self.raising} or more is made up to it")
        return self.call("6.12", f"less than half of the least {self.raising} is {'a call' if level else 'no bet'}")
