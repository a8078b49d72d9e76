"""The whole configuration that is in force: what the file says, what it leaves to defaults, and which is which."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pydantic import BaseModel

from controller.config.begin import offers_jackpot, options_of
from controller.config.lines import KeyPath, dotted, line_numbers
from controller.config.model import TableConfig
from controller.table.options import fields, texts
from firmware_bridge.address import Address

Plain: TypeAlias = Any  # what TOML and JSON can write; None: nothing is set
_OWN_SHAPE = ("table", "options", "devices", "families")  # parts of the file that are walked in their own way


class ShownValue(NamedTuple):
    """One value: its key, what it is, and the line that says so; None: a default."""

    path: KeyPath
    value: Plain
    line: int | None

    @property
    def source(self) -> str:
        """Where the value comes from, in words."""
        return "default" if self.line is None else f"line {self.line}"


def in_force(config: TableConfig, path: Path) -> list[ShownValue]:
    """Returns every value of a checked configuration, section by section; `path` is the file that it was read from."""
    lines = line_numbers(path.read_text(encoding="utf-8"))
    return [ShownValue(key, value, lines.get(key)) for key, value in _values(config)]


def digest(config: TableConfig) -> str:
    """Returns the SHA-256 of everything that is in force, in whatever order and words the file says it."""
    values = sorted((dotted(path), value) for path, value in _values(config) if value is not None)
    return sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def _values(config: TableConfig) -> Iterator[tuple[KeyPath, Plain]]:
    yield from _section(("table",), config.table)
    options = options_of(config)
    text = texts(options)
    for name in fields(type(options)):
        yield ("options", name), text.get(name)
    for name, device in config.devices.items():
        yield from _section(("device", name), device)
        if dataclasses.is_dataclass(device.settings):
            settings = _plain(device.settings)
            yield from ((("device", name, device.protocol, key), value) for key, value in settings.items())
    for name, family in config.families.items():
        yield from _section(("family", name), family)
    unused = (*(() if offers_jackpot(config) else ("jackpot",)), *(() if config.floor else ("floor",)))
    for name in type(config).model_fields:
        if name not in (*_OWN_SHAPE, *unused):
            yield from _section((name,), getattr(config, name))


def _section(path: KeyPath, section: BaseModel) -> Iterator[tuple[KeyPath, Plain]]:
    for name, field in type(section).model_fields.items():
        yield (*path, field.alias or name), _plain(getattr(section, name))


def _plain(value: object) -> Plain:
    """Returns a value as TOML would write it."""
    if isinstance(value, Path | Address):
        return str(value)
    if dataclasses.is_dataclass(value):
        pairs = ((each.name.replace("_", "-"), getattr(value, each.name)) for each in dataclasses.fields(value))
        return {name: _plain(each) for name, each in pairs if each is not None}
    if isinstance(value, BaseModel):
        return {path[-1]: each for path, each in _section((), value) if each is not None}
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if value == "" else value


# ---- as a file


def written(values: list[ShownValue]) -> Iterator[str]:
    """Yields the lines of a file that says all of it; what is not set stands there as a comment."""
    section: KeyPath = ()
    for value in values:
        if value.path[:-1] != section:
            section = value.path[:-1]
            yield from ("", f"[{dotted(section)}]")
        key = dotted(value.path[-1:])
        text = f"# {key} is not set" if value.value is None else f"{key} = {_toml(value.value)}"
        yield text if value.value is None else f"{text:<44} # {value.source}"


def _toml(value: Plain) -> str:
    """Returns a value as TOML writes it.

    >>> _toml({"bets": 17, "decide:1": {"pin": 22, "active": "low"}})
    '{ bets = 17, "decide:1" = { pin = 22, active = "low" } }'
    """
    if isinstance(value, dict):
        pairs = ", ".join(f"{dotted((name,))} = {_toml(each)}" for name, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
