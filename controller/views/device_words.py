"""Devices and their faults as people at the table say them: no names of the configuration, no codes."""

from __future__ import annotations

from typing import Final

from controller.errors import meaning
from controller.places import family_and_place
from controller.table.faults import LOST

_CALLED: Final = {
    "shoe": "the shoe",
    "shuffler": "the shuffling machine",
    "console": "the dealer's console",
    "lamps": "the lamps",
    "display": "the Jackpot display",
    "sign": "the limit sign",
    "meter": "the prize meter",
    "usb": "the USB of the table's computer",
    "clock": "the clock of the table's computer",
    "program": "the program of the table's computer",
    "sensor": "the bet sensor",
    "reader": "the card reader",
}
LOST_STEP: Final = "Check its cable and its power; the table takes it up again by itself."
AT_THE_TABLE: Final = "Look at the device and clear what it reports."


def spoken_device(name: str, place_called: str = "area") -> str:
    """Returns what people call a device.

    >>> spoken_device("sensor.3"), spoken_device("reader.board"), spoken_device("scale")
    ('the bet sensor of area 3', 'the card reader of the board', 'the device scale')
    """
    family, place = family_and_place(name)
    called = _CALLED.get(family)
    if called is None:
        return f"the device {name}"
    if not place:
        return called
    return f"{called} of {place_called} {place}" if place.isdigit() else f"{called} of the {place}"


def fault_text(device: str, code: str, place_called: str = "area") -> str:
    """Returns a fault in one sentence.

    What the device itself adds to it is not said: nobody knows what is in its words.

    >>> fault_text("shoe", LOST)
    'The shoe cannot be reached.'
    """
    return sentence(fault_words(device, code, place_called))


def fault_words(device: str, code: str, place_called: str = "area") -> str:
    """Returns the same as a part of a sentence.

    >>> fault_words("sensor.3", LOST)
    'the bet sensor of area 3 cannot be reached'
    """
    spoken = spoken_device(device, place_called)
    if code == LOST:
        return f"{spoken} cannot be reached"
    known = meaning(code)
    if known is None or known.any_of_topic:
        return f"something is wrong with {spoken}"
    _, place = family_and_place(device)
    cause = _small(known.cause.rstrip("."))
    return f"{spoken}: {cause}" if place else cause


def step_at_table(code: str) -> str:
    """Returns what people at the table do about a fault: no command.

    >>> step_at_table(LOST) == LOST_STEP
    True
    """
    if code == LOST:
        return LOST_STEP
    known = meaning(code)
    return known.step_at_table if known is not None else AT_THE_TABLE


def fault_step(code: str) -> str:
    """Returns what to do about a fault, with the commands that technicians give."""
    if code == LOST:
        return LOST_STEP
    known = meaning(code)
    return known.step_on() if known is not None else AT_THE_TABLE


def sentence(text: str) -> str:
    """Returns a text that begins with a capital letter and ends with a point.

    >>> sentence("deal the flop"), sentence("Who cuts?")
    ('Deal the flop.', 'Who cuts?')
    """
    text = text.strip()
    end = "" if text.endswith((".", "?", "!")) else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


def _small(text: str) -> str:
    """Returns a text with a small first letter, unless its first word is an abbreviation in capitals.

    >>> _small("A card stands in it"), _small("PC off"), _small("Lid open")
    ('a card stands in it', 'PC off', 'lid open')
    """
    word = text.partition(" ")[0]
    return text if word.isupper() and len(word) > 1 else text[:1].lower() + text[1:]
