"""The words of tournaments in the testers' language: their verbs, keys and expectations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

from controller.config.errors import TermsError
from controller.config.terms import open_terms
from controller.games import find
from controller.script import model as m
from controller.script import words
from controller.script.catalogue import game_named
from controller.script.errors import Malformed, unknown
from controller.script.shapes import Words
from controller.table.documents import TournamentRules
from controller.table.values import Unwritable
from controller.tournament.items import BY_NAME
from controller.tournament.ranking import State
from controller.tournament.record import Stage
from controller.tournament.terms import TermsSheet

_USAGE: Final = "tournament NAME GAME [terms=FILE] [ITEM=VALUE ...] [without=ITEM,...]"
TERMS, WITHOUT = "terms", "without"
STATES: Final[tuple[State, ...]] = get_args(State)
STAGES: Final[tuple[Stage, ...]] = get_args(Stage)


def tournament(number: int, text: str, tokens: Sequence[str], folder: Path) -> m.TournamentLine:
    """Reads `tournament NAME GAME ...`; a file of terms stands beside the script."""
    left = Words(tokens, _USAGE)
    name = left.take(words.name)
    game = left.take(game_named)
    rules = find(game.name).document.tournaments
    if rules is None:
        raise Malformed(f"the document of {game.name} knows no tournaments", "a game that has tournaments")
    given: dict[str, str] = {}
    for key, value in left.any(_pair):
        if key in given:
            raise Malformed(f'"{key}" is given twice', "each item once")
        given[key] = value
    file, without = given.pop(TERMS, None), given.pop(WITHOUT, "")
    for item, value in given.items():
        _check_item(item, value, rules)
    left_out = tuple(without.split(",")) if without else ()
    for item in left_out:
        _known_item(item)
    base = None if file is None else _sheet(folder / file)
    return m.TournamentLine(number, name, text, game.name, given, left_out, base)


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals or not value:
        raise Malformed(f'"{word}" is not ITEM=VALUE', "ITEM=VALUE")
    return name, value


def _known_item(name: str) -> None:
    if name not in BY_NAME:
        raise unknown("item", name, BY_NAME)


def _check_item(name: str, value: str, rules: TournamentRules) -> None:
    _known_item(name)
    form = BY_NAME[name].form_in(rules)
    try:
        form.read(value)
    except Unwritable:
        raise Malformed(f'{name}: "{value}" is not its value', form.expected) from None


def _sheet(path: Path) -> TermsSheet:
    try:
        return open_terms(path).sheet
    except TermsError as error:
        raise Malformed(
            f"terms={path.name}: {error.problems[0].message}", "a file of terms beside the script"
        ) from None
