"""felt round export: hands of poker as PHH; the wagers of rounds as CSV, JSON or Parquet."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from controller.api import routes
from controller.cli.client import Client, explained, with_json, with_socket
from controller.cli.journal_file import rounds_of, with_journal_and_keys
from controller.counts import many
from controller.errors import FeltError
from controller.views.record import RoundRecord


@click.command(name="export")
@click.argument("numbers", type=click.IntRange(min=1), nargs=-1, metavar="[NUMBER]...")
@click.option("--phh", "form", flag_value="phh", help="Hands of poker in the Poker Hand History format.")
@click.option("--csv", "form", flag_value="csv", help="The wagers, one a row, for a spreadsheet.")
@click.option("--parquet", "form", flag_value="parquet", help="The wagers as a Parquet file; needs -o.")
@click.option("--game", help="Of this game.")
@click.option("--since", help="Opened at this time or later, such as 2026-11-17T20:15; UTC unless it says otherwise.")
@click.option("--until", help="Opened before this time.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write it into this file, which must be new.")
@with_journal_and_keys
@with_socket
@with_json
@explained
def command(
    numbers: tuple[int, ...],
    form: str | None,
    game: str | None,
    since: str | None,
    until: str | None,
    output: Path | None,
    journal: Path | None,
    path: str,
    as_json: bool,
) -> None:
    """Rounds for other programs: all that are at hand, those of a time span, or these NUMBERs.

    PHH has one hand a file (.phh); several become one file (.phhs).  A hand that the format cannot say is left out, and
    named with the reason.  --json has the wagers, one object a line.  Cards that nobody turned are ?? in every form.
    """
    form = "json" if as_json else form
    asked = {name: value for name, value in (("game", game), ("since", since), ("until", until)) if value}
    records = [each for each in _records(journal, path, asked) if not numbers or each.number in numbers]
    if form is None:
        raise FeltError("export.form", "it is not said as what the rounds are wanted")
    if numbers and not records:
        raise FeltError("export.nothing", f"there is no round {numbers[0]} at hand")
    if form == "parquet":
        from controller.cli.parquet import write_parquet
        from controller.views.ledger import LEDGER, ledger

        if output is None:
            raise FeltError("export.form", "a Parquet file cannot be printed", "Name a file: -o wagers.parquet.")
        print(f"{output}: {many(write_parquet(output, LEDGER, ledger(records)), 'wager')}")
        return
    text = _phh(records, single=len(numbers) == 1) if form == "phh" else _rows(records, form)
    if output is None:
        print(text, end="")
    else:
        from controller.cli.receipts import write_new

        write_new(output, text)
        print(f"{output}: {many(len(records), 'round')}")


def _phh(records: list[RoundRecord], *, single: bool) -> str:
    from controller.views.phh import NotInPhh, phh, phhs

    if single:
        try:
            return phh(records[-1])
        except NotInPhh as error:
            raise FeltError("export.phh", f"round {records[-1].number}: {error}") from None
    text, left_out = phhs(records)
    for number, why in left_out:
        print(f"round {number} is left out: {why}", file=sys.stderr)
    return text


def _rows(records: list[RoundRecord], form: str) -> str:
    from controller.views.ledger import LEDGER, ledger

    names = [column.name for column in LEDGER]
    if form == "json":
        return "".join(f"{json.dumps(dict(zip(names, row, strict=True)))}\n" for row in ledger(records))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([names, *ledger(records)])
    return text.getvalue()


def _records(journal: Path | None, path: str, asked: dict[str, str]) -> Iterator[RoundRecord]:
    """Yields rounds that are over, the oldest first, from the daemon or from a file."""
    if journal is None:
        yield from Client(path, timeout=None).work(routes.RECORDS, None, **asked)
        return
    from controller.api.round_filter import span
    from controller.views.recorder import summary

    which = span(asked)
    by_opening = {record.opened.seq: record for record in rounds_of(journal) if record.ended is not None}
    yield from (by_opening[seq] for seq in sorted(by_opening) if which.fits(summary(by_opening[seq])))
