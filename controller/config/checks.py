"""What must hold between the parts of table.toml; it looks at what was written, so no other mistake silences it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final, NamedTuple, TypeAlias

from controller.config.errors import did_you_mean
from controller.config.lines import Finding
from controller.config.model import ApiSection, TableSection, exact_text
from controller.config.options import Sound, check
from controller.config.words import family_of, protocol_of, scheme_of, vendor_of
from controller.games import INSTALLED, laid_on_readers
from controller.jackpot.rules import CENT
from controller.money import MoneyError, cents, dollars
from controller.places import family_and_place
from controller.table.options import OptionProblem, fields, read_one
from controller.table.values import nearest
from drivers.families import FAMILIES
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


def meant_game(game: object) -> str:
    """Returns the game whose options are looked at: the nearest one for a misspelt name; "" when none is near."""
    if not isinstance(game, str):
        return ""
    if game in INSTALLED:
        return game
    if game in INSTALLED.names():  # its package cannot be used, and nobody knows its options
        return ""
    return nearest(game, [rules.name for rules in INSTALLED.usable()])


class Shaped(NamedTuple):
    """The options as text, and those that are no text."""

    text: Mapping[str, str]
    wrong: Mapping[str, str]  # by option: what to write instead


def shaped(game: str, options: Raw) -> Shaped:
    """Returns what was written for options of this game, as the exact text that it reads; "": of any game."""
    text, wrong = {}, {}
    for name, value in options.items():
        try:
            text[name] = exact_text(value)
        except ValueError as error:
            wrong[name] = _misshapen(game, name, value) or str(error)
    return Shaped(text, wrong)


def _misshapen(game: str, name: str, value: object) -> str:
    """Returns what to write instead of a switch or a number that is no text; "" when nobody knows."""
    field = fields(INSTALLED[game].options).get(name) if game else None
    if field is None:
        return "" if not game else f"unknown option of {game}: {did_you_mean(name, fields(INSTALLED[game].options))}"
    if not isinstance(value, bool | float):
        return ""
    text = str(value) if isinstance(value, float) else "on" if value else "off"
    if isinstance(read_one(INSTALLED[game].options, name, text, strictly=True), OptionProblem):
        return f"must be {field.form.expected}"
    if isinstance(value, float):
        return f'must not be a floating-point number: write it in quotes, "{text}"'
    return f'must be text: write "{text}"'


def check_options(game: str, options: Shaped) -> Iterator[Finding]:
    """Yields what is wrong with the options: whether they are the game's, can be read, and its rules allow them."""
    for name, text in options.wrong.items():
        yield ("options", name), text
    for mistake in () if not game else check(game, options.text, options.wrong):
        yield ("options", mistake.option), mistake.text


def check_jackpot(section: Raw, options: Raw) -> Iterator[Finding]:
    """Yields what is wrong with [jackpot]: whether there is a meter to keep, and whether the way to it is given."""
    if not section:
        return
    shared = section.get("store") == "postgres"  # the records of tournaments are there, too
    if options.get("jackpot", "none") == "none" and not shared:
        yield ("jackpot",), 'no Jackpot is offered here: add jackpot = "nsw" or "vic" to [options], or remove this'
    if shared and "dsn-file" not in section:
        yield ("jackpot", "store"), 'postgres needs the way to the server: add dsn-file = "/etc/feltd/jackpot.dsn"'
    if shared and not options.get("jackpot-group") and options.get("jackpot", "none") != "none":
        yield ("jackpot", "store"), "tables share a meter by the name of their group: add jackpot-group to [options]"
    if not shared and "dsn-file" in section:
        yield ("jackpot", "dsn-file"), 'only postgres has one: write store = "postgres", or remove it'


def check_ceiling(ceiling: object, meant: Sound) -> Iterator[Finding]:
    """Yields a ceiling under which a new meter could not even hold its seed."""
    terms = meant.options.terms
    try:
        amount = cents(exact_text(ceiling))
    except (ValueError, MoneyError):
        return  # there is none, or it is reported where the shape of an amount is checked
    if terms is not None and amount * CENT < terms.seed:
        yield ("jackpot", "ceiling"), f"is below the seed of {dollars(terms.seed // CENT)}: choose more"


def check_api(section: Raw) -> Iterator[Finding]:
    """Yields what is wrong with [api]: two doors at one place."""
    own, door = section.get("socket", str(ApiSection().socket)), section.get("read-socket")
    if isinstance(door, str) and isinstance(own, str) and os.path.normpath(door) == os.path.normpath(own):
        text = "the daemon's own socket has this path: choose another, such as /run/feltd-read/feltd.sock"
        yield ("api", "read-socket"), text


def check_program(section: Raw) -> Iterator[Finding]:
    """Yields what is wrong with [program]: a manifest proves something only with the key of whoever approved it."""
    if "manifest" in section and not section.get("keys"):
        yield ("program", "manifest"), 'nobody\'s signature counts: add keys = ["..."], the public key that signed it'
    if section.get("keys") and "manifest" not in section:
        yield ("program", "keys"), 'there is no manifest to sign: add manifest = "/etc/feltd/program.manifest"'


def check_journal(section: Raw, table: Raw) -> Iterator[Finding]:
    """Yields what is wrong with [journal]: a key beside the cards that it hides, which one copy would have together."""
    state = str(table.get("state", TableSection.model_fields["state"].default))
    for key in ("cards-key", "day-keys"):
        path = section.get(key)
        if isinstance(path, str) and PurePath(os.path.normpath(path)).is_relative_to(os.path.normpath(state)):
            yield ("journal", key), f"is in the state directory {state}: keep it where no copy of the journal has it"
    archive = section.get("archive")
    if isinstance(archive, str) and PurePath(os.path.normpath(archive)).is_relative_to(os.path.normpath(state)):
        yield ("journal", "archive"), f"is in the state directory {state}: what leaves the journal needs another place"


