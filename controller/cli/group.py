"""The commands of `felt` for click: known by name, and imported only when one is called."""

from __future__ import annotations

import importlib

import click

from controller.cli.main import COMMANDS, help_text
from controller.cli.output import written


class Lazy(click.Group):
    """A group of commands that imports each when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def invoke(self, ctx: click.Context) -> object:
        with written():  # before click, which ends with the status 1
            return super().invoke(ctx)

    def get_help(self, ctx: click.Context) -> str:
        return help_text()


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="feltd", prog_name="felt")
def cli() -> None:
    """The electronic gaming table: look at it, test it, play scripts on it."""
