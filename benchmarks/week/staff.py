"""Everybody who works at a table: dealers who relieve each other, supervisors, the area manager."""

from __future__ import annotations

from typing import Final

from controller.people.people import People
from controller.people.pins import hashed
from controller.people.roster import Employee, Roster
from controller.people.roster_file import FixedRoster
from controller.rules import Role

PIN: Final = "2580"
DEALERS: Final = 6
_MEMORY, _PASSES = 8, 1  # KiB and passes: nobody would want to guess this PIN

__all__ = ["PIN", "People", "dealer_of", "staff"]


def staff(table: str) -> People:
    """Returns the people of one table; a badge is the table's name and who somebody is there."""
    pin = hashed(PIN, _MEMORY, _PASSES)
    roles: dict[str, Role] = {f"dealer {number}": "dealer" for number in range(1, DEALERS + 1)}
    roles |= {"supervisor": "supervisor", "supervisor 2": "supervisor", "area manager": "area-manager"}
    roles["casino manager"] = "casino-manager"
    people = tuple(Employee(f"{table} {name}", f"{table} {name}", (role,), pin) for name, role in roles.items())
    return People(FixedRoster(Roster(people)))


def dealer_of(shift: int, second: bool) -> str:
    """Returns who deals in the first or the second half of a shift."""
    return f"dealer {(2 * shift + second) % DEALERS + 1}"