def check_floor(raw: Raw) -> Iterator[Finding]:
    """Yields what is wrong with [floor]: this table in it, or two tables behind one door."""
    section = raw.get("floor")
    tables = section.get("tables") if isinstance(section, Mapping) else None
    if not isinstance(tables, Mapping):
        return
    own = raw.get("table")
    name = own.get("name") if isinstance(own, Mapping) else None
    taken: dict[str, str] = {}
    for table, address in tables.items():
        if table == name:
            yield ("floor", "tables", table), "this table is always on its own floor: remove it"
        door = str(address).rstrip("/")
        if door in taken:
            yield ("floor", "tables", table), f'"{taken[door]}" is already at this address: give each table its own'
        taken.setdefault(door, table)


def check_witness(raw: Raw) -> Iterator[Finding]:
    """Yields what is wrong with [witness]: a table that witnesses itself, or one that nobody could ask."""
    section, own, pages = raw.get("witness"), raw.get("table"), raw.get("web")
    if not isinstance(section, Mapping):
        return
    neighbours, name = section.get("neighbours"), own.get("name") if isinstance(own, Mapping) else None
    if isinstance(neighbours, Mapping) and name in neighbours:
        yield ("witness", "neighbours", str(name)), "a table is no witness of itself: remove it"
    if section.get("journals") and not (isinstance(pages, Mapping) and pages.get("listen")):
        yield ("witness", "journals"), "others ask on the pages' port: write `[web] listen` too"
    state = str(own.get("state", TableSection.model_fields["state"].default)) if isinstance(own, Mapping) else "/"
    path = section.get("key")
    if isinstance(path, str) and PurePath(os.path.normpath(path)).is_relative_to(os.path.normpath(state)):
        yield ("witness", "key"), f"is in the state directory {state}: keep it elsewhere"


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


def check_devices(devices: Raw, game: str) -> Iterator[Finding]:
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
        for group, points in section.items() if isinstance(section, Mapping) else ():
            for key, point in points.items() if isinstance(points, Mapping) else ():
                pin = point.get("pin") if isinstance(point, Mapping) else point
                if isinstance(pin, int) and taken.setdefault(pin, name) != name:
                    text = f'pin {pin} belongs to "{taken[pin]}" already: connect one thing to it'
                    yield ("device", name, GPIO, group, key), text


def _areas(devices: Raw) -> Iterator[Finding]:
    taken: dict[tuple[str, int], str] = {}
    for name, device in devices.items():
        family, area = family_of(device), device.get("area")
        if family is None:
            continue
        if family.stands == "area" and area is None:
            _, place = family_and_place(name)
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
    families = {name: family_of(device) for name, device in devices.items()}
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


def _card_readers(devices: Raw, game: str) -> Iterator[Finding]:
    """Yields devices that read cards where this game has none.

    Cards are read on their way out of a shoe or a machine; where the deck stays in the dealer's hand, they are read
    where they lie.
    """
    if game not in INSTALLED:
        return
    rules = INSTALLED[game]
    laid, rule = laid_on_readers(rules), rules.document.citations.by_hand
    cited = f" (rule {rule})" if rule else ""
    for name, device in devices.items():
        family = family_of(device)
        if family is None:
            continue
        if laid and family.reads == "drawn":
            text = f"cards are dealt from the hand at {game}, never from a {family.name}{cited}: remove it"
            yield ("device", name), text
        elif not laid and family.reads == "laid":
            yield ("device", name), f"{family.title}s of the layout are for cards dealt from the hand: remove it"


def _protocols(devices: Raw) -> Iterator[Finding]:
    """Yields devices that cannot speak their protocol: not this family, or not over this wire."""
    for name, device in devices.items():
        scheme, protocol = scheme_of(device), protocol_of(device)
        vendor = vendor_of(protocol)
        for section in [key for key in device if key in VENDORS.names() and key != protocol]:
            yield ("device", name, section), _of_another(section, device)
        yield from ((("device", name, "sealed"), text) for text in _unsealed(device, protocol))
        if vendor is not None:
            yield from ((("device", name, *key), text) for key, text in _unspoken(name, device, scheme, vendor))
        elif scheme == GPIO:
            yield ("device", name, "protocol"), "pins speak no protocol: remove it"


def _of_another(section: str, device: Raw) -> str:
    """Returns what to do about settings of a protocol that this device does not speak."""
    other, family = vendor_of(section), family_of(device)
    speaks = other is not None and (family is None or family.name in other.families)
    if other is not None and speaks and scheme_of(device) in other.schemes:
        return f'settings of another protocol: add protocol = "{section}", or remove them'
    if other is not None and speaks:
        wires = " or ".join(f"{known}://" for known in other.schemes)
        return f"settings of {section}, which is spoken over {wires}: correct the address, or remove them"
    return f"settings of {section}, which this device does not speak: remove them"


def _unsealed(device: Raw, protocol: object) -> Iterator[str]:
    """Yields why a device cannot be sealed."""
    if device.get("sealed") is not True:
        return
    if protocol != NATIVE:
        yield f"{protocol} cannot be encrypted: only the native protocol can"
    elif "serial" not in device:
        yield 'the key belongs to a serial number: add serial = "..."'


def _unspoken(name: str, device: Raw, scheme: str, vendor: Vendor) -> Iterator[Finding]:
    """Yields why this device cannot speak a vendor's protocol."""
    family = family_of(device)
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
