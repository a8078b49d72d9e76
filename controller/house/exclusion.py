"""A player has broken the rules: the wagers are void, and the player may be excluded from the game."""

from __future__ import annotations

from controller.house import jackpot
from controller.house.step import HouseStep
from controller.table.step import Refusal


def exclude(s: HouseStep, args: tuple[str, ...]) -> None:
    """Puts a player out of the game: the wagers are void."""
    who = _who(s, args[0], s.cites.exclude)
    s.t.people[who].excluded = True
    for place in [p for p, name in s.t.seats.items() if name == who and p in s.t.jackpot.carried]:
        jackpot.leaves(s, place, void=s.cites.exclude_void)
    if s.round is not None:
        _void(s, who)
        s.ruled("void", s.cites.exclude, "the player is excluded and the wagers are void")


def void_wagers(s: HouseStep, args: tuple[str, ...]) -> None:
    """Declares all wagers of a player void; the player stays in the game."""
    rule = s.cites.exclude_void
    who = _who(s, args[0], rule)
    s.running(rule)
    if not _void(s, who):
        raise Refusal(rule, "no wager of this player is at stake")
    s.ruled("void", rule, "the player's wagers are void")


def _who(s: HouseStep, place: str, rule: str) -> str:
    who = s.t.seats.get(place)
    if who is None:
        raise Refusal(rule, f"nobody sits at {place}")
    return who


def _void(s: HouseStep, who: str) -> bool:
    """Ends every wager of this player that is still open; False when there is none."""
    r = s.round
    assert r is not None
    lines = []
    for place in [p for p, name in s.t.seats.items() if name == who]:
        lines += s.open_lines(s.cites.exclude_void, "void", place)
    s.drop_from_deal(lines)
    s.settle(lines)
    if r.closed != "dealt":
        for line in lines:
            r.wagers.pop(line.at, None)
    return bool(lines)
