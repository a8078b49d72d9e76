"""What goes wrong on a day, planned from its seed.

Each fault has a number, so that a day can be lived through with some of them only.  Kinds are named `where kind`: a
wire, a device, the disk, the process, the clock, or people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from controller.cards import DECK

WIRE: Final = ("split", "drop", "corrupt", "duplicate", "reorder", "delay", "babble", "hang", "unplug")
BY_FAMILY: Final = {
    "shoe": ("jam", "misread", "door"),
    "shuffler": ("jam", "stopped", "count-wrong", "mixed-backs", "empty", "door"),
    "bet-sensor": ("dark",),
    "reader": ("dark", "misread"),
    "display": ("dark",),
    "lamps": ("open-circuit",),
}
DISK: Final = ("fail", "down", "full", "slow")
PROCESS: Final = ("kill", "kill", "kill", "restart", "power cut")
PEOPLE: Final = ("slip", "late", "wrong PIN", "notice")
WHERE: Final = (
    "wire",
    "wire",
    "wire",
    "device",
    "disk",
    "disk",
    "process",
    "process",
    "clock",
    "store",
    "people",
    "people",
)
LATEST: Final = 0.006  # seconds after a deed began at which a fault comes
DEEDS: Final = 60  # of a round, at most; a fault that is planned behind the last one comes at its end


@dataclass(frozen=True)
class PlannedFault:
    """One thing that goes wrong: when, what, and for how long."""

    number: int
    round: int  # counts from 0
    deed: int  # of that round
    delay: float  # seconds after that deed began
    where: str
    kind: str
    device: str = ""
    args: tuple[object, ...] = ()
    lasting: float = 0.0  # seconds

    @property
    def name(self) -> str:
        """Its kind, as it is counted."""
        return f"{self.where} {self.kind}"

    @property
    def text(self) -> str:
        """It in words."""
        what = " ".join(filter(None, (self.device, self.where, self.kind)))
        return f"{self.number}: {what}, round {self.round + 1}, deed {self.deed}"


class NoSuchFault(LookupError):
    """A day was to be lived through with a fault that it does not have: its other words are not those of the day."""


def planned(chance: Random, rounds: int, every: float, families: dict[str, str]) -> list[PlannedFault]:
    """Returns the faults of a day with so many rounds: one in `every` rounds, on average; none for 0."""
    faults: list[PlannedFault] = []
    for number in range(rounds):
        count = 0 if every <= 0 else int(1 / every) + (chance.random() < (1 / every) % 1)
        for _ in range(count):
            faults.append(_fault(chance, len(faults), number, families))
    return faults


def _fault(chance: Random, number: int, round_: int, families: dict[str, str]) -> PlannedFault:
    when = (number, round_, chance.randrange(DEEDS), chance.uniform(0, LATEST))
    where = chance.choice(WHERE)
    lasting = chance.choice((0.05, 0.5, 2.0, 6.0))
    match where:
        case "wire":
            kind, device = chance.choice(WIRE), chance.choice(list(families))
            return PlannedFault(*when, where, kind, device, _wire_args(chance, kind), lasting)
        case "device":
            able = [name for name, family in families.items() if family in BY_FAMILY]
            device = chance.choice(able)
            kind = chance.choice(("power", *BY_FAMILY[families[device]]))
            return PlannedFault(*when, where, kind, device, _device_args(chance, kind), lasting)
        case "disk":
            kind = chance.choice(DISK)
            return PlannedFault(*when, where, kind, args=(chance.randint(1, 4),), lasting=lasting)
        case "process":
            return PlannedFault(*when, where, chance.choice(PROCESS))
        case "store":
            return PlannedFault(*when, where, "down", lasting=lasting)
        case "clock":
            seconds = chance.choice((-7200.0, -60.0, -1.0, 1.0, 45.0, 3600.0))
            return PlannedFault(*when, where, "back" if seconds < 0 else "forward", args=(seconds,))
        case _:
            return PlannedFault(*when, where, chance.choice(PEOPLE))


def _wire_args(chance: Random, kind: str) -> tuple[object, ...]:
    if kind == "delay":
        return (chance.choice((0.01, 0.1, 0.4)),)
    return (chance.randint(1, 3),) if kind in ("drop", "corrupt", "duplicate", "reorder") else ()


def _device_args(chance: Random, kind: str) -> tuple[object, ...]:
    match kind:
        case "misread":
            return (chance.choice(DECK),)
        case "open-circuit":
            return (1,)
        case _:
            return ()


def only(faults: Sequence[PlannedFault], numbers: Sequence[int] | None) -> list[PlannedFault]:
    """Returns those of the faults that are wanted; None: all.  Raises NoSuchFault when there is none of a number."""
    if numbers is None:
        return list(faults)
    if unknown := sorted(set(numbers) - {fault.number for fault in faults}):
        has = f"0 to {len(faults) - 1}" if faults else "none"
        raise NoSuchFault(f"the day has no fault {unknown[0]}: it has {has}")
    return [fault for fault in faults if fault.number in set(numbers)]
