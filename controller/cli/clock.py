"""felt clock: what the time of day of the table's computer is worth, and the word of a person for it."""

from __future__ import annotations

import sys

import click

from controller.api import routes
from controller.api.shapes import ClockShown
from controller.cli.client import TROUBLE, Client, Noun, dumped, explained, with_json, with_socket
from controller.cli.output import say
from controller.service.clock_routes import CONFIRM_CLOCK


@click.group(name="clock", cls=Noun)
def command() -> None:
    """The clock of the table's computer: who confirms it."""


@command.command(name="show")
@with_socket
@with_json
@explained
def show(path: str, as_json: bool) -> None:
    """Who confirms the time of day, and whether it can be believed.

    Exit status 0: somebody confirms it; 1: nobody does.
    """
    clock = Client(path).get(routes.STATUS)["clock"]
    if as_json:
        print(dumped(clock))
    else:
        say(in_words(clock), "green" if clock["confirmed"] else "yellow")
        if not clock["battery"]:
            say("it has no battery: it stands still while the computer has no power", "")
    sys.exit(0 if clock["confirmed"] else TROUBLE)


@command.command(name="confirm")
@click.option("--reason", required=True, help="How you know that the time is right.")
@with_socket
@with_json
@explained
def confirm(reason: str, path: str, as_json: bool) -> None:
    """Say that the time of day is right, as the supervisor, or somebody above, who is signed in (`felt sign-in`)."""
    done = Client(path).post(CONFIRM_CLOCK, {"reason": reason})
    print(dumped(done) if as_json else f"the clock is confirmed by {done['person']}: fact {done['seq']}")


def in_words(clock: ClockShown) -> str:
    """Returns who confirms the time of day, in one line."""
    if clock["person"]:
        return f"confirmed by {clock['person']}"
    if clock["confirmed"]:
        error = f", right within {clock['error_ms']:.0f} ms" if clock["error_ms"] is not None else ""
        return f"kept right by a time server{error} (source: {clock['source']})"
    cannot = f" ({clock['code']})" if clock["code"] else ""
    return f"the time of day is not confirmed{cannot}: felt explain clock.unsure"
