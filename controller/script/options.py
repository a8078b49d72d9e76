"""Options in a script: `option=value` as the struct of the game reads it."""

from __future__ import annotations

from collections.abc import Iterable

from controller.games import INSTALLED, find
from controller.script.catalogue import Game
from controller.script.errors import Malformed, one_of, unknown, unknown_here
from controller.script.model import Setting
from controller.table.options import Field, fields
from controller.table.values import NONE, Unwritable, shown


def option_names(game: Game) -> list[str]:
    """Returns the names of this game's options."""
    return list(fields(find(game.name).options))


def every_option() -> set[str]:
    """Returns the names of the options of all games."""
    return {name for game in INSTALLED.usable() for name in fields(game.options)}


def setting(word: str, game: Game) -> Setting:
    """Reads one `option=value` of this game.

    A value that only the rules forbid is well-formed: the table refuses it.
    """
    name, equals, text = word.partition("=")
    field = fields(find(game.name).options).get(name)
    if field is None:
        raise unknown_here("option", name, game.name, option_names(game), every_option())
    if not equals or not text:
        raise Malformed(f'option "{name}" has no value', f"{name}=value")
    return Setting(name, text, field.write(_value(field, text)))


def _value(field: Field, text: str) -> object:
    """Returns what the text means; scripts write it in the strict way."""
    try:
        return field.read(text, strictly=True)
    except Unwritable:
        raise _malformed(field, text) from None


def _malformed(field: Field, text: str) -> Malformed:
    """Returns the error that says what is expected instead of this text."""
    none = [NONE] if field.optional else []
    if field.form.words:
        wrong = unknown("value", text, [*field.form.words, *none])
        return Malformed(f"{field.name}: {wrong.message}", wrong.expected)
    return Malformed(f"{field.name}: {shown(text)} is not its value", one_of([field.form.expected, *none]))


def settings(tokens: Iterable[str], game: Game) -> tuple[Setting, ...]:
    """Reads several `option=value`, each option once."""
    result: list[Setting] = []
    for word in tokens:
        one = setting(word, game)
        if any(one.name == other.name for other in result):
            raise Malformed(f'option "{one.name}" is given twice', "each option once")
        result.append(one)
    return tuple(result)
