"""felt: the command of technicians, testers and supervisors.  Each command loads only what it needs."""

from __future__ import annotations

import importlib
from typing import Any

import click

COMMANDS = {
    "config": ("controller.cli.config", "Check a table's configuration."),
    "devices": ("controller.cli.devices", "The devices of the table and how they are."),
    "journal": ("controller.cli.journal", "Read and verify the journal."),
    "run": ("controller.cli.run", "Play scripts on simulated tables."),
    "sim": ("controller.cli.sim", "A simulated table that deals itself."),
    "status": ("controller.cli.status", "What the table does and what it waits for."),
}


class Lazy(click.Group):
    """Knows its commands by name; imports one only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="feltd", prog_name="felt")
def cli() -> None:
    """The electronic gaming table: look at it, test it, play scripts on it."""


def main() -> Any:
    return cli(prog_name="felt")
