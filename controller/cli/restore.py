"""felt restore: a backup becomes the memory of a table again; what is there is never overwritten."""

from __future__ import annotations

import json
from pathlib import Path

import click

from controller.cli.client import explained, with_json
from controller.cli.reach import with_table_file
from controller.counts import many


@click.command(name="restore")
@click.argument("backup", type=click.Path(path_type=Path))
@click.option("--seal", help="The seal that `felt backup` printed: the backup must have it.")
@with_table_file
@with_json
@explained
def command(backup: Path, seal: str | None, file: Path, as_json: bool) -> None:
    """Put BACKUP, a folder of `felt backup`, where a table has no journal; its daemon must be stopped.

    Every byte and every record is checked first.  Refuses where there is a journal or a prize meter; configuration,
    people and keys that are there stay as they are, and it is said which of them are others than in the backup.  The
    journal comes last: no table starts with half of a backup, and what was interrupted can be done again.
    """
    from controller.cli.backup_restoring import restored

    done = restored(backup, file, seal)
    if as_json:
        print(json.dumps(done._asdict()))
        return
    print(f"table {done.table}: {many(done.records, 'record')}, all sound, as of {done.made_at}")
    print(f"  anchor: {done.anchor}")
    for places, words in ((done.placed, ""), (done.same, ": was there already, the same"), (done.others, _OTHER)):
        for place in places:
            print(f"  {place}{words}")
    for step in done.next_steps:
        print(f"  -> {step}")


_OTHER = ": stays as it is, and is another one than in the backup"
