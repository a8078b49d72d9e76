"""A journal's file whose daemon does not run: its rounds, and how far a long look at it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from controller.cli.journal_archives import shelf_by
from controller.cli.journal_keys import veil_by
from controller.cli.reach import DEFAULT_CONFIG, keep_named
from controller.errors import FeltError
from controller.views.record import RoundRecord

if TYPE_CHECKING:
    from controller.journal.store import Journal

if TYPE_CHECKING:
    from controller.views.asides import Aside
    from controller.views.float_form import FloatEntry

Command = TypeVar("Command", bound=Callable[..., Any])
Answer = TypeVar("Answer")


def with_journal(command: Command) -> Command:
    """Adds the option --journal to a command."""
    return click.option(
        "--journal",
        type=click.Path(path_type=Path),
        help="Read this journal of a table that is stopped, without its daemon.",
    )(command)


def with_keys(command: Command) -> Command:
    """Adds the option --config, for the keys of a journal that is read without its daemon."""
    return click.option(
        "--config",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        callback=keep_named,
        expose_value=False,
        help=f"With --journal: this table.toml names the keys of its cards.  [default: {DEFAULT_CONFIG}]",
    )(command)


def with_journal_and_keys(command: Command) -> Command:
    """Adds the options --journal, and --config for the keys of its cards."""
    return with_journal(with_keys(command))


class Bar:
    """How far a long work is, on a terminal; nothing elsewhere."""

    def __init__(self) -> None:
        self._shown = False

    def show(self, done: int, all_: int) -> None:
        """Shows how much is done."""
        if sys.stderr.isatty() and all_:
            part = min(30, 30 * done // all_)
            print(f"\r[{'#' * part:<30}] {done} of {all_} facts", end="", file=sys.stderr, flush=True)
            self._shown = True

    def end(self) -> None:
        """Takes the bar away."""
        if self._shown:
            print(f"\r{'':<70}\r", end="", file=sys.stderr, flush=True)


@contextmanager
def logs_beside() -> Iterator[None]:
    """Lets what is logged while facts are followed stand beside the output, not in it."""
    import structlog

    before = structlog.get_config()
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    try:
        yield
    finally:
        structlog.configure(**before)


def rounds_of(file: Path) -> Iterator[RoundRecord]:
    """Yields the rounds of a journal whose daemon does not run."""
    for each in told_of(file):
        if isinstance(each, RoundRecord):
            yield each


def told_of(file: Path) -> Iterator[RoundRecord | FloatEntry | Aside]:
    """Yields the rounds of such a journal, and what happened beside them, with the float of the table."""
    from controller.journal.errors import JournalError
    from controller.journal.store import Journal
    from controller.service.retelling import rounds_and_asides

    bar = Bar()
    try:
        journal = Journal.inspect(file, veil_by())
        journal.shelf = shelf_by()
        try:
            with logs_beside():
                yield from rounds_and_asides(journal, bar.show)
        finally:
            bar.end()
            journal.close()
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None


def read_journal(file: Path, tell: Callable[[Journal, Callable[[int, int], None]], Answer]) -> Answer:
    """Returns what `tell` makes of a journal whose daemon does not run; it is told how to show how far it is."""
    from controller.journal.errors import JournalError
    from controller.journal.store import Journal

    bar = Bar()
    try:
        journal = Journal.inspect(file, veil_by())
        journal.shelf = shelf_by()
        try:
            with logs_beside():
                return tell(journal, bar.show)
        finally:
            bar.end()
            journal.close()
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
