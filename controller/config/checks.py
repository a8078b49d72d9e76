"""What must hold between the parts of table.toml; it looks at what was written, so no other mistake silences it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, get_args

from controller.config.errors import did_you_mean
from controller.config.lines import KeyPath
from controller.config.model import Family, exact_text
from controller.config.options import OPTIONS
from drivers.vendors.catalogue import GPIO, NATIVE, VENDORS
from firmware_bridge.address import EXAMPLES, AddressError, parse

Finding: TypeAlias = tuple[KeyPath, str]
OptionCheck: TypeAlias = Callable[[str, dict[str, str]], list[str]]
Raw: TypeAlias = Mapping[str, Any]

_ONE_PER_TABLE = ("console", "shoe", "shuffler")
FAMILIES = frozenset(get_args(Family))


def check_game(game: object) -> Iterator[Finding]:
    """Is it a game that we know?"""
    if isinstance(game, str) and game not in OPTIONS:
        yield ("table", "game"), f'unknown game "{game}": {did_you_mean(game, OPTIONS)}'


def check_options(game: object, options: Raw, meaning: OptionCheck | None) -> Iterator[Finding]:
    """Are these options of the game; and, by the game's own check, do they make sense?

    `meaning` answers in sentences; one that starts with an option's name and a colon is shown at that option's line.
    """
    if not isinstance(game, str) or game not in OPTIONS:
        return
    for name in options:
        if name not in OPTIONS[game]:
            yield ("options", name), f"unknown option of {game}: {did_you_mean(name, OPTIONS[game])}"
    if meaning is None:
        return
    sound = {name: text for name in options if name in OPTIONS[game] and (text := _text(options[name])) is not None}
    for sentence in meaning(game, sound):
        name, colon, rest = sentence.partition(":")
        yield (("options", name), rest.strip()) if colon and name in options else (("options",), sentence)


def _text(value: object) -> str | None:
    try:
        return exact_text(value)
    except ValueError:
        return None  # reported where the shape of an option is checked


def check_devices(devices: Raw) -> Iterator[Finding]:
    """Has the table what it needs, once each, on wires of their own?"""
    tables = {name: device for name, device in devices.items() if isinstance(device, Mapping)}
    yield from _shared_addresses(tables)
    yield from _areas(tables)
    yield from _families(tables)
    yield from _protocols(tables)


def _shared_addresses(devices: Raw) -> Iterator[Finding]:
    taken: dict[tuple[str, str, str], str] = {}
    for name, device in devices.items():
        text = device.get("address")
        try:
            address = parse(text if isinstance(text, str) else "")
        except AddressError:
            continue  # reported where the shape of a device is checked
        place = (address.scheme, address.host, address.path)  # whatever the speed: it is the same wire
        if place in taken:
            yield ("device", name, "address"), f'"{taken[place]}" is already at this address: give each device its own'
        taken.setdefault(place, name)


def _family(device: Raw) -> str:
    """Empty unless it is a word: what else it may be is reported where the shape of a device is checked."""
    family = device.get("family")
    return family if isinstance(family, str) else ""


def _areas(devices: Raw) -> Iterator[Finding]:
    taken: dict[int, str] = {}
    for name, device in devices.items():
        family, area = _family(device), device.get("area")
        if family == "bet-sensor" and area is None:
            yield ("device", name), "a bet sensor needs its betting area: add area = 1 (from the dealer's left)"
        elif family in FAMILIES - {"bet-sensor"} and area is not None:
            yield ("device", name, "area"), f"only a bet sensor has an area: remove it from this {family}"
        elif isinstance(area, int) and area in taken:
            yield (
                ("device", name, "area"),
                f'area {area} already has the sensor "{taken[area]}": give each area one sensor',
            )
        elif isinstance(area, int):
            taken[area] = name


def _families(devices: Raw) -> Iterator[Finding]:
    families = [(name, _family(device)) for name, device in devices.items()]
    seen: dict[str, str] = {}
    for name, family in families:
        if family in _ONE_PER_TABLE and family in seen:
            yield (
                ("device", name, "family"),
                f'a table has one {family}, and "{seen[family]}" is it: remove one of them',
            )
        elif isinstance(family, str):
            seen.setdefault(family, name)
    if any(family not in FAMILIES for _, family in families):
        return  # what seems to be missing may be the misspelt one
    count = Counter(family for _, family in families)
    if not count["console"]:
        yield ("device",), 'the dealer\'s console is missing: add [device.console] with family = "console"'
    if not count["bet-sensor"]:
        yield ("device",), 'there is no bet sensor: add [device."sensor.1"] with family = "bet-sensor" and area = 1'
    if not count["shoe"] and not count["shuffler"]:
        yield ("device",), 'nothing reads the cards: add [device.shoe] with family = "shoe"'


def _protocols(devices: Raw) -> Iterator[Finding]:
    """Does a device of this family, on this wire, speak what it is said to speak?"""
    for name, device in devices.items():
        scheme = str(device.get("address")).partition("://")[0]
        protocol = device.get("protocol", GPIO if scheme == GPIO else NATIVE)
        for section in VENDORS:
            if section in device and section != protocol:
                yield (
                    ("device", name, section),
                    f'settings of another protocol: add protocol = "{section}", or remove them',
                )
        vendor = VENDORS.get(protocol) if isinstance(protocol, str) else None
        if vendor is None:
            if scheme == GPIO:
                yield ("device", name, "protocol"), "pins speak no protocol: remove it"
            continue
        if _family(device) in FAMILIES - {vendor.family}:
            yield ("device", name, "protocol"), f"{protocol} is spoken by a {vendor.family}, not by a {_family(device)}"
        if "serial" in device and not vendor.tells_serial:
            yield (
                ("device", name, "serial"),
                f"a device that speaks {protocol} does not tell its serial number: remove it",
            )
        if protocol == GPIO and GPIO not in device:
            yield ("device", name), f"no pin is connected: add [device.{name}.gpio] with outputs = {{ bets = 17 }}"
        if scheme in EXAMPLES and scheme not in vendor.schemes:
            known = " or ".join(f"{known}://" for known in vendor.schemes)
            yield ("device", name, "address"), f"{protocol} is spoken over {known}, not over {scheme}://"
