"""felt journal: read the facts, prove that none was changed, and export the proof's anchor."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from controller.cli.client import TROUBLE, Client, Json, explained, with_json, with_socket
from controller.errors import FeltError, topic_of


@click.group(name="journal")
def command() -> None:
    """Read and verify the journal."""


@command.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("-n", "count", type=click.IntRange(0, 1000), default=20, show_default=True, help="How many facts.")
@click.option("-f", "--follow", is_flag=True, help="Go on as facts happen, until Ctrl-C.")
@with_socket
@with_json
@explained
def tail(file: Path | None, count: int, follow: bool, path: str, as_json: bool) -> None:
    """The latest facts; a card that the rules have not turned is not told.

    Asks the running daemon, or reads FILE of a table that is stopped: of a round that is not over no card is told then.
    """
    if file is not None:
        for fact in _offline_tail(file, count):
            _print(fact, as_json)
        return
    client = Client(path)
    answer = client.get("/journal/tail", n=count)
    for fact in answer["facts"]:
        _print(fact, as_json)
    if follow:
        for fact in client.events(answer["head"]):
            _print(fact, as_json)
        raise FeltError("daemon.ended", "the daemon stopped")


def _print(fact: Json, as_json: bool) -> None:
    line = (
        json.dumps(fact)
        if as_json
        else f"{fact['seq']:>7}  {_clock(fact['at'])}  {fact['device'] or '-':<10}  {fact['text']}"
    )
    print(line, flush=True)


def _clock(at: str) -> str:
    """Returns date and time without the part that nobody reads.

    >>> _clock("2026-01-02T03:04:05.678+00:00")
    '2026-01-02 03:04:05.678'
    """
    return at.partition("+")[0].replace("T", " ")


@command.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--anchor", "anchor_file", type=click.Path(path_type=Path), help="An anchor exported earlier.")
@click.option("--replay", is_flag=True, help="Tell everything again from the first record; this takes longer.")
@with_socket
@with_json
@explained
def verify(file: Path | None, anchor_file: Path | None, replay: bool, path: str, as_json: bool) -> None:
    """Check every record of the journal, and with an anchor that none was cut off.

    Each snapshot is computed again from the one before, with --replay from the first record on.

    Asks the running daemon, or reads FILE of a table that is stopped.  Exit status 0: sound; 1: not.
    """
    anchor = _read_anchor(anchor_file)
    if file is not None:
        report = _offline(file, anchor, replay)
    else:
        wish = {"replay": "1"} if replay else {}
        report = Client(path).get("/journal/verify", timeout=None, anchor=anchor, **wish)
    if as_json:
        print(json.dumps(report))
    elif report["ok"]:
        print(f"sound: {report['checked']} records" + (", and the anchor holds" if anchor else ""))
    else:
        at = f" at record {report['first_bad']}" if report["first_bad"] is not None else ""
        print(f"NOT SOUND{at}: {report['code']}: {report['cause']}\n  -> {report['next_step']}")
        where = "" if topic_of(report["code"]) == "snapshot" else "before it "
        print(f"  {report['checked']} records {where}are sound")
    for note in () if as_json else report.get("notes", ()):
        print(f"  note: {note}")
    sys.exit(0 if report["ok"] else TROUBLE)


@command.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@with_socket
@with_json
@explained
def anchor(file: Path | None, path: str, as_json: bool) -> None:
    """Print the journal's newest record as an anchor: keep it somewhere else, for `verify --anchor`."""
    text = _offline_anchor(file) if file is not None else Client(path).get("/journal/anchor")["anchor"]
    print(json.dumps({"anchor": text}) if as_json else text)


def _read_anchor(file: Path | None) -> str | None:
    if file is None:
        return None
    try:
        return file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise FeltError("anchor.unreadable", f"{file}: {why}") from None


def _offline_tail(file: Path, count: int) -> list[Json]:
    from controller.api import views
    from controller.journal import JournalError
    from controller.journal.store import Journal
    from controller.service.disclosure import disclosed

    try:
        journal = Journal.inspect(file)
        try:
            records = journal.read(max(1, journal.head.seq - count + 1), count) if count else []
            return [views.record(record, fact) for record, fact in disclosed(journal, records, {})]
        finally:
            journal.close()
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None


def _offline(file: Path, anchor: str | None, replay: bool) -> Json:
    from controller.api.reports import report_json
    from controller.journal import Anchor, JournalError
    from controller.service.audit import verify as check

    try:
        return report_json(check(file, Anchor.from_text(anchor) if anchor is not None else None, replay=replay))
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
    except ValueError:
        step = "Give it as `felt journal anchor` printed it."
        raise FeltError("anchor.invalid", "this is no anchor", step) from None


def _offline_anchor(file: Path) -> str:
    from controller.journal import JournalError, export_anchor

    try:
        return export_anchor(file).to_text()
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
