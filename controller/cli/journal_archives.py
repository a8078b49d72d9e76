"""felt journal archive, archives: what brings old records into sealed files, and which files there are."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from controller.cli.client import Client, dumped, explained, with_json, with_socket
from controller.cli.reach import DEFAULT_CONFIG, named_table
from controller.counts import many
from controller.errors import Coded, FeltError

if TYPE_CHECKING:
    from controller.api.archive import ArchivesShown
    from controller.journal.shelf import Shelf


@click.command()
@with_socket
@with_json
@explained
def archive(path: str, as_json: bool) -> None:
    """Seal the records that may leave the journal now in a file of `[journal] archive`, as a technician.

    The daemon does it by itself too, when there are enough.  The file is read back and checked before a record of the
    chain names it; the records leave between rounds.
    """
    from controller.api.archive import ARCHIVE

    done = Client(path, timeout=None).post(ARCHIVE, {})
    if as_json:
        print(dumped(done))
        return
    print(f"{done['file']}: records {done['first']} to {done['last']}, named by record {done['named']}")
    print(f"  SHA-256 {done['sha256']}")


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@with_socket
@with_json
@explained
def archives(file: Path | None, path: str, as_json: bool) -> None:
    """List the archives of the journal, with the SHA-256 of each, as `sha256sum` computes it.

    Asks the running daemon, or reads FILE of a table that is stopped.
    """
    from controller.api.archive import ARCHIVES

    shown = _of_file(file) if file is not None else Client(path).get(ARCHIVES)
    if as_json:
        print(dumped(shown))
        return
    for each in shown["archives"]:
        print(f"{each['sha256']}  {each['file']}")
    print(f"{many(len(shown['archives']), 'archive')}; the journal begins at record {shown['begins']}")


COMMANDS: Final = (archive, archives)


def shelf_by(folder: Path | None = None) -> Shelf | None:
    """Returns where the archives of a journal are that is read without its daemon: in a folder that is named.

    Without one in that of the table.toml that the command names beside --journal, or of this computer, if it has one
    that can be read.
    """
    from controller.daemon.check import checked
    from controller.journal.shelf import Shelf

    try:
        folder = folder or checked(named_table() or DEFAULT_CONFIG).journal.archive
    except (Coded, OSError):
        return None
    return None if folder is None else Shelf(folder)


def _of_file(file: Path) -> ArchivesShown:
    from controller.api.archive import archive_shown
    from controller.journal import Journal, JournalError

    try:
        with closing(Journal.inspect(file)) as journal:
            shown = [archive_shown(each) for each in journal.archives]
            return {"begins": journal.base.seq + 1, "archives": shown}
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
