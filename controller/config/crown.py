"""How the options of Crown Poker are written.  Which values the rules allow is the game's own matter."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from controller.money import MoneyError, cents

NONE: Final = "none"
_DURATION: Final = re.compile(r"(?=\d)(\d{1,6}h)?(\d{1,6}m)?(\d{1,6}s)?(\d{1,9}ms)?")
_PERCENT: Final = re.compile(r"\d{1,3}(\.\d{1,4})?%")
_WORD: Final = re.compile(r"[a-z][a-z-]*")


def unreadable(name: str, value: str) -> str:
    """What is wrong with the way this option is written; "" when nothing is.

    >>> unreadable("bets", "10"), unreadable("limit", "pot"), unreadable("cap", "none")
    ('"10" must be two amounts of dollars, such as "10,20"', '', '')
    """
    read = _READERS.get(name)
    return "" if read is None or (value == NONE and name in _MAY_BE_NONE) else read(value)


def _one_of(*known: str) -> Callable[[str], str]:
    return lambda value: "" if value in known else f'"{value}" must be one of {", ".join(known)}'


def _amounts(value: str, what: str, exactly: int = 0) -> str:
    parts = value.split(",")
    try:
        good = all(cents(part) > 0 for part in parts) and exactly in (0, len(parts))
    except MoneyError:
        good = False
    return "" if good else f'"{value}" must be {what}'


def _amount(value: str) -> str:
    return _amounts(value, 'an amount of dollars, such as "10" or "2.50"', 1)


def _number(value: str) -> str:
    good = value.isascii() and value.isdigit() and int(value) > 0
    return "" if good else f'"{value}" must be a whole number, 1 or more'


def _duration(value: str) -> str:
    return "" if _DURATION.fullmatch(value) else f'"{value}" must be a time, such as "30s" or "1m30s"'


def _rake(value: str) -> str:
    pairs = [part.partition(":") for part in value.split(",")]
    if _PERCENT.fullmatch(value) or not _amount(value):
        return ""
    if all(not _number(players) and not _amount(amount) for players, _, amount in pairs):
        return ""
    return f'"{value}" must be a percentage "5%", an amount "3", or amounts by number of players "2:3,5:5"'


def _bonus(value: str) -> str:
    pairs = [part.partition(":") for part in value.split(",")]
    good = all(_WORD.fullmatch(hand) and not _amount(amount) for hand, _, amount in pairs)
    return "" if good else f'"{value}" must be prizes by hand, such as "royal-flush:500"'


_SWITCH: Final = _one_of("on", "off")
_READERS: Final[Mapping[str, Callable[[str], str]]] = {
    "limit": _one_of("no-limit", "pot", "half-pot", "fixed", "spread"),
    "bets": lambda value: _amounts(value, 'two amounts of dollars, such as "10,20"', 2),
    "blinds": lambda value: _amounts(value, 'one amount of dollars or more, such as "5,10"'),
    "button": _number,
    "straddle": _SWITCH,
    "over-blinds": _SWITCH,
    "buy-in": _amount,
    "rake-method": _one_of("percent", "per-hand", "per-person", "time"),
    "rake": _rake,
    "cap": _amount,
    "act-time": _duration,
    "extra-time": _duration,
    "extra-times": _number,
    "extra-fee": _amount,
    "bonus": _bonus,
}
_MAY_BE_NONE: Final = ("button", "buy-in", "cap", "act-time", "extra-time", "extra-times", "extra-fee", "bonus")
