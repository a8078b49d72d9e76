"""The words of the script language: one reader for each kind of word, from text to a checked value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from controller.cards import UNREAD, is_card
from controller.script.errors import Malformed, one_of, unknown
from controller.script.model import CuttingCard, Drawn, FaceUp, Place, Single, Together, Token, Unreadable
from controller.table.values import Unwritable, milliseconds

W = TypeVar("W", bound=str)

PLACE_WORDS = ("dealer", "flop", "turn", "river", "community")

# Bounded digits keep a typing error from becoming an endless range or number; the table itself says which areas it has.
_AMOUNT = re.compile(r"([0-9]{1,15})(?:\.([0-9]{1,4}))?")
_WHOLE = re.compile(r"[0-9]{1,9}")
_AREA = re.compile(r"([1-9][0-9]{0,2})(?:\.([1-9]))?")
_SEAT = re.compile(r"[1-9][0-9]{0,2}")
_NAME = re.compile(r"[^\W\d_][\w-]*")
_BADGE = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.:-]{0,63}")
_CODE = re.compile(r"[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*")
_RULE = re.compile(r"(?:[0-9]+[a-z]?(?:\.[0-9]+[a-z]?)*|s[0-9]+[A-Z]*)(?:\([a-z0-9]+\))*|table-[0-9]+")


def chips(word: str) -> int:
    """Reads dollars in chips as cents.

    >>> chips("2.50")
    250
    """
    fine = ten_thousandths(word)
    if fine % 100:
        raise Malformed(f'"{word}" is finer than a cent', "an amount in dollars with at most two decimals")
    return fine // 100


def net(word: str) -> int:
    """Reads a gain or, with a minus sign, a loss, in cents."""
    if word[:1] in ("+", "-"):
        return -chips(word[1:]) if word[0] == "-" else chips(word[1:])
    return chips(word)


def ten_thousandths(word: str) -> int:
    """Reads the dollars of a prize meter as ten-thousandths of a dollar.

    >>> ten_thousandths("100005.722")
    1000057220
    """
    match = _AMOUNT.fullmatch(word)
    if match is None:
        raise Malformed(f'"{word}" is not an amount', "dollars such as 10, 2.50 or 100005.722")
    return int(match[1]) * 10_000 + int((match[2] or "").ljust(4, "0"))


def number(word: str) -> int:
    """Reads a whole number, 0 included."""
    if _WHOLE.fullmatch(word) is None:
        raise Malformed(f'"{word}" is not a number', "a whole number of at most nine digits")
    return int(word)


def positive(word: str) -> int:
    """Reads a whole number from 1."""
    if _WHOLE.fullmatch(word) is None or int(word) == 0:
        raise Malformed(f'"{word}" is not a number from 1', "a whole number from 1")
    return int(word)


def card(word: str) -> str:
    """Reads a card: rank, then suit."""
    if not is_card(word):
        near = word.replace("10", "T")
        near = near[:1].upper() + near[1:].lower()
        hint = f' (did you mean "{near}"?)' if is_card(near) else ""
        raise Malformed(f'"{word}" is not a card{hint}', "rank (2-9 T J Q K A) and suit (c d h s), as in Td")
    return word


def seen_card(word: str) -> str:
    """Reads a card, or `??` for one that lies face down."""
    return word if word == UNREAD else card(word)


def area(word: str) -> Place:
    """Reads a betting area, and which of its bettors: `3`, `3.2`."""
    match = _AREA.fullmatch(word)
    if match is None:
        raise Malformed(f'"{word}" is not an area', "an area such as 3, or 3.2 for its second bettor")
    return Place(match[1], int(match[2] or 1))


def seat(word: str) -> Place:
    """Reads a Crown Poker seat."""
    if _SEAT.fullmatch(word) is None:
        raise Malformed(f'"{word}" is not a seat', "a seat such as 4")
    return Place(word)


def is_place(word: str) -> bool:
    """Tells whether the word is an area, a seat, or one of the named places."""
    return word in PLACE_WORDS or _AREA.fullmatch(word) is not None


def place(word: str) -> Place:
    """Reads an area, a seat, or one of the named places."""
    if not is_place(word):
        raise Malformed(f'"{word}" is not a place', f"an area, a seat, {one_of(PLACE_WORDS)}")
    return Place(word) if word in PLACE_WORDS else area(word)


def places(word: str) -> tuple[Place, ...]:
    """Reads several seats or areas: `1-4,6,8`."""
    named: list[Place] = []
    for part in word.split(","):
        first, dash, last = part.partition("-")
        if not dash:
            named.append(area(part))
            continue
        low, high = int(seat(first).name), int(seat(last).name)
        if low > high:
            raise Malformed(f'"{part}" runs backwards', "the lower number first, as in 1-4")
        named.extend(Place(str(each)) for each in range(low, high + 1))
    if len(set(named)) < len(named):
        raise Malformed(f'"{word}" names a place twice', "each place once, as in 1-4,6,8")
    return tuple(named)


def name(word: str) -> str:
    """Reads the name of a person, a table or a jackpot group."""
    if _NAME.fullmatch(word) is None:
        raise Malformed(f'"{word}" is not a name', "a name: a letter, then letters, digits, - or _")
    return word


def code(word: str) -> str:
    """Reads the code of a fault or a hold: `journal.gap`."""
    if _CODE.fullmatch(word) is None:
        raise Malformed(f'"{word}" is not a code', "a code such as journal.gap")
    return word


def badge(word: str) -> str:
    """Reads the number of a badge: `0417`."""
    if _BADGE.fullmatch(word) is None:
        raise Malformed(f'"{word}" is not a badge', "the number of a badge, such as 0417")
    return word


def duration(word: str) -> int:
    """Reads a span of time as milliseconds.

    >>> duration("19m59s")
    1199000
    """
    try:
        return milliseconds(word)
    except Unwritable:
        raise Malformed(f'"{word}" is not a duration', "a duration such as 500ms, 90s, 19m59s or 1h") from None


def rules(word: str) -> tuple[str, ...]:
    """Reads the rules of a `by`, any of which may be cited: `4.1.1|9.9`."""
    cited = tuple(word.split("|"))
    for each in cited:
        if _RULE.fullmatch(each) is None:
            raise Malformed(f'"{each}" is not a rule', "a rule such as 9.1.1(f), table-6 or s66(2)")
    return cited


def token(word: str) -> Token:
    """Reads one thing that `draw` tells of."""
    if word == "cut":
        return CuttingCard()
    if "+" in word:
        return Together(tuple(_single(part) for part in word.split("+")))
    return _single(word)


def from_shoe(word: str) -> Token:
    """Reads the same where cards leave a shoe: one that lies face up is seen alone."""
    read = token(word)
    if isinstance(read, Together) and any(isinstance(single, FaceUp) for single in read.cards):
        raise Malformed(f'"{word}": cards that leave a shoe together lie face down', "cards such as 7d+7c")
    return read


def _single(word: str) -> Single:
    if word == UNREAD:
        return Unreadable()
    return FaceUp(card(word[1:])) if word.startswith("^") else Drawn(card(word))


def choice(what: str, known: Iterable[W]) -> Callable[[str], W]:
    """Returns a reader for one of a few fixed words."""
    words = tuple(known)

    def read(word: str) -> W:
        if word not in words:
            raise unknown(what, word, words)
        return words[words.index(word)]

    return read
