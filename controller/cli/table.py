"""felt table: what is done once in the life of a table."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from controller.cli.client import explained, with_json
from controller.cli.reach import DEFAULT_CONFIG


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

    table = checked(file).table
    path = table.state / JOURNAL
    if path.exists():
        raise JournalError(EXISTS, f"{path} is there already")
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


def _give(path: Path, like: Path) -> None:
    """Gives a file to the owner of its folder: root makes it, and the daemon's account writes it."""
    owner = like.stat()
    if os.geteuid() == 0 and (owner.st_uid, owner.st_gid) != (0, 0):
        os.chown(path, owner.st_uid, owner.st_gid)
