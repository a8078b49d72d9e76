"""Who has which place: those who are in, by their banks; then who went out later; else equal places."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final, Literal, TypeAlias

import msgspec

State: TypeAlias = Literal["in", "out", "retired", "disqualified", "withdrawn"]
UNPLACED: Final[tuple[State, ...]] = ("disqualified", "withdrawn")


class Contestant(msgspec.Struct, frozen=True):
    """How somebody stands, as far as it decides the place."""

    name: str
    state: State
    bank: int = 0  # of who is in
    out_at: int = 0  # when the others went out: a later one has the higher number, people of one round the same
    bank_before: int = 0  # what they had before that round


def places(contestants: Iterable[Contestant]) -> dict[str, int]:
    """Returns everybody's place, the winner's first; equal ones share it, and the next place is left out for each.

    >>> places([Contestant("Ann", "in", 900), Contestant("Bob", "out", out_at=7), Contestant("Cem", "out", out_at=7)])
    {'Ann': 1, 'Bob': 2, 'Cem': 2}
    """
    placed = sorted((each for each in contestants if each.state not in UNPLACED), key=_order)
    result: dict[str, int] = {}
    for _, equals in groupby(placed, key=_order):
        result |= dict.fromkeys([each.name for each in equals], len(result) + 1)
    return result


def ahead(contestants: Iterable[Contestant], number: int) -> tuple[str, ...]:
    """Returns who is among the first so many; who has the same place as the last of them is, too.

    >>> ahead([Contestant("Ann", "in", 900), Contestant("Bob", "in", 500), Contestant("Cem", "in", 500)], 2)
    ('Ann', 'Bob', 'Cem')
    """
    return tuple(name for name, place in places(contestants).items() if place <= number)


def _order(contestant: Contestant) -> tuple[int, int, int]:
    """Returns what sorts people by place: the lowest comes first, and equal places are equal."""
    if contestant.state == "in":
        return (0, -contestant.bank, 0)
    return (1, -contestant.out_at, -contestant.bank_before)
