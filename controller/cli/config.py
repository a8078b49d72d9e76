"""felt config: look at a table's configuration before the daemon does."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.cli.client import TROUBLE, with_json

if TYPE_CHECKING:
    from controller.config import Problem, TableConfig


@click.group(name="config")
def command() -> None:
    """Check or show a table's configuration."""


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@with_json
def check(file: Path, as_json: bool) -> None:
    """Tell every mistake in FILE at once, and what may surprise although it can be used.

    Exit status 0: it can be used; 1: it cannot.
    """
    from controller.config.hints import hints

    config = _usable(file, as_json)
    problems = hints(config, file)
    if as_json:
        print(json.dumps({"ok": True, "table": config.table.name, "game": config.table.game, "hints": _json(problems)}))
        return
    print(f"{file} can be used: table {config.table.name}, {config.table.game}, {len(config.devices)} devices")
    if problems:
        print("\n".join(["but look at this:", *(hint.at(str(file)) for hint in problems)]))


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@with_json
def show(file: Path, as_json: bool) -> None:
    """Print everything that is in force with FILE, defaults too, and where each value comes from.

    What is printed is a configuration that says the same. Exit status 1: FILE cannot be used.
    """
    from controller.config.lines import dotted
    from controller.config.show import in_force, written

    values = in_force(_usable(file, as_json), file)
    if as_json:
        rows = [{"key": dotted(v.path), "value": v.value, "line": v.line} for v in values]
        print(json.dumps({"ok": True, "file": str(file), "values": rows}))
        return
    print("\n".join([f"# {file}, and what it leaves to defaults", *written(values)]))


def _usable(file: Path, as_json: bool) -> TableConfig:
    """Returns the configuration in this file; when it cannot be used, prints every mistake and ends the command."""
    from controller.config import ConfigError
    from controller.daemon.check import checked

    try:
        return checked(file)
    except ConfigError as error:
        if as_json:
            print(json.dumps({"ok": False, "code": error.code, "problems": _json(error.problems)}))
        else:
            print(error.cause)
        sys.exit(TROUBLE)


def _json(problems: Iterable[Problem]) -> list[dict[str, object]]:
    return [{"line": p.line, "key": p.key, "message": p.message} for p in problems]
