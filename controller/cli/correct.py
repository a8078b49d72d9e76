"""felt correct: a fact of the running round is replaced or struck out: first shown, then signed for."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

import click

from controller.api import routes
from controller.api.correction import CORRECT
from controller.cli.client import Client, Json, dumped, explained, with_json, with_socket
from controller.errors import FeltError
from controller.money import MoneyError, cents
from controller.service import door_routes

UNREADABLE: Final = "correct.words"
HIDDEN: Final = "??"
NOBODY: Final = "nobody"  # the daemon refuses whoever is not signed in, with words


@click.command(name="correct")
@click.argument("seq", type=click.IntRange(min=1))
@click.argument("words", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--strike", is_flag=True, help="It did not happen: strike it out.")
@click.option("--to", "whole", metavar="JSON", help="The whole fact as `felt journal tail --json` shows one.")
@click.option("--by", metavar="NAME", help="Who answers for it.  [default: who is signed in]")
@click.option("--yes", is_flag=True, help="Sign without being asked; without a terminal nothing else does.")
@click.option("--preview", is_flag=True, help="Show what would change, and no more.")
@with_socket
@with_json
@explained
def command(
    seq: int,
    words: tuple[str, ...],
    strike: bool,
    whole: str | None,
    by: str | None,
    yes: bool,
    preview: bool,
    path: str,
    as_json: bool,
) -> None:
    """Correct fact SEQ of the running round: see what changes, then sign for it.

    The numbers of facts are in `felt journal tail`.  For example `felt correct 117 card=Kd`; on spots of an area in
    dollars: `felt correct 112 war=25`; `felt correct 117 --strike`.  The table tells first what would change; nothing
    does before a supervisor who is signed in (`felt sign-in`) has signed.  What is settled stays.
    """
    client = Client(path)
    to = _wanted(client, seq, words, strike, whole)
    asks = sys.stdin.isatty() and not as_json
    name = by or str(client.get(door_routes.ME).get("person") or NOBODY)
    wish = {"seq": seq, "to": to, "by": name}
    shown = _shown(client, wish, optional=yes)
    if shown is not None and not as_json:
        print("\n".join(["this would change:", *_lines(shown)]))
    if preview or not (yes or (asks and click.confirm(f"Sign as {name}?", err=True))):
        _not_made(shown, preview, asks, as_json)
        return
    answer = client.post(CORRECT, wish)
    print(dumped(answer) if as_json else f"corrected: fact {answer['seq']}, by {name}")


def _shown(client: Client, wish: Json, *, optional: bool) -> Json | None:
    """Returns what would change.

    A key that proves which cards lie face down has no preview: who signs at once gets none.
    """
    try:
        changes: Json = client.post(CORRECT, {**wish, "preview": True})["changes"]
        return changes
    except FeltError as error:
        if error.code != "correct.unfit" or not optional:
            raise
        return None


def _not_made(shown: Json | None, preview: bool, asked: bool, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"preview": True, "changes": shown}))
    elif preview or asked:
        print("nothing was changed")
    if not preview and not asked and not as_json:
        raise FeltError("correct.unsigned", "nobody is here to sign", "Give --yes, or run it on a terminal.")


def _lines(changes: Mapping[str, Any]) -> Iterator[str]:
    """Yields what changes, in words: how it is, and how it would be."""
    from controller.views.changes import in_words

    if not changes:
        yield "  nothing that may be seen now"  # a card that lies face down may become another one
    for what, how in changes.items():
        if what == "refused":
            for lost in how:
                yield f"  fact {lost['seq']} would not count any more: {lost['text']}"
        else:
            yield f"  {what}: {in_words(how['before'])} -> {in_words(how['after'])}"


# ---- what is wanted


def _wanted(client: Client, seq: int, words: tuple[str, ...], strike: bool, whole: str | None) -> Json | None:
    """Returns the fact that takes the place of another; None strikes it out."""
    if [bool(words), strike, whole is not None].count(True) != 1:
        raise FeltError(UNREADABLE, "say what is right: NAME=VALUE, --to or --strike", "See `felt correct --help`.")
    if strike:
        return None
    if whole is not None:
        return _object(whole)
    facts = client.get(routes.TAIL, after=seq - 1, upto=seq, n=1)["facts"]
    if not facts:
        raise FeltError(UNREADABLE, f"there is no fact {seq}", "Its number is in `felt journal tail`.")
    return changed(facts[0]["fact"], words)


def changed(fact: Json, words: tuple[str, ...]) -> Json:
    """Returns a fact with these values; raises FeltError for what it has not.

    >>> changed({"fact": "card", "card": "??"}, ("card=Kd",))
    {'fact': 'card', 'card': 'Kd'}
    >>> changed({"fact": "chips", "area": 1, "spots": [["war", 1, 1000]]}, ("war=25",))
    {'fact': 'chips', 'area': 1, 'spots': [['war', 1, 2500]]}
    """
    made = json.loads(dumped(fact))
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise FeltError(UNREADABLE, f"{word!r} is no NAME=VALUE", "Write it as card=Kd.")
        spots = [spot for spot in made.get("spots", ()) if spot[0] == name]
        if spots:
            spots[0][2] = _cents(value)
        elif name in made and name != "fact":
            made[name] = _value(made[name], value)
        else:
            has = ", ".join([*(spot[0] for spot in made.get("spots", ())), *(key for key in made if key != "fact")])
            raise FeltError(UNREADABLE, f"this fact has no {name}", f"It has {has}; or give the whole fact with --to.")
    if HIDDEN in json.dumps(made) and HIDDEN not in " ".join(words):
        step = "Give every card of it, or the whole fact with --to."
        raise FeltError(UNREADABLE, "cards of this fact are not public: they would be lost", step)
    return dict(made)


def _value(old: object, text: str) -> object:
    """Returns a value of the kind that was there."""
    if isinstance(old, list):
        return text.replace(",", " ").split()
    if isinstance(old, bool | int):
        try:
            return json.loads(text)
        except ValueError:
            raise FeltError(UNREADABLE, f"{text!r} is no number", "Write digits.") from None
    return text


def _cents(text: str) -> int:
    try:
        return cents(text)
    except MoneyError as error:
        raise FeltError(UNREADABLE, str(error), "Write dollars, such as war=25.") from None


def _object(text: str) -> Json:
    try:
        made = json.loads(text)
    except ValueError:
        made = None
    if not isinstance(made, dict):
        raise FeltError(UNREADABLE, "--to is no JSON object", """Such as --to '{"fact":"card","card":"Kd"}'.""")
    return made
