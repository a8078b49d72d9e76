"""Doors of devices: one that opens gives a hand to cards and wires that nobody may touch alone.

While a round runs that is an alert whoever has opened it.  Between rounds it is one where two people have to allow it
and have not, or when it stays open longer than they said.  Otherwise it is a fault for as long as it is open, on record
like any other: a shoe is opened to put cards in.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from controller.guard.suspicions import Suspicion
from controller.table.door_access import may_open
from controller.table.facts import AnyFact, DeviceCleared, DeviceFault, DoorLocked
from controller.table.faults import door_code
from controller.table.state import Table, round_runs

LOOK: Final = "Look with a second person at what lies inside and at the cards of the round; close the door."
FORCED: Final = (
    "Look with a second person at what lies inside, and find out who opened it; close the door.  To open it, two "
    "people allow it first: `felt device NAME open`."
)


class DoorGuard:
    """Looks at facts about doors; it keeps which are open: a device may tell that twice.

    `two_people`: devices whose door is opened only while two people have allowed it.
    """

    def __init__(self, two_people: Collection[str]) -> None:
        self._two_people = two_people
        self._open: set[str] = set()

    def recover(self, table: Table) -> None:
        """Takes over which doors were open when the table was left."""
        self._open = {device for device in table.faults if _is_open(table, device)}

    def look(self, fact: AnyFact, table: Table, seq: int) -> Suspicion | None:
        """Returns what a person has to look at; None when this fact, number `seq`, is about no door, or all is well."""
        match fact:
            case DoorLocked(device) if _is_open(table, device):
                text = f"The door of {device} is open for longer than two people have allowed."
                return Suspicion("forced", f"{device} {seq}", text, FORCED, table.number)
            case DeviceCleared(device, code) if code == door_code(device):
                self._open.discard(device)
            case DeviceFault(device, code) if code == door_code(device):
                known = device in self._open
                self._open.add(device)
                return self._opened(device, table, seq, known=known)
        return None

    def _opened(self, device: str, table: Table, seq: int, *, known: bool) -> Suspicion | None:
        if round_runs(table):
            text = f"The door of {device} was opened in round {table.number}."
            return Suspicion("door", f"{device} {table.number}", text, LOOK, table.number)
        if known or device not in self._two_people or may_open(table, device):
            return None
        text = f"The door of {device} was opened, and no two people had allowed it."
        return Suspicion("forced", f"{device} {seq}", text, FORCED, table.number)


def _is_open(table: Table, device: str) -> bool:
    return door_code(device) in table.faults.get(device, {})
