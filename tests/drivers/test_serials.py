"""Who has a serial number: the first to come, unless table.toml gives it to another."""

from __future__ import annotations

from drivers.serials import Serials


def test_a_promised_number_is_kept_for_its_device() -> None:
    serials = Serials({"A-1": "shoe"})
    assert serials.claim("sensor.1", "A-1") == "shoe"  # though it came first
    assert serials.claim("shoe", "A-1") == ""
    assert serials.claim("sensor.1", "B-2") == ""


def test_a_refused_twin_waits_until_the_first_one_has_another_number() -> None:
    serials = Serials()
    assert serials.claim("one", "A-1") == ""
    assert serials.claim("two", "A-1") == "one"
    serials.release("one")
    assert serials.claim("two", "A-1") == "one"
    assert serials.claim("one", "A-9") == ""  # it was numbered anew
    assert serials.claim("two", "A-1") == ""


def test_nobody_is_refused_for_a_number_that_only_he_has() -> None:
    serials = Serials()
    for _ in range(2):
        assert serials.claim("one", "A-1") == ""
        serials.release("one")
    assert serials.claim("two", "A-1") == ""  # it was plugged in elsewhere
    assert serials.claim("one", "A-1") == "two"


def test_devices_that_tell_no_number_are_no_twins() -> None:
    serials = Serials()
    assert serials.claim("sign", "") == serials.claim("display", "") == ""
