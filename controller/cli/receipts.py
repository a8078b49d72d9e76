"""Hands a receipt over: printed, or written into a file of its own; and compares one with what is on record."""

from __future__ import annotations

import json
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path
from typing import TypeVar

import click

from controller.counts import many
from controller.errors import FeltError

Command = TypeVar("Command", bound=Callable[..., object])
MOST = 1 << 20  # bytes of a receipt


def with_compare(command: Command) -> Command:
    """Adds to a command the file of a receipt that was printed before."""
    says = "A receipt that was printed, as text or page: say whether its words are those on record, and print none."
    return click.option("--compare", type=click.Path(path_type=Path), help=says)(command)


def compare(printed: Path, text: str, page: str, *, as_json: bool) -> None:
    """Says that a receipt says what is on record; prints the lines that do not, and raises FeltError."""
    try:
        with printed.open(encoding="utf-8") as file:
            words = file.read(MOST)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise FeltError("receipt.unreadable", f"{printed}: {why}") from None
    recorded = page if words.lstrip().startswith("<") else text
    differing = list(unified_diff(_words(words), _words(recorded), str(printed), "on record", lineterm="", n=0))
    if not differing:
        print(json.dumps({"file": str(printed), "same": True}) if as_json else f"{printed}: every word is as on record")
        return
    changed = [line for line in differing[2:] if not line.startswith("@@")]
    if not as_json:
        print("\n".join([*differing[:2], *changed]))
    raise FeltError("receipt.differs", f"{many(len(changed), 'line')} of {printed} and of the record differ")


def hand_over(text: str, output: Path | None, what: str) -> None:
    """Prints a text, or writes it into a new file and says so."""
    if output is None:
        print(text, end="")
    else:
        write_new(output, text)
        print(f"{output}: {what}")


def _words(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def write_new(output: Path, text: str) -> None:
    """Writes a text into a file, which must be new; raises FeltError when it cannot be."""
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise FeltError("receipt.unwritable", f"{output}: {error.strerror}") from None
