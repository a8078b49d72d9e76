"""Which tables may share a prize meter system, and how several systems on one floor must agree."""

from __future__ import annotations

from collections.abc import Mapping

from controller.jackpot.rules import misprint, terms_of

PREFIX = "jackpot:"  # of what a floor says about its systems: name -> "nsw 1 20000 5 GAME,GAME"

KIND = {"nsw": "002", "vic": "003"}
SAME = {"nsw": "11.2.1(b)", "vic": "9.1.1(b)"}  # one system: the same terms at every table
SAME_COST = {"nsw": "11.2.1(b)(i)", "vic": "9.1.1(d)"}
ALIKE = {"nsw": "11.2.1(d)", "vic": "9.1.1(f)"}  # several systems: the same option


def group_of(options: Mapping[str, str]) -> str:
    """The name of the system a table belongs to; "" for one of its own, or none."""
    name = options.get("jackpot-group", "")
    return "" if name == "none" else name


def described(options: Mapping[str, str], games: list[str]) -> str:
    """A system in words that another table can compare with."""
    o = options
    return f"{o['jackpot']} {o['jackpot-option']} {o['jackpot-reset']} {o['jackpot-cost']} {','.join(sorted(games))}"


def forbidden(game: str, kind: str, options: Mapping[str, str], house: Mapping[str, str]) -> tuple[str, str] | None:
    """Why this Jackpot is against the rules (what, rule); None when it is not."""
    if terms_of({**options, "jackpot-reset": "0", "jackpot-option": "1"}) is None:
        return None
    if options["jackpot"] != kind:
        return f"this game's Jackpot is that of document {KIND[kind]}", SAME[kind]
    wrong = misprint(
        kind, int(options["jackpot-option"]), int(options["jackpot-reset"]), options.get("jackpot-rate") or None
    )
    if wrong is not None:
        return wrong
    mine = group_of(options)
    for name, words in ((n.removeprefix(PREFIX), w) for n, w in house.items() if n.startswith(PREFIX)):
        other, option, reset, cost, games = words.split(" ")
        if other != kind:
            continue
        if name == mine:
            problem = _same(kind, options, option, reset, cost)
            if problem is None and kind == "nsw" and set(games.split(",")) != {game} and options["method"] != "B":
                problem = "a Jackpot linked across games is dealt by method B", "1.1"
        else:
            problem = _alike(kind, options, option, reset, cost)
        if problem is not None:
            return problem
    return None


def _same(kind: str, o: Mapping[str, str], option: str, reset: str, cost: str) -> tuple[str, str] | None:
    if o["jackpot-cost"] != cost:
        return f"the Jackpot wager costs {cost} at every table of this group", SAME_COST[kind]
    if (o["jackpot-option"], o["jackpot-reset"]) != (option, reset):
        return f"this group plays option {option} with reset {reset}", SAME[kind]
    return None


def _alike(kind: str, o: Mapping[str, str], option: str, reset: str, cost: str) -> tuple[str, str] | None:
    if o["jackpot-option"] != option:
        return f"all prize meter systems play option {option}", ALIKE[kind]
    if kind == "vic" and o["jackpot-reset"] != reset:
        return f"all prize meter systems have the seed {reset}", ALIKE[kind]
    if kind == "vic" and o["jackpot-cost"] == cost:
        return "another prize meter system has this cost: each has its own", "9.1.1(e)"
    return None
