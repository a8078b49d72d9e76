"""One notice for each cause, in words for people, with since and how often; gone when it is cured."""

from __future__ import annotations

import pytest

from controller.table.facts import DeviceCleared, DeviceFault, DeviceLost, DeviceReady
from controller.views.notices import CauseNotice, notices
from controller.views.together import MOMENT, SharedLoss, Trunk, Trunks, together
from tests.table.telling import Telling

TWO_PM = 1_700_000_000_000_000 // 86_400_000_000 * 86_400_000_000 + 14 * 3_600_000_000
MINUTE = 60_000_000
HUB, PORT, CAN, BUS = Trunk("hub", "1-1"), Trunk("hub", "1-1.4"), Trunk("bus", "can0"), Trunk("usb", "1")


def told(t: Telling, trunks: Trunks = {}) -> list[str]:  # noqa: B006 - read only
    return [notice.line(0) for notice in notices(t.table, t.game, trunks)]


def at(t: Telling, minutes: float) -> Telling:
    t.at = TWO_PM + round(minutes * MINUTE)
    return t


def lose(t: Telling, *devices: str) -> None:
    for device in devices:
        t.tell(DeviceLost(device, "serial.lost", "/dev/ttyUSB0 is gone"))


def test_a_device_that_was_lost_three_times_in_a_round_is_one_sentence() -> None:
    t = at(Telling(), 0)
    t.bet(1, war=10)
    for minutes in (0, 1, 2):
        lose(at(t, minutes), "sensor.3")
        assert len(told(t)) == 1
        if minutes < 2:
            t.tell(DeviceReady("sensor.3"))
            assert told(t) == []
    assert told(t) == ["the bet sensor of area 3 cannot be reached (3rd time, since 14:02)"]
    lose(at(t, 5), "sensor.3")  # said again by whoever: it is the same loss
    assert told(t) == ["the bet sensor of area 3 cannot be reached (3rd time, since 14:02)"]


def test_the_next_round_counts_anew() -> None:
    t = at(Telling(), 0)
    t.bet(1, war=10)
    for _ in range(2):
        lose(t, "lamps")
        t.tell(DeviceReady("lamps"))
    t.key("no-more-bets")
    t.draw("2h Kd")
    t.key("settle")
    t.bet(1, war=10)
    lose(at(t, 9), "lamps")
    assert told(t) == ["the lamps cannot be reached (since 14:09)"]


def test_the_words_are_for_people_and_the_code_stands_beside_them() -> None:
    t = at(Telling(), 2)
    t.tell(DeviceFault("shoe", "shoe.jam"))
    t.tell(DeviceFault("lamps", "lamps.open-circuit", "lamp 3"))
    t.tell(DeviceFault("shoe", "shoe.x17-b"))
    t.tell(DeviceFault("console", "console.stuck-key", "settle"))
    assert told(t) == [
        "a card is jammed in the shoe (since 14:02)",
        "the circuit of a lamp is open (since 14:02)",
        "something is wrong with the shoe (since 14:02)",
        "the key settle of the console is stuck: it does nothing until it is free; call the technician (since 14:02)",
    ]
    every = notices(t.table, t.game)
    assert [notice.code for notice in every] == [
        "shoe.jam",
        "lamps.open-circuit",
        "shoe.x17-b",
        "console.stuck-key",
    ]
    assert not any(notice.code in notice.line(0) for notice in every)
    t.tell(DeviceCleared("shoe", "shoe.jam"))
    assert [notice.code for notice in notices(t.table, t.game)] == [
        "lamps.open-circuit",
        "shoe.x17-b",
        "console.stuck-key",
    ]


def test_two_roles_that_are_told_of_one_cause_are_one_notice() -> None:
    t = at(Telling("caribbean-stud", shoe="csm"), 0)
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("Kh")
    t.tell(DeviceFault("shuffler", "shuffler.jam"))
    (notice,) = [each for each in notices(t.table, t.game) if each.code == "shuffler.jam"]
    assert notice.roles == ("dealer", "supervisor")
    assert notice.text == ("a card is jammed in the shuffler; if the round cannot be completed, press void")
    assert (notice.offers, bool(notice.rule)) == (("void",), True)


