"""What must hold in every step of a simulation, by name, and the error of one that does not."""

from __future__ import annotations

from enum import StrEnum


class Invariant(StrEnum):
    """What must always hold."""

    CHIPS = "chips"  # are conserved: what players win and lose is what lay there, by the odds of a line
    RESULT = "result"  # every wager has one
    METER = "meter"  # the equation of the prize meter
    STORED = "stored"  # nothing is acknowledged that is not stored
    GAP = "gap"  # none between the stored events of a device that nobody was told of
    SECRET = "secret"  # no card is seen before the rules turn it, nor stored so that it could be read
    PROMPT = "prompt"  # none waits for ever
    TIME = "time"  # what only time brings comes at its time
    ALIVE = "alive"  # the table goes on whatever happened: no defect, no start that fails, no dead end
    REPLAY = "replay"  # the journal, told again, comes to the same table


class Violation(Exception):
    """The error of an invariant that does not hold."""

    def __init__(self, invariant: Invariant, text: str) -> None:
        super().__init__(f"{invariant}: {text}")
        self.invariant, self.text = invariant, text

    def __reduce__(self) -> tuple[type[Violation], tuple[Invariant, str]]:
        return type(self), (self.invariant, self.text)
