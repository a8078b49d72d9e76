"""felt report: what the rounds of a day or a time span come to, with or without the daemon."""

from __future__ import annotations

import csv
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from controller.api import routes
from controller.api.shapes import NumbersShown, Report
from controller.cli.client import Client, dumped, explained, with_json, with_socket
from controller.cli.journal_file import rounds_of, with_journal
from controller.cli.numbers_file import numbers_of
from controller.cli.reach import keep_named
from controller.counts import many
from controller.errors import FeltError
from controller.views import numbers_text, report_text
from controller.views.moments import day_and_time
from controller.views.numbers_form import BYS, By
from controller.views.report import report


@click.command(name="report")
@click.argument("by", type=click.Choice(BYS), required=False, metavar="[BY]")
@click.option("--since", help="From this time on, such as 2026-11-17T20:15; UTC unless it says otherwise.")
@click.option("--until", help="Before this time.")
@click.option("--day", help="This day, by the clock of this place, such as 2026-11-17.  [default: today]")
@click.option("--game", help="This game alone.")
@click.option("--csv", "as_csv", is_flag=True, help="For a spreadsheet: comma-separated values.")
@click.option("--parquet", type=click.Path(path_type=Path), help="With BY: into this Parquet file, which must be new.")
@click.option(
    "--config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    callback=keep_named,
    help="With --journal: count by the days and shifts of this table.toml, and take the keys of the cards from it.",
)
@with_journal
@with_socket
@with_json
@explained
def command(
    by: By | None,
    since: str | None,
    until: str | None,
    day: str | None,
    game: str | None,
    as_csv: bool,
    parquet: Path | None,
    config: Path | None,
    journal: Path | None,
    path: str,
    as_json: bool,
) -> None:
    """What the rounds of a day come to: outcomes, wagers, hold, pace, and what was not plain.

    BY adds them up by shift, day, dealer, game, wager, spot or round: handle, win, theoretical win, hold and pace.
    Then a day is a gaming day of the house, as [report] in table.toml says.

    `house` is what the house won, `hold` how much of every 100 that were staked.  A prize is the meter's, not the
    house's.  A pause of ten minutes between two rounds is not counted as played.
    """
    if (since or until) and day:
        raise FeltError("report.span", "a day and a time span were given", "Give --day, or --since and --until.")
    if parquet is not None and by is None:
        step = "Say by what, such as `felt report shift --parquet FILE`."
        raise FeltError("report.span", "a Parquet file has the parts of a report, and no BY was given", step)
    if by is not None:
        named = {"by": by, "since": since, "until": until, "day": day, "game": game}
        query = {name: value for name, value in named.items() if value}
        counted = (
            numbers_of(journal, config, query) if journal else Client(path, timeout=None).get(routes.NUMBERS, **query)
        )
        if parquet is not None:
            _write_parquet(counted, parquet)
        else:
            _show_numbers(counted, as_json, as_csv)
        return
    midnight = None if since or until else _midnight(day)
    span = {"since": since, "until": until} if midnight is None else _day(midnight)
    asked = {name: value for name, value in {**span, "game": game}.items() if value}
    if journal is not None:
        answer = _from_file(journal, asked)
    else:
        answer = Client(path, timeout=None).get(routes.REPORT, **asked)
    if as_json:
        print(dumped(answer))
        return
    games = answer["games"]
    if as_csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows(report_text.rows(games))
        _complain(answer)
        return
    print(_heading(answer, midnight))
    print("\n".join(line for each in games for line in report_text.lines(each)) or "no round was played")
    _complain(answer)


def _write_parquet(answer: NumbersShown, file: Path) -> None:
    from controller.cli.parquet import write_parquet
    from controller.views.ledger import PARTS, parts

    made = answer["numbers"]
    print(f"{file}: {many(write_parquet(file, PARTS, parts((*made.parts, made.total))), 'row')}, all of it the last")
    _complain(answer)


def _show_numbers(answer: NumbersShown, as_json: bool, as_csv: bool) -> None:
    """Prints rounds that are added up."""
    if as_json:
        print(dumped(answer))
        return
    if as_csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows(numbers_text.rows(answer["numbers"]))
    else:
        table = f"table {answer['table']}, " if answer["table"] else ""
        print(f"{table}{_span_text(answer['since'], answer['until'])} UTC")
        print("\n".join(numbers_text.lines(answer["numbers"])))
    _complain(answer)


def _midnight(day: str | None) -> datetime:
    """Returns when a day begins by the clock of this place; today unless another one is named."""
    try:
        begin = datetime.fromisoformat(day) if day else datetime.now()
    except ValueError:
        raise FeltError("report.span", f"{day!r} is no day", "Write it as 2026-11-17.") from None
    return begin.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)


def _day(midnight: datetime) -> dict[str, str | None]:
    """Returns from when to when a day of this place lasts, in UTC; some days do not have 24 hours."""
    ends = {"since": midnight, "until": midnight + timedelta(days=1)}
    return {name: at.astimezone(UTC).isoformat(timespec="milliseconds") for name, at in ends.items()}


def _from_file(file: Path, asked: dict[str, str]) -> Report:
    """Returns what the daemon would answer, from a journal whose daemon does not run."""
    from controller.api.round_filter import span
    from controller.views.recorder import summary

    which = span(asked)
    by_opening = {record.opened.seq: record for record in rounds_of(file)}
    wanted = [by_opening[seq] for seq in sorted(by_opening) if which.fits(summary(by_opening[seq]))]
    return {
        "table": wanted[0].table if wanted else "",
        "since": which.since,
        "until": which.until,
        "games": list(report(wanted)),
        "older": False,
        "behind": None,
    }


def _heading(answer: Report, midnight: datetime | None) -> str:
    """Returns which rounds are counted: the day of this place, where one is meant, and the time span in UTC."""
    table = f"table {answer['table']}, " if answer["table"] else ""
    day = f"{midnight:%Y-%m-%d} by the clock of this place\n" if midnight is not None else ""
    return f"{table}{day}{_span_text(answer['since'], answer['until'])} UTC"


def _span_text(since: str, until: str) -> str:
    begin = f"from {day_and_time(since)}" if since else "from the beginning"
    return f"{begin} to {day_and_time(until) if until else 'now'}"


def _complain(answer: Report | NumbersShown) -> None:
    """Says what is missing in a report, beside it."""
    if answer["older"]:
        print("older rounds are not at hand: stop the table, and give its --journal", file=sys.stderr)
    if answer["behind"] is not None:
        behind = answer["behind"]
        progress = f"{behind['done']} of {many(behind['all'], 'fact')}"
        print(f"the journal is being told again: {progress}; rounds may be missing", file=sys.stderr)
