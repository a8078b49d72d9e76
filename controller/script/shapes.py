"""Reads the words that follow a word: a cursor over them, and the shapes of `catalogue.py` and `keys.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

import msgspec

from controller.script import words
from controller.script.catalogue import GAMES, Game
from controller.script.errors import Malformed, one_of, unknown, unknown_here
from controller.script.keys import KEYS
from controller.script.options import setting

T = TypeVar("T")


class Words:
    """The words of one statement, taken one by one; every complaint ends with how the statement is written."""

    def __init__(self, found: Sequence[str], usage: str) -> None:
        self._left = list(found)
        self._usage = usage

    def peek(self) -> str:
        """The next word, "" at the end."""
        return self._left[0] if self._left else ""

    def take(self, read: Callable[[str], T]) -> T:
        """The next word, which must be there."""
        if not self._left:
            raise Malformed("something is missing at the end of the line", f'"{self._usage}"')
        try:
            value = read(self._left[0])
        except Malformed as error:
            raise Malformed(error.message, f"{error.expected} ({self._usage})") from None
        del self._left[0]
        return value

    def maybe(self, read: Callable[[str], T]) -> T | None:
        """The next word, if there is one."""
        return self.take(read) if self._left else None

    def many(self, read: Callable[[str], T]) -> tuple[T, ...]:
        """All the words that are left: at least one."""
        return (self.take(read), *self.any(read))

    def any(self, read: Callable[[str], T]) -> tuple[T, ...]:
        """All the words that are left: perhaps none."""
        found: list[T] = []
        while self._left:
            found.append(self.take(read))
        return tuple(found)

    def literal(self, word: str) -> bool:
        """Whether the next word is this one; if so it is taken."""
        found = self.peek() == word
        if found:
            del self._left[0]
        return found

    def last(self, known: Sequence[str]) -> str:
        """The last word of all, if it is one of these; else ""."""
        return self._left.pop() if self._left and self._left[-1] in known else ""

    def end(self) -> None:
        """Nothing may be left."""
        if self._left:
            raise Malformed(f'"{self._left[0]}" is too much here', f'"{self._usage}"')


class _Slot(msgspec.Struct, frozen=True):
    kinds: tuple[str, ...]
    literals: tuple[str, ...]
    optional: bool
    many: bool


@cache
def _slots(shape: str) -> tuple[_Slot, ...]:
    found: list[_Slot] = []
    for part in shape.split():
        optional = part.startswith("[")
        core = part.strip("[]")
        many = core.endswith("...")
        names = core.removesuffix("...").split("|")
        kinds = tuple(name for name in names if name.isupper())
        found.append(_Slot(kinds, tuple(name for name in names if name not in kinds), optional, many))
    return tuple(found)


_WRITTEN = {
    "COUNT": "N",
    "SETTING": "option=value",
    "LIMIT": "min=AMOUNT|max=AMOUNT",
    "HAND": "PLACE=CARD,...",
    "SHARE": "NAME[=AMOUNT]",
}


def written(shape: str) -> str:
    """A shape as testers know it."""
    for kind, text in _WRITTEN.items():
        shape = shape.replace(kind, text)
    return shape


def arguments(shape: str, found: Sequence[str], game: Game, usage: str) -> tuple[str, ...]:
    """The words that fit the shape, unchanged; anything else is malformed."""
    left = Words(found, f"{usage} {written(shape)}".rstrip())
    result: list[str] = []
    for slot in _slots(shape):

        def read(word: str, slot: _Slot = slot) -> str:
            return _check(word, slot, game)

        if slot.many:
            taken = left.any(read) if slot.optional else left.many(read)
            _check_each_once(taken, slot)
            result.extend(taken)
        elif slot.optional:
            one = left.maybe(read)
            result.extend([] if one is None else [one])
        else:
            result.append(left.take(read))
    left.end()
    return tuple(result)


def _check(word: str, slot: _Slot, game: Game) -> str:
    if word in slot.literals:
        return word
    if not slot.kinds:
        raise unknown("word", word, slot.literals)
    try:
        _KINDS[slot.kinds[0]](word, game)
    except Malformed as error:
        raise Malformed(error.message, one_of([error.expected, *slot.literals])) from None
    return word


def _check_each_once(found: Sequence[str], slot: _Slot) -> None:
    if len(found) > 1 and any(word in slot.literals for word in found):
        raise Malformed(f"{one_of(slot.literals)} stands alone", "nothing else beside it")
    if "CARD" in slot.kinds:
        return  # games with several decks hold the same card more than once
    names = [word.partition("=")[0] for word in found]
    for name in names:
        if names.count(name) > 1:
            raise Malformed(f'"{name}" is given twice', "each once")


# ---- kinds of words that need the game, or are made of several


def spot(word: str, game: Game) -> str:
    """A spot on this game's layout."""
    if word not in game.spots:
        every = {each for other in GAMES.values() for each in other.spots + other.lines}
        raise unknown_here("spot", word, game.name, game.spots, every)
    return word


def key_name(word: str, game: Game) -> str:
    """A key that this table's console has."""
    known = KEYS[game.kind]
    if word not in known:
        raise unknown_here("key", word, game.name, known, {each for keys in KEYS.values() for each in keys})
    return word


def _limit(word: str, game: Game) -> None:
    if word.partition("=")[0] not in ("min", "max"):
        raise Malformed(f'"{word}" is not a limit', "min=AMOUNT or max=AMOUNT")
    setting(word, game)


def _hand(word: str, _: Game) -> None:
    where, equals, cards = word.partition("=")
    if not equals:
        raise Malformed(f'"{word}" is not a hand', "a place and its cards, as in 1=Kh,2d")
    words.place(where)
    for each in cards.split(","):
        words.card(each)


def _share(word: str, _: Game) -> None:
    name, equals, amount = word.partition("=")
    words.name(name)
    if equals:
        words.ten_thousandths(amount)


def _plain(read: Callable[[str], object]) -> Callable[[str, Game], object]:
    return lambda word, _: read(word)


_KINDS: dict[str, Callable[[str, Game], object]] = {
    "AMOUNT": _plain(words.chips),
    "AREA": _plain(words.area),
    "CARD": _plain(words.card),
    "CODE": _plain(words.code),
    "COUNT": _plain(words.number),
    "DURATION": _plain(words.duration),
    "HAND": _hand,
    "KEY": key_name,
    "LIMIT": _limit,
    "N": _plain(words.positive),
    "NAME": _plain(words.name),
    "PLACE": _plain(words.place),
    "SEAT": _plain(words.seat),
    "SETTING": setting,
    "SHARE": _share,
    "SPOT": spot,
}
