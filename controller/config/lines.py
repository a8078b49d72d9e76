"""The line on which each key of a TOML text stands, so that every message about it can say so."""

from __future__ import annotations

import re
from typing import TypeAlias

import tomlkit
from tomlkit.container import Container
from tomlkit.items import AoT, InlineTable, Item, Table

KeyPath: TypeAlias = tuple[str, ...]
Finding: TypeAlias = tuple[KeyPath, str]  # where something is wrong, and what to write instead
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def dotted(path: KeyPath) -> str:
    """Returns a path as TOML writes it.

    >>> dotted(("device", "sensor.1", "area"))
    'device."sensor.1".area'
    """
    return ".".join(part if _BARE_KEY.fullmatch(part) else f'"{part}"' for part in path)


def line_numbers(text: str) -> dict[KeyPath, int]:
    """Returns the line of every key and table, by its path; a table without a header stands where its first key does.

    >>> line_numbers('[table]\\nname = "T1"\\n')
    {('table',): 1, ('table', 'name'): 2}
    """
    lines: dict[KeyPath, int] = {}
    _walk(tomlkit.parse(text), (), 1, lines)
    return lines


def _walk(container: Container, above: KeyPath, line: int, lines: dict[KeyPath, int]) -> int:
    """Notes the keys of a container that starts at `line`; tomlkit keeps every character, so newlines add up."""
    for key, item in container.body:
        if key is None:  # blank lines and comments
            line += item.as_string().count("\n")
            continue
        path = (*above, key.key)
        if isinstance(item, Table):
            line = _table(item, path, line, lines)
        elif isinstance(item, AoT):
            for table in item.body:
                line = _table(table, path, line, lines)
        else:
            line += item.trivia.indent.count("\n")
            lines.setdefault(path, line)
            _inside(item, path, line, lines)
            line += (item.as_string() + item.trivia.trail).count("\n")
    return line


def _table(table: Table, path: KeyPath, line: int, lines: dict[KeyPath, int]) -> int:
    if not table.is_super_table():  # it has a header of its own; a dotted key or a part of a longer header has none
        line += table.trivia.indent.count("\n")
        lines.setdefault(path, line)
        line += table.trivia.trail.count("\n")
    end = _walk(table.value, path, line, lines)
    first = next((lines[(*path, key.key)] for key, _ in table.value.body if key is not None), line)
    lines.setdefault(path, first)
    return end


def _inside(item: Item, path: KeyPath, line: int, lines: dict[KeyPath, int]) -> None:
    """Notes the keys of a table that stands on one line: { a = 1, b = 2 }."""
    if isinstance(item, InlineTable):
        for key, inner in item.value.body:
            if key is not None:
                lines.setdefault((*path, key.key), line)
                _inside(inner, (*path, key.key), line, lines)
