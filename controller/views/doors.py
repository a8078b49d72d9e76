"""The doors of devices, for people: which are open, and which two people have allowed to be opened."""

from __future__ import annotations

from controller.table.faults import door_code
from controller.table.state import Table
from controller.table.times import SECOND


def is_open(table: Table, device: str) -> bool:
    """Tells whether the door of this device is open, as far as the table knows."""
    return door_code(device) in table.faults.get(device, {})


def seconds_left(table: Table, device: str, now: int) -> int:
    """Returns for how long a door may still be opened, at this time of the table."""
    access = table.doors.get(device)
    return 0 if access is None else max(0, access.until - now) // SECOND


def doors_in_words(table: Table) -> list[str]:
    """Returns each door that is open, or that may be opened."""
    open_now = [device for device in table.faults if is_open(table, device)]
    words = []
    for device in dict.fromkeys((*open_now, *table.doors)):
        state = "open" if device in open_now else "shut"
        access = table.doors.get(device)
        may = f", may be opened by {' and '.join(access.people)}" if access is not None else ""
        words.append(f"{device} {state}{may}")
    return words
