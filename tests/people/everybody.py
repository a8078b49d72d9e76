"""People for tests: the simulated ones, in a people.toml where a daemon reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from controller.people.roster import Roster, written
from controller.rules import Role
from controller.sim.people import PIN, badge_of, simulated_people


def write_people(directory: Path, roster: Roster | None = None) -> Path:
    """Everybody, as only root and the daemon may read it."""
    path = directory / "people.toml"
    path.write_text(written(roster or simulated_people().roster))
    path.chmod(0o600)
    return path


def sign_in(do: Callable[..., Any], role: Role) -> None:
    """Signs somebody in at the console; `do` plays a deed of it."""
    do("badge", badge_of(role))
    do("pin", PIN)
