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
    from controller.config import Problem


@click.group(name="config")
def command() -> None:
    """Check a table's configuration."""


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@with_json
def check(file: Path, as_json: bool) -> None:
    """Tell every mistake in FILE at once, and what may surprise although it can be used.

    Exit status 0: it can be used; 1: it cannot.
    """
    from controller.config import ConfigError
    from controller.config.hints import hints
    from controller.daemon.check import checked

    try:
        config = checked(file)
    except ConfigError as error:
        if as_json:
            print(json.dumps({"ok": False, "code": error.code, "problems": _json(error.problems)}))
        else:
            print(error.cause)
        sys.exit(TROUBLE)
    problems = hints(config, file)
    if as_json:
        print(json.dumps({"ok": True, "table": config.table.name, "game": config.table.game, "hints": _json(problems)}))
        return
    print(f"{file} can be used: table {config.table.name}, {config.table.game}, {len(config.devices)} devices")
    if problems:
        print("\n".join(["but look at this:", *(hint.at(str(file)) for hint in problems)]))


def _json(problems: Iterable[Problem]) -> list[dict[str, object]]:
    return [{"line": p.line, "key": p.key, "message": p.message} for p in problems]
