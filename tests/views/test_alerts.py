"""What calls for somebody from the floor: read off the notices, gone with its cause, with no card, code or name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.table.facts import DeviceFault, DeviceLost, DeviceReady, Hold, Released
from controller.views import alerts as views
from controller.views.alerts import KINDS, Alert, AlertKind, TableStanding, alerts, kind_of, standing
from controller.views.together import NO_TRUNKS, Trunk, Trunks
from tests.table.telling import Telling


def found(t: Telling, stopped: str = "", trunks: Trunks = NO_TRUNKS) -> list[Alert]:
    return alerts(standing(t.table, t.game, stopped, trunks))


def kinds(t: Telling) -> list[str]:
    return [alert.kind for alert in found(t)]


def test_a_calm_table_has_none() -> None:
    t = Telling()
    t.bet(1, war=10)
    assert found(t) == []


def test_a_hold() -> None:
    t = Telling()
    t.at = 1_700_000_000_000_000
    t.tell(Hold("device.gap", "2 events are missing", "shoe"))
    (alert,) = found(t)
    assert (alert.kind, alert.since) == ("held", t.at)
    assert "2 events are missing" in alert.text and "resume" in alert.step
    t.tell(Released("device.gap", "shoe"))
    assert found(t) == []


def test_a_question_for_a_supervisor() -> None:
    t = Telling("three-card-poker")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("5h 9d 6h 9c 7h 2d")
    t.key("excess 1")
    assert [(alert.kind, alert.text) for alert in found(t)] == [
        ("ruling", "A wrong number of cards at area 1: have all cards counted."),
        ("ruling", "A wrong number of cards at area 1."),  # an area manager is told
    ]
    t.key("count 52")
    assert "have all cards counted" not in repr(found(t))


def test_what_is_broken() -> None:
    t = Telling()
    t.tell(DeviceFault("shoe", "shoe.jam"))
    t.tell(DeviceLost("lamps", "serial.lost", "/dev/ttyUSB0 is gone"))
    assert [alert.text for alert in found(t)] == ["A card is jammed in the shoe.", "The lamps cannot be reached."]
    assert kinds(t) == ["fault", "fault"]
    said = repr(found(t))
    assert "ttyUSB0" not in said and "serial.lost" not in said and "shoe.jam" not in said
    first = found(t)[1].about
    t.tell(DeviceReady("lamps"))
    t.at = 5
    t.tell(DeviceLost("lamps", "usb.lost", "other"))
    assert found(t)[1].about == first and found(t)[1].since == 5  # the same cause, at another time


def test_devices_that_were_lost_together_are_one() -> None:
    t = Telling()
    for device in ("lamps", "sensor.1"):
        t.tell(DeviceLost(device, "can.lost", "no bus"))
    bus = (Trunk("bus", "can0"),)
    (alert,) = found(t, trunks={"lamps": bus, "sensor.1": bus})
    assert "all devices of can0" in alert.text.lower()


def test_a_table_that_is_stopped_comes_first() -> None:
    t = Telling()
    t.tell(DeviceFault("shoe", "shoe.jam"))
    t.tell(Hold("x", "y"))
    said = found(t, stopped="Out of service: nothing can be recorded.")
    assert [alert.kind for alert in said] == ["stopped", "held", "fault"]
    assert alerts(standing(t.table, None, "Out of service."))[0].text == "Out of service."


def test_no_table_tells_more_than_it_may() -> None:
    t = Telling(seats="7")
    for n in range(40):
        t.tell(DeviceFault("shoe", f"shoe.x{n}"))
    t.tell(Hold("x", "y" * 1000))
    assert len(found(t)) == views.MOST
    assert all(len(alert.text) <= views.LONGEST for alert in found(t))


def test_a_new_kind_is_one_declaration(monkeypatch: pytest.MonkeyPatch) -> None:
    def cards_look_marked(at: TableStanding) -> Iterator[Alert]:
        if at.table.number > 0:
            yield Alert("marked-cards", "", "Look at the cards.")

    kind = AlertKind("marked-cards", "Game protection", "waits", cards_look_marked)
    monkeypatch.setattr(views, "KINDS", (*KINDS, kind))
    t = Telling()
    assert found(t) == []
    t.bet(1, war=10)
    assert kinds(t) == ["marked-cards"]


def test_a_kind_of_a_later_version_is_still_told() -> None:
    assert kind_of("fire-alarm")[:3] == ("fire-alarm", "Fire alarm", "waits")
    assert {kind_of(each.name) for each in KINDS} == set(KINDS)


def test_programs_know_kinds_by_these_words() -> None:
    words = {each.name: (each.title, each.urgency) for each in KINDS}
    assert words == {
        "stopped": ("Out of service", "stands"),
        "unreachable": ("Cannot be reached", "stands"),
        "held": ("Held", "stands"),
        "ruling": ("Supervisor wanted", "waits"),
        "protection": ("Game protection", "waits"),
        "fault": ("Fault", "fault"),
    }
