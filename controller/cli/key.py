"""felt key: presses a key of the console, for the person who is signed in."""

from __future__ import annotations

import click

from controller.cli.client import Client, dumped, explained, with_json, with_socket
from controller.service import door_routes


@click.command(name="key", context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("words", nargs=-1)
@with_socket
@with_json
@explained
def command(name: str, words: tuple[str, ...], path: str, as_json: bool) -> None:
    """Press the key NAME, with WORDS as they are entered with it: felt key no-more-bets, felt key fold 3.

    Sign in before: `felt sign-in`.  `felt keys` has every key.  Exit status 1: the table refuses it.
    """
    came = Client(path).post(door_routes.PRESS, {"key": name, "args": list(words)})
    if as_json:
        print(dumped(came))
        return
    lines = [f"fact {came['seq']}: {' '.join((name, *words))}"]
    lines += [f"{ruling['ruling']}: {ruling['text']}" for ruling in came["rulings"]]
    lines += [f"{prompt['role']}: {prompt['text']}" for prompt in came["prompts"]]
    print("\n".join(lines))
