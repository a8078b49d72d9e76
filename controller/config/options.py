"""What is wrong with the [options] of a table: every mistake at once, each beside its option."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from controller.config.errors import did_you_mean
from controller.games import find
from controller.rules import Cited, Objection
from controller.table.options import OptionProblem, Options, demanded, fields, read_one
from controller.table.rules import Rules


class Mistake(NamedTuple):
    """One thing to correct."""

    option: str
    text: str

    def __str__(self) -> str:
        return f"{self.option}: {self.text}"


class Sound(NamedTuple):
    """What can be said of a table although some of its options cannot be read; those have their defaults here."""

    rules: Rules
    options: Options
    unread: frozenset[str]

    @property
    def seats(self) -> int | None:
        """How many places the table has; None when that cannot be read."""
        return None if "seats" in self.unread else self.options.seats


def sound(game: str, text: Mapping[str, str], misshapen: Collection[str] = ()) -> Sound:
    """Returns what these options mean; `misshapen` are those that are not even text."""
    kind = find(game).options
    unread = {problem.option for problem in _unread(kind, text)}
    known = {name: value for name, value in text.items() if name in fields(kind) and name not in unread}
    return Sound(find(game), demanded(kind(), known), frozenset(unread.union(misshapen)))


def check(game: str, text: Mapping[str, str], misshapen: Collection[str] = ()) -> list[Mistake]:
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
    mistakes += [Mistake(each.option, _by_rule(Cited(each.rule, each.text))) for each in _unread(kind, text)]
    return mistakes + list(_together(sound(game, text, misshapen), text))


def _unread(kind: type[Options], text: Mapping[str, str]) -> Iterator[OptionProblem]:
    known = ((name, value) for name, value in text.items() if name in fields(kind))
    for name, value in known:
        problem = read_one(kind, name, value, strictly=True)
        if isinstance(problem, OptionProblem):
            yield problem


def _together(meant: Sound, text: Mapping[str, str]) -> Iterator[Mistake]:
    """Yields what speaks against the options as they stand together; what cannot be read says nothing of the others."""
    options, objected = meant.options, set[str]()
    against = [*options.objections({}), *options.jackpot_objections(meant.rules.name, {}), *_limits(meant)]
    for objection in (*against, *options.slips()):
        option = next((name for name in objection.options if name in text), objection.options[0])
        known = meant.unread.isdisjoint(objection.options)
        slip = not objection.cited.rule
        if known and not (slip and option in objected):  # a slip where the rules spoke already is the same mistake
            objected.add(option)
            yield Mistake(option, _by_rule(objection.cited))


def _limits(meant: Sound) -> Iterator[Objection]:
    if meant.options.min > meant.options.max:
        rule = meant.rules.document.citations.limits
        yield Objection(("min", "max"), Cited(rule, "the minimum is above the maximum"))


def _by_rule(against: Cited) -> str:
    return f"{against.text} (rule {against.rule})" if against.rule else against.text
