"""Writes controller/odds/kept.py: the exact edges that reports count with.

`python -m tools.edges_table` computes what is missing; `--all` computes everything anew, which takes some twenty
minutes of one core.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import ceil, lcm
from pathlib import Path
from typing import Final, NamedTuple

from controller.games import GAMES, find
from controller.odds.edges import edge_of
from controller.odds.kept_edge import KeptEdge, KeptKey, key_of
from controller.odds.rounds import Deal, Move, Rounds, Settled
from controller.odds.ultimate import Span, Sweep

FILE: Final = Path(__file__).parents[1] / "controller/odds/kept.py"
VALUES: Final[dict[str, tuple[str, ...]]] = {  # of each option that changes an edge
    "decks": ("4", "5", "6", "7", "8"),
    "ante-bonus": ("A", "B", "C"),
    "pair-plus": ("A", "B", "C", "D", "E", "F"),
    "ante-pays": ("flush", "straight"),
}
RIVERS: Final[tuple[Span, ...]] = ((1, 1), (2, 2), (1, 2))  # multiples of Play after the River that are kept
WIDE: Final = 120  # characters of a line
MOST: Final = 10  # times the Ante: no Play is larger
QUICK: Final = ("casino-war",)
SOME_CHIPS: Final = 8
HEAD: Final = '''"""Exact edges by game, wager and options.  Written by `python -m tools.edges_table`; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.odds.kept_edge import KeptEdge, KeptKey

KEPT: Final[Mapping[KeptKey, KeptEdge]] = {
'''


class WatchedRounds(Rounds):
    """Rounds that remember how lines on some spots were paid, in units of the stake."""

    def __init__(self, game: str, options: Mapping[str, str], spots: Collection[str]) -> None:
        super().__init__(game, options)
        self._spots = spots
        self.top, self.parts = 0, 1

    def settle(self, wagers: Sequence[str], cards: Deal, decisions: Sequence[Move] = ()) -> Settled:
        """Settles a round, and remembers how its lines were paid."""
        settled = super().settle(wagers, cards, decisions)
        for spot in self._spots:
            units = Fraction(settled.net.get(spot, 0), self.stake)
            self.top = max(self.top, ceil(units))
            self.parts = lcm(self.parts, units.denominator)
        return settled


class Wanted(NamedTuple):
    """One edge that is kept."""

    game: str
    wager: str
    options: Mapping[str, str]

    @property
    def key(self) -> KeptKey:
        """Under what it is kept."""
        return key_of(self.game, self.wager, self.options)


def wanted() -> Iterator[Wanted]:
    """Yields everything that is kept."""
    for name, rules in GAMES.items():
        for wager, edge in rules.odds.items():
            each = PLAYS if "preflop" in edge.by else _products(edge.by)
            yield from (Wanted(name, wager, options) for options in each)


def _products(names: Sequence[str]) -> list[Mapping[str, str]]:
    return [dict(zip(names, values, strict=True)) for values in product(*(VALUES[name] for name in names))]


def _plays() -> Iterator[Mapping[str, str]]:
    """Yields the multiples of Play, as far as they change the edge: in each later window less than before."""
    for least, most in RIVERS:
        river = str(most) if least == most else f"{least},{most}"
        for flop, preflop in combinations(range(most + 1, MOST + 1), 2):
            yield {"preflop": str(preflop), "flop": str(flop), "river": river}


PLAYS: Final = tuple(_plays())


@cache
def _swept(game: str) -> tuple[Sweep, int, int]:
    """Returns the sums of all boards of a game, the most that a line is paid, and into what chips must divide."""
    rounds = WatchedRounds(game, {}, ("ante", *find(game).odds["ante"].takes_in))
    return Sweep(rounds, RIVERS, lambda done, of: None), rounds.top, rounds.parts


def _played(one: Wanted) -> KeptEdge:
    """Returns the edge of Ante with these multiples of Play; one count of all boards is enough for all."""
    sweep, top, parts = _swept(one.game)
    spans = [(int(text.split(",")[0]), int(text.split(",")[-1])) for text in one.options.values()]
    value = sweep.edge(*spans)
    return KeptEdge(f"{value.numerator}/{value.denominator}", top, parts)


def computed(one: Wanted) -> KeptEdge:
    """Returns an edge, computed by the game's own settlement."""
    if "preflop" in one.options:
        return _played(one)
    spots = (one.wager, *find(one.game).odds[one.wager].takes_in)
    rounds = WatchedRounds(one.game, one.options, spots)
    value = edge_of(rounds, one.wager)
    odd = _whole_from(one, value) if rounds.parts > 1 and one.game in QUICK else 0
    return KeptEdge(f"{value.numerator}/{value.denominator}", rounds.top, rounds.parts, odd)


def _whole_from(one: Wanted, value: Fraction) -> int:
    """Returns from how many chips on the edge is the same although not every line can be paid exactly; 0: never.

    What rounding gives or takes is at most one chip: of more chips it is a smaller part.  So a decision that is better
    for some number of chips stays better for more.
    """
    chip = Rounds(one.game, one.options).options.chip
    for chips in reversed(range(1, SOME_CHIPS)):
        if edge_of(Rounds(one.game, one.options, chips * chip), one.wager) != value:
            return chips + 1 if chips + 1 < SOME_CHIPS else 0
    return 1


def written(kept: Mapping[KeptKey, KeptEdge]) -> str:
    """Returns the module that keeps these edges."""
    return f"{HEAD}{''.join(_row(key, one) for key, one in kept.items())}}}\n"


def _row(key: KeptKey, one: KeptEdge) -> str:
    """Returns one row, as the formatter breaks it."""
    of = f"{_quoted(one.edge)}, {one.top}, {one.parts}{_odd(one)}"
    row = f"    {_text(key)}: KeptEdge({of}),\n"
    return row if len(row) <= WIDE + 1 else f"    {_text(key)}: KeptEdge(\n        {of}\n    ),\n"


def _odd(kept: KeptEdge) -> str:
    return f", {kept.whole_from}" if kept.whole_from else ""


def _text(key: KeptKey) -> str:
    return f"({', '.join(map(_quoted, key))})"


def _quoted(text: str) -> str:
    return f'"{text}"'


def main(anew: bool) -> None:
    """Computes and writes; after each edge, so that nothing is lost when it is ended."""
    from controller.odds.kept import KEPT

    kept = {} if anew else dict(KEPT)
    for one in sorted(wanted(), key=lambda one: one.game.startswith(("ultimate", "wsop"))):
        if one.key not in kept:
            print(*one.key, flush=True)
            kept[one.key] = computed(one)
            FILE.write_text(written({other.key: kept[other.key] for other in wanted() if other.key in kept}))


if __name__ == "__main__":
    main("--all" in sys.argv)
