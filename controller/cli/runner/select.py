"""Which runs are meant by `-k`: words that stand in the name of a script or case, with `and`, `or`, `not`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_TOKEN: Final = re.compile(r"""\s*(?:([()])|"([^"]*)"|'([^']*)'|([^\s()"']+))""")
_WORDS: Final = ("and", "or", "not")

Takes = Callable[[str], bool]  # whether a run of this name is meant


class BadExpression(ValueError):
    """An expression that cannot be read; its text says why."""


def selection(text: str) -> Takes:
    """Returns whether a name is meant by an expression; capitals make no difference.

    >>> takes = selection("9.5 and not ('deck is complete' or Two)")
    >>> takes("001/9.5_short.felt: a card is missing"), takes("9.5_short.felt: the deck is complete")
    (True, False)
    """
    reader = _Reader(_tokens(text))
    takes = reader.either()
    reader.end()
    return takes


def _tokens(text: str) -> list[tuple[str, bool]]:
    """Returns the words of an expression, each with whether it is one to look for."""
    tokens: list[tuple[str, bool]] = []
    at = 0
    while text[at:].strip():
        fits = _TOKEN.match(text, at)
        if fits is None:
            raise BadExpression(f"a quotation mark is not closed: {text[at:].strip()}")
        bracket, double, single, plain = fits.groups()
        quoted = double if double is not None else single
        if quoted is not None:
            tokens.append((quoted.lower(), True))
        else:
            word = bracket or plain.lower()
            tokens.append((word, not bracket and word not in _WORDS))
        at = fits.end()
    return tokens


class _Reader:
    """Reads an expression from left to right; `not` binds more than `and`, `and` more than `or`."""

    def __init__(self, tokens: list[tuple[str, bool]]) -> None:
        self._left = tokens

    def either(self) -> Takes:
        """Reads terms with `or` between them."""
        terms = [self._both()]
        while self._take("or"):
            terms.append(self._both())
        return lambda name: any(takes(name) for takes in terms)

    def end(self) -> None:
        """Checks that nothing is left."""
        if self._left:
            raise BadExpression(
                f'"{self._left[0][0]}" needs "and" or "or" before it; words with spaces stand in quotes'
            )

    def _both(self) -> Takes:
        terms = [self._one()]
        while self._take("and"):
            terms.append(self._one())
        return lambda name: all(takes(name) for takes in terms)

    def _one(self) -> Takes:
        if self._take("not"):
            other = self._one()
            return lambda name: not other(name)
        if self._take("("):
            inner = self.either()
            if not self._take(")"):
                raise BadExpression('a ")" is missing')
            return inner
        if not self._left:
            raise BadExpression("a word is missing at the end")
        word, looked_for = self._left.pop(0)
        if not looked_for:
            raise BadExpression(f'a word is missing before "{word}"')
        return lambda name: word in name.lower()

    def _take(self, word: str) -> bool:
        """Takes the next token if it is this one, and tells whether it was."""
        present = self._left[:1] == [(word, False)]
        if present:
            del self._left[0]
        return present
