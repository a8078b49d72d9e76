"""From a configuration file to a table that can begin: its game's word on the options, and the way to each device."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from controller.config import ConfigError, Device, Problem, TableConfig, load
from controller.config.errors import INVALID, did_you_mean
from controller.config.lines import line_numbers
from controller.daemon.keys import KeyFile
from controller.daemon.service import DeviceSpec
from controller.errors import FeltError
from controller.games.catalogue import GAMES, defaults, find
from controller.money import MoneyError, cents
from controller.table.facts import Started
from controller.table.keyforms import misfit
from drivers.lamps import lamp_channels
from drivers.vendors.catalogue import way
from drivers.vendors.cia401 import DOOR
from firmware_bridge.address import Address, AddressError, open_transport
from firmware_bridge.transport import Transport

Schemes: TypeAlias = Mapping[str, Callable[[Address], Transport]]
NO_SCHEMES: Schemes = MappingProxyType({})
SIMULATED = "sim"

_NUMBERS = ("seats", "decks", "players-per-area")
_AMOUNTS = ("min", "max", "chip", "max-payout")
_WORDS = {
    "shoe": ("hand", "shuffler", "csm", "batch"),
    "gates": ("auto", "manual"),
    "announce": ("last-card", "key"),
    "burn": ("on", "off"),
    "tray": ("on", "off"),
    "method": ("A", "B"),
    "ante-bonus": ("A", "B", "C"),
    "pair-plus": ("A", "B", "C", "D", "E", "F"),
}


# ---- the configuration


def load_config(path: Path) -> TableConfig:
    """The whole check: the file's shape, the game's rules, whether the devices fit.  Raises ConfigError."""
    config = load(path, check_options)
    if findings := list(_misfits(config)):
        lines = line_numbers(path.read_text())
        problems = [Problem(lines.get(("device", name), 1), f'device."{name}"', text) for name, text in findings]
        raise ConfigError(INVALID, str(path), problems)
    return config


def check_options(game: str, options: dict[str, str]) -> list[str]:
    """What the rules of the game have against these options, each sentence with its option and its rule.

    >>> check_options("casino-war", {"decks": "3"})
    ['decks: four to eight decks are used (rule 3.1)']
    """
    if game not in GAMES:
        return [f"{game} is not built yet: choose one of {', '.join(sorted(GAMES))}"]
    unread = [f"{name}: {why}" for name, value in options.items() if (why := _unreadable(name, value))]
    if unread:
        return unread
    rules, usual = find(game), defaults(game)
    found = []
    for name, value in options.items():
        if against := rules.forbidden({**usual, name: value}, {}):
            found.append(f"{name}: {_by_rule(*against)}")
    whole = {**usual, **options}
    if not found and (against := rules.forbidden(whole, {})):
        found.append(_by_rule(*against))
    if cents(whole["min"]) > cents(whole["max"]):
        name = "min" if "min" in options else "max"
        found.append(f"{name}: {_by_rule('the minimum is above the maximum', rules.book['limits'])}")
    return found


def _by_rule(text: str, rule: str) -> str:
    return f"{text} (rule {rule})"


def _unreadable(name: str, value: str) -> str:
    if name in _NUMBERS and not (value.isascii() and value.isdigit() and int(value) > 0):
        return f'"{value}" must be a whole number, 1 or more'
    if name in _AMOUNTS:
        try:
            return "" if cents(value) > 0 else "must be more than nothing"
        except MoneyError:
            return f'"{value}" must be an amount of dollars, such as "10" or "2.50"'
    if name in _WORDS and value not in _WORDS[name]:
        return f'"{value}" must be one of {", ".join(_WORDS[name])}'
    return ""


def _misfits(config: TableConfig) -> Iterator[tuple[str, str]]:
    """Devices that this game could not use: the table knows them by what they are."""
    options = _options(config)
    for name, device in config.devices.items():
        wanted = {"bet-sensor": f"sensor.{device.area}", "shoe": "shoe", "shuffler": "shuffler"}.get(device.family)
        if wanted not in (None, name):
            yield name, f'the table knows this device as "{wanted}": write [device."{wanted}"]'
        if device.area is not None and device.area > int(options["seats"]):
            yield name, f"area {device.area} is not on this table: it has {options['seats']} seats"
        yield from ((name, why) for why in _misconnected(device, int(options["seats"])))
    reader = "shuffler" if options["shoe"] in ("csm", "shuffler") else "shoe"
    if all(device.family != reader for device in config.devices.values()):
        yield next(iter(config.devices)), f'shoe = "{options["shoe"]}" needs a {reader}: add [device.{reader}]'


def _misconnected(device: Device, seats: int) -> Iterator[str]:
    """Lamps and keys of an input/output module that the table does not have."""
    lamps = lamp_channels(seats)
    for lamp in sorted((device.cia401.outputs.keys() | device.gpio.outputs.keys()) - lamps.keys()):
        yield f'there is no lamp "{lamp}": {did_you_mean(lamp, lamps)}'
    for name in sorted((device.cia401.inputs.keys() | device.gpio.inputs.keys()) - {DOOR}):
        key, *args = name.split() or [""]
        if why := misfit(key, tuple(args)):
            yield why


# ---- what the table begins with


def _options(config: TableConfig) -> dict[str, str]:
    return {**defaults(config.table.game), **config.options}


def begin(config: TableConfig) -> Started:
    """The first fact of a table with this configuration."""
    if config.table.game not in GAMES:
        known = ", ".join(sorted(GAMES))
        raise FeltError("game.unknown", f"there is no game {config.table.game!r}", f"Choose one of: {known}.")
    return Started(config.table.game, _options(config))


def devices(config: TableConfig, schemes: Schemes = NO_SCHEMES) -> dict[str, DeviceSpec]:
    """How to reach each device.  FeltError when an address cannot lead anywhere, however often it is tried."""
    specs = {}
    keys = device_keys(config)
    for name, device in config.devices.items():
        least = config.families.get(device.family)
        try:
            specs[name] = replace(
                _spec(device, schemes),
                key=keys.get(device.serial or ""),
                min_firmware=least.min_firmware if least is not None else "",
            )
            specs[name].make_transport()
            if specs[name].key is not None and specs[name].make_link is not None:
                cause = f"a key is kept for {name}, but {device.protocol} cannot be sealed"
                raise FeltError("keys.not-native", cause, "Remove its key from keys.toml.")
        except AddressError as error:
            cause = f"device {name} at {device.address}: {error.cause}"
            raise FeltError(
                error.code, cause, f"Correct its address in table.toml, for example {error.example}."
            ) from None
    return specs


def device_keys(config: TableConfig) -> dict[str, bytes]:
    """The keys of the devices that seal their link, by serial number; FeltError when the file cannot be trusted."""
    return KeyFile(config.table.state).read({device.serial for device in config.devices.values() if device.serial})


def _spec(device: Device, schemes: Schemes) -> DeviceSpec:
    if (settings := device.vendor) is None:
        make = partial(open_transport, device.address, schemes)
        return DeviceSpec(device.family, make, area=device.area or 0, serial=device.serial)
    there = way(device.protocol, settings, device.address, schemes)
    return DeviceSpec(
        device.family,
        there.make_transport,
        serial=device.serial,
        make_link=there.make_link,
        make_driver=there.make_driver,
    )


def needs_simulation(config: TableConfig) -> bool:
    """Does an address lead to a simulated device?"""
    return any(device.address.scheme == SIMULATED for device in config.devices.values())
