"""Days of a table, one after the other: each game in turn, one hash for all of them, and a failing day made smaller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Final

from controller.games import GAMES
from controller.sim.soak.day import DayPlan, DayResult, live_through
from controller.sim.soak.shrink import Smaller, made_smaller
from controller.sim.soak.together import lived_together
from controller.sim.soak.violation import Invariant, Violation

ROUNDS: Final = 1096  # full-table rounds of a day: 400,000 in a year
EVERY: Final = 4.0  # rounds for each fault, on average


@dataclass(frozen=True)
class SoakPlan:
    """Which days are lived through, and how."""

    seed: int = 0
    days: int = 1
    first: int = 0  # the number of the first day: it says which game is played, and belongs to the seed
    games: tuple[str, ...] = tuple(GAMES)  # in turn, day by day
    rounds: int = ROUNDS  # of each day
    every: float = EVERY
    until: int | None = None  # each day ends after so many rounds
    faults: tuple[int, ...] | None = None  # only these of each day's
    options: tuple[tuple[str, str], ...] = ()  # of every table; the others are drawn from the seed, day by day

    def day(self, number: int) -> DayPlan:
        """Returns the plan of the day with this number, from 0."""
        game = self.games[number % len(self.games)]
        return DayPlan(self.seed, number, game, self.rounds, self.every, self.until, self.faults, self.options)

    @property
    def each_day(self) -> Iterator[DayPlan]:
        """The plans of all days, in their order."""
        return map(self.day, range(self.first, self.first + self.days))

    @property
    def wanted(self) -> int:
        """How many rounds are to be played."""
        return self.days * self.day(self.first).last


@dataclass
class SoakFailure:
    """A day on which something did not hold, and the smaller case that was found."""

    plan: DayPlan
    invariant: Invariant
    text: str
    round: int
    step: int
    last_faults: tuple[str, ...]
    options: dict[str, str]  # that the table had, and usually has not
    smaller: Smaller | None = None


@dataclass
class Soaked:
    """What came of all days."""

    plan: SoakPlan
    days: int = 0
    rounds: int = 0
    steps: int = 0
    lives: int = 0
    helped: int = 0
    by_game: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    head: str = ""
    failure: SoakFailure | None = None

    @property
    def restarts(self) -> int:
        """How often the daemon was started again."""
        return self.lives - self.days

    def add(self, day: DayResult) -> None:
        """Adds what came of a day."""
        self.rounds += day.rounds
        self.steps += day.steps
        self.lives += day.lives
        self.helped += day.helped
        self.by_game[day.plan.game] += day.rounds
        self.days += 1
        self.faults.update(day.faults)
        self.checks.update(day.checks)
        self.head = sha256(bytes.fromhex(self.head) + bytes.fromhex(day.head)).hexdigest()


def soak(
    plan: SoakPlan, on_progress: Callable[[int], None] = lambda _played: None, shrink: int = 0, jobs: int = 1
) -> Soaked:
    """Lives through the days of a plan until one fails; that one is made smaller by at most `shrink` attempts.

    In `jobs` processes it comes to the same: days do not depend on each other, and are told in their order.
    Raises NoSuchFault when one of the plan's faults is none of a day.
    """
    soaked = Soaked(plan)
    for day in _lived(plan, on_progress) if jobs == 1 else lived_together(plan.each_day, jobs):
        soaked.add(day)
        on_progress(soaked.days * day.plan.last)
        if day.violation is not None:
            soaked.failure = _failure(day, day.violation)
            soaked.failure.smaller = made_smaller(day, shrink) if shrink else None
            break
    return soaked


def _lived(plan: SoakPlan, on_progress: Callable[[int], None]) -> Iterator[DayResult]:
    """Yields what came of each day, as it is over."""
    for n, day in enumerate(plan.each_day):
        yield live_through(day, partial(_progress, on_progress, n * day.last))


def _progress(on_progress: Callable[[int], None], before: int, played: int) -> None:
    on_progress(before + played)


def _failure(day: DayResult, violation: Violation) -> SoakFailure:
    faults = tuple(fault.text for fault in day.happened[-5:])
    return SoakFailure(day.plan, violation.invariant, violation.text, day.at + 1, day.steps, faults, day.options)


def replay_words(plan: DayPlan) -> list[str]:
    """Returns the words of `felt sim soak` that live through this day once more.

    >>> " ".join(replay_words(DayPlan(7, 3, "holdem", 50, until=2, faults=(1, 4))))
    '--seed 7 --day 3 --game holdem --rounds 50 --every 4 --until 2 --faults 1,4'
    """
    words = ["--seed", str(plan.seed), "--day", str(plan.day), "--game", plan.game, "--rounds", str(plan.rounds)]
    words += ["--every", repr(float(plan.every)).removesuffix(".0")]  # every digit counts: it is the same day again
    words += ["--until", str(plan.until)] if plan.until is not None else []
    words += [word for option, value in plan.options for word in ("--set", f"{option}={value}")]
    if plan.faults is not None:
        words += ["--faults", ",".join(map(str, plan.faults)) or "none"]
    return words
