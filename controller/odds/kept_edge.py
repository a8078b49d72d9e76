"""What is kept of an edge: the fraction, and at which stakes it is exact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

KeptKey: TypeAlias = tuple[str, str, str]  # game, wager, the options that change it: "decks=6"


class KeptEdge(NamedTuple):
    """An edge of one wager by one choice of options."""

    edge: str  # a reduced fraction, of each unit of the wager
    top: int  # the most that one line is paid, for each unit
    parts: int  # a unit must divide into so many chips, so that every line can be paid exactly
    whole_from: int = 0  # from so many chips on it is exact all the same: what is rounded is never chosen; 0: never


def key_of(game: str, wager: str, options: Mapping[str, str]) -> KeptKey:
    """Returns under what an edge is kept.

    >>> key_of("casino-war", "tie", {"decks": "6"})
    ('casino-war', 'tie', 'decks=6')
    """
    return game, wager, " ".join(f"{name}={value}" for name, value in options.items())
