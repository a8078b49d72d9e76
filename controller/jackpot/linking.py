"""Which tables may share a prize meter system, and how several systems on one floor must agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from controller.jackpot.returns import balanced
from controller.jackpot.rules import Jurisdiction, Terms, inexact, is_jurisdiction, misprints
from controller.money import MoneyError, cents, short
from controller.rules import Cited, Objection

# What a floor tells a table about the systems of the other tables.
SYSTEM = "jackpot:"  # name -> a `System` as it is written, or CLOSED
CLOSING = "jackpot-closing:"  # name -> since when every table of the system announces its closing; "" when not all do
CLOSED: Final = "closed"

KIND = {"nsw": "002", "vic": "003"}
SAME = {"nsw": "11.2.1(b)(iv)", "vic": "9.1.1(b)(iii)"}  # one system: the same seed and increment at every table
SAME_OPTION = {"nsw": "11.2.1(b)(iii)", "vic": "9.1.1(b)(ii)"}
SAME_COST = {"nsw": "11.2.1(b)(i)", "vic": "9.1.1(d)"}
ALIKE = {"nsw": "11.2.1(d)", "vic": "9.1.1(f)"}  # several systems: the same option
OFFERED = {"nsw": "11.2.1", "vic": "9.1.1"}
PRINTED = {"nsw": "11.2.1(e)", "vic": "9.3"}
_PRINTED = ("jackpot-option", "jackpot-reset")
RECORDED = {"nsw": "11.3.1", "vic": "9.5.1"}  # the meter must be capable of recording the amounts


class JackpotOptions(Protocol):
    """The options of a table that concern its Jackpot."""

    @property
    def jackpot(self) -> str | None:
        """The document by which a Jackpot is offered (nsw, vic); None when none is."""

    @property
    def jackpot_option(self) -> int:
        """The number of the approved option."""

    @property
    def jackpot_reset(self) -> int:
        """The reset value in cents, for a wager of 1."""

    @property
    def jackpot_cost(self) -> int:
        """The cost of a Jackpot wager, in cents."""

    @property
    def jackpot_rate(self) -> int | UnsetType:
        """The increment in millionths of a wager."""

    @property
    def method(self) -> str:
        """The method of the document that is played; "" where it has only one."""

    @property
    def terms(self) -> Terms | None:
        """The terms of the Jackpot; None when none is offered, or the table is in no system."""

    @property
    def group(self) -> str:
        """The prize meter system that the table shares; "" for one of its own, or none."""


class System(msgspec.Struct, frozen=True):
    """A prize meter system as its tables describe it to the others."""

    terms: Terms
    methods: tuple[str, ...]  # by which its tables deal, in order
    games: tuple[str, ...]  # that are played at them, in order

    def written(self) -> str:
        """Returns the words in which facts and stores keep it.

        >>> System(Terms("nsw", 1, 20_000, 500), ("A", "B"), ("caribbean-stud",)).written()
        'nsw 1 20000 5 A,B caribbean-stud'
        """
        plain = f"{self.terms.kind} {self.terms.option} {self.terms.reset} {short(self.terms.cost)}"
        return f"{plain} {','.join(self.methods)} {','.join(self.games)}"

    @classmethod
    def read(cls, words: str) -> System | None:
        """Returns what these words describe; None when they describe no system: it is closed, or nobody is in it."""
        match words.split(" "):
            case [kind, option, reset, cost, methods, games] if is_jurisdiction(kind):
                try:
                    terms = Terms(kind, int(option), int(reset), cents(cost))
                except (ValueError, MoneyError):
                    return None
                return cls(terms, _ordered(methods.split(",")), _ordered(games.split(",")))
        return None

    def joined(self, other: System) -> System:
        """Returns the same system with the tables of both descriptions."""
        return System(self.terms, _ordered(self.methods + other.methods), _ordered(self.games + other.games))


def described(terms: Terms, methods: Iterable[str], games: Iterable[str]) -> str:
    """Returns a system in words that another table can compare with."""
    return System(terms, _ordered(methods), _ordered(games)).written()


def _ordered(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(words)))


def objections(
    game: str, kind: Jurisdiction, options: JackpotOptions, systems: Mapping[str, System]
) -> Iterator[Objection]:
    """Yields why this Jackpot is against the rules, beside these systems of other tables."""
    if options.jackpot is None:
        return
    if options.jackpot != kind:
        yield Objection(("jackpot",), Cited(OFFERED[kind], f"this game's Jackpot is that of document {KIND[kind]}"))
        return
    rate = None if options.jackpot_rate is UNSET else options.jackpot_rate
    unprinted = tuple(misprinted(kind, options.jackpot_option, options.jackpot_reset, rate))
    yield from unprinted
    terms = options.terms
    if unprinted or terms is None:  # None: it is in no system
        return
    if inexact(terms):
        text = "the increment of such a wager is no whole number of ten-thousandths"
        yield Objection(("jackpot-cost", *_PRINTED), Cited(RECORDED[kind], text))
        return  # of a wager that costs nothing there are no prizes to weigh
    if not balanced(terms):
        text = "these prizes, reset and increment do not belong together"
        yield Objection(_PRINTED, Cited(PRINTED[kind], text))
    for name, system in systems.items():
        if system.terms.kind != kind:
            continue
        problem = _same(game, options.method, terms, system) if name == options.group else unlike(terms, system.terms)
        if problem is not None:
            yield Objection(("jackpot-group", "jackpot-cost", *_PRINTED), problem)


def misprinted(kind: Jurisdiction, option: int, reset: int, rate: int | None) -> Iterator[Objection]:
    """Yields what the document does not print, or not together; a rate of None is whichever is printed."""
    for what, why in misprints(kind, option, reset, rate):
        yield Objection((f"jackpot-{what}",), Cited(PRINTED[kind], why))


def _same(game: str, method: str, terms: Terms, system: System) -> Cited | None:
    """Returns why a table with these terms cannot be in this system; None when it can."""
    kind, shared = system.terms.kind, system.terms
    if terms.cost != shared.cost:
        return Cited(SAME_COST[kind], f"the Jackpot wager costs {short(shared.cost)} at every table of this group")
    if terms.option != shared.option:
        return Cited(SAME_OPTION[kind], f"this group plays option {shared.option}")
    if terms.reset != shared.reset:
        return Cited(SAME[kind], f"this group has the reset value {shared.reset} (for 1)")
    across_games = kind == "nsw" and set(system.games) != {game}
    if across_games and {*system.methods, method} != {"B"}:
        return Cited("1.1", "a Jackpot linked across games is dealt by method B at every table")
    return None


def unlike(terms: Terms, other: Terms) -> Cited | None:
    """Returns why these cannot be the terms of two systems on one floor; None when they can."""
    if other.kind != terms.kind:
        return None
    if other.option != terms.option:
        return Cited(ALIKE[terms.kind], f"all prize meter systems play option {other.option}")
    if terms.kind == "vic" and other.reset != terms.reset:
        return Cited(ALIKE[terms.kind], f"all prize meter systems have the seed {other.reset}")
    if terms.kind == "vic" and other.cost == terms.cost:
        return Cited("9.1.1(e)", "another prize meter system has this cost: each has its own")
    return None


def cost_of(systems: Mapping[str, System], group: str, kind: Jurisdiction) -> str:
    """Returns what a wager costs in a system that other tables are in; "" when none is, or it is of another kind."""
    system = systems.get(group)
    return short(system.terms.cost) if system is not None and system.terms.kind == kind else ""


def others(systems: Mapping[str, System], kind: Jurisdiction, name: str) -> list[str]:
    """Returns the systems that may take over what a closed one holds."""
    return [other for other, system in systems.items() if system.terms.kind == kind and other != name]
