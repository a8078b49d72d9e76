"""felt config: look at a table's configuration before the daemon does."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from controller.cli.client import TROUBLE, with_json


@click.group(name="config")
def command() -> None:
    """Check a table's configuration."""


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@with_json
def check(file: Path, as_json: bool) -> None:
    """Tell every mistake in FILE at once.

    Exit status 0: it can be used; 1: it cannot.
    """
    from controller.config import ConfigError
    from controller.daemon.begin import load_config

    try:
        config = load_config(file)
    except ConfigError as error:
        if as_json:
            problems = [{"line": p.line, "key": p.key, "message": p.message} for p in error.problems]
            print(json.dumps({"ok": False, "code": error.code, "problems": problems}))
        else:
            print(error.cause)
        sys.exit(TROUBLE)
    if as_json:
        print(json.dumps({"ok": True, "table": config.table.name, "game": config.table.game}))
    else:
        print(f"{file} can be used: table {config.table.name}, {config.table.game}, {len(config.devices)} devices")
