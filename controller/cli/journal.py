"""felt journal: read the facts, prove that none was changed, and export the proof's anchor."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import click

from controller.api import routes
from controller.api.shapes import FactShown, Verified
from controller.cli import journal_copies as copies
from controller.cli import journal_facts
from controller.cli.client import TROUBLE, Client, Noun, dumped, explained, with_json, with_socket
from controller.cli.journal_file import Bar, logs_beside
from controller.counts import many
from controller.errors import FeltError, topic_of


@click.group(name="journal", cls=Noun)
def command() -> None:
    """Read, export and verify the journal."""


Command = TypeVar("Command", bound=Callable[..., Any])


def with_filters(command: Command) -> Command:
    """Adds what says which facts are meant."""
    for option in (
        click.option("--device", help="Those of this device, such as sensor.3."),
        click.option("--until", help="Before this time."),
        click.option("--since", help="From this time on, such as 2026-11-17T20:15; UTC unless it says otherwise."),
        click.option("--round", "number", type=click.IntRange(min=1), help="Those of this round."),
        click.argument("file", required=False, type=click.Path(path_type=Path)),
    ):
        command = option(command)
    return command


@command.command()
@with_filters
@click.option("-n", "count", type=click.IntRange(0, 1000), help="How many, the latest.  [default: 20; all of a round]")
@click.option("-f", "--follow", is_flag=True, help="Go on as facts happen, until Ctrl-C.")
@with_socket
@with_json
@explained
def tail(file: Path | None, count: int | None, follow: bool, path: str, as_json: bool, **which: Any) -> None:
    """The latest facts; a card that the rules have not turned is not told.

    With --round or --since all of these, unless -n says how many.  Asks the running daemon, or reads FILE of a table
    that is stopped: of a round that is not over no card is told then.
    """
    if follow and (file is not None or which["number"] or which["until"]):
        step = "Follow the running table with --device and --since alone."
        raise FeltError("journal.follow", "what is over is not followed", step)
    with journal_facts.source(file, path) as facts:
        wanted = journal_facts.Which(**which)
        head = facts.head()
        for fact in facts.tail(wanted, count, head):
            _print(fact, as_json)
    if follow:
        for fact in Client(path).stream(routes.EVENTS, FactShown, after=head):
            if which["device"] in (None, fact["device"]):
                _print(fact, as_json)
        raise FeltError("daemon.ended", "the daemon stopped")


@command.command()
@with_filters
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write them into this file, which must be new.")
@with_socket
@with_json
@explained
def export(file: Path | None, output: Path | None, path: str, as_json: bool, **which: Any) -> None:
    """All facts as JSON lines, each with its number and the hash of its record; --json changes nothing.

    What is exported is as public as everything else: a card that the rules have not turned is "??".  The hash ties a
    line to the journal: it is the one in an anchor of that record.  In journals of older versions it is null
    behind a hidden card, which could be found out by it.
    """
    with journal_facts.source(file, path) as facts, _into(output) as out:
        wanted = journal_facts.Which(**which)
        head = facts.head()
        count = 0
        bar = Bar()
        for fact in facts.all(wanted, head, hashes=True):
            print(dumped(fact), file=out)
            count += 1
            if output is not None:
                bar.show(fact["seq"], head)
        bar.end()
    if output is not None:
        print(json.dumps({"file": str(output), "facts": count}) if as_json else f"{output}: {many(count, 'fact')}")


@contextmanager
def _into(output: Path | None) -> Iterator[IO[str]]:
    if output is None:
        yield sys.stdout
        return
    try:
        with output.open("x", encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise FeltError("journal.unwritable", f"{output}: {error.strerror}") from None


def _print(fact: FactShown, as_json: bool) -> None:
    line = f"{fact['seq']:>7}  {_clock(fact['at'])}  {fact['device'] or '-':<10}  {fact['text']}"
    print(dumped(fact) if as_json else line, flush=True)


def _clock(at: str) -> str:
    """Returns date and time without the part that nobody reads.

    >>> _clock("2026-01-02T03:04:05.678+00:00")
    '2026-01-02 03:04:05.678'
    """
    return at.partition("+")[0].replace("T", " ")


@command.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--anchor", "anchor_file", type=click.Path(path_type=Path), help="An anchor exported earlier, or the head file."
)
@click.option("--copy", type=click.Path(path_type=Path), help="The copy of FILE: check it too, and that it is one.")
@click.option("--replay", is_flag=True, help="Tell everything again from the first record; this takes longer.")
@with_socket
@with_json
@explained
def verify(
    file: Path | None, anchor_file: Path | None, copy: Path | None, replay: bool, path: str, as_json: bool
) -> None:
    """Check every record of the journal, and with an anchor that none was cut off.

    Each snapshot is computed again from the one before, with --replay from the first record on.

    Asks the running daemon, or reads FILE of a table that is stopped.  Exit status 0: sound; 1: not.
    """
    anchor = _read_anchor(anchor_file)
    if file is not None:
        report = _offline(file, anchor, replay)
        if copy is not None and report["ok"]:
            report = copies.noted(file, copy, report)
    elif copy is not None:
        raise FeltError("journal.copy-alone", "the running table has its copy open")
    else:
        wish = {"replay": "1"} if replay else {}
        if sys.stderr.isatty():
            print("the daemon checks its journal...", file=sys.stderr)
        report = Client(path, timeout=None).get(routes.VERIFY, anchor=anchor, **wish)
    if as_json:
        print(dumped(report))
    elif report["ok"]:
        print(f"sound: {many(report['checked'], 'record')}" + (", and the anchor holds" if anchor else ""))
    else:
        at = f" at record {report['first_bad']}" if report["first_bad"] is not None else ""
        print(f"NOT SOUND{at}: {report['code']}: {report['cause']}\n  -> {report['next_step']}")
        where = "" if topic_of(report["code"]) == "snapshot" else "before it "
        are = "is" if report["checked"] == 1 else "are"
        print(f"  {many(report['checked'], 'record')} {where}{are} sound")
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
    text = _offline_anchor(file) if file is not None else Client(path).get(routes.ANCHOR)["anchor"]
    print(json.dumps({"anchor": text}) if as_json else text)


def _read_anchor(file: Path | None) -> str | None:
    """Returns the anchor of a file: its one line, or that of a receipt."""
    from controller.journal.records import ANCHOR_WORD

    if file is None:
        return None
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise FeltError("anchor.unreadable", f"{file}: {why}") from None
    return next((line.strip() for line in text.splitlines() if line.startswith(ANCHOR_WORD)), text.strip())


def _offline(file: Path, anchor: str | None, replay: bool) -> Verified:
    from controller.api.reports import report_json
    from controller.journal import Anchor, JournalError
    from controller.service.audit import verify as check

    bar = Bar()
    try:
        wanted = Anchor.from_text(anchor) if anchor is not None else None
        with logs_beside():
            return report_json(check(file, wanted, replay=replay, progress=bar.show))
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
    except ValueError:
        step = "Give it as `felt journal anchor` printed it."
        raise FeltError("anchor.invalid", "this is no anchor", step) from None
    finally:
        bar.end()


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--from", "copy", required=True, type=click.Path(path_type=Path), help="The copy of this journal.")
@with_json
@explained
def repair(file: Path, copy: Path, as_json: bool) -> None:
    """Make the damaged journal FILE of a stopped table sound with its copy.

    Takes every record that both of them prove, in one chain; the damaged file is kept beside the new one.  Refuses, and
    changes nothing, when the copy is not sound or of another journal.
    """
    done = copies.repaired(file, copy)
    if as_json:
        print(json.dumps({**done._asdict(), "kept": str(done.kept)}))
        return
    print(f"{file}: {many(done.records, 'record')}, {done.from_copy} of them from {copy}")
    if done.behind:
        print(f"  {many(done.behind, 'record')} behind them could not be tied to the chain: they are in the kept file")
    print(f"  the damaged journal is kept: {done.kept}")


def _offline_anchor(file: Path) -> str:
    from controller.journal import JournalError, export_anchor

    try:
        return export_anchor(file).to_text()
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
