"""felt sign-out: ends the session of this account."""

from __future__ import annotations

import click

from controller.cli.client import Client, dumped, explained, with_json, with_socket
from controller.cli.session_file import SessionFile
from controller.service import door_routes


@click.command(name="sign-out")
@with_socket
@with_json
@explained
def command(path: str, as_json: bool) -> None:
    """Sign out what `felt sign-in` signed in."""
    try:
        signed_out = Client(path).post(door_routes.SIGN_OUT, {})
    finally:
        SessionFile(path).remove()
    print(dumped(signed_out) if as_json else f"signed out: {signed_out['person']}")
