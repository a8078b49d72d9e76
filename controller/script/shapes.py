"""Reads the words that follow a word: a cursor over them, and the forms of declared keys, acts and faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from controller.games import every_key, find
from controller.script import words
from controller.script.catalogue import Game, every_spot
from controller.script.errors import Malformed, one_of, unknown, unknown_here
from controller.script.options import setting
from controller.table.declare import CARD, Argument, Form, Key, WordKind, kind, optional
from controller.table.keys import keys_of
from controller.tournament.keys import DESK_KEYS, TABLE_KEYS

T = TypeVar("T")


class Words:
    """The words of one statement, taken one by one; every complaint ends with how the statement is written."""

    def __init__(self, tokens: Sequence[str], usage: str) -> None:
        self._left = list(tokens)
        self._usage = usage

    def peek(self) -> str:
        """Returns the next word, "" at the end."""
        return self._left[0] if self._left else ""

    def take(self, read: Callable[[str], T]) -> T:
        """Takes the next word, which must be there, and returns what it means."""
        if not self._left:
            raise Malformed("something is missing at the end of the line", f'"{self._usage}"')
        try:
            value = read(self._left[0])
        except Malformed as error:
            raise Malformed(error.message, f"{error.expected} ({self._usage})") from None
        del self._left[0]
        return value

    def maybe(self, read: Callable[[str], T]) -> T | None:
        """Takes the next word, if there is one."""
        return self.take(read) if self._left else None

    def many(self, read: Callable[[str], T]) -> tuple[T, ...]:
        """Takes all the words that are left: at least one."""
        return (self.take(read), *self.any(read))

    def any(self, read: Callable[[str], T]) -> tuple[T, ...]:
        """Takes all the words that are left: perhaps none."""
        values: list[T] = []
        while self._left:
            values.append(self.take(read))
        return tuple(values)

    def literal(self, word: str) -> bool:
        """Takes the next word if it is this one, and tells whether it was."""
        present = self.peek() == word
        if present:
            del self._left[0]
        return present

    def last(self, known: Sequence[str]) -> str:
        """Takes the last word of all, if it is one of these; else returns ""."""
        return self._left.pop() if self._left and self._left[-1] in known else ""

    def end(self) -> None:
        """Checks that no word is left."""
        if self._left:
            raise Malformed(f'"{self._left[0]}" is too much here', f'"{self._usage}"')


def written(form: Form) -> str:
    """Returns what follows a word, as testers know it."""
    return " ".join(argument.written for argument in form)


def form_of(text: str) -> Form:
    """Returns the form of a fault, as its model writes it: `N`, `[N]`, `CARD`.

    >>> written(form_of("[N]"))
    '[N]'
    """
    form: list[Argument] = []
    for part in text.split():
        argument = kind(part.strip("[]"), r"\S+")
        form.append(optional(argument) if part.startswith("[") else argument)
    return tuple(form)


def arguments(form: Form, tokens: Sequence[str], game: Game, usage: str) -> tuple[str, ...]:
    """Returns the words that fit the form, unchanged; anything else is malformed."""
    left = Words(tokens, f"{usage} {written(form)}".rstrip())
    result: list[str] = []
    for argument in form:

        def read(word: str, argument: Argument = argument) -> str:
            return _check(word, argument, game)

        if argument.many:
            taken = left.any(read) if argument.optional else left.many(read)
            _check_each_once(taken, argument)
            result.extend(taken)
        elif argument.optional:
            one = left.maybe(read)
            result.extend([] if one is None else [one])
        else:
            result.append(left.take(read))
    left.end()
    return tuple(result)


def _check(word: str, argument: Argument, game: Game) -> str:
    fixed = [kind.name for kind in argument.kinds if kind.fixed]
    if word in fixed:
        return word
    free = [kind for kind in argument.kinds if not kind.fixed]
    if not free:
        raise unknown("word", word, fixed)
    try:
        _read(word, free[0], game)
    except Malformed as error:
        raise Malformed(error.message, one_of([error.expected, *fixed])) from None
    return word


def _read(word: str, kind: WordKind, game: Game) -> None:
    """Reads a word of this kind; of one that testers have no reader for, the declaration says how it looks."""
    if kind.name in _READERS:
        _READERS[kind.name](word, game)
    elif kind.pattern.fullmatch(word) is None:
        raise Malformed(f'"{word}" is not {kind.written}', kind.written)


def _check_each_once(tokens: Sequence[str], argument: Argument) -> None:
    fixed = [kind.name for kind in argument.kinds if kind.fixed]
    if len(tokens) > 1 and any(word in fixed for word in tokens):
        raise Malformed(f"{one_of(fixed)} stands alone", "nothing else beside it")
    if argument.kinds == CARD.kinds:
        return  # games with several decks hold the same card more than once
    names = [word.partition("=")[0] for word in tokens]
    for name in names:
        if names.count(name) > 1:
            raise Malformed(f'"{name}" is given twice', "each once")


# ---- kinds of words that need the game, or are made of several


def spot(word: str, game: Game) -> str:
    """Returns the word, which is a spot on this game's layout; malformed when it is none."""
    if word not in game.spots:
        raise unknown_here("spot", word, game.name, game.spots, every_spot())
    return word


def key_name(word: str, game: Game) -> str:
    """Returns the word, which is a key of this table's console; malformed when it is none."""
    known = keys_at(game)
    if word not in known:
        raise unknown_here("key", word, game.where, known, {key.name for key in every_key() if not key.anyone})
    return word


def key_words(key: Key, tokens: Sequence[str], game: Game) -> tuple[str, ...]:
    """Returns the words that came with a key, unchanged.

    Words that fit none of its forms are malformed, as its first form says.
    """
    wrong: list[Malformed] = []
    for form in key.forms:
        try:
            return arguments(form, tokens, game, f"key {key.name}")
        except Malformed as error:
            wrong.append(error)
    raise wrong[0]


def keys_at(game: Game) -> dict[str, Key]:
    """Returns the keys of this table's console by name; what players do themselves has verbs of its own.

    Where a tournament is in the run its keys are among them; at its desk there are no others.
    """
    own = {} if game.desk else {key.name: key for key in keys_of(find(game.name)) if not key.anyone}
    cup = {key.name: key for key in (*DESK_KEYS, *TABLE_KEYS[:1])} if game.cup else {}
    return own | {name: _either(own[name], key) if name in own else key for name, key in cup.items()}


def _either(own: Key, other: Key) -> Key:
    """Returns a key that is written as either of two: a game and a tournament have keys of one name."""
    if own.written == other.written:
        return own
    return Key(own.name, *own.forms[0], also=(*own.forms[1:], *other.forms), says=own.says)


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


_READERS: dict[str, Callable[[str, Game], object]] = {
    "AMOUNT": _plain(words.chips),
    "AREA": _plain(words.area),
    "BADGE": _plain(words.badge),
    "CARD": _plain(words.card),
    "CODE": _plain(words.code),
    "COUNT": _plain(words.number),
    "DURATION": _plain(words.duration),
    "HAND": _hand,
    "KEY": key_name,
    "LIMIT": _limit,
    "N": _plain(words.positive),
    "DISPUTE": _plain(words.positive),
    "NAME": _plain(words.name),
    "PATRON": _plain(words.name),
    "PROMOTION": _plain(words.name),
    "PLACE": _plain(words.place),
    "SEAT": _plain(words.seat),
    "SETTING": setting,
    "SHARE": _share,
    "SPOT": spot,
}
