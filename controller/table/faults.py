"""Devices that fail: what it means for the round, and who has to know."""

from __future__ import annotations

from typing import Final

from controller.places import family_and_place
from controller.table import causes, door_access
from controller.table.deck import dealing_device, two_colours
from controller.table.facts import DeviceCleared, DeviceFault, DeviceLost, DeviceReady
from controller.table.state import cards_lie
from controller.table.step import Step

LOST = "lost"
CODES_KEPT = 32  # of one device; more than any device has, and one that invents codes does not fill the table

OF_ONE_AREA: Final = ("sensor", "reader")  # where it stands, its trouble is told

MISREAD = "sensor.chips"  # chips that cannot lie there
STUCK_KEY = "console.stuck-key"
MIXED_BACKS = "shuffler.mixed-backs"
WRONG_CARDS = ("shuffler.count-wrong", MIXED_BACKS)  # the machine works; its cards are not right


def door_code(device: str) -> str:
    """Returns the code by which the open door of a device is on record.

    >>> door_code("sensor.3")
    'sensor.door'
    """
    return f"{family_and_place(device)[0]}.door"


def fault(s: Step, fact: DeviceFault) -> None:
    """Keeps what a device reports, and tells the dealer.

    Cards that a machine finds wrong are counted or replaced; the machine itself works.
    """
    door_access.watch(s, fact, door_code(fact.device))
    if fact.code == MIXED_BACKS and s.policy.one_colour:
        two_colours(s)
        return
    if fact.code in WRONG_CARDS:
        s.t.deck.must_be_counted(s.cites.unverified)
        s.prompt("dealer", f"{fact.code} {fact.detail}: count the cards", s.cites.unverified, offers=("count",))
        return
    codes = s.t.faults.setdefault(fact.device, {})
    if fact.code in codes or len(codes) < CODES_KEPT:
        codes[fact.code] = fact.detail
    if fact.device == "shuffler" and _shuffles_next(s):
        s.t.deck.due, s.t.deck.through = s.cites.machine, False  # it will shuffle again
    text = f"{fact.device}: {fact.code} {fact.detail}".rstrip()
    if fact.code == STUCK_KEY:
        text = f"the key {fact.detail} of the console is stuck: it does nothing until it is free; call the technician"
    _tell(s, fact.device, fact.code, text)


def _shuffles_next(s: Step) -> bool:
    """Tells whether the machine will shuffle before the next card: it does before each round, and none is dealt."""
    return s.policy.each_round and not cards_lie(s.t)


def lost(s: Step, fact: DeviceLost) -> None:
    """Keeps that a device cannot be reached, and tells it once."""
    if LOST not in s.t.faults.get(fact.device, {}):
        s.t.faults.setdefault(fact.device, {})[LOST] = fact.code
        _not_read_any_more(s, fact.device)
        _tell(s, fact.device, LOST, f"{fact.device} cannot be reached: {fact.cause or fact.code}")


def _not_read_any_more(s: Step, device: str) -> None:
    """Forgets which spots a sensor could not read: whichever sensor comes back tells anew what lies there."""
    s.t.misread = {at: why for at, why in s.t.misread.items() if device != f"sensor.{at[0]}"}
    _forget(s, device, MISREAD)


def cleared(s: Step, fact: DeviceCleared) -> None:
    """Forgets a fault that is over."""
    door_access.watch(s, fact, door_code(fact.device))
    _forget(s, fact.device, fact.code)


def ready(s: Step, fact: DeviceReady) -> None:
    """Forgets that a device could not be reached."""
    _forget(s, fact.device, LOST)


def _forget(s: Step, device: str, code: str) -> None:
    codes = s.t.faults.get(device, {})
    codes.pop(code, None)
    if not codes:
        s.t.faults.pop(device, None)


def _machine(s: Step) -> str:
    """Returns the machine that deals at this table; "" when a shoe does."""
    device = dealing_device(s.t)
    return device if device == "shuffler" else ""


def _tell(s: Step, device: str, code: str, text: str) -> None:
    """Tells the dealer of a fault.

    A machine that stops in mid-round may cost the round; a person says whether it can be completed.
    """
    family, place = family_and_place(device)
    at_area = family in OF_ONE_AREA and place.isdigit()
    cause = causes.Fault(device, code)
    if device == _machine(s) and cards_lie(s.t):
        rule = s.cites.machine
        cannot = "if the round cannot be completed, declare it void"
        s.prompt("dealer", f"{text}; clear the machine; {cannot}", rule, offers=("void",), cause=cause)
        s.prompt("supervisor", cannot, rule, offers=("void",), cause=cause)
    else:
        s.prompt("dealer", text, _rule(s, device), place if at_area else "", cause=cause)


def _rule(s: Step, device: str) -> str:
    """Returns the rule about a device that fails; "" where the document has none."""
    if device == "shuffler":
        return s.cites.jam
    if s.jackpot is None or s.document.jackpot is None:
        return ""
    return {"meter": s.document.jackpot.equipment, "display": s.document.jackpot.display}.get(device, "")
