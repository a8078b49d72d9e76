"""felt float: the chips that a table pays with: counted, filled, credited; and what the count room counts of them."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import click

from controller.api import routes
from controller.api.shapes import FloatShown
from controller.cli.client import Client, Noun, dumped, explained, with_json, with_socket
from controller.cli.journal_file import with_journal
from controller.cli.reach import keep_named
from controller.counts import many
from controller.service.float_routes import FLOAT_CONFIRM, FLOAT_MOVE, FloatDone
from controller.table.table_float import DEEDS
from controller.views import float_text


@click.group(name="float", cls=Noun)
def command() -> None:
    """The chips that the table pays with: count, fill, credit, drop; win as the count room counts it."""


@command.command()
@click.option("--day", help="Shifts of this gaming day, such as 2026-11-17.  [default: today]")
@click.option("--since", help="Shifts that were opened at this time or later.")
@click.option("--until", help="Shifts that were opened before this time.")
@click.option("--csv", "as_csv", is_flag=True, help="For a spreadsheet: comma-separated values.")
@click.option(
    "--config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    callback=keep_named,
    help="With --journal: by the days and the box of this table.toml, with the keys of its cards.",
)
@with_journal
@with_socket
@with_json
@explained
def show(
    day: str | None,
    since: str | None,
    until: str | None,
    as_csv: bool,
    config: Path | None,
    journal: Path | None,
    path: str,
    as_json: bool,
) -> None:
    """Win = closing float + drop + credits - fills - opening float, beside the rounds; differences are named.

    A shift is one of the float: from the fact that counted it at the beginning to the one that counted it at the end.
    """
    asked = {name: value for name, value in (("day", day), ("since", since), ("until", until)) if value}
    answer = _of_file(journal, config, asked) if journal else Client(path, timeout=None).get(routes.FLOAT, **asked)
    if as_json:
        print(dumped(answer))
    elif as_csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows(float_text.rows(answer["float"]))
    else:
        print("\n".join(float_text.lines(answer["float"])))


def _of_file(file: Path, config: Path | None, asked: dict[str, str]) -> FloatShown:
    """Returns what the daemon would answer, from a journal whose daemon does not run."""
    from controller.cli.numbers_file import floats_of

    return floats_of(file, config, asked)


@command.command()
@click.argument("deed", type=click.Choice(tuple(DEEDS)))
@click.argument("amount")
@click.option("--slip", default="", help="The number of the slip that goes with it.")
@click.option("--note", default="", help="What to know of it; a counter-entry needs one.")
@click.option("--shift", "about", type=click.IntRange(min=1), help="Of a drop: the fact that opened its shift.")
@with_socket
@with_json
@explained
def record(deed: str, amount: str, slip: str, note: str, about: int | None, path: str, as_json: bool) -> None:
    """Records what was done to the float, as the person who is signed in (`felt sign-in`).

    Where the house wants a witness, somebody else then confirms it: `felt float confirm CODE`.  A wrong entry is set
    right by a counter-entry: the same deed with a negative amount behind `--`, and a note.
    """
    wish = {"deed": deed, "amount": amount, "slip": slip, "note": note, "about": about or 0}
    _tell(Client(path).post(FLOAT_MOVE, wish), as_json)


@command.command()
@click.argument("code")
@with_socket
@with_json
@explained
def confirm(code: str, path: str, as_json: bool) -> None:
    """Confirms as a witness what somebody else has done."""
    _tell(Client(path).post(FLOAT_CONFIRM, {"code": code}), as_json)


def _tell(done: FloatDone, as_json: bool) -> None:
    if as_json:
        print(dumped(done))
    elif "confirm" in done:
        what = f"{done['deed']} {done['amount']} by {done['person']}"
        print(f"{what}: a witness confirms it within {many(done['minutes'], 'minute')}")
        print(f"  felt sign-in, then: felt float confirm {done['confirm']}")
    else:
        witness = f", witness {done['witness']}" if done["witness"] else ""
        print(f"on record: {done['deed']} {done['amount']} by {done['person']}{witness} (fact {done['seq']})")
