"""What every dealer of the week has around: devices, chips, people of the floor, and what goes wrong on purpose."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from benchmarks.week.chips import Chips
from benchmarks.week.planted import Habit, Innocent, Kind, Planted
from controller.service.engine import Engine
from controller.table.requests import Press
from hw_sim.table import SimTable

LONG = 900.0  # seconds, more or less: nobody deals so slowly without a reason


class Floor(Protocol):
    """The people around a table, as far as its dealer needs them."""

    async def bought(self, place: str, cents: int) -> None:
        """Notes that somebody has bought chips."""

    async def prized(self, cents: int) -> None:
        """Notes that a prize of the meter was paid out of the float."""

    async def rule(self, wanted: Press) -> None:
        """Ends a round whose cards nobody can believe."""

    async def confirm(self) -> None:
        """Decides that the prizes of the meter are paid."""

    async def clear_alerts(self) -> None:
        """Looks at all alerts and clears them."""


@dataclass
class Around:
    """A dealer's table.  `deed`, `trick` and `habit` happen as soon as there is an occasion."""

    sim: SimTable
    engine: Engine
    rest: Callable[[], Awaitable[None]]
    chips: Chips
    floor: Floor
    passes: Callable[[float], None]  # lets time pass, more or less so many seconds
    chance: random.Random
    planted: list[Planted] = field(default_factory=list)
    innocents: list[Innocent] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)  # devices that failed
    deed: Kind | None = None  # with chips, money or time
    trick: Kind | None = None  # with cards: as soon as they are shuffled
    habit: Habit | None = None
    jam: bool = False  # the shoe or the machine jams between two cards of this round
    lucky: str = ""  # the place of somebody whom the dealer helps
    left: list[tuple[str, str]] = field(default_factory=list)  # lost wagers not taken: somebody lifts them later

    def plant(self, kind: Kind, place: str = "", cents: int = 0, *, card: str = "", within: bool = True) -> None:
        """Notes a deed; it is done."""
        number, seq = self.engine.table.number, self.engine.seq
        self.planted.append(Planted("", kind, number, seq, place, cents, card=card, within=within))
        if kind is self.deed:
            self.deed = None
        if kind is self.trick:
            self.trick = None

    def note(self, habit: Habit, place: str) -> None:
        """Notes what somebody did who means no harm."""
        self.innocents.append(Innocent("", habit, self.engine.table.number, self.engine.seq, place))
        self.habit = None

    def last(self, place: str) -> Planted:
        """Returns the newest deed at a place."""
        return next(each for each in reversed(self.planted) if each.place == place)

    def linger(self, cards: int) -> None:
        """Lets a slow dealer wait between two cards of a round, when that is to be; `cards` were dealt in it."""
        if self.deed is Kind.SLOW and cards:
            self.passes(LONG)
            self.plant(Kind.SLOW)
