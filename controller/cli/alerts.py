"""felt alerts: what game protection has found at this table, to be cleared by number and with a reason."""

from __future__ import annotations

import sys
import time

import click

from controller.cli.client import TROUBLE, Client, Noun, dumped, explained, with_json, with_socket
from controller.cli.output import say
from controller.service import protection_routes
from controller.views.moments import time_of_day


@click.group(name="alerts", cls=Noun)
def command() -> None:
    """What game protection has found at this table; each alert stays until somebody clears it."""


@command.command(name="list")
@with_socket
@with_json
@explained
def listed(path: str, as_json: bool) -> None:
    """The alerts that wait, the oldest first.

    Exit status 0: there are none; 1: there are some.
    """
    waiting = Client(path).get(protection_routes.ALERTS)
    if as_json:
        print(dumped(waiting))
    elif not waiting.alerts:
        say("no alert waits", "green")
    else:
        for each in waiting.alerts:
            when = f"{time_of_day(each.since * 1000, time.localtime().tm_gmtoff)}, round {each.round}"
            say(f"{each.alert:>6}  {each.title} ({when})", "yellow")
            say(f"        {each.text}", "")
            say(f"        -> {each.step}", "")
    sys.exit(TROUBLE if waiting.alerts else 0)


@command.command(name="clear")
@click.argument("number", type=click.IntRange(min=1))
@click.option("--reason", required=True, help="What came of it.")
@with_socket
@with_json
@explained
def cleared(number: int, reason: str, path: str, as_json: bool) -> None:
    """Clear an alert, as the supervisor, or somebody above, who is signed in (`felt sign-in`)."""
    kept = protection_routes.reason_kept(number, reason)  # before it is too much for a request
    done = Client(path).post(protection_routes.CLEAR, {"alert": number, "reason": kept})
    print(dumped(done) if as_json else f"alert {number} is cleared by {done['person']}: fact {done['seq']}")
