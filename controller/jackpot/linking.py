"""Which tables may share a prize meter system, and how several systems on one floor must agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import UNSET, UnsetType

from controller.jackpot.returns import balanced
from controller.jackpot.rules import Terms, inexact, misprint
from controller.money import short
from controller.rules import Cited

# What a floor tells a table about the systems of the other tables.
SYSTEM = "jackpot:"  # name -> "nsw 1 20000 5 A,B GAME,GAME", or CLOSED
CLOSING = "jackpot-closing:"  # name -> since when every table of the system announces its closing; "" when not all do
CLOSED = "closed"

KIND = {"nsw": "002", "vic": "003"}
SAME = {"nsw": "11.2.1(b)(iv)", "vic": "9.1.1(b)(iii)"}  # one system: the same seed and increment at every table
SAME_OPTION = {"nsw": "11.2.1(b)(iii)", "vic": "9.1.1(b)(ii)"}
SAME_COST = {"nsw": "11.2.1(b)(i)", "vic": "9.1.1(d)"}
ALIKE = {"nsw": "11.2.1(d)", "vic": "9.1.1(f)"}  # several systems: the same option
OFFERED = {"nsw": "11.2.1", "vic": "9.1.1"}
PRINTED = {"nsw": "11.2.1(e)", "vic": "9.3"}
RECORDED = {"nsw": "11.3.1", "vic": "9.5.1"}  # the meter must be capable of recording the amounts


class JackpotOptions(Protocol):
    """What the options of a table say of its Jackpot."""

    @property
    def jackpot(self) -> str | None: ...

    @property
    def jackpot_option(self) -> int: ...

    @property
    def jackpot_reset(self) -> int:
        """In cents, for a wager of 1."""

    @property
    def jackpot_cost(self) -> int:
        """In cents."""

    @property
    def jackpot_rate(self) -> int | UnsetType:
        """In millionths of a wager."""

    @property
    def method(self) -> str: ...

    @property
    def terms(self) -> Terms | None: ...

    @property
    def group(self) -> str: ...


def described(terms: Terms, methods: list[str], games: list[str]) -> str:
    """A system in words that another table can compare with."""
    plain = f"{terms.kind} {terms.option} {terms.reset} {short(terms.cost)}"
    return f"{plain} {','.join(sorted(set(methods)))} {','.join(sorted(set(games)))}"


def forbidden(game: str, kind: str, options: JackpotOptions, house: Mapping[str, str]) -> Cited | None:
    """Why this Jackpot is against the rules; None when it is not."""
    if options.jackpot is None:
        return None
    if options.jackpot != kind:
        return Cited(OFFERED[kind], f"this game's Jackpot is that of document {KIND[kind]}")
    rate = None if options.jackpot_rate is UNSET else options.jackpot_rate
    wrong = misprint(kind, options.jackpot_option, options.jackpot_reset, rate)
    if wrong:
        return Cited(PRINTED[kind], wrong)
    terms = options.terms
    if terms is None:  # it is in no system
        return None
    if inexact(terms):
        return Cited(RECORDED[kind], "the increment of such a wager is no whole number of ten-thousandths")
    if not balanced(terms):
        return Cited(PRINTED[kind], "these prizes, reset and increment do not belong together")
    for name, words in ((n.removeprefix(SYSTEM), w) for n, w in house.items() if n.startswith(SYSTEM)):
        if words.partition(" ")[0] == kind:
            same = name == options.group
            problem = _same(game, options.method, terms, words) if same else _alike(terms, words)
            if problem is not None:
                return problem
    return None


def _same(game: str, method: str, mine: Terms, words: str) -> Cited | None:
    """Why a table cannot be in the same system."""
    kind, option, reset, cost, methods, games = words.split(" ")
    if short(mine.cost) != cost:
        return Cited(SAME_COST[kind], f"the Jackpot wager costs {cost} at every table of this group")
    if str(mine.option) != option:
        return Cited(SAME_OPTION[kind], f"this group plays option {option}")
    if str(mine.reset) != reset:
        return Cited(SAME[kind], f"this group has the reset value {reset} (for 1)")
    if kind == "nsw" and games != game and {method, *methods.split(",")} != {"B"}:
        return Cited("1.1", "a Jackpot linked across games is dealt by method B at every table")
    return None


def _alike(mine: Terms, words: str) -> Cited | None:
    """Why a table cannot be in another system beside this one."""
    kind, option, reset, cost, _, _ = words.split(" ")
    if str(mine.option) != option:
        return Cited(ALIKE[kind], f"all prize meter systems play option {option}")
    if kind == "vic" and str(mine.reset) != reset:
        return Cited(ALIKE[kind], f"all prize meter systems have the seed {reset}")
    if kind == "vic" and short(mine.cost) == cost:
        return Cited("9.1.1(e)", "another prize meter system has this cost: each has its own")
    return None


def unlike(mine: Terms, other: Terms) -> Cited | None:
    """Why these cannot be the terms of two systems on one floor."""
    if other.kind != mine.kind:
        return None
    if other.option != mine.option:
        return Cited(ALIKE[mine.kind], f"all prize meter systems play option {other.option}")
    if mine.kind == "vic" and other.reset != mine.reset:
        return Cited(ALIKE[mine.kind], f"all prize meter systems have the seed {other.reset}")
    if mine.kind == "vic" and other.cost == mine.cost:
        return Cited("9.1.1(e)", "another prize meter system has this cost: each has its own")
    return None


def cost_of(house: Mapping[str, str], group: str, kind: str) -> str:
    """What a wager costs in a system that other tables are in; "" when none is, or when it is of another kind."""
    words = house.get(SYSTEM + group, "").split(" ")
    return words[3] if words[0] == kind else ""


def others(house: Mapping[str, str], kind: str, mine: str) -> list[str]:
    """The systems that may take over what a closed one holds."""
    found = {n.removeprefix(SYSTEM): w for n, w in house.items() if n.startswith(SYSTEM)}
    return [name for name, words in found.items() if words.partition(" ")[0] == kind and name != mine]
