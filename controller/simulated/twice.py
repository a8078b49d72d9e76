"""Where a document says one thing in two places: a script may cite either, whichever the table names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Twice = Mapping[str, tuple[str, ...]]  # the rule that the table names -> where else the document says it

MINORS: Final[Twice] = {  # document 002
    "6.1.1": ("8.5.2", "9.5.2", "10.5.2"),
    "6.2": ("6.1.1", "6.1.2"),
    "13.7": ("8.4.2(b)(i)", "9.4.3(c)(i)", "9.6.1", "10.4.2(b)(ii)", "10.4.3(b)(ii)", "10.4.4(b)(ii)"),
    "16.2.1": ("16.2.2",),
    "16.3.1": ("16.4",),
    "16.3.2": ("16.4",),
    "16.4": ("16.3.1", "16.3.2"),
}
CARIBBEAN: Final[Twice] = {
    "8.4.1(b)": ("8.5.5(c)",),
    "8.4.2(a)(i)": ("8.6.1(a)(i)", "8.6.2", "table-1"),
    "8.4.2(a)(ii)": ("8.6.1(b)(i)", "8.6.2", "table-1"),
    "8.4.2(b)(i)": ("8.5.5(b)(ii)", "8.5.5(a)(ii)"),  # as it should be numbered, and as it is printed
    "8.4.2(b)(ii)": ("8.6.1(b)(ii)",),
    "8.4.2(c)": ("8.6.1(b)(iii)",),
    "8.4.4(a)": ("8.6.1(b)(i)", "8.6.2", "table-1"),
    "8.4.4(b)": ("8.6.1(b)(ii)",),
    "8.4.4(c)": ("8.6.1(b)(iii)",),
    "8.4.4(d)": ("8.6.1(a)(iii)",),
}
MISSISSIPPI: Final[Twice] = {
    "9.4.2": ("9.6.1(c)", "9.6.1(d)(i)", "9.6.1(e)(i)"),
    "9.4.3(a)": ("9.7.1(a)(i)", "9.7.2", "table-2"),
    "9.4.3(b)": ("9.7.1(a)(i)", "9.7.2", "table-2"),
    "9.4.3(c)(i)": ("9.6.1(b)(ii)", "9.6.1(d)(ii)", "9.6.1(e)(ii)"),
    "9.4.3(c)(ii)": ("9.7.1(a)(ii)",),
    "9.4.4(a)": ("9.7.1(a)(i)", "9.7.2", "table-2"),
    "9.4.4(b)": ("9.7.1(a)(i)", "9.7.2", "table-2"),
    "9.4.4(c)": ("9.7.1(a)(ii)",),
}


def _ultimate(rule: str, blind: str, trips: str, fold: tuple[str, ...], odds: str) -> Twice:
    """Rule 10 of document 002 and rule 12 of document 003 settle in the same words."""
    told = {
        "4.2(a)": ("6.1(a)(i)", odds, blind),
        "4.2(b)(i)": ("6.1(b)",),
        "4.2(b)(ii)": fold,
        "4.2(c)(i)": ("6.1(c)", "4.2(c)(ii)", "6.2(a)"),
        "4.2(c)(ii)": ("6.2(a)",),
        "4.3(a)": ("6.1(a)(ii)", "6.2(b)(ii)", odds, blind),
        "4.3(b)(i)": ("6.1(b)", "6.2(c)"),
        "4.3(b)(ii)": fold,
        "4.3(c)(i)": ("6.1(c)", "6.2(d)"),
        "4.3(c)(ii)": (odds, blind),
        "4.4(a)": ("6.3(a)", odds, trips),
        "4.4(b)(i)": ("6.3(b)",),
        "4.4(b)(ii)": fold,
        "4.6(a)": ("6.1(a)(i)", "6.2(b)(i)", odds, blind),
        "4.6(b)": ("6.1(b)", "6.2(c)"),
        "4.6(c)": ("6.1(c)", "6.2(d)"),
    }
    whole = {sub: tuple(x if x.startswith("table") else f"{rule}.{x}" for x in other) for sub, other in told.items()}
    return {f"{rule}.{sub}": other for sub, other in whole.items()}


GAMES: Final[Mapping[str, Twice]] = {
    "caribbean-stud": {**MINORS, **CARIBBEAN},
    "mississippi-stud": {**MINORS, **MISSISSIPPI},
    "ultimate-texas-holdem-nsw": {**MINORS, **_ultimate("10", "table-3", "table-4", ("5.8(b)", "5.8(c)"), "6.5")},
    "ultimate-texas-holdem-vic": _ultimate("12", "table-9", "table-10", ("5.6(b)",), "6.4"),
}


def cited(game: str, *rules: str) -> list[str]:
    """The rules that the table named, and where else the game's document says the same.

    >>> cited("mississippi-stud", "9.4.3(c)(ii)")
    ['9.4.3(c)(ii)', '9.7.1(a)(ii)']
    """
    twice = GAMES.get(game, {})
    return [*rules, *(other for rule in rules for other in twice.get(rule, ()))]
