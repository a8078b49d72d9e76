"""What must hold between the parts of table.toml; it looks at what was written, so no other mistake silences it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from controller.config.errors import did_you_mean
from controller.config.lines import Finding
from controller.config.model import exact_text
from controller.config.options import check
from controller.games import INSTALLED
from controller.table.options import fields
from drivers.families import FAMILIES, Family
from drivers.vendors.register import GPIO, NATIVE, VENDORS, Vendor
from firmware_bridge.address import SCHEMES, AddressError, parse
from firmware_bridge.extensions import UNKNOWN, ExtensionError

GAME: Final = ("table", "game")

Raw: TypeAlias = Mapping[str, Any]


def check_game(game: object) -> Iterator[Finding]:
    """Yields what is wrong with the game: whether it is one that we know, and its package can be used."""
    if not isinstance(game, str):
        return
    try:
        INSTALLED.find(game)
    except ExtensionError as error:
        near = did_you_mean(game, INSTALLED.names())
        unknown = f'unknown game "{game}": {near}; or install the package that brings it'
        yield GAME, unknown if error.code == UNKNOWN else f"{error.cause}: {error.next_step}"


def check_options(game: object, options: Raw) -> Iterator[Finding]:
    """Yields what is wrong with the options: whether they are the game's, can be read, and its rules allow them."""
    if not isinstance(game, str) or game not in INSTALLED:
        return
    sound = {name: text for name in options if (text := _text(options[name])) is not None}
    for mistake in check(game, sound):
        yield (("options", mistake.option) if mistake.option else ("options",)), mistake.text


def check_jackpot(section: Raw, options: Raw) -> Iterator[Finding]:
    """Yields what is wrong with [jackpot]: whether there is a meter to keep, and whether the way to it is given."""
    if not section:
        return
    if options.get("jackpot", "none") == "none":
        yield ("jackpot",), 'no Jackpot is offered here: add jackpot = "nsw" or "vic" to [options], or remove this'
    shared = section.get("store") == "postgres"
    if shared and "dsn-file" not in section:
        yield ("jackpot", "store"), 'postgres needs the way to the server: add dsn-file = "/etc/feltd/jackpot.dsn"'
    if shared and not options.get("jackpot-group") and options.get("jackpot", "none") != "none":
        yield ("jackpot", "store"), "tables share a meter by the name of their group: add jackpot-group to [options]"
    if not shared and "dsn-file" in section:
        yield ("jackpot", "dsn-file"), 'only postgres has one: write store = "postgres", or remove it'


def check_simulation(section: Raw, devices: Raw) -> Iterator[Finding]:
    """Yields what is wrong with [simulation]: a capture of a real table must never have its cards."""
    if not section.get("whole-captures"):
        return
    for name, device in devices.items():
        address = str(device.get("address")) if isinstance(device, Mapping) else ""
        if not address.startswith("sim://"):
            text = f'captures have their cards only where every device is simulated, and "{name}" is not: remove it'
            yield ("simulation", "whole-captures"), text
            return


def _text(value: object) -> str | None:
    try:
        return exact_text(value)
    except ValueError:
        return None  # reported where the shape of an option is checked


def check_devices(devices: Raw, game: object) -> Iterator[Finding]:
    """Yields what is wrong with the devices: all that the table needs, once each, on wires of their own."""
    tables = {name: device for name, device in devices.items() if isinstance(device, Mapping)}
    yield from _shared_addresses(tables)
    yield from _shared_serials(tables)
    yield from _shared_pins(tables)
    yield from _areas(tables)
    yield from _families(tables)
    yield from _card_readers(tables, game)
    yield from _protocols(tables)


def _shared_addresses(devices: Raw) -> Iterator[Finding]:
    taken: dict[tuple[str, str, str], str] = {}
    for name, device in devices.items():
        text = device.get("address")
        try:
            address = parse(text if isinstance(text, str) else "")
        except AddressError:
            continue  # reported where the shape of a device is checked
        if address.scheme == GPIO:
            continue  # several devices share the computer's pins, but no pin
        # Whatever the speed, and by whichever link: it is the same wire.
        path = os.path.realpath(address.path) if address.scheme == "serial" else address.path
        place = (address.scheme, address.host, path)
        if place in taken:
            taken_as = (
                f"already at {path}, where this link leads" if path != address.path else "already at this address"
            )
            yield ("device", name, "address"), f'"{taken[place]}" is {taken_as}: give each device its own'
        taken.setdefault(place, name)


def _shared_serials(devices: Raw) -> Iterator[Finding]:
    taken: dict[str, str] = {}
    for name, device in devices.items():
        serial = device.get("serial")
        if not isinstance(serial, str):
            continue
        if serial in taken:
            yield ("device", name, "serial"), f'"{taken[serial]}" already has it: no two devices have one serial number'
        taken.setdefault(serial, name)


def _shared_pins(devices: Raw) -> Iterator[Finding]:
    taken: dict[int, str] = {}
    for name, device in devices.items():
        section = device.get(GPIO)
        groups = section.values() if isinstance(section, Mapping) else ()
        points = [point for group in groups if isinstance(group, Mapping) for point in group.values()]
        pins = {point.get("pin") if isinstance(point, Mapping) else point for point in points}
        for pin in sorted(pin for pin in pins if isinstance(pin, int)):
            if pin in taken:
                yield ("device", name, GPIO), f'pin {pin} belongs to "{taken[pin]}" already: connect one thing to it'
            taken.setdefault(pin, name)


