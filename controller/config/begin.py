"""From a configuration file to a table that can begin: its game's word on the options, and whether the devices fit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from controller.config.errors import INVALID, ConfigError, Problem, did_you_mean
from controller.config.lines import line_numbers
from controller.config.load import load
from controller.config.model import Device, TableConfig
from controller.games import defaults, find
from controller.jackpot.rules import CENT
from controller.money import cents, dollars
from controller.table.declare import no_key
from controller.table.facts import Started
from controller.table.keys import find_key, keys_of
from controller.table.options import Options, demanded, fields
from controller.table.rules import Rules
from drivers.families import FAMILIES
from drivers.lamps import lamp_channels
from drivers.vendors.register import DOOR, Connections

# ---- the configuration


def load_config(path: Path) -> TableConfig:
    """Reads and checks a configuration: the file's shape, the game's rules, whether the devices fit.

    Raises ConfigError.
    """
    config = load(path)
    if why := _low_ceiling(config):
        lines = line_numbers(path.read_text())
        raise ConfigError(INVALID, str(path), [Problem(lines[("jackpot", "ceiling")], "jackpot.ceiling", why)])
    if findings := list(_misfits(config)):
        lines = line_numbers(path.read_text())
        problems = [Problem(lines.get(("device", name), 1), f'device."{name}"', text) for name, text in findings]
        raise ConfigError(INVALID, str(path), problems)
    return config


def _low_ceiling(config: TableConfig) -> str:
    """Returns why a new meter could not even hold its seed; "" when it can."""
    terms = options_of(config).terms
    if config.jackpot.ceiling is None or terms is None or cents(config.jackpot.ceiling) * CENT >= terms.seed:
        return ""
    return f"is below the seed of {dollars(terms.seed // CENT)}: choose more"


def _misfits(config: TableConfig) -> Iterator[tuple[str, str]]:
    """Yields devices that this game could not use, with the reason: the table knows them by what they are."""
    options = options_of(config)
    for name, device in config.devices.items():
        family = FAMILIES.find(device.family).about
        wanted, place = family.name_at_table(device.area), name.partition(".")[2]
        if family.stands == "area-or-board" and device.area is None and place.isdigit():
            yield name, f"the {family.title} of a seat needs its number: add area = {place}"
        elif wanted not in (None, name):
            yield name, f'the table knows this device as "{wanted}": write [device."{wanted}"]'
        if device.area is not None and device.area > options.seats:
            yield name, f"area {device.area} is not on this table: it has {options.seats} seats"
        yield from ((name, why) for why in _misconnected(device, options.seats, config.table.game))
    yield from _unread(config, options)


def _unread(config: TableConfig, options: Options) -> Iterator[tuple[str, str]]:
    """Yields places from which, or on which, no device reads the cards."""
    first = next(iter(config.devices))
    if "shoe" in fields(type(options)):
        reader = "shuffler" if options.shoe in ("csm", "shuffler") else "shoe"
        if all(device.family != reader for device in config.devices.values()):
            yield first, f'shoe = "{options.shoe}" needs a {reader}: add [device.{reader}]'
        return
    if "reader.board" not in config.devices:
        yield first, 'nothing reads the cards at the board: add [device."reader.board"] with family = "reader"'
    seats = range(1, options.seats + 1)
    if missing := [seat for seat in seats if f"reader.{seat}" not in config.devices]:
        wanted = f'[device."reader.{missing[0]}"] with family = "reader" and area = {missing[0]}'
        more = f", and so on; or say with seats = {missing[0] - 1} that the table has no more"
        all_of_them = ", ".join(map(str, missing))
        yield first, f"nothing reads the cards at {all_of_them}: add {wanted}{more if len(missing) > 1 else ''}"


def _misconnected(device: Device, seats: int, game: str) -> Iterator[str]:
    """Yields lamps and keys of an input/output module that the table does not have."""
    if not isinstance(device.settings, Connections):
        return
    lamps, outputs = lamp_channels(seats), set(device.settings.outputs)
    keys = device.settings.inputs.keys() - {DOOR}
    if device.family == "console":  # its lamps are in its keys
        keys, outputs = keys | outputs, set()
    for lamp in sorted(outputs - lamps.keys()):
        yield f'there is no lamp "{lamp}": {did_you_mean(lamp, lamps)}'
    for name in sorted(keys):
        if why := _unpressable(find(game), *name.split()):
            yield why


def _unpressable(game: Rules, name: str = "", *args: str) -> str:
    """Returns why nobody could press a key so at a table with this game; "" when one can."""
    key = find_key(game, name)
    if key is None:
        return f"{no_key(name)}: {did_you_mean(name, [each.name for each in keys_of(game)])}"
    return key.misfit(args)


# ---- what the table begins with


def options_of(config: TableConfig) -> Options:
    """Returns the options of the table; raises Unwritable for a configuration that was not checked."""
    return demanded(find(config.table.game).options(), config.options)


def begin(config: TableConfig) -> Started:
    """Returns the first fact of a table with this configuration."""
    return Started(config.table.game, {**defaults(config.table.game), **config.options}, meter=_keeper(config))


def _keeper(config: TableConfig) -> str:
    """Returns who keeps the prize meter.

    With other tables, or a ceiling, the store alone knows what a prize comes to.
    """
    if not offers_jackpot(config):
        return ""
    return "shared" if config.jackpot.store == "postgres" or config.jackpot.ceiling is not None else "own"


def offers_jackpot(config: TableConfig) -> bool:
    """Tells whether there is a prize meter."""
    return options_of(config).jackpot is not None
