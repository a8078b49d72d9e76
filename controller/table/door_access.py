"""Doors of devices that two people have allowed to be opened: for which time, and until the door is shut again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from controller.table.facts import DeviceCleared, DeviceFault, DoorAllowed, DoorLocked
from controller.table.times import SECOND

if TYPE_CHECKING:
    from controller.table.state import Table
    from controller.table.step import Step

LEAST, USUAL, MOST = 1, 10, 60  # minutes
MINUTE: Final = 60 * SECOND


class DoorAccess(msgspec.Struct, frozen=True, omit_defaults=True):
    """A door that may be opened."""

    until: int  # the table's time
    people: tuple[str, ...]
    opened: bool = False  # it was, since then


def allowed(s: Step, fact: DoorAllowed) -> None:
    """Keeps that a door may be opened from now on."""
    minutes = max(LEAST, min(MOST, fact.minutes))
    s.t.doors[fact.device] = DoorAccess(s.t.now + minutes * MINUTE, fact.people)


def locked(s: Step, fact: DoorLocked) -> None:
    """Keeps that a door may not be opened any more."""
    s.t.doors.pop(fact.device, None)


def watch(s: Step, fact: DeviceFault | DeviceCleared, code: str) -> None:
    """Notes that a door was opened; when it is shut again, it may not be opened once more."""
    access = s.t.doors.get(fact.device)
    if access is None or fact.code != code:
        return
    if isinstance(fact, DeviceFault):
        s.t.doors[fact.device] = replace(access, opened=True)
    elif access.opened:
        del s.t.doors[fact.device]


def may_open(t: Table, device: str) -> bool:
    """Tells whether two people have allowed this door to be opened now."""
    access = t.doors.get(device)
    return access is not None and access.until > t.now


def next_locked(t: Table) -> tuple[int, str] | None:
    """Returns when the next door may not be opened any more, by the table's time, and of which device; or None."""
    return min(((access.until, device) for device, access in t.doors.items()), default=None)
