"""felt table: what is done once in the life of a table."""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from controller.cli.client import explained, with_json
from controller.cli.reach import DEFAULT_CONFIG
from controller.errors import FeltError

if TYPE_CHECKING:
    from controller.config import TableConfig

ACCOUNT: Final = "feltd"  # of the service
_KEPT: Final = "  {key}: the key of its cards; keep a copy where no copy of the journal is"


@click.group(name="table")
def command() -> None:
    """Make a table ready for its first start."""


@command.command()
@click.argument("file", type=click.Path(path_type=Path), default=DEFAULT_CONFIG)
@with_json
@explained
def init(file: Path, as_json: bool) -> None:
    """Make the journal of the table in FILE; it never touches one that is there.

    The daemon makes none by itself: a journal that is gone must not look like a new table.  The line that is printed
    is the anchor of an empty journal of this table, the same for each: to prove later that it is this one, keep an
    anchor or a checkpoint from after the first start.
    """
    made = begun(file)
    if as_json:
        print(json.dumps({"table": made.table, "journal": str(made.journal), "anchor": made.anchor}))
    else:
        print("\n".join(made.lines()))


class Begun(NamedTuple):
    """What a table had made for its first start."""

    table: str
    journal: Path
    anchor: str
    key: Path | None  # None: it had one, or needs none

    def lines(self) -> Iterator[str]:
        """Yields the same for people."""
        yield f"{self.journal}: the journal of table {self.table}"
        yield f"  anchor: {self.anchor}"
        if self.key is not None:
            yield _KEPT.format(key=self.key)


def begun(file: Path) -> Begun:
    """Makes the journal of the table in this file, and the key of its cards where it wants one; raises FeltError."""
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
    made_state(table.state, file)
    key = _made_key(config)
    journal = Journal.open(path, table=table.name)
    try:
        anchor = export_anchor(journal).to_text()
    finally:
        journal.close()
    _give(path, path.parent)
    return Begun(table.name, path, anchor, key)


@command.command()
@click.argument("file", type=click.Path(path_type=Path), default=DEFAULT_CONFIG)
@with_json
@explained
def key(file: Path, as_json: bool) -> None:
    """Make the key of the cards of the table in FILE, for one that has played without; it never touches one.

    From the next start on its cards are stored hidden.  `felt table init` makes the key of a new table.
    """
    from controller.daemon.check import checked

    config = checked(file)
    made_state(config.table.state, file)
    made = _made_key(config)
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
    cards_key.make(path)
    _give(path, config.table.state)
    return path


def made_state(state: Path, file: Path) -> None:
    """Makes the state directory, whose owner the daemon is; before the service's first start nobody else has."""
    if state.exists():
        return
    state.mkdir(parents=True)
    if os.geteuid() == 0 and file == DEFAULT_CONFIG:
        with suppress(KeyError):  # no such account: the daemon is root's own
            account = pwd.getpwnam(ACCOUNT)
            os.chown(state, account.pw_uid, account.pw_gid)
            state.chmod(0o750)


def _give(path: Path, like: Path) -> None:
    """Gives a file to the owner of its folder: root makes it, and the daemon's account writes it."""
    owner = like.stat()
    if os.geteuid() == 0 and (owner.st_uid, owner.st_gid) != (0, 0):
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)  # the folder may be another's, who lays links
