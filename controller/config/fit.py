"""Whether the devices of table.toml fit its game: places that it has, cards that are read, lamps and keys that exist.

Looks at what was written, so no other mistake silences it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, TypeAlias

from controller.config.errors import did_you_mean
from controller.config.lines import Finding
from controller.config.options import Sound
from controller.config.words import family_of, protocol_of, vendor_of
from controller.counts import many
from controller.games import laid_on_readers
from controller.places import area_of, family_and_place, is_area
from controller.table.declare import no_key
from controller.table.keys import find_key, keys_of
from controller.table.options import fields
from controller.table.rules import Rules
from controller.table.sign import keyed
from drivers.console import pressed
from drivers.families import Family
from drivers.lamps import lamp_channels
from drivers.vendors.register import DOOR

Raw: TypeAlias = Mapping[str, Any]
_OUTPUTS: Final = "outputs"  # settings that say what is connected where have both
_INPUTS: Final = "inputs"


def check_fit(sound: Sound, devices: Raw, doubtful: Collection[str]) -> Iterator[Finding]:
    """Yields devices that this game could not use, with the reason: the table knows them by what they are.

    Of those that are `doubtful`, nobody can say yet how the table should know them.
    """
    tables = {name: device for name, device in devices.items() if isinstance(device, Mapping)}
    seats = sound.seats
    for name, device in tables.items():
        family, area = family_of(device), device.get("area")
        if family is not None and name not in doubtful:
            yield from _named(name, family, area)
            yield from _placed(name, area, seats)
        yield from _misconnected(sound, name, device)
    yield from _unread(sound, tables)


def _placed(name: str, area: object, seats: int | None) -> Iterator[Finding]:
    """Yields a device at an area that the table has not."""
    if seats is not None and isinstance(area, int) and area > seats:
        yield ("device", name, "area"), f"area {area} is not on this table: it has {many(seats, 'seat')}"


def _named(name: str, family: Family, area: object) -> Iterator[Finding]:
    """Yields a device that has not the name by which the table knows it."""
    _, place = family_and_place(name)
    number = area if isinstance(area, int) else None
    if family.stands == "area-or-board" and area is None and place.isdigit():
        yield ("device", name), f"the {family.title} of a seat needs its number: add area = {place}"
        return
    if family.stands == "area" and number is None:
        return  # told where areas are checked
    wanted = family.name_at_table(number)
    if wanted not in (None, name):
        yield ("device", name), f'the table knows this device as "{wanted}": write [device."{wanted}"]'


def _unread(sound: Sound, devices: Raw) -> Iterator[Finding]:
    """Yields places from which, or on which, no device reads the cards."""
    families = [family_of(device) for device in devices.values()]
    if None in families:
        return  # what seems to be missing may be the misspelt one
    reads = {family.reads for family in families if family is not None}
    if not laid_on_readers(sound.rules):
        if "drawn" not in reads:
            yield ("device",), 'nothing reads the cards: add [device.shoe] with family = "shoe"'
        elif "shoe" not in sound.unread:
            yield from _wrong_reader(sound, [family.name for family in families if family is not None])
        return
    if "laid" not in reads:
        yield ("device",), 'nothing reads the cards: add [device."reader.board"] with family = "reader"'
    else:
        yield from _bare_seats(sound, devices)


def _wrong_reader(sound: Sound, families: list[str]) -> Iterator[Finding]:
    reader = "shuffler" if sound.options.machine else "shoe"
    if reader in families:
        return
    if "shoe" in fields(sound.rules.options):
        yield ("options", "shoe"), f'shoe = "{sound.options.shoe}" needs a {reader}: add [device.{reader}]'
    else:
        yield ("device",), f"{sound.rules.name} needs a {reader}: add [device.{reader}]"


def _bare_seats(sound: Sound, devices: Raw) -> Iterator[Finding]:
    if "reader.board" not in devices:
        text = 'nothing reads the cards at the board: add [device."reader.board"] with family = "reader"'
        yield ("device",), text
    missing = [seat for seat in range(1, (sound.seats or 0) + 1) if f"reader.{seat}" not in devices]
    if missing:
        wanted = f'[device."reader.{missing[0]}"] with family = "reader" and area = {missing[0]}'
        more = f", and so on; or say with seats = {missing[0] - 1} that the table has no more"
        all_of_them = ", ".join(map(str, missing))
        text = f"nothing reads the cards at {all_of_them}: add {wanted}{more if len(missing) > 1 else ''}"
        yield ("device",), text


# ---- input/output modules and pins


def _misconnected(sound: Sound, name: str, device: Raw) -> Iterator[Finding]:
    """Yields lamps and keys of an input/output module that the table does not have."""
    vendor = vendor_of(protocol_of(device))
    section = device.get(vendor.name) if vendor is not None else None
    if vendor is None or not isinstance(section, Mapping) or not _connects(vendor.settings):
        return
    at = ("device", name, vendor.name)
    console = device.get("family") == "console"  # its lamps are in its keys
    for lamp in _points(section, _OUTPUTS):
        why = _unpressable(sound, lamp) if console else _dark(sound, lamp)
        if why:
            yield (*at, _OUTPUTS, lamp), why
    for key in _points(section, _INPUTS):
        if key != DOOR and (why := _unpressable(sound, key)):
            yield (*at, _INPUTS, key), why


def _connects(settings: type[Any]) -> bool:
    """Tells whether these settings say which lamp is on which output, and which key, or the door, on which input."""
    names = {each.name for each in dataclasses.fields(settings)} if dataclasses.is_dataclass(settings) else set()
    return names >= {_OUTPUTS, _INPUTS}


def _points(section: Raw, group: str) -> list[str]:
    points = section.get(group)
    return sorted(points) if isinstance(points, Mapping) else []


def _dark(sound: Sound, lamp: str) -> str:
    """Returns why there is no such lamp; "" when there is."""
    if sound.seats is None:
        return ""
    lamps = lamp_channels(sound.seats)
    return "" if lamp in lamps else f'there is no lamp "{lamp}": {did_you_mean(lamp, lamps)}'


def _unpressable(sound: Sound, text: str) -> str:
    """Returns why nobody could press a key so at a table with this game; "" when one can."""
    press, game = pressed(text), sound.rules
    args, key = press.args, find_key(game, press.key)
    if key is None:
        return f"{no_key(press.key)}: {did_you_mean(press.key, [each.name for each in keys_of(game)])}"
    if why := key.misfit(args):
        return why
    areas = [area_of(place) for place in key.places(args) if is_area(place)]
    far = [area for area in areas if sound.seats is not None and area > sound.seats]
    if far:
        return f"area {far[0]} is not on this table: it has {many(sound.seats or 0, 'seat')}"
    return _unsettable(game, args) if key.changes_options else ""


def _unsettable(game: Rules, args: tuple[str, ...]) -> str:
    """Returns why these options cannot be set so at an open table; "" when they can."""
    _, problems = keyed(game, tuple(arg for arg in args if "=" in arg))
    return "; ".join(map(str, problems))
