"""felt sign-in: who does what is done over the socket from now on."""

from __future__ import annotations

import sys

import click

from controller.cli.client import Client, dumped, explained, with_json, with_socket
from controller.cli.session_file import SessionFile
from controller.errors import FeltError
from controller.service import door_routes


@click.command(name="sign-in")
@click.option("--badge", help="The number of your badge; asked for without it.")
@click.option("--role", default="", help="One of your roles; without it the highest.")
@with_socket
@with_json
@explained
def command(badge: str | None, role: str, path: str, as_json: bool) -> None:
    """Sign in with badge and PIN, until you sign out or do nothing for a while.

    The session is kept for your account alone; corrections, keys and deeds on the prize meter carry your name.
    """
    number = badge or click.prompt("badge", err=True)
    pin = click.prompt("PIN", hide_input=True, err=True) if sys.stdin.isatty() else sys.stdin.readline().strip()
    if not pin:  # nothing that a daemon should count as a wrong one
        raise FeltError("sign-in.request", "no PIN was given", "Type it when it is asked for, or write it to the pipe.")
    signed_in = Client(path).post(door_routes.SIGN_IN, {"badge": number, "pin": pin, "role": role})
    SessionFile(path).write(signed_in.pop("token"))
    if as_json:
        print(dumped(signed_in))
    else:
        print(f"signed in: {signed_in['role']} {signed_in['person']}")
