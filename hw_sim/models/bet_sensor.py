"""The bet sensor of one betting area: what lies on its spots, and what it says that lies there."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from firmware_bridge.messages import (
    BetChanged,
    CashBet,
    ChipsPushed,
    Command,
    CoveredBet,
    Indicate,
    Reply,
    Snapshot,
    Spot,
    UnknownChip,
)
from hw_sim.errors import SimError
from hw_sim.models.base import DONE, Answer, Dealing, Events, Model, text
from hw_sim.models.register import simulates

Place = tuple[str, int]  # spot and bettor

# Chips in cents; the cent is there so that any amount can lie on a spot.
DENOMINATIONS = (1_000_000, 500_000, 100_000, 50_000, 10_000, 2_500, 500, 100, 50, 25, 10, 5, 1)


@simulates("bet-sensor")
class BetSensor(Model):
    """The bet sensor of one area, which reads chips by spot and bettor."""

    prefix = "sensor"
    DEEDS = ("bet", "lift", "push")
    FAULTS = MappingProxyType({"dark": "", "stuck": "", "unknown-chip": "SPOT"})
    unnoticed = frozenset({"stuck"})

    def __init__(self) -> None:
        super().__init__()
        self.lying: dict[Place, Spot] = {}  # what is really there
        self.read: dict[Place, Spot] = {}  # what the sensor last read
        self.under_cover: set[Place] = set()
        self.indicated: dict[Place, bool] = {}

    @classmethod
    def at_table(cls, seats: int, dealing: Dealing, cards: int) -> dict[str, Model]:
        return {f"sensor.{seat}": cls() for seat in range(1, seats + 1)}

    def bet(
        self,
        spots: Mapping[Place, int] | Mapping[str, int],
        token: bool | Iterable[Place | str] = False,
        cash: bool = False,
        covered: bool = False,
    ) -> Events:
        """Sets what lies on these spots, in cents (0: nothing), and returns what the sensor reports: one reading.

        A spot is `("ante", 1)`, or in text `ante` or `ante.2` for the second bettor.  `token`: all of them, or these,
        are promotional tokens; `cash`: cash chips are among them; `covered`: they lie under a cover.
        """
        if not isinstance(spots, Mapping):
            raise SimError(f"bet: {spots!r} are not spots with their cents")
        tokens: frozenset[Place] = frozenset() if isinstance(token, bool) else frozenset(map(place, token))
        reading = {
            where: _spot(where, cents, token is True or where in tokens)
            for where, cents in ((place(key), cents) for key, cents in spots.items())
        }
        return self._lay(reading, CashBet if cash else CoveredBet if covered else BetChanged)

    def lift(self, *keep: Place | str) -> Events:
        """Takes everything off but what lies on the spots to keep."""
        kept = frozenset(map(place, keep))
        return self._lay({where: _spot(where, 0, False) for where in self.lying if where not in kept})

    def push(self, *chips: int) -> Events:
        """Pushes these chips forward, each in cents; a sensor that is dark or stuck does not see it."""
        if not chips or not all(type(chip) is int and chip > 0 for chip in chips):
            raise SimError(f"push: {chips!r} are not chips in cents")
        return [] if {"dark", "stuck"} & self.faults.keys() else [ChipsPushed(chips)]

    def fault_unknown_chip(self, spot: str) -> Events:
        """Puts something on a spot that is no known chip."""
        name, bettor = place(spot)
        return [UnknownChip(name, bettor), *reported] if (reported := self._latch("unknown-chip", spot)) else []

    def clear(self) -> Events:
        """Ends all its faults; a sensor that sees again reports what changed meanwhile."""
        events = super().clear()
        missed = [where for where in {**self.read, **self.lying} if self.read.get(where) != self.lying.get(where)]
        self.read = dict(self.lying)
        for kind in (BetChanged, CoveredBet):
            seen = [where for where in missed if (where in self.under_cover) == (kind is CoveredBet)]
            if seen:
                events.append(kind(self._spots(seen)))
        return events

    def execute(self, command: Command) -> Answer:
        if isinstance(command, Snapshot):
            if "dark" in self.faults:
                return Reply(False, "sensor.dark"), []
            return Reply(True, spots=self._spots(self.read)), []
        if isinstance(command, Indicate):
            self.indicated[command.spot, command.bettor] = command.accepted
            return DONE, []
        return super().execute(command)

    def restart(self) -> None:
        self.safe()

    def safe(self) -> None:
        self.indicated.clear()

    def view(self) -> dict[str, Any]:
        return {
            "lying": {_text(where): sum(value * n for value, n in spot.chips) for where, spot in self.lying.items()},
            "indicated": {_text(where): accepted for where, accepted in self.indicated.items()},
        }

    def _lay(self, reading: dict[Place, Spot], kind: type[BetChanged] = BetChanged) -> Events:
        if not reading:
            return []
        _update(self.lying, reading)
        self.under_cover -= reading.keys()
        if kind is CoveredBet:
            self.under_cover |= reading.keys()
        if "dark" in self.faults:
            return []
        if "stuck" not in self.faults:
            _update(self.read, reading)
        return [kind(self._spots(reading))]

    def _spots(self, places: Iterable[Place]) -> tuple[Spot, ...]:
        return tuple(self.read.get(where) or _spot(where, 0, False) for where in places)


def place(spot: Place | str) -> Place:
    """Returns the spot and the bettor of a text.

    >>> place("ante.2")
    ('ante', 2)
    """
    if isinstance(spot, tuple):
        return spot
    name, _, bettor = text(spot).partition(".")
    if not name or (bettor and not bettor.isdecimal()):
        raise SimError(f"no spot {spot!r}; a spot is a name, or a name and a bettor, as in ante.2")
    return name, int(bettor or 1)


@functools.cache
def chips(cents: int) -> tuple[tuple[int, int], ...]:
    """Returns the fewest chips that make up an amount.

    >>> chips(3_100)
    ((2500, 1), (500, 1), (100, 1))
    """
    stack = []
    for value in DENOMINATIONS:
        number, cents = divmod(cents, value)
        if number:
            stack.append((value, number))
    return tuple(stack)


def _spot(where: Place, cents: object, token: bool) -> Spot:
    if isinstance(cents, bool) or not isinstance(cents, int) or cents < 0:
        raise SimError(f"{_text(where)}: {cents!r} is not an amount in cents")
    return Spot(where[0], chips(cents), where[1], token and cents > 0)


def _update(readings: dict[Place, Spot], new: dict[Place, Spot]) -> None:
    for where, spot in new.items():
        if spot.chips:
            readings[where] = spot
        else:
            readings.pop(where, None)


def _text(where: Place) -> str:
    return where[0] if where[1] == 1 else f"{where[0]}.{where[1]}"
