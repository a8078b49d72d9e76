"""Simulated people: one for every role, with a badge and a PIN; they sign in at the console as everybody does."""

from __future__ import annotations

from functools import cache
from typing import Final

from controller.people.people import People
from controller.people.pins import hashed
from controller.people.roster import Employee, Roster
from controller.people.roster_file import FixedRoster
from controller.rules import ROLES, Role
from controller.table.state import Table
from hw_sim.table import SimDevice

PIN: Final = "2580"
_MEMORY, _PASSES = 8, 1  # KiB and passes: nobody would want to guess this PIN


@cache
def simulated_people() -> People:
    """Returns the people of a simulated floor."""
    pin = hashed(PIN, _MEMORY, _PASSES)
    people = [Employee(f"simulated {role.replace('-', ' ')}", badge_of(role), (role,), pin) for role in ROLES]
    return People(FixedRoster(Roster(tuple(people))))


def badge_of(role: Role) -> str:
    """Returns the number of a simulated person's badge."""
    return f"sim-{role}"


class SimulatedPeople:
    """Lets simulated people sign in at the console of one table."""

    def __init__(self) -> None:
        self._last: Role | None = None  # who showed a badge last

    def sign_in(self, console: SimDevice, table: Table, role: Role) -> None:
        """Shows the badge of somebody in this role and enters the PIN, unless they are signed in already."""
        badge = badge_of(role)
        signed_in = table.signed.badge if table.signed is not None else ""
        latest = badge_of(self._last) if console.pending and self._last is not None else signed_in
        self._last = role
        if badge != latest:  # the same badge again would sign them out
            console.do("badge", badge)
            console.do("pin", PIN)
