"""felt backup: all that a table remembers, in a folder that is checked when it is written; the table may run."""

from __future__ import annotations

import json
from pathlib import Path

import click

from controller.cli.client import explained, with_json
from controller.cli.output import beside
from controller.cli.reach import with_table_file
from controller.counts import many

WARNING = (
    "The keys are in it: whoever has this backup reads every card, and can speak as this table.\n"
    "  -> Keep it under lock, and in another place than the copies without keys."
)


@click.command(name="backup")
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--with-keys", is_flag=True, help="The secret keys too: with them anybody reads every card.")
@with_table_file
@with_json
@explained
def command(target: Path, with_keys: bool, file: Path, as_json: bool) -> None:
    """Copy all that the table remembers into TARGET, a new folder; the table may run meanwhile.

    The journal with its archives, the prize meter, the configuration and the people.  Every record of the copy is
    checked, and every byte is read back, before the folder gets its name.  Keys are left out, and named: a copy of the
    journal belongs to another place than the keys of its cards.

    Keep the anchor and the seal that are printed elsewhere: with them anybody can prove that nothing was changed since.
    """
    from controller.cli.backup_writing import backed_up

    if with_keys:
        beside(WARNING)
    made = backed_up(target, file, keys=with_keys)
    if as_json:
        print(json.dumps({**made._asdict(), "target": str(target)}))
        return
    print(f"{target}: table {made.table}, {many(made.records, 'record')}, {many(len(made.files), 'file')}, all checked")
    print(f"  anchor: {made.anchor}\n  seal: {made.seal}")
    for place in made.left_out:
        print(f"  left out, because it is secret: {place}")
    for note in made.notes:
        print(f"  note: {note}")
