"""What a table of the week is meant to be, and what it came to apart from its journal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from benchmarks.week.cup import Cup
from benchmarks.week.planted import Innocent, Planted


@dataclass(frozen=True)
class Plan:
    """What stands where: the games by day, and the options."""

    name: str
    games: tuple[str, ...]
    options: dict[str, str]
    seats: int = 6
    cup: bool = False  # its week begins with a tournament
    lucky: str = ""  # the place of somebody whom the dealers help from the second day on

    def game_on(self, day: int) -> str:
        """Returns what is played on a day: the games take turns."""
        return self.games[day % len(self.games)]


@dataclass
class Alarm:
    """An alert as it was raised."""

    table: str
    kind: str
    about: str
    text: str
    round: int  # of which it tells
    number: int  # the round that was the newest
    seq: int
    card: str = ""  # that came too often
    why: str = "nothing that was planted"


@dataclass
class Told:
    """What one table's week came to, apart from its journal."""

    plan: Plan
    rounds: Counter[str] = field(default_factory=Counter)
    planted: list[Planted] = field(default_factory=list)
    innocents: list[Innocent] = field(default_factory=list)
    alarms: list[Alarm] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)
    deeds: Counter[str] = field(default_factory=Counter)  # of people: what they did beside the rounds
    refused: Counter[str] = field(default_factory=Counter)
    cup: Cup | None = None
    days: int = 0  # that it was lived to the end
    meter: tuple[int, int] = (0, 0)  # what the Jackpot's meter should hold by the wagers that were taken; what it holds
    stuck: list[str] = field(default_factory=list)
