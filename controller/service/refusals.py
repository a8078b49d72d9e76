"""The latest facts that the table refused, and why.  The journal has only the wish."""

from __future__ import annotations

from typing import Final

from controller.table.effects import AnyEffect, Refused

KEPT: Final = 2000  # of the latest ones


class Refusals:
    """The refusals by the sequence number of the fact; the oldest are forgotten."""

    def __init__(self, since: int = 0) -> None:
        self._by_seq: dict[int, Refused] = {}
        self.since = since  # all that were refused behind this fact are known

    def add(self, seq: int, effects: list[AnyEffect]) -> None:
        """Keeps the refusal among the effects of this fact, if there is one."""
        refused = next((effect for effect in effects if isinstance(effect, Refused)), None)
        if refused is not None:
            self._by_seq[seq] = refused
            if len(self._by_seq) > KEPT:
                self.since = next(iter(self._by_seq))
                del self._by_seq[self.since]

    def of(self, seq: int) -> Refused | None:
        """Returns why this fact was refused; None when it was not, or nobody knows any more."""
        return self._by_seq.get(seq)
