"""The reader of table.toml: a whole configuration, or every mistake in it at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, get_args

from pydantic import BaseModel, ValidationError
from tomlkit.exceptions import TOMLKitError

from controller.config import checks
from controller.config.errors import (
    INVALID,
    MISSING,
    SYNTAX,
    TOO_LARGE,
    ConfigError,
    GameUnknown,
    Problem,
    did_you_mean,
)
from controller.config.fit import check_fit
from controller.config.lines import Finding, KeyPath, dotted, line_numbers
from controller.config.model import (
    Device,
    TableConfig,
)
from controller.config.options import Sound, sound
from drivers.vendors.register import VENDORS

Also: TypeAlias = Callable[[Sound, Mapping[str, Device]], Iterable[Finding]]
LARGEST = 1 << 20  # bytes of a file
PEOPLE = "people.toml"  # where people stand who can sign in, beside table.toml
_BYTE_ORDER_MARK = "\ufeff"
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_PLAIN = {
    "string_type": "must be text in quotes",
    "int_type": "must be a whole number without quotes",
    "bool_type": "must be true or false, without quotes",
    "list_type": 'must be a list: write ["..."]',
    "greater_than_equal": "must be {ge} or more",
    "too_long": "has too many: at most {max_length}",
    "string_too_short": "must not be empty: write it, or remove the key",
    "string_too_long": "is too long: at most {max_length} characters",
    "value_error": "{error}",
}


def load_config(path: Path, also: Also = lambda _table, _devices: ()) -> TableConfig:
    """Returns the configuration in this file.  Raises ConfigError, and nothing else.

    `also` looks for more that is wrong with the devices, where only a layer above can tell.
    """
    raw, lines, _ = read_toml(path)
    people = raw.get("people", {})
    if isinstance(people, dict):
        raw["people"] = {"file": str(path.absolute().parent / PEOPLE), **people}
    config, findings = _check(raw, also)
    problems = [_problem(finding, lines) for finding in findings]
    if config is not None and _game_alone(findings):
        raise GameUnknown(str(path), problems, config)
    if config is None or problems:
        raise ConfigError(INVALID, str(path), problems)
    return config


def read_toml(path: Path, begin: str = "start from examples/tables") -> tuple[dict[str, Any], dict[KeyPath, int], str]:
    """Returns what a TOML file has, the line of each key, and its text.  Raises ConfigError, and nothing else.

    `begin` is what somebody may do who has no such file.
    """
    return parsed_toml(_read(path, begin), path)


def parsed_toml(text: str, path: Path) -> tuple[dict[str, Any], dict[KeyPath, int], str]:
    """Returns what TOML has, the line of each key, and the text; raises ConfigError, as for a file with this path."""
    try:
        return tomllib.loads(text), line_numbers(text), text
    except (ValueError, RecursionError, TOMLKitError) as error:  # tomllib: also numbers too long, nesting too deep
        raise ConfigError(SYNTAX, str(path), [_syntax_problem(str(error))]) from error


def _game_alone(findings: Iterable[Finding]) -> bool:
    """Tells whether nothing is wrong but the game; then nobody knows its options."""
    where = {path for path, _ in findings}
    return checks.GAME in where and all(path == checks.GAME or path[0] == "options" for path in where)


def _read(path: Path, begin: str) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            why = f"has more than {LARGEST} bytes: no such file needs so many; check the path"
            raise ConfigError(TOO_LARGE, str(path), [Problem(0, "", why)])
        text = data.decode()
    except OSError as error:
        why = f"cannot be read: {error.strerror or error}; check the path, or {begin}"
        raise ConfigError(MISSING, str(path), [Problem(0, "", why)]) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            SYNTAX, str(path), [Problem(line, "", "is not UTF-8 text: save the file as UTF-8")]
        ) from error

    if text.startswith(_BYTE_ORDER_MARK):
        why = "begins with a byte order mark (BOM): save the file as UTF-8 without one"
        raise ConfigError(SYNTAX, str(path), [Problem(1, "", why)])
    return text


def _syntax_problem(message: str) -> Problem:
    at = _AT_LINE.search(message)
    what = _AT_LINE.sub("", message)
    return Problem(int(at[1]) if at else 0, "", f"not TOML: {what[:1].lower()}{what[1:]}")


def _check(raw: dict[str, Any], also: Also) -> tuple[TableConfig | None, list[Finding]]:
    findings = list(_split_names(raw.get("device")))
    misread = {path[:2] for path, _ in findings}
    devices = {name: device for name, device in _section(raw, "device").items() if ("device", name) not in misread}
    game = _section(raw, "table").get("game")
    meant = checks.meant_game(game)
    options = checks.shaped(meant, _section(raw, "options"))
    findings += checks.check_game(game)
    findings += checks.check_options(meant, options)
    findings += checks.check_jackpot(_section(raw, "jackpot"), _section(raw, "options"))
    findings += checks.check_simulation(_section(raw, "simulation"), _section(raw, "device"))
    findings += checks.check_program(_section(raw, "program"))
    findings += checks.check_api(_section(raw, "api"))
    findings += checks.check_floor(raw)
    findings += checks.check_witness(raw)
    findings += checks.check_journal(_section(raw, "journal"), _section(raw, "table"))
    if not misread:  # with a misread name, what seems to be missing may be there
        findings += checks.check_devices(devices, meant if meant == game else "")
    expected = {path for path, _ in findings if path[0] == "options"}  # with what the game expects of them
    config, misshapen = _shaped({**raw, "device": devices} if isinstance(raw.get("device"), Mapping) else raw)
    findings += [finding for finding in misshapen if finding[0] not in expected]
    if meant and meant == game:
        readable = sound(meant, options.text, options.wrong)
        findings += checks.check_ceiling(_section(raw, "jackpot").get("ceiling"), readable)
        findings += [] if misread else check_fit(readable, devices, _doubtful(findings))
        findings += also(readable, config.devices if config is not None else _sound_devices(devices))
    return config, findings


def _shaped(raw: Mapping[str, Any]) -> tuple[TableConfig | None, list[Finding]]:
    """Returns the configuration, or None with what is wrong with its sections, keys and single values."""
    try:
        return TableConfig.model_validate(raw), []
    except ValidationError as error:
        return None, list(_explain(error))


def _sound_devices(raw: Mapping[str, Any]) -> dict[str, Device]:
    """Returns the devices with which, taken alone, nothing is wrong."""
    devices = {}
    for name, device in raw.items():
        with suppress(ValidationError):
            devices[name] = Device.model_validate(device)
    return devices


def _doubtful(findings: Iterable[Finding]) -> set[str]:
    """Returns the devices of which something is wrong by which the table would know them."""
    device = (path for path, _ in findings if path[0] == "device")
    return {path[1] for path in device if path[2:] in ((), ("family",), ("area",)) and len(path) > 1}


def _section(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = raw.get(name, {})
    return section if isinstance(section, Mapping) else {}


def _split_names(devices: object) -> Iterator[Finding]:
    """Yields names with a dot and without quotes.

    [device.sensor.1] means a table "1" in a table "sensor": the likeliest slip of all gets a sentence of its own.
    """
    for name, device in devices.items() if isinstance(devices, Mapping) else ():
        if isinstance(device, Mapping) and device and all(isinstance(inner, Mapping) for inner in device.values()):
            for inner in device:
                yield ("device", name, inner), f'a name with a dot needs quotes: write [device."{name}.{inner}"]'


def _explain(errors: ValidationError) -> Iterator[Finding]:
    for error in errors.errors(include_url=False):
        path = tuple(str(part) for part in error["loc"] if part != "[key]")
        yield path, _sentence(path, error["type"], error.get("input"), error.get("ctx", {})) or error["msg"].lower()


def _sentence(path: KeyPath, kind: str, value: object, context: Mapping[str, Any]) -> str:
    if kind == "missing":
        return f"is missing: add {_example(path)}"
    if kind == "extra_forbidden":
        return f"unknown key: {did_you_mean(path[-1], _keys_beside(path))}"
    if kind == "literal_error":
        known = re.findall(r"'([^']*)'", context["expected"])
        what = "family" if path[0] == "family" else path[-1]
        return f'unknown {what} "{value}": {did_you_mean(str(value), known)}'
    if kind in ("model_type", "dict_type"):
        return f"must be a table: write [{dotted(path)}]"
    if kind == "string_pattern_mismatch":
        letters = "lower-case letters" if path[0] == "device" else "letters"
        return f'"{value}" is no name: use {letters}, digits and hyphens, a letter first'
    return _PLAIN[kind].format_map(context) if kind in _PLAIN else ""


def _example(path: KeyPath) -> str:
    examples = {
        "name": '"T1"',
        "game": '"casino-war"',
        "family": '"shoe"',
        "address": '"serial:///dev/serial/by-id/..."',
    }
    return f"{path[-1]} = {examples[path[-1]]}" if path[-1] in examples else f"[{dotted(path)}]"


def _keys_beside(path: KeyPath) -> Iterable[str]:
    """Returns the keys that could stand where this one stands."""
    model = _section_at(path[0]) if len(path) > 1 else TableConfig
    fields = {field.alias or name: field for name, field in model.model_fields.items()}
    return (*fields, *VENDORS.names()) if model is Device else fields


def _section_at(name: str) -> type[BaseModel]:
    """Returns what a section of the file consists of, or each of the sections of that name."""
    fields = {field.alias or name: field for name, field in TableConfig.model_fields.items()}
    kinds = (fields[name].annotation, *get_args(fields[name].annotation))
    return next(kind for kind in reversed(kinds) if isinstance(kind, type) and issubclass(kind, BaseModel))


def _problem(finding: Finding, lines: Mapping[KeyPath, int]) -> Problem:
    """Returns a finding at the line of its key, or of the nearest table around it."""
    path, message = finding
    around = (path[:length] for length in range(len(path), 0, -1))
    return Problem(next((lines[at] for at in around if at in lines), 1), dotted(path), message)
