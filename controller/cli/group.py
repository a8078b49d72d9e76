"""The commands of `felt` for click: known by name, and imported only when one is called."""

from __future__ import annotations

import importlib
import json
import signal
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any, Final

import click

from controller.cli.client import complain, socket_of_all
from controller.cli.main import COMMANDS, STOPPED, end_at_once, help_text
from controller.cli.output import written

UNUSABLE: Final = "file.unusable"
LONGEST_NAME: Final = 200  # letters of a path that are told


class Lazy(click.Group):
    """A group of commands that imports each when it is called."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        words = sys.argv[1:] if args is None else args
        run = partial(super().main, args, prog_name, complete_var, **extra)
        if not standalone_mode or "--json" not in words:
            return run(standalone_mode=standalone_mode)
        try:
            sys.exit(run(standalone_mode=False))
        except click.UsageError as mistake:
            _tell_mistyped(mistake)
            sys.exit(mistake.exit_code)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(unknown(args[0]))
        resolved = super().resolve_command(ctx, args)
        if signal.getsignal(signal.SIGINT) is end_at_once:  # it is loaded: from here on a command can tidy up
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return resolved

    def invoke(self, ctx: click.Context) -> object:
        try:
            with written():  # before click, which ends with the status 1
                return super().invoke(ctx)
        except click.Abort:  # Ctrl-C at a question
            print(file=sys.stderr)
            sys.exit(STOPPED)
        except KeyboardInterrupt:
            sys.exit(STOPPED)
        except OSError as error:  # a path that no command can do anything with, such as one that is too long
            if error.filename is None:
                raise
            from controller.errors import FeltError

            unusable = FeltError(UNUSABLE, f"{str(error.filename)[:LONGEST_NAME]}: {error.strerror or error}")
            complain(unusable.code, unusable.cause, unusable.next_step, "--json" in sys.argv)

    def get_help(self, ctx: click.Context) -> str:
        return help_text()


def _tell_mistyped(mistake: click.UsageError) -> None:
    """Prints to programs what people read with the usage of the command."""
    called = mistake.ctx.command_path if mistake.ctx is not None else "felt"
    error = {"code": "command.mistyped", "cause": mistake.format_message(), "next_step": f"See `{called} --help`."}
    with written():
        print(json.dumps({"error": error}))


def unknown(word: str) -> str:
    """Returns that there is no such command, and what may have been meant.

    >>> unknown("statsu")
    "There is no command 'statsu'. Did you mean 'status'?"
    """
    near = get_close_matches(word, COMMANDS, n=3, cutoff=0.6)
    meant = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    return f"There is no command {word!r}.{meant}"


@click.group(cls=Lazy, params=[socket_of_all()], context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="feltd", prog_name="felt")
def cli() -> None:
    """The electronic gaming table: look at it, test it, play scripts on it."""
