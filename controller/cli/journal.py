"""felt journal: read the facts, prove that none was changed, and export the proof's anchor."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from controller.api import routes
from controller.api.shapes import FactShown, Verified
from controller.cli import journal_archives, journal_facts, journal_proofs
from controller.cli import journal_copies as copies
from controller.cli.client import TROUBLE, Client, Noun, dumped, explained, with_json, with_socket
from controller.cli.journal_file import Bar, logs_beside
from controller.cli.journal_keys import veil_by
from controller.counts import many
from controller.errors import FeltError, topic_of

if TYPE_CHECKING:
    from controller.journal.veil import Veil
    from controller.journal.verify_tree import Evidence


@click.group(name="journal", cls=Noun)
def command() -> None:
    """Read, export, verify and sign the journal."""


for each in (*journal_proofs.COMMANDS, *journal_archives.COMMANDS):
    command.add_command(each)

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
@click.option(
    "--inspector",
    "folder",
    type=click.Path(path_type=Path),
    help="Write all records, the checkpoints and a program that checks them into this folder, which must be new.",
)
@with_socket
@with_json
@explained
def export(file: Path | None, output: Path | None, folder: Path | None, path: str, as_json: bool, **which: Any) -> None:
    """All facts as JSON lines, each with its number and the hash of its record; --json changes nothing.

    What is exported is as public as everything else: a card that the rules have not turned is "??".  The hash ties a
    line to the journal: it is the one in an anchor of that record.  In journals of older versions it is null
    behind a hidden card, which could be found out by it.

    With --inspector the whole journal as it is chained, for somebody who trusts neither us nor feltd: a record with a
    card is there by its hash alone.
    """
    if folder is not None:
        _export_all(file, output, folder, path, as_json, which)
        return
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


def _export_all(
    file: Path | None, output: Path | None, folder: Path, path: str, as_json: bool, which: dict[str, Any]
) -> None:
    from controller.cli import journal_inspector

    if output is not None or any(each is not None for each in which.values()):
        raise FeltError("journal.whole", "for an inspector the journal is exported whole")
    exported = journal_inspector.export(file, path, folder)
    print(json.dumps({**exported._asdict(), "folder": str(folder)}) if as_json else exported.text())


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
@click.option("--checkpoint", "note_file", type=click.Path(path_type=Path), help="A checkpoint kept elsewhere.")
@click.option("--key", help="The verifier key that must have signed it, or a file with it.")
@click.option("--copy", type=click.Path(path_type=Path), help="The copy of FILE: check it too, and that it is one.")
@click.option("--archive", "archives", type=click.Path(path_type=Path), help="The folder with the archives of FILE.")
@click.option("--replay", is_flag=True, help="Tell everything again from the first record; this takes longer.")
@click.option("--config", type=click.Path(path_type=Path), help="The table.toml that names the keys of FILE's cards.")
@with_socket
@with_json
@explained
def verify(
    file: Path | None,
    anchor_file: Path | None,
    note_file: Path | None,
    key: str | None,
    copy: Path | None,
    archives: Path | None,
    replay: bool,
    config: Path | None,
    path: str,
    as_json: bool,
) -> None:
    """Check every record of the journal, and with an anchor or a checkpoint that none was changed or cut off.

    With --key alone the newest checkpoint that the journal keeps must be signed by it.

    Each snapshot is computed again from the one before, with --replay from the first record on; then every round is
    settled again too, and compared with the index of rounds.  Every hidden card is opened and compared with its
    commitment; without the keys those that were turned, and what could not be opened is told again by nobody: it is
    noted.

    Records that are in archives are checked there, and each archive as the file that was sealed; of FILE with --archive
    alone, else it is said which were not seen.

    Asks the running daemon, or reads FILE of a table that is stopped.  Exit status 0: sound; 1: not.
    """
    anchor, (note, verifier) = _read_anchor(anchor_file), journal_proofs.texts(note_file, key)
    if file is not None:
        report = _offline(file, anchor, journal_proofs.evidence(note, verifier), replay, veil_by(config), archives)
        if copy is not None and report["ok"]:
            report = copies.noted(file, copy, report)
    elif copy is not None:
        raise FeltError("journal.copy-alone", "the running table has its copy open")
    elif archives is not None:
        raise FeltError("journal.archive-alone", "the running table reads the archives of its own folder")
    else:
        wish = {"checkpoint": note, "key": verifier, **({"replay": "1"} if replay else {})}
        if sys.stderr.isatty():
            print("the daemon checks its journal...", file=sys.stderr)
        report = Client(path, timeout=None).get(routes.VERIFY, anchor=anchor, **wish)
    if as_json:
        print(dumped(report))
    elif report["ok"]:
        holds = f", and {' and '.join(_held(anchor, note, verifier))}" if anchor or note or verifier else ""
        print(f"sound: {many(report['checked'], 'record')}{holds}")
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


def _held(anchor: str | None, note: str | None, key: str | None) -> Iterator[str]:
    """Yields what the journal was held against."""
    if anchor:
        yield "the anchor holds"
    if note:
        yield "it contains exactly what the checkpoint says"
    if key:
        yield "the key signed it" if note else "the key signed a checkpoint that it keeps"


@command.command(name="open-cards")
@click.argument("number", metavar="ROUND", type=click.IntRange(min=1))
@click.option("--reason", required=True, help="Why; it goes on record with your name.")
@with_socket
@with_json
@explained
def open_cards(number: int, reason: str, path: str, as_json: bool) -> None:
    """Open the cards of ROUND that were never turned, as a supervisor, or somebody above, who is signed in.

    Who was told, and why, is a fact of the journal before a card is told.  They stay hidden from everybody else.
    """
    from controller.api.open_cards import OPEN_CARDS

    opened = Client(path).post(OPEN_CARDS, {"reason": reason}, number)
    if as_json:
        print(dumped(opened))
        return
    print(f"round {number}, opened for {opened['person']}: fact {opened['seq']}")
    for fact in opened["facts"]:
        _print(fact, as_json)


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


def _offline(
    file: Path, anchor: str | None, evidence: Evidence, replay: bool, veil: Veil, archives: Path | None
) -> Verified:
    from controller.api.reports import report_json
    from controller.journal import Anchor, JournalError
    from controller.service.audit import verify as check

    bar = Bar()
    try:
        wanted = Anchor.from_text(anchor) if anchor is not None else None
        with logs_beside():
            shelf = None if archives is None else journal_archives.shelf_by(archives)
            report = check(file, wanted, evidence=evidence, replay=replay, progress=bar.show, veil=veil, shelf=shelf)
            return report_json(report)
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
@click.option("--archive", "archives", type=click.Path(path_type=Path), help="The folder with the archives of both.")
@with_json
@explained
def repair(file: Path, copy: Path, archives: Path | None, as_json: bool) -> None:
    """Make the damaged journal FILE of a stopped table sound with its copy.

    Takes every record that both of them prove, in one chain; the damaged file is kept beside the new one.  Those that
    have left the copy for archives too are taken from there: the new journal begins with record 1.  Refuses, and
    changes nothing, when the copy is not sound or of another journal.
    """
    done = copies.repaired(file, copy, archives)
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
