"""felt table: what is done once in the life of a table."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.cli.client import explained, with_json
from controller.cli.reach import DEFAULT_CONFIG
from controller.errors import FeltError

if TYPE_CHECKING:
    from controller.config import TableConfig

_KEPT = "  {key}: the key of its cards; keep a copy where no copy of the journal is"


@click.group(name="table")
def command() -> None:
    """Make a table ready for its first start."""


@command.command()
@click.argument("file", type=click.Path(path_type=Path), default=DEFAULT_CONFIG)
@with_json
@explained
def init(file: Path, as_json: bool) -> None:
    """Make the journal of the table in FILE; it never touches one that is there.

    The daemon makes none by itself: a journal that is gone must not look like a new table.  Keep the line that is
    printed elsewhere: with it anybody can prove later that the journal began here.
    """
    from controller.daemon.check import checked
    from controller.daemon.compose import JOURNAL
    from controller.journal import Journal
    from controller.journal.errors import EXISTS, JournalError
    from controller.journal.verify import export_anchor

    config = checked(file)
    table = config.table
    path = table.state / JOURNAL
    if path.exists():
        raise JournalError(EXISTS, f"{path} is there already")
    made = _made_key(config)
    journal = Journal.open(path, table=table.name)
    try:
        anchor = export_anchor(journal).to_text()
    finally:
        journal.close()
    _give(path, path.parent)
    if as_json:
        print(json.dumps({"table": table.name, "journal": str(path), "anchor": anchor}))
        return
    print(f"{path}: the journal of table {table.name}")
    print(f"  anchor: {anchor}")
    if made is not None:
        print(_KEPT.format(key=made))


@command.command()
@click.argument("file", type=click.Path(path_type=Path), default=DEFAULT_CONFIG)
@with_json
@explained
def key(file: Path, as_json: bool) -> None:
    """Make the key of the cards of the table in FILE, for one that has played without; it never touches one.

    From the next start on its cards are stored hidden.  `felt table init` makes the key of a new table.
    """
    from controller.daemon.check import checked

    made = _made_key(checked(file))
    if as_json:
        print(json.dumps({"cards_key": None if made is None else str(made)}))
    else:
        print("the table has its key already" if made is None else _KEPT.format(key=made))


def _made_key(config: TableConfig) -> Path | None:
    """Makes the key of the cards where table.toml wants one and there is none; returns where it is, if it was made.

    Raises FeltError for a table with real devices that wants none.
    """
    from controller.config import cards_key
    from controller.config.wiring import is_for_trying_out

    path = cards_key.place_of(config.journal.cards_key)
    if path is None:
        if is_for_trying_out(config):
            return None  # no card of a simulated table is a secret
        raise FeltError("cards.unconfigured", "[journal] cards-key is not set")
    if path.exists():
        return None
    config.table.state.mkdir(parents=True, exist_ok=True)  # whose owner the daemon is
    cards_key.make(path)
    _give(path, config.table.state)
    return path


def _give(path: Path, like: Path) -> None:
    """Gives a file to the owner of its folder: root makes it, and the daemon's account writes it."""
    owner = like.stat()
    if os.geteuid() == 0 and (owner.st_uid, owner.st_gid) != (0, 0):
        os.chown(path, owner.st_uid, owner.st_gid)
