"""What is wrong with a script: the one error that reading it can end with, and the hint that goes into it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import msgspec

from controller.errors import FeltError


def where(script: str, line: int) -> str:
    """Returns the place of a mistake: the file, and the line if it is in one.

    >>> where("war.felt", 3), where("none.felt", 0)
    ('war.felt:3', 'none.felt')
    """
    return f"{script}:{line}" if line else script


class ScriptMistake(msgspec.Struct, frozen=True):
    """What is wrong with one line of a script."""

    line: int  # 0: the whole file
    message: str
    expected: str

    def __str__(self) -> str:
        return f"{self.message}; expected {self.expected}"


class ScriptError(FeltError):
    """A script cannot be played as it stands.  Its cause is the first mistake: `file:line: what; expected ...`.

    `mistakes` has all of them, the first one too.
    """

    def __init__(self, name: str, mistakes: Sequence[ScriptMistake], code: str = "script.malformed") -> None:
        first = mistakes[0]
        super().__init__(code, f"{where(name, first.line)}: {first}")
        self.name = name
        self.mistakes = tuple(mistakes)
        self.line = first.line
        self.message = first.message
        self.expected = first.expected


class Malformed(ValueError):
    """A statement is malformed; which file and line it stands in is known further out."""

    def __init__(self, message: str, expected: str) -> None:
        super().__init__(message, expected)
        self.message = message
        self.expected = expected


def unknown(what: str, word: str, known: Iterable[str]) -> Malformed:
    """Returns the error for a word that is not in a list of words, with the closest one of the list as a hint.

    >>> unknown("verb", "bett", ["bet", "draw"]).message
    'unknown verb "bett" (did you mean "bet"?)'
    """
    words = list(dict.fromkeys(known))
    near = get_close_matches(word, words, n=1)
    if not near and word.lower() in words:
        near = [word.lower()]
    hint = f' (did you mean "{near[0]}"?)' if near else ""
    return Malformed(f'unknown {what} "{word}"{hint}', one_of(words))


def unknown_here(what: str, word: str, game: str, here: Iterable[str], anywhere: Iterable[str]) -> Malformed:
    """Returns the same as `unknown`, for a word that may well exist, but in other games."""
    if word in anywhere:
        return Malformed(f'{what} "{word}" is not for {game}', one_of(here))
    return unknown(what, word, here)


def one_of(words: Iterable[str]) -> str:
    """Returns the words as a person lists them: `a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last
