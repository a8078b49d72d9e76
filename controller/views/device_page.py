"""The devices of a table as a page shows them: to everybody what works and what to do, to technicians all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.table.faults import LOST
from controller.views.device_words import fault_step, fault_text, spoken_device

Json = dict[str, Any]
READY = "ready"


def public_devices(looked: Mapping[str, Any], place_called: str) -> list[Json]:
    """Returns every device in plain words: whether it works, and what to do about it.

    No address, serial number, cause or frame: these are for technicians.
    """
    return [_public(device, place_called) for device in looked["devices"]]


def _public(device: Mapping[str, Any], place_called: str) -> Json:
    name, ready = device["name"], device["phase"] == READY
    codes = [fault["code"] for fault in device["faults"]]
    if not ready:
        codes.insert(0, LOST)
    return {
        "name": name,
        "called": heading(name, place_called),
        "family": device["family"],
        "ready": ready,
        "troubles": [{"text": fault_text(name, code, place_called), "step": fault_step(code)} for code in codes],
    }


def heading(name: str, place_called: str) -> str:
    """Returns what stands above a device.

    >>> heading("sensor.3", "area"), heading("console", "area")
    ('Bet sensor of area 3', "Dealer's console")
    """
    spoken = spoken_device(name, place_called).removeprefix("the ")
    return f"{spoken[:1].upper()}{spoken[1:]}"


def whole_devices(looked: Mapping[str, Any], place_called: str) -> list[Json]:
    """Returns the same with all that is known of each device and its wire."""
    known = {device["name"]: device for device in looked["devices"]}
    return [{**device, "wire": known[device["name"]]} for device in public_devices(looked, place_called)]


def device_page(
    looked: Mapping[str, Any], place_called: str, technician: str, frames: Sequence[Json], stopped: str = ""
) -> Json:
    """Returns what the page of the devices shows; `technician`: who is signed in, "" for everybody else.

    `stopped`: why nothing can be recorded, or followed, in words: then no device is well.
    """
    page: Json = {"stopped": stopped, "technician": technician}
    if not technician:
        return page | {"devices": public_devices(looked, place_called), "buses": [], "frames": []}
    devices = whole_devices(looked, place_called)
    return page | {"devices": devices, "buses": looked["buses"], "frames": list(frames)}
