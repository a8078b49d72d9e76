"""How the value of each option is written: one check for `table.toml`, for a table's start, and for what is keyed.

Which values the rules allow is the game's own matter (`Game.forbidden`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from controller.money import MoneyError, cents

NONE: Final = "none"
MOST_CENTS: Final = 100_000_000_000  # a thousand million dollars: sums of it stay exact in the record
_DURATION: Final = re.compile(r"(?=[0-9])([0-9]{1,6}h)?([0-9]{1,6}m)?([0-9]{1,6}s)?([0-9]{1,9}ms)?")
_PERCENT: Final = re.compile(r"[0-9]{1,3}(\.[0-9]{1,4})?%")
_RATE: Final = re.compile(r"([0-9]{1,4}(\.[0-9]{1,6})?%?)?")
_WORD: Final = re.compile(r"[a-z][a-z-]*")
_NUMBER: Final = re.compile(r"0*[1-9][0-9]{0,5}")
_NUMBERS: Final = re.compile(r"[0-9]{1,3}(,[0-9]{1,3}){0,9}")
_TEXT: Final = 40  # characters of a value that are told


def unreadable(name: str, value: str) -> str:
    """What is wrong with the way this option is written; "" when nothing is.

    >>> unreadable("bets", "10"), unreadable("limit", "pot"), unreadable("cap", "none")
    ('"10" must be two amounts of dollars, such as "10,20"', '', '')
    """
    read = _READERS.get(name)
    return "" if read is None or (value == NONE and name in _MAY_BE_NONE) else read(value)


def all_unreadable(options: Mapping[str, str]) -> dict[str, str]:
    """What is wrong with each of these options; nothing when all of them can be read."""
    return {name: why for name, value in options.items() if (why := unreadable(name, value))}


def _told(value: str) -> str:
    return f'"{value}"' if len(value) <= _TEXT else f'"{value[:_TEXT]}..."'


def _one_of(*known: str) -> Callable[[str], str]:
    return lambda value: "" if value in known else f"{_told(value)} must be one of {', '.join(known)}"


def _in_cents(text: str) -> int:
    """An amount that a table can reckon with; MoneyError for any other text."""
    if len(text) > _TEXT or not text.isascii() or abs(amount := cents(text)) > MOST_CENTS:
        raise MoneyError("more than a table can reckon with")
    return amount


def _amounts(value: str, what: str, exactly: int = 0, least: int = 1) -> str:
    parts = value.split(",")
    try:
        good = all(_in_cents(part) >= least for part in parts) and exactly in (0, len(parts))
    except MoneyError:
        good = False
    return "" if good else f"{_told(value)} must be {what}"


def _amount(value: str) -> str:
    if not _amounts(value, "", 1, least=0) and not cents(value):
        return "must be more than nothing"
    return _amounts(value, 'an amount of dollars, such as "10" or "2.50"', 1)


def _amount_or_nothing(value: str) -> str:
    return _amounts(value, 'an amount of dollars, such as "10" or "2.50"', 1, least=0)


def _number(value: str) -> str:
    return "" if _NUMBER.fullmatch(value) else f"{_told(value)} must be a whole number, 1 or more"


def _numbers(value: str) -> str:
    return "" if _NUMBERS.fullmatch(value) else f'{_told(value)} must be whole numbers, such as "2" or "3,4"'


def _rate(value: str) -> str:
    return "" if _RATE.fullmatch(value) else f'{_told(value)} must be a percentage, such as "57.22%"'


def _backs(value: str) -> str:
    good = len(value) <= _TEXT and re.fullmatch(r"[^\s,]+,[^\s,]+", value)
    return "" if good else f'{_told(value)} must be two colours, such as "red,blue"'


def _name(value: str) -> str:
    good = 0 < len(value) <= 100 and value.isprintable()
    return "" if good else f"{_told(value)} must be a name"


def _duration(value: str) -> str:
    return "" if _DURATION.fullmatch(value) else f'{_told(value)} must be a time, such as "30s" or "1m30s"'


def _rake(value: str) -> str:
    pairs = [part.partition(":") for part in value.split(",")]
    if _PERCENT.fullmatch(value) or not _amount_or_nothing(value):
        return ""
    if all(not _number(players) and not _amount_or_nothing(amount) for players, _, amount in pairs):
        return ""
    return f'{_told(value)} must be a percentage "5%", an amount "3", or amounts by number of players "2:3,5:5"'


def _bonus(value: str) -> str:
    pairs = [part.partition(":") for part in value.split(",")]
    good = all(_WORD.fullmatch(hand) and not _amount(amount) for hand, _, amount in pairs)
    return "" if good else f'{_told(value)} must be prizes by hand, such as "royal-flush:500"'


_SWITCH: Final = _one_of("on", "off")
_READERS: Final[Mapping[str, Callable[[str], str]]] = {
    **dict.fromkeys(("seats", "decks", "players-per-area", "jackpot-option"), _number),
    **dict.fromkeys(("min", "max", "chip", "max-payout", "jackpot-reset"), _amount),
    **dict.fromkeys(("approved-min", "jackpot-cost"), _amount_or_nothing),
    "shoe": _one_of("hand", "shuffler", "csm", "batch"),
    "gates": _one_of("auto", "manual"),
    "announce": _one_of("last-card", "key"),
    "backs": _backs,
    "burn": _SWITCH,
    "tray": _SWITCH,
    "method": _one_of("A", "B"),
    "ante-bonus": _one_of(*"ABC"),
    "pair-plus": _one_of(*"ABCDEF"),
    **dict.fromkeys(("preflop", "flop", "river"), _numbers),
    "ante-pays": _one_of("flush", "straight"),
    "action-button": _number,
    "jackpot": _one_of("none", "nsw", "vic"),
    "jackpot-rate": _rate,
    "jackpot-group": _name,
    # Crown Poker
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
_MAY_BE_NONE: Final = frozenset(
    {
        *("max-payout", "action-button", "button", "buy-in", "cap"),
        *("act-time", "extra-time", "extra-times", "extra-fee", "bonus"),
    }
)
