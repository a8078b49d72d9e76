"""Makes a day that fails smaller: fewer rounds, fewer faults, the same invariant."""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.sim.soak.day import DayPlan, DayResult, live_through


@dataclass(frozen=True)
class Smaller:
    """The smallest day found on which the same invariant does not hold."""

    plan: DayPlan
    text: str
    faults: tuple[str, ...]
    attempts: int


class _Search:
    """Tries smaller days, as long as attempts are left."""

    def __init__(self, failed: DayResult, attempts: int) -> None:
        assert failed.violation is not None
        self._invariant = failed.violation.invariant
        self._left, self.tried = attempts, 0
        self.best = failed

    def fails(self, numbers: list[int]) -> bool:
        """Tells whether the day fails with these faults alone; then it is the best one so far."""
        if not self._left:
            return False
        self._left -= 1
        self.tried += 1
        plan = replace(self.best.plan, faults=tuple(numbers), until=self.best.at + 1)
        day = live_through(plan)
        if day.violation is None or day.violation.invariant is not self._invariant:
            return False
        self.best = day
        return True

    @property
    def out_of_attempts(self) -> bool:
        """Whether no attempt is left."""
        return not self._left


def made_smaller(failed: DayResult, attempts: int) -> Smaller:
    """Returns a smaller day that fails in the same way: halves, then quarters and so on of its faults are left out."""
    search = _Search(failed, attempts)
    numbers = [fault.number for fault in failed.happened]
    if search.fails([]):
        numbers = []
    size = max(1, len(numbers) // 2)
    while numbers and not search.out_of_attempts:
        left = _without_some(search, numbers, size)
        if left is not None:
            numbers = left
            size = max(1, min(size, len(numbers) // 2))
        elif size == 1:
            break
        else:
            size //= 2
    day = search.best
    assert day.violation is not None
    plan = replace(day.plan, faults=tuple(numbers), until=day.at + 1)
    return Smaller(plan, day.violation.text, tuple(fault.text for fault in day.happened), search.tried)


def _without_some(search: _Search, numbers: list[int], size: int) -> list[int] | None:
    """Returns the faults without some neighbours that are not needed; None when all of them are."""
    for start in range(0, len(numbers), size):
        left = numbers[:start] + numbers[start + size :]
        if search.fails(left):
            return left
    return None
