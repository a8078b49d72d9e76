"""Doors of devices: one that opens while a round runs gives a hand to cards that nobody may touch.

Between rounds a shoe is opened to put cards in; that is a fault for as long as it is open, on record like any other.
"""

from __future__ import annotations

from typing import Final

from controller.guard.suspicions import Suspicion
from controller.table.facts import AnyFact, DeviceFault
from controller.table.faults import door_code
from controller.table.state import Table, round_runs

LOOK: Final = "Look with a second person at what lies inside and at the cards of the round; close the door."


def opened(fact: AnyFact, table: Table) -> Suspicion | None:
    """Returns what a person has to look at when this fact is a door that opened while a round runs; else None."""
    if not isinstance(fact, DeviceFault) or fact.code != door_code(fact.device) or not round_runs(table):
        return None
    text = f"The door of {fact.device} was opened in round {table.number}."
    return Suspicion("door", f"{fact.device} {table.number}", text, LOOK, table.number)
