"""What is wrong with the [options] of a table: every mistake at once, each beside its option."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from controller.config.errors import did_you_mean
from controller.games import find
from controller.rules import Cited, Objection
from controller.table.options import Options, Problem, demanded, fields, read_one


class Mistake(NamedTuple):
    """One thing to correct."""

    option: str
    text: str

    def __str__(self) -> str:
        return f"{self.option}: {self.text}"


def check(game: str, text: Mapping[str, str]) -> list[Mistake]:
    """Returns what is wrong with these options, by their struct and by the rules of the game.

    >>> [str(mistake) for mistake in check("casino-war", {"decks": "3", "deks": "6", "burn": "maybe"})]
    ... # doctest: +NORMALIZE_WHITESPACE
    ['deks: unknown option of casino-war: did you mean "decks"?',
     'decks: four to eight decks are used (rule 3.1)',
     'burn: "maybe" must be one of on, off']
    """
    kind = find(game).options
    mistakes = [
        Mistake(name, f"unknown option of {game}: {did_you_mean(name, fields(kind))}")
        for name in text
        if name not in fields(kind)
    ]
    wrong = {problem.option: problem for problem in _unread(kind, text)}
    mistakes += [Mistake(name, _by_rule(Cited(problem.rule, problem.text))) for name, problem in wrong.items()]
    return mistakes + list(_together(game, readable(game, text), text, wrong))


def readable(game: str, text: Mapping[str, str]) -> Options:
    """Returns what these options mean; one that is no option of the game, or cannot be read, has its default."""
    kind = find(game).options
    wrong = {problem.option for problem in _unread(kind, text)}
    return demanded(kind(), {name: value for name, value in text.items() if name in fields(kind) and name not in wrong})


def unread(game: str, text: Mapping[str, str]) -> set[str]:
    """Returns the options of the game whose texts cannot be read, or are out of bounds."""
    return {problem.option for problem in _unread(find(game).options, text)}


def _unread(kind: type[Options], text: Mapping[str, str]) -> Iterator[Problem]:
    known = ((name, value) for name, value in text.items() if name in fields(kind))
    for name, value in known:
        problem = read_one(kind, name, value, strictly=True)
        if isinstance(problem, Problem):
            yield problem


def _together(game: str, options: Options, text: Mapping[str, str], wrong: Collection[str]) -> Iterator[Mistake]:
    """Yields what speaks against the options as they stand together; what cannot be read says nothing of the others."""
    objected: set[str] = set()
    against = [*options.objections({}), *options.jackpot_objections(game, {}), *_limits(game, options)]
    for objection in (*against, *options.slips()):
        option = next((name for name in objection.options if name in text), objection.options[0])
        known = not any(name in wrong for name in objection.options)
        slip = not objection.cited.rule
        if known and not (slip and option in objected):  # a slip where the rules spoke already is the same mistake
            objected.add(option)
            yield Mistake(option, _by_rule(objection.cited))


def _limits(game: str, options: Options) -> Iterator[Objection]:
    if options.min > options.max:
        rule = find(game).document.citations.limits
        yield Objection(("min", "max"), Cited(rule, "the minimum is above the maximum"))


def _by_rule(against: Cited) -> str:
    return f"{against.text} (rule {against.rule})" if against.rule else against.text
