"""felt jackpot checkpoint, felt jackpot reconcile: the ledger of a prize meter beside what others know of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from controller.api import routes, shapes
from controller.cli import journal_proofs
from controller.cli.client import TROUBLE, Client, dumped, explained, with_json, with_socket
from controller.cli.journal_file import read_journal
from controller.cli.meters import DEFAULT_CONFIG, look, straight, with_config
from controller.counts import many
from controller.errors import FeltError, step_for

if TYPE_CHECKING:
    from controller.jackpot.stores.store import MeterStore
    from controller.service.reconciling import OwnMovements


def checked(socket: str, config: Path | None, file: Path | None, key: str | None) -> shapes.MeterVerified:
    """Returns the whole check of a ledger, with a checkpoint from a file; raises FeltError for one of no use."""
    from controller.service.ledger_marks import LedgerMarks, read_note
    from controller.views.meters import verified

    note, key = journal_proofs.texts(file, key)
    if key is not None:
        _must_be_signed(note, key)
    evidence = [] if note is None else [read_note(note)]

    async def ask(store: MeterStore, group: str) -> Any:
        report = await store.check(group, evidence)
        made = "" if report.problems else LedgerMarks().note_of(report.mark)
        return verified(report, await store.meter(group), made)

    return look(socket, config, routes.VERIFY_METER, ask, checkpoint=note)


def _must_be_signed(note: str | None, key: str) -> None:
    from controller.journal.notes import Note, Verifier
    from controller.journal.signing import signed_by

    if note is None:
        raise click.UsageError("--key needs --checkpoint FILE")
    try:
        signed = signed_by(Note.from_text(note), Verifier.from_text(key))
    except ValueError as error:
        raise FeltError("checkpoint.unreadable", str(error)) from None
    if not signed:
        raise FeltError("ledger.unsigned", "the checkpoint is not signed by this key")


@click.command()
@with_config
@with_socket
@with_json
@explained
def checkpoint(config: Path | None, path: str, as_json: bool) -> None:
    """Check the ledger and print its checkpoint, to be kept elsewhere; the daemon signs it where it has a key."""
    answer = checked(path, config, None, None)
    if not answer["ok"]:
        raise FeltError("jackpot.audit", answer["problems"][0], step_for("jackpot.audit"))
    print(
        dumped({"checkpoint": answer["checkpoint"]}) if as_json else answer["checkpoint"], end="\n" if as_json else ""
    )


@click.command()
@click.option(
    "--journal",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="The journal of a table that is stopped; once for each.  Without it the running daemon compares its own.",
)
@with_config
@with_socket
@with_json
@explained
def reconcile(files: tuple[Path, ...], config: Path | None, path: str, as_json: bool) -> None:
    """Compare the ledger with the journals of its tables: every movement on both sides, once, with the same amount.

    A journal is followed from its first record; hidden cards need the keys of their table.  Exit status 0: they agree;
    1: they do not.
    """
    if not files:
        _finish(Client(path, timeout=None).get(routes.RECONCILE), as_json)
    tables = dict(_movements(each) for each in files)

    async def ask(store: MeterStore, group: str) -> Any:
        from controller.service.reconciling import OwnMovements, reconciled

        return await reconciled(store, group, {name: each.get(group, OwnMovements()) for name, each in tables.items()})

    _finish(straight(config or DEFAULT_CONFIG, ask), as_json)


def _finish(answer: Any, as_json: bool) -> NoReturn:
    print(dumped(answer) if as_json else "\n".join(_lines(answer)))
    sys.exit(0 if answer["ok"] else TROUBLE)


def _movements(file: Path) -> tuple[str, dict[str, OwnMovements]]:
    from controller.service.reconciling import movements_by

    return read_journal(file, lambda journal, show: (journal.table, movements_by(journal, show)))


def _lines(answer: Any) -> Iterator[str]:
    state = "the ledger and the journals agree" if answer["ok"] else "THEY DO NOT AGREE"
    yield f"{answer['group']}: {state}"
    for part in answer["tables"]:
        waits = f", {many(part['waiting'], 'movement')} on the way" if part["waiting"] else ""
        sums = f"wagers added {part['journal']} by the journal, {part['ledger']} by the ledger"
        yield f"  {part['table']}: {many(part['movements'], 'movement')}; {sums}{waits}"
    for finding in answer["findings"]:
        yield f"  {finding['table']}: {finding['code']}: {finding['text']}\n    -> {step_for(finding['code'])}"
    if answer["without_journal"]:
        yield f"  not compared, for no journal was given: {', '.join(answer['without_journal'])}"


COMMANDS: Final = (checkpoint, reconcile)
