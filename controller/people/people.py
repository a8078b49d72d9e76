"""Everything that a running table has to know of people: the roster, how PINs are checked, how long nobody may idle."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from controller.errors import FeltError
from controller.people.checks import ImmediateChecks, PinChecks
from controller.people.errors import MISSING, missing
from controller.people.roster import EMPTY, Roster
from controller.people.roster_file import NAME, FixedRoster


class Rosters(Protocol):
    """Where the roster comes from."""

    trouble: FeltError | None  # why nobody can sign in

    def current(self) -> Roster:
        """Returns everybody as they stand now."""


@dataclass(frozen=True)
class People:
    """The people of a table."""

    rosters: Rosters = field(default_factory=lambda: FixedRoster(EMPTY, missing(Path(NAME))))
    checks: PinChecks = field(default_factory=ImmediateChecks)
    idle: int = 0  # microseconds after which somebody who does nothing is signed out at the console; 0: never

    @property
    def roster(self) -> Roster:
        """Everybody as they stand now."""
        return self.rosters.current()

    @property
    def missing(self) -> bool:
        """Whether there is no people.toml at all; one that cannot be used is not missing."""
        trouble = self.trouble
        return trouble is not None and trouble.code == MISSING

    @property
    def trouble(self) -> FeltError | None:
        """Why nobody can sign in; None when people can."""
        self.rosters.current()
        return self.rosters.trouble