def test_what_a_device_adds_is_not_said() -> None:
    """It may be anything: a card, or what steers a terminal."""
    t = at(Telling(), 0)
    t.tell(DeviceFault("shoe", "shoe.misread", "Kh"))
    t.tell(DeviceFault("console", "console.stuck-key", "Kh"))
    assert "Kh" not in str(told(t))


def test_what_is_no_fault_has_no_code() -> None:
    t = at(Telling(), 0)
    t.bet(1, war=2)
    (notice,) = notices(t.table, t.game)
    assert (notice.code, notice.place, notice.roles) == ("", "1", ("dealer",))
    assert "under the minimum" in notice.line(0) and "since" not in notice.line(0)
    t.bet(1, war=10)
    assert notices(t.table, t.game) == []
    t.bet(1, war=3)
    assert told(t)[0].endswith("(2nd time)")


def test_devices_lost_in_one_moment_behind_one_trunk_are_one_sentence() -> None:
    trunks = {"lamps": (PORT, HUB), "sensor.1": (PORT, HUB), "sensor.2": (HUB,), "shoe": (CAN,)}
    t = at(Telling(), 2)
    lose(t, "lamps", "sensor.1", "sensor.2", "shoe")
    assert told(t, trunks) == [
        "all devices of hub 1-1 are lost: power or cable "
        "(the lamps, the bet sensor of area 1, the bet sensor of area 2) (since 14:02)",
        "the shoe cannot be reached (since 14:02)",
    ]
    (hub, shoe) = notices(t.table, t.game, trunks)
    assert (hub.code, hub.devices) == ("devices.together", ("lamps", "sensor.1", "sensor.2"))
    assert (shoe.code, shoe.devices) == ("serial.lost", ("shoe",))
    t.tell(DeviceReady("sensor.2"))
    assert (
        told(t, trunks)[0]
        == "all devices of hub 1-1.4 are lost: power or cable (the lamps, the bet sensor of area 1) (since 14:02)"
    )
    t.tell(DeviceReady("lamps"))
    assert told(t, trunks) == [
        "the bet sensor of area 1 cannot be reached (since 14:02)",
        "the shoe cannot be reached (since 14:02)",
    ]


@pytest.mark.parametrize(
    ("lost", "trunks", "found"),
    [
        ({"a": 0, "b": MOMENT}, {"a": (CAN,), "b": (CAN,)}, [SharedLoss(CAN, ("a", "b"), 0, True)]),
        ({"a": 0, "b": MOMENT + 1}, {"a": (CAN,), "b": (CAN,)}, []),
        ({"a": 0}, {"a": (CAN,)}, []),
        ({"a": 0, "b": 0}, {}, []),
        ({"a": 0, "b": 1}, {"a": (CAN,), "b": (CAN,), "c": (CAN,)}, [SharedLoss(CAN, ("a", "b"), 0, False)]),
        (
            {"a": 0, "b": 1, "c": 5 * MOMENT, "d": 5 * MOMENT},
            dict.fromkeys("abcde", (HUB, BUS)),
            [SharedLoss(HUB, ("a", "b"), 0, False), SharedLoss(HUB, ("c", "d"), 5 * MOMENT, False)],
        ),
        ({"a": 0, "b": 1}, {"a": (HUB, BUS), "b": (PORT, BUS), "c": (BUS,)}, []),
    ],
    ids=["one moment", "two moments", "alone", "nothing shared", "in part", "in part, twice", "far apart"],
)
def test_what_has_one_cause(lost: dict[str, int], trunks: Trunks, found: list[SharedLoss]) -> None:
    assert together(lost, trunks) == found


def test_a_notice_as_data() -> None:
    notice = CauseNotice(("dealer",), "shoe is lost", code="serial.lost", devices=("shoe",), since=TWO_PM, times=2)
    assert notice.json() == {
        "roles": ["dealer"],
        "text": "shoe is lost",
        "rule": "",
        "place": "",
        "offers": [],
        "code": "serial.lost",
        "devices": ["shoe"],
        "since": "2023-11-14T14:00:00.000+00:00",
        "times": 2,
    }


def test_a_trunk_that_is_lost_in_part_says_several() -> None:
    loss = SharedLoss(HUB, ("lamps", "sensor.1"), 0, False)
    assert loss.in_words() == "several devices of hub 1-1 were lost in one moment: power or cable (lamps, sensor.1)"
