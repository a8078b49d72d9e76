"""felt monitor: the table as it lives, on a terminal of 80 columns, also over SSH; needs the extra `tui`."""

from __future__ import annotations

import sys

import click

from controller.cli.client import explained, with_socket
from controller.errors import FeltError


@click.command(name="monitor")
@with_socket
@explained
def command(path: str, as_json: bool) -> None:
    """The table as it lives: round, hands, wagers, what it waits for, devices, facts; q ends it.

    It finds the daemon again when that was restarted.  Press ? for its keys.  For programs there are
    `felt status --json` and `felt journal tail -f --json`.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise FeltError("monitor.terminal", "this is no terminal")
    try:
        from controller.cli.monitor_app import Monitor
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "textual":
            raise
        raise FeltError("monitor.missing", "textual is not installed") from None
    from controller.cli.monitor_watch import DaemonSource

    Monitor(DaemonSource(path)).run()