def _family(device: Raw) -> Family | None:
    """Returns the device's family.

    None for a word that is none: that is reported where the shape of a device is checked.
    """
    name = device.get("family")
    try:
        return FAMILIES.find(name).about if isinstance(name, str) else None
    except ExtensionError:
        return None


def _areas(devices: Raw) -> Iterator[Finding]:
    taken: dict[tuple[str, int], str] = {}
    for name, device in devices.items():
        family, area = _family(device), device.get("area")
        if family is None:
            continue
        if family.stands == "area" and area is None:
            place = name.partition(".")[2]
            number = place if place.isdigit() else "1"
            text = f"a {family.title} needs its betting area: add area = {number} (from the dealer's left)"
            yield ("device", name), text
        elif not family.at_areas and area is not None:
            known = " or ".join(f"a {each.about.title}" for each in FAMILIES.ours() if each.about.at_areas)
            yield ("device", name, "area"), f"only {known} has an area: remove it from this {family.name}"
        elif isinstance(area, int) and (family.name, area) in taken:
            first = taken[family.name, area]
            yield ("device", name, "area"), f'area {area} already has the {family.title} "{first}": give each area one'
        elif isinstance(area, int):
            taken[family.name, area] = name


def _families(devices: Raw) -> Iterator[Finding]:
    families = {name: _family(device) for name, device in devices.items()}
    first: dict[str, str] = {}
    for name, family in families.items():
        if family is None:
            continue
        if family.one and family.name in first:
            text = f'a table has one {family.name}, and "{first[family.name]}" is it: remove one of them'
            yield ("device", name, "family"), text
        first.setdefault(family.name, name)
    if None in families.values():
        return  # what seems to be missing may be the misspelt one
    count = Counter(family.name for family in families.values() if family is not None)
    if not count["console"]:
        yield ("device",), 'the dealer\'s console is missing: add [device.console] with family = "console"'
    if not count["bet-sensor"]:
        yield ("device",), 'there is no bet sensor: add [device."sensor.1"] with family = "bet-sensor" and area = 1'


def _card_readers(devices: Raw, game: object) -> Iterator[Finding]:
    """Yields what is wrong with the devices that read the cards.

    Cards are read on their way out of a shoe or a machine; at Crown Poker where they lie, for the deck stays in the
    dealer's hand (000 5.2).
    """
    crown = isinstance(game, str) and game in INSTALLED and "shoe" not in fields(INSTALLED[game].options)
    reads = set()
    for name, device in devices.items():
        family = _family(device)
        if family is None:
            return
        reads.add(family.reads)
        if crown and family.reads == "drawn":
            text = f"cards are dealt from the hand at {game}, never from a {family.name} (rule 5.2): remove it"
            yield ("device", name), text
        elif not crown and family.reads == "laid":
            yield ("device", name), f"{family.title}s of the layout are for Crown Poker: remove it"
    if crown and "laid" not in reads:
        yield ("device",), 'nothing reads the cards: add [device."reader.board"] with family = "reader"'
    elif not crown and "drawn" not in reads:
        yield ("device",), 'nothing reads the cards: add [device.shoe] with family = "shoe"'


def _protocols(devices: Raw) -> Iterator[Finding]:
    """Yields devices that cannot speak their protocol: not this family, or not over this wire."""
    for name, device in devices.items():
        scheme = str(device.get("address")).partition("://")[0]
        protocol = device.get("protocol", GPIO if scheme == GPIO else NATIVE)
        for section in [key for key in device if key in VENDORS.names() and key != protocol]:
            text = f'settings of another protocol: add protocol = "{section}", or remove them'
            yield ("device", name, section), text
        vendor = _vendor(protocol)
        if vendor is not None:
            yield from ((("device", name, *key), text) for key, text in _unspoken(name, device, scheme, vendor))
        elif scheme == GPIO:
            yield ("device", name, "protocol"), "pins speak no protocol: remove it"


def _vendor(protocol: object) -> Vendor | None:
    """Returns the vendor of a protocol; None for our own.

    None too for a word that is none: that is reported where the shape of a device is checked.
    """
    try:
        return VENDORS.find(protocol).about if isinstance(protocol, str) and protocol != NATIVE else None
    except ExtensionError:
        return None


def _unspoken(name: str, device: Raw, scheme: str, vendor: Vendor) -> Iterator[Finding]:
    """Yields why this device cannot speak a vendor's protocol."""
    family = _family(device)
    if family is not None and family.name not in vendor.families:
        speakers = " or ".join(f"a {speaker}" for speaker in vendor.families)
        yield ("protocol",), f"{vendor.name} is spoken by {speakers}, not by a {family.name}"
    if "serial" in device and not vendor.tells_serial:
        yield ("serial",), f"a device that speaks {vendor.name} does not tell its serial number: remove it"
    if vendor.unset and vendor.name not in device:
        yield (), vendor.unset.format(name=name)
    if scheme in SCHEMES.names() and scheme not in vendor.schemes:
        known = " or ".join(f"{known}://" for known in vendor.schemes)
        yield ("address",), f"{vendor.name} is spoken over {known}, not over {scheme}://"
