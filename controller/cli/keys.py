"""felt keys: the keys of the console, how each is written, who may press it and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

import click
import msgspec

from controller.api import routes
from controller.api.shapes import KeyDeclared, Keys, WhoMay
from controller.cli.client import Client, dumped, explained, with_json, with_socket
from controller.errors import FeltError


@click.command(name="keys")
@click.argument("name", required=False, default="")
@click.option("--game", help="The keys of this game, without asking a daemon.")
@with_socket
@with_json
@explained
def command(name: str, game: str | None, path: str, as_json: bool) -> None:
    """The keys of the table's console, or the one called NAME; not those that mean nothing in its game."""
    answer = _of_game(game) if game is not None else Client(path).get(routes.KEYS)
    named = [key for key in answer["keys"] if (name == key["key"] if name else key["used"])]
    if not named:
        near = get_close_matches(name, [key["key"] for key in answer["keys"]], n=1)
        hint = f'; did you mean "{near[0]}"?' if near else ""
        raise FeltError("keys.unknown", f'a table of {answer["game"]} has no key "{name}"{hint}')
    print(dumped({**answer, "keys": named}) if as_json else "\n".join(line for key in named for line in _text(key)))


def _of_game(game: str) -> Keys:
    from controller.games import find
    from controller.views.keys import keys

    return msgspec.convert({"game": game, "keys": keys(find(game))}, Keys)


def _text(key: KeyDeclared) -> Iterator[str]:
    yield " or ".join(key["forms"])
    yield f"  {key['says']}"
    yield f"  {key['manner']}; {'; '.join(map(_who, key['who'])) or 'nobody at an open table'}"
    if not key["used"]:
        yield "  means nothing in this game"


def _who(power: WhoMay) -> str:
    word = f"{power['word']}: " if power["word"] else ""
    rule = f" ({power['rule']})" if power["rule"] else ""
    return f"{word}{power['role']}{rule}"
