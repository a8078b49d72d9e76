"""What is wrong with the [options] of a table: every mistake at once, each beside its option."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from controller.config.errors import did_you_mean
from controller.games import find
from controller.rules import Cited
from controller.table.options import Options, demanded, fields, read


class Mistake(NamedTuple):
    """One thing to correct."""

    option: str  # "": it lies in how several options go together
    text: str

    def __str__(self) -> str:
        return f"{self.option}: {self.text}" if self.option else self.text


def check(game: str, text: Mapping[str, str]) -> list[Mistake]:
    """Returns what is wrong with these options, by their struct and by the rules of the game.

    >>> [str(mistake) for mistake in check("casino-war", {"decks": "3", "deks": "6", "burn": "maybe"})]
    ... # doctest: +NORMALIZE_WHITESPACE
    ['deks: unknown option of casino-war: did you mean "decks"?',
     'decks: four to eight decks are used (rule 3.1)',
     'burn: "maybe" must be one of on, off']
    """
    kind = find(game).options
    unknown = [name for name in text if name not in fields(kind)]
    known = {name: value for name, value in text.items() if name in fields(kind)}
    mistakes = [Mistake(name, f"unknown option of {game}: {did_you_mean(name, fields(kind))}") for name in unknown]
    mistakes += [mistake for name, value in known.items() for mistake in _alone(kind, name, value)]
    readable = {name: value for name, value in known.items() if not isinstance(read(kind, {name: value}), list)}
    whole = demanded(kind(), readable)  # what cannot be read has its default, so that no mistake hides another
    if not mistakes and (against := whole.forbidden({}) or whole.jackpot_forbidden(game, {})):
        mistakes.append(Mistake("", _by_rule(against)))
    if whole.min > whole.max:
        against = Cited(find(game).document.citations.limits, "the minimum is above the maximum")
        mistakes.append(Mistake("min" if "min" in text else "max", _by_rule(against)))
    return mistakes


def _alone(kind: type[Options], name: str, value: str) -> Iterator[Mistake]:
    """Yields what is wrong with one option, whatever the others are."""
    options = read(kind, {name: value})
    if isinstance(options, list):
        yield from (Mistake(name, _by_rule(Cited(problem.rule, problem.text))) for problem in options)
    elif against := options.forbidden({}):
        yield Mistake(name, _by_rule(against))


def _by_rule(against: Cited) -> str:
    return f"{against.text} (rule {against.rule})" if against.rule else against.text
