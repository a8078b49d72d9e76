"""Doors that two people have allowed to be opened: for how long, and once."""

from __future__ import annotations

from controller.table.door_access import MINUTE, may_open, next_locked
from controller.table.facts import DeviceCleared, DeviceFault, DoorAllowed, DoorLocked
from tests.table.telling import Telling

PEOPLE = ("Ann", "Bob")


def allow(t: Telling, minutes: int = 10, device: str = "shuffler") -> None:
    t.tell(DoorAllowed(device, minutes, "a card is stuck", PEOPLE))


def fault(t: Telling, code: str) -> None:
    t.tell(DeviceFault("shuffler", code))


def cleared(t: Telling, code: str) -> None:
    t.tell(DeviceCleared("shuffler", code))


def test_it_may_be_opened_once() -> None:
    t = Telling()
    assert not may_open(t.table, "shuffler")
    allow(t)
    assert may_open(t.table, "shuffler") and t.table.doors["shuffler"].people == PEOPLE
    assert not may_open(t.table, "shoe")
    fault(t, "shuffler.door")
    assert t.table.doors["shuffler"].opened and may_open(t.table, "shuffler")
    cleared(t, "shuffler.door")
    assert not may_open(t.table, "shuffler")


def test_another_fault_of_the_device_opens_no_door_and_shuts_none() -> None:
    t = Telling()
    allow(t)
    fault(t, "shuffler.jam")
    cleared(t, "shuffler.jam")
    assert may_open(t.table, "shuffler") and not t.table.doors["shuffler"].opened
    fault(t, "shuffler.door")
    fault(t, "shuffler.jam")
    cleared(t, "shuffler.jam")
    assert may_open(t.table, "shuffler") and t.table.doors["shuffler"].opened


def test_a_door_that_was_not_opened_may_still_be_opened_when_it_is_said_to_be_shut() -> None:
    t = Telling()
    allow(t)
    cleared(t, "shuffler.door")
    assert may_open(t.table, "shuffler")


def test_the_time_is_over_by_the_clock_of_the_table() -> None:
    t = Telling()
    allow(t, 3)
    until = t.table.now + 3 * MINUTE
    assert next_locked(t.table) == (until, "shuffler")
    allow(t, 2, "lamps")
    assert next_locked(t.table) == (until - MINUTE, "lamps")
    t.at = until - 1
    fault(t, "shuffler.jam")
    assert may_open(t.table, "shuffler")
    t.at = until
    cleared(t, "shuffler.jam")
    assert not may_open(t.table, "shuffler")
    t.tell(DoorLocked("shuffler"))
    t.tell(DoorLocked("lamps"))
    assert next_locked(t.table) is None and t.table.doors == {}


def test_nobody_allows_less_than_a_minute_or_more_than_an_hour() -> None:
    t = Telling()
    for minutes, given in ((0, 1), (-5, 1), (1, 1), (60, 60), (61, 60)):
        allow(t, minutes)
        assert t.table.doors["shuffler"].until == t.table.now + given * MINUTE
