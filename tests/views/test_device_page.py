"""The devices as their page shows them: plain words for everybody, the wire for a technician alone."""

from __future__ import annotations

from typing import Any

import drivers.codes  # noqa: F401 - what the codes of devices mean
from controller.table.faults import LOST
from controller.views.device_page import device_page
from controller.views.device_words import fault_step


def looked(phase: str = "ready", *codes: str) -> dict[str, Any]:
    """A shoe as the table looks at it."""
    faults = [{"code": code, "detail": "card 3"} for code in codes]
    shoe = {"name": "shoe", "family": "shoe", "phase": phase, "faults": faults, "address": "serial:///dev/ttyUSB0"}
    return {"devices": [shoe], "buses": [{"name": "can0"}]}


def test_a_device_that_works() -> None:
    (shoe,) = device_page(looked(), "area", "", [])["devices"]
    assert shoe == {"name": "shoe", "called": "Shoe", "family": "shoe", "ready": True, "troubles": []}


def test_what_fails_is_told_in_words_with_what_to_do() -> None:
    (shoe,) = device_page(looked("lost", "shoe.jam"), "area", "", [])["devices"]
    assert not shoe["ready"]
    assert [each["text"] for each in shoe["troubles"]] == [
        "The shoe cannot be reached.",
        "A card is jammed in the shoe.",
    ]
    assert [each["step"] for each in shoe["troubles"]] == [fault_step(LOST), fault_step("shoe.jam")]
    assert all(each["step"] for each in shoe["troubles"])


def test_only_a_technician_sees_wires_and_frames() -> None:
    frames = [{"text": "PING"}]
    everybody = device_page(looked("lost", "shoe.jam"), "area", "", frames)
    assert (everybody["technician"], everybody["buses"], everybody["frames"]) == ("", [], [])
    assert not any(word in str(everybody) for word in ("ttyUSB0", "card 3", "shoe.jam", "PING"))
    technician = device_page(looked("lost", "shoe.jam"), "area", "Tess", frames)
    assert (technician["technician"], technician["buses"], technician["frames"]) == ("Tess", [{"name": "can0"}], frames)
    assert technician["devices"][0]["wire"]["address"] == "serial:///dev/ttyUSB0"
    assert technician["devices"][0]["called"] == "Shoe"


def test_why_nothing_can_be_recorded_stands_above_all_devices() -> None:
    for technician in ("", "Tess"):
        page = device_page(looked(), "area", technician, [], "the disk is full")
        assert set(page) == {"stopped", "technician", "devices", "buses", "frames"}
        assert (page["stopped"], page["technician"]) == ("the disk is full", technician)
