"""The running daemon; or, where it is sure that none runs, the table that it would run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from controller.cli.client import Client
from controller.cli.daemon_socket import Unreachable
from controller.errors import FeltError

if TYPE_CHECKING:  # it takes long to load, and most daemons run
    from controller.config import TableConfig

DEFAULT_CONFIG: Final = Path("/etc/feltd/table.toml")
_NAMED: Final = "controller.cli.table_file"  # under which a command keeps what --config says
T = TypeVar("T")
Command = TypeVar("Command", bound=Callable[..., Any])


def with_config(command: Command) -> Command:
    """Returns the option --config."""
    return click.option(
        "--config",
        type=click.Path(path_type=Path),
        help=f"The table's file, for when its daemon does not run.  [default: {DEFAULT_CONFIG}]",
    )(command)


def with_table_file(command: Command) -> Command:
    """Adds the option --config to a command that needs the table's file, whether its daemon runs or not."""
    return click.option(
        "--config",
        "file",
        type=click.Path(path_type=Path),
        callback=lambda _ctx, _param, file: file or DEFAULT_CONFIG,
        help=f"The table's file.  [default: {DEFAULT_CONFIG}]",
    )(command)


def keep_named(ctx: click.Context, _param: click.Parameter, file: Path | None) -> Path | None:
    """Keeps the table.toml of an option --config for what asks for it deeper down; returns it."""
    if file is not None:
        ctx.meta[_NAMED] = file
    return file


def named_table() -> Path | None:
    """Returns the table.toml that the running command was given so; None without one."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(_NAMED)


@dataclass(frozen=True)
class Alone:
    """A table without its daemon; `error` says that there is none."""

    config: TableConfig
    error: Unreachable

    def words(self) -> tuple[str, ...]:
        """Returns, for people, that no daemon runs and what follows from it."""
        return (
            f"feltd does not run: {self.error.cause}",
            f"  -> {self.error.next_step}",
            "Its devices are asked directly; nothing is acknowledged, so they keep their events.",
        )

    def json(self) -> dict[str, object]:
        """Returns, for programs, that no daemon runs."""
        error = {"code": self.error.code, "cause": self.error.cause, "next_step": self.error.next_step}
        return {"running": False, "error": error}


def daemon_or_table(path: str, file: Path | None, ask: Callable[[Client], T]) -> T | Alone:
    """Returns what the daemon answers; or its table, when it is sure that no daemon runs and a table.toml can be read.

    Whoever may not use the socket, or is not answered in time, gets that error: a daemon is there.
    """
    try:
        return ask(Client(path))
    except Unreachable as error:
        if not error.absent:
            raise
        absent = error
    config = _table(file, absent)
    if str(config.api.socket) != path:
        try:
            return ask(Client(str(config.api.socket)))
        except Unreachable as error:
            if not error.absent:
                raise
            absent = error
    _no_daemon_has(config)
    return Alone(config, absent)


def _table(file: Path | None, absent: Unreachable) -> TableConfig:
    path = file or DEFAULT_CONFIG
    if file is None and not path.exists():
        step = f"{absent.next_step}  Or name the table's file with --config: its devices are then asked directly."
        raise FeltError(absent.code, absent.cause, step)
    from controller.config import ConfigError
    from controller.config.load import load_config

    try:
        return load_config(path)
    except ConfigError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None


def _no_daemon_has(config: TableConfig) -> None:
    """Tells whether no daemon has the journal: one without a socket would be disturbed by a second greeting."""
    from controller.daemon.compose import JOURNAL
    from controller.journal.errors import LOCKED, JournalError
    from controller.journal.store import Journal

    journal = config.table.state / JOURNAL
    try:
        if journal.exists():
            Journal.inspect(journal).close()
    except JournalError as error:
        if error.code == LOCKED:
            raise FeltError("daemon.elsewhere", f"another process uses {journal}") from None
    except OSError:
        pass  # not for our eyes; nobody answers on the socket either
