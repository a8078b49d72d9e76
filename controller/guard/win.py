"""Unusual wins: has somebody won more than chance gives, by the exact edge of what was wagered?

Nobody's mean can be above the edge, however they decide.  So a stake that is raised or lowered with each result around
it, 1 + b (x + edge) for a share b that is fixed before the cards, has a mean of at most 1: what it comes to reaches A
with a chance of at most 1/A, however long somebody plays (Ville).  Three shares are tried and their mean is taken.  A
wager counts by its part of the largest that the place has made so far.  Whole numbers and fractions only.  The edge is
that of a full shoe: in the middle of one it may be a little better or worse.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt
from typing import Final

import msgspec

from controller.counts import many
from controller.guard.suspicions import Suspicion, Suspicions
from controller.money import short

BOUND: Final = 1_000_000  # A
UNIT: Final = 10**9
SHARES: Final = (2, 4, 8)  # b is one part in so many times the most that can be staked for a unit
AWAY: Final = 10  # rounds without a wager: whoever plays there then is somebody else
LOOK: Final = "Look at how these rounds were dealt and decided, and at who played there."


class WagerResult(msgspec.Struct, frozen=True):
    """A wager with all that followed from it, in one round; in cents."""

    place: str
    stake: int  # the first wager
    net: int  # of all of it together
    theory: Fraction  # what the house wins of it in the long run
    units: int  # the most that can be staked for each unit of the first wager


class WinStretch(msgspec.Struct):
    """What a place has played since somebody sat down there."""

    first: int  # round
    last: int
    largest: int = 0
    wagers: int = 0
    net: int = 0
    theory: Fraction = Fraction(0)
    squares: int = 0  # of what was won or lost beyond the theory, in cents squared
    grown: list[int] = msgspec.field(default_factory=lambda: [UNIT] * len(SHARES))
    alarm: int = 0  # round
    words: str = ""  # of the alarm

    @property
    def sum(self) -> int:
        """The mean of what the stakes have come to."""
        return sum(self.grown) // len(self.grown)


class WinWatch:
    """Follows the results of a table, round by round."""

    def __init__(self) -> None:
        self.stretches: dict[str, WinStretch] = {}

    def follow(self, number: int, results: Iterable[WagerResult]) -> None:
        """Counts the results of one round; after a lower number than before, what was counted is of other rounds."""
        self.stretches = {place: each for place, each in self.stretches.items() if each.last <= number}
        of_place: dict[str, list[WagerResult]] = {}
        for result in results:
            of_place.setdefault(result.place, []).append(result)
        for place, together in of_place.items():
            stretch = self.stretches.get(place)
            if stretch is None or number - stretch.last > AWAY:
                stretch = self.stretches[place] = WinStretch(number, number)
            _count(stretch, number, together)

    def find(self) -> Suspicions:
        """Finds the places that have won more than chance gives."""
        for place, stretch in self.stretches.items():
            if stretch.alarm:
                yield Suspicion("win", f"win {place} {stretch.first}", stretch.words, LOOK, stretch.alarm)


def _words(place: str, stretch: WinStretch) -> str:
    """Returns what has come about, in the round in which it is sure."""
    deviations = Fraction(stretch.net + int(stretch.theory), max(1, isqrt(stretch.squares)))
    return (
        f"Area {place} has won {short(stretch.net)} with {many(stretch.wagers, 'wager')} since round {stretch.first}; "
        f"the mean is {short(-int(stretch.theory))}. That is {_tenths(deviations)} standard deviations above it, and "
        f"chance gives it less than once in {BOUND:,} such stretches."
    )


def _count(stretch: WinStretch, number: int, results: list[WagerResult]) -> None:
    """Counts the wagers of one place in one round: they hang on the same cards, so their mean is one bet."""
    net, theory = sum(each.net for each in results), sum((each.theory for each in results), Fraction(0))
    stretch.last = number
    stretch.wagers += len(results)
    stretch.net += net
    stretch.theory += theory
    stretch.squares += (net + int(theory)) ** 2
    stretch.largest = max(stretch.largest, *(each.stake for each in results))
    bets = [(each.net + each.theory) / (stretch.largest * each.units) for each in results]
    weight = sum(bets, Fraction(0)) / len(bets)
    for n, share in enumerate(SHARES):
        factor = max(Fraction(0), 1 + weight / share)
        stretch.grown[n] = stretch.grown[n] * factor.numerator // factor.denominator
    if stretch.sum >= BOUND * UNIT and not stretch.alarm:
        stretch.alarm, stretch.words = number, _words(results[0].place, stretch)


def _tenths(value: Fraction) -> str:
    """Returns a number with one digit behind the point.

    >>> _tenths(Fraction(57, 10))
    '5.7'
    """
    whole, tenth = divmod(int(value * 10), 10)
    return f"{whole}.{tenth}"
