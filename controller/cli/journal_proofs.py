"""felt journal checkpoint, prove, key: what is kept elsewhere, to prove later that nothing was changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from controller.api import routes
from controller.api.shapes import ProofShown
from controller.cli.client import Client, dumped, explained, with_json, with_socket
from controller.cli.reach import DEFAULT_CONFIG
from controller.errors import FeltError

if TYPE_CHECKING:
    from controller.journal.store import Journal
    from controller.journal.verify_tree import Evidence

Answer = TypeVar("Answer")


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@with_socket
@with_json
@explained
def checkpoint(file: Path | None, path: str, as_json: bool) -> None:
    """Print the newest checkpoint: how many records there are and what they hash to, signed by the table's key.

    Keep it somewhere else, for `felt journal verify --checkpoint`.  Asks the running daemon, or reads FILE of a table
    that is stopped.
    """
    notes = _kept(file) if file is not None else Client(path).get(routes.CHECKPOINTS)["checkpoints"]
    if not notes:
        raise FeltError("checkpoint.none", "the journal keeps no checkpoint yet")
    print(dumped({"checkpoint": notes[-1]}) if as_json else notes[-1], end="\n" if as_json else "")


@click.command()
@click.argument("seq", type=click.IntRange(min=1))
@click.argument("file", required=False, type=click.Path(path_type=Path))
@with_socket
@with_json
@explained
def prove(seq: int, file: Path | None, path: str, as_json: bool) -> None:
    """Prove that record SEQ is in the journal: the hashes that lead from it to the root of a checkpoint.

    Asks the running daemon, or reads FILE of a table that is stopped.
    """
    proof = _proof(file, seq) if file is not None else Client(path, timeout=None).get(routes.PROOF, seq=seq)
    if as_json:
        print(dumped(proof))
        return
    print(f"record {proof['seq']} of {proof['size']}")
    print(f"leaf {proof['leaf']}")
    for number, each in enumerate(proof["path"], start=1):
        print(f"{number:>4} {each}")
    print(f"root {proof['root']}")
    if proof["checkpoint"]:
        print(f"\n{proof['checkpoint']}", end="")


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--new", is_flag=True, help="Make a key in FILE, which must be new.")
@click.option("--witness", is_flag=True, help="The key with which the table cosigns the journals of others.")
@click.option("--config", type=click.Path(path_type=Path), help=f"The table's file.  [default: {DEFAULT_CONFIG}]")
@with_json
@explained
def key(file: Path | None, new: bool, witness: bool, config: Path | None, as_json: bool) -> None:
    """Print the verifier key of the table's journal; with --new, make the key first.

    The line that is printed is no secret: give it to the inspector when the table gets its key.  FILE is the one that
    `[journal] key` in table.toml names, unless you name another; with --witness the one of `[witness] key`.
    """
    from controller.daemon.check import checked
    from controller.journal.checkpoints import origin_of
    from controller.journal.key_file import CREDENTIAL, WITNESS_CREDENTIAL, key_path, make_key, read_key
    from controller.journal.notes import COSIGNED, PLAIN
    from controller.journal.witnessing import witness_name

    table = checked(config or DEFAULT_CONFIG)
    configured, credential = table.journal.key, CREDENTIAL
    if witness:
        configured, credential = table.witness.key, WITNESS_CREDENTIAL
    path = key_path(file or configured, table.table.state, os.environ, credential)
    if path is None:
        raise FeltError("journal-key.nowhere", "no file is named, and table.toml names none")
    named = witness_name if witness else origin_of
    signer = make_key(path, table.table.name, named) if new else read_key(path, table.table.name, named)
    line = signer.verifier(COSIGNED if witness else PLAIN).to_text()
    print(dumped({"key": line, "file": str(path)}) if as_json else line)


COMMANDS: Final = (checkpoint, prove, key)


def texts(note_file: Path | None, key: str | None) -> tuple[str | None, str | None]:
    """Returns the checkpoint in a file, and a verifier key that is given or stands in a file."""
    note = None if note_file is None else _read(note_file)
    if key is not None and Path(key).exists():
        key = _read(Path(key)).strip()
    return note, key


def evidence(note: str | None, key: str | None) -> Evidence:
    """Returns the same as what the check takes; raises FeltError when it is no such thing."""
    from controller.api.reports import evidence_of

    return evidence_of(note, key)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise FeltError("checkpoint.unreadable", f"{file}: {why}") from None


def _kept(file: Path) -> list[str]:
    from controller.api.reports import newest_notes

    return _of_file(file, lambda journal: newest_notes(journal, 1))


def _proof(file: Path, seq: int) -> ProofShown:
    from controller.api.reports import proof_json

    return _of_file(file, lambda journal: proof_json(journal, seq))


def _of_file(file: Path, tell: Callable[[Journal], Answer]) -> Answer:
    from controller.cli.journal_file import read_journal

    return read_journal(file, lambda journal, _progress: tell(journal))
