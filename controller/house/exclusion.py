"""A player is excluded from the game."""

from __future__ import annotations

from controller.house import jackpot
from controller.house.step import HouseStep
from controller.table.step import Refusal


def exclude(s: HouseStep, args: tuple[str, ...]) -> None:
    """Puts a player out of the game: the wagers are void."""
    who = s.t.seats.get(args[0])
    if who is None:
        raise Refusal(s.cites.exclude, f"nobody sits at {args[0]}")
    s.t.people[who].excluded = True
    for place in [p for p, name in s.t.seats.items() if name == who and p in s.t.jackpot.carried]:
        jackpot.leaves(s, place, void=s.cites.exclude_void)
    if s.round is not None:
        lines = []
        for place in [p for p, name in s.t.seats.items() if name == who]:
            lines += s.open_lines(s.cites.exclude_void, "void", place)
        s.drop_from_deal(lines)
        s.settle(lines)
        if s.round.closed != "dealt":
            for line in lines:
                s.round.wagers.pop(line.at, None)
        s.ruled("void", s.cites.exclude, "the player is excluded and the wagers are void")
