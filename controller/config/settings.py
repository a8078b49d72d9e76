"""The reader of a vendor's section of table.toml: field by field, so that every mistake is reported at once.

A dataclass with one field that must be set may also be written as that value alone: `bets = 17` says the same as `bets
= { pin = 17 }`.
"""

from __future__ import annotations

import collections.abc
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from controller.config.errors import did_you_mean
from controller.config.lines import Finding, KeyPath, dotted
from drivers.vendors.register import SettingsError
from firmware_bridge.extensions import THEIRS, failed

T = TypeVar("T")
_WRONG: Final = object()
_WORDS: Final = {int: "a whole number without quotes", str: "text in quotes", bool: "true or false"}
_EXAMPLES: Final = {int: "17", str: '"..."', bool: "true"}


def read_settings(kind: type[T], raw: object, path: KeyPath) -> tuple[T | None, list[Finding]]:
    """Returns the settings that were written, or None with everything that is wrong with them.

    `path` is where the section stands; a ValueError of the dataclass itself is reported there, a SettingsError at its
    keys.
    """
    reader = _Reader()
    settings: Any = None
    try:
        settings = reader.value(kind, raw, path)
    except THEIRS as error:
        theirs = failed(error)
        if theirs is None:
            raise
        reader.findings.append((path, f"{theirs.cause}. {theirs.next_step}"))
    return (None if reader.findings else settings), reader.findings


class _Reader:
    """A reader that collects what is wrong while it reads on."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def value(self, kind: Any, raw: object, path: KeyPath) -> Any:
        """Returns what was written, as this type has it; _WRONG after a mistake."""
        if is_dataclass(kind):
            return self._dataclass(kind, raw, path)
        origin = get_origin(kind)
        if origin is Literal:
            return self._choice(get_args(kind), raw, path)
        if origin in (Union, types.UnionType):
            return self.value(next(each for each in get_args(kind) if each is not types.NoneType), raw, path)
        if origin is collections.abc.Mapping:
            return self._mapping(get_args(kind)[1], raw, path)
        if type(raw) is not kind:
            return self._wrong(path, f"must be {_WORDS[kind]}")
        return raw

    def _wrong(self, path: KeyPath, sentence: str) -> object:
        self.findings.append((path, sentence))
        return _WRONG

    def _choice(self, known: tuple[str, ...], raw: object, path: KeyPath) -> Any:
        if raw in known:
            return raw
        return self._wrong(path, f'unknown {path[-1]} "{raw}": {did_you_mean(str(raw), known)}')

    def _mapping(self, kind: Any, raw: object, path: KeyPath) -> Any:
        if not isinstance(raw, Mapping):
            return self._wrong(path, f"must be a table: write [{dotted(path)}]")
        values = {name: self.value(kind, value, (*path, name)) for name, value in raw.items()}
        return {name: value for name, value in values.items() if value is not _WRONG}

    def _dataclass(self, kind: Any, raw: object, path: KeyPath) -> Any:
        declared = {field.name.replace("_", "-"): field for field in fields(kind)}
        alone = not isinstance(raw, Mapping)
        if not isinstance(raw, Mapping):
            raw = self._alone(kind, declared, raw, path)
            if raw is None:
                return _WRONG
        before = len(self.findings)
        for key in raw:
            if key not in declared:
                self._wrong((*path, key), f"unknown key: {did_you_mean(key, declared)}")
        hints = get_type_hints(kind)
        values: dict[str, Any] = {}
        for key, field in declared.items():
            if key in raw:
                values[field.name] = self.value(hints[field.name], raw[key], (*path, key))
            elif _required(field):
                self._wrong((*path, key), f"is missing: add {key} = {_EXAMPLES.get(hints[field.name], '...')}")
        values = {name: value for name, value in values.items() if value is not _WRONG}
        if any(_required(field) and field.name not in values for field in declared.values()):
            return _WRONG
        made = self._made(kind, values, path, alone, self.findings[before:])
        return _WRONG if len(self.findings) > before else made

    def _made(self, kind: Any, values: Mapping[str, Any], path: KeyPath, alone: bool, wrong: list[Finding]) -> Any:
        """Returns the dataclass of these values; where some could not be read, it still says what else is wrong.

        `alone`: one value was written for all of it.
        """
        try:
            return kind(**values)
        except SettingsError as error:
            for keys, text in error.mistakes:
                at = path if alone else (*path, *keys)
                if not any(_related(at, before) for before, _ in wrong):
                    self._wrong(at, text)
        except ValueError as error:
            if not wrong:  # it does not say of what it speaks, perhaps of what could not be read
                self._wrong(path, str(error))
        return _WRONG

    def _alone(
        self, kind: Any, declared: Mapping[str, Field[Any]], raw: object, path: KeyPath
    ) -> dict[str, Any] | None:
        """Returns the table that a value alone stands for; None when it stands for none."""
        required = [key for key, field in declared.items() if _required(field)]
        if len(required) != 1:
            self._wrong(path, f"must be a table: write [{dotted(path)}]")
            return None
        wanted = get_type_hints(kind)[declared[required[0]].name]
        if type(raw) is not wanted:
            example = f"{{ {required[0]} = {_EXAMPLES[wanted]} }}"
            self._wrong(path, f"must be {_WORDS[wanted]}, or a table such as {example}")
            return None
        return {required[0]: raw}


def _related(first: KeyPath, second: KeyPath) -> bool:
    """Tells whether one of two keys stands within the other."""
    return all(one == other for one, other in zip(first, second, strict=False))


def _required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING
