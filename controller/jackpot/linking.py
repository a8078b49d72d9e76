"""Which tables may share a prize meter system, and how several systems on one floor must agree."""

from __future__ import annotations

from collections.abc import Mapping

from controller.jackpot.returns import balanced
from controller.jackpot.rules import Terms, inexact, misprint, terms_of

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

Problem = tuple[str, str]  # what, rule


def group_of(options: Mapping[str, str]) -> str:
    """The name of the system a table belongs to; "" for one of its own, or none."""
    name = options.get("jackpot-group", "")
    return "" if name == "none" else name


def described(options: Mapping[str, str], methods: list[str], games: list[str]) -> str:
    """A system in words that another table can compare with."""
    o = options
    terms = f"{o['jackpot']} {o['jackpot-option']} {o['jackpot-reset']} {o['jackpot-cost']}"
    return f"{terms} {','.join(sorted(set(methods)))} {','.join(sorted(set(games)))}"


def forbidden(game: str, kind: str, options: Mapping[str, str], house: Mapping[str, str]) -> Problem | None:
    """Why this Jackpot is against the rules; None when it is not."""
    if options.get("jackpot", "none") == "none":
        return None
    if options["jackpot"] != kind:
        return f"this game's Jackpot is that of document {KIND[kind]}", OFFERED[kind]
    wrong = misprint(kind, options["jackpot-option"], options["jackpot-reset"], options.get("jackpot-rate") or None)
    if wrong:
        return wrong, PRINTED[kind]
    terms = terms_of(options)
    if terms is None:  # it is in no system
        return None
    if inexact(terms):
        return "the increment of such a wager is no whole number of ten-thousandths", RECORDED[kind]
    if not balanced(terms):
        return "these prizes, reset and increment do not belong together", PRINTED[kind]
    mine = group_of(options)
    for name, words in ((n.removeprefix(SYSTEM), w) for n, w in house.items() if n.startswith(SYSTEM)):
        if words.partition(" ")[0] == kind:
            problem = _same(game, kind, options, words) if name == mine else _alike(kind, options, words)
            if problem is not None:
                return problem
    return None


def _same(game: str, kind: str, o: Mapping[str, str], words: str) -> Problem | None:
    """A table of the same system."""
    _, option, reset, cost, methods, games = words.split(" ")
    if o["jackpot-cost"] != cost:
        return f"the Jackpot wager costs {cost} at every table of this group", SAME_COST[kind]
    if o["jackpot-option"] != option:
        return f"this group plays option {option}", SAME_OPTION[kind]
    if o["jackpot-reset"] != reset:
        return f"this group has the reset value {reset} (for 1)", SAME[kind]
    if kind == "nsw" and games != game and {o["method"], *methods.split(",")} != {"B"}:
        return "a Jackpot linked across games is dealt by method B at every table", "1.1"
    return None


def _alike(kind: str, o: Mapping[str, str], words: str) -> Problem | None:
    """A table of another system."""
    _, option, reset, cost, _, _ = words.split(" ")
    if o["jackpot-option"] != option:
        return f"all prize meter systems play option {option}", ALIKE[kind]
    if kind == "vic" and o["jackpot-reset"] != reset:
        return f"all prize meter systems have the seed {reset}", ALIKE[kind]
    if kind == "vic" and o["jackpot-cost"] == cost:
        return "another prize meter system has this cost: each has its own", "9.1.1(e)"
    return None


def unlike(mine: Terms, other: Terms) -> Problem | None:
    """Why these cannot be the terms of two systems on one floor."""
    if other.kind != mine.kind:
        return None
    if other.option != mine.option:
        return f"all prize meter systems play option {other.option}", ALIKE[mine.kind]
    if mine.kind == "vic" and other.reset != mine.reset:
        return f"all prize meter systems have the seed {other.reset}", ALIKE[mine.kind]
    if mine.kind == "vic" and other.cost == mine.cost:
        return "another prize meter system has this cost: each has its own", "9.1.1(e)"
    return None


def cost_of(house: Mapping[str, str], group: str, kind: str) -> str:
    """What a wager costs in a system that other tables are in; "" when none is, or when it is of another kind."""
    words = house.get(SYSTEM + group, "").split(" ")
    return words[3] if words[0] == kind else ""


def others(house: Mapping[str, str], kind: str, mine: str) -> list[str]:
    """The systems that may take over what a closed one holds."""
    found = {n.removeprefix(SYSTEM): w for n, w in house.items() if n.startswith(SYSTEM)}
    return [name for name, words in found.items() if words.partition(" ")[0] == kind and name != mine]
