"""The kinds of values that items of a tournament's terms have, beyond those of options."""

from __future__ import annotations

from typing import Final

import msgspec

from controller.money import cents, short
from controller.table.values import (
    NONE,
    Form,
    Unwritable,
    matched,
    millionths,
    milliseconds,
    percent,
    written_duration,
)

WHOLE: Final = 1_000_000  # of millionths
START: Final = "start"  # when the tournament starts, whenever that is
BUY_IN: Final = "buy-in"  # as much as the buy-in
BUY_INS: Final = "buy-ins"  # all that was paid for banks
UNTIL_ONE: Final = "until-one"
ALL: Final = "all"
_STATEMENT: Final = 4_000  # characters
_LIST: Final = 4_000
_AMOUNT: Final = r"[0-9]{1,12}(\.[0-9]{1,2})?"


class Length(msgspec.Struct, frozen=True):
    """How long something lasts: rounds of the table, or milliseconds; neither: until something ends it."""

    rounds: int = 0
    ms: int = 0


class Level(msgspec.Struct, frozen=True):
    """What may be wagered in one level: the least and the most, or the first and the last blind; in cents."""

    low: int
    high: int
    blinds: tuple[int, ...] = ()  # of poker, in the order of posting


class Span(msgspec.Struct, frozen=True):
    """A least and a most number."""

    least: int
    most: int


class Portion(msgspec.Struct, frozen=True):
    """A part of money: an amount in cents, or millionths of the whole."""

    amount: int = 0
    part: int = 0

    def of(self, whole: int) -> int:
        """Returns how much of this whole it is, in cents; what is less than a cent is left.

        >>> Portion(part=333_333).of(100), Portion(amount=50).of(10)
        (33, 50)
        """
        return self.amount + whole * self.part // WHOLE


# ---- reading


def _count(text: str) -> int:
    return int(matched("[0-9]{1,6}", text))


def _positive(text: str) -> int:
    if (number := _count(text)) == 0:
        raise Unwritable(text)
    return number


def _amount(text: str) -> int:
    return cents(matched(_AMOUNT, text))


def _positive_amount(text: str) -> int:
    if (amount := _amount(text)) == 0:
        raise Unwritable(text)
    return amount


def _price(text: str) -> int | None:
    return None if text == BUY_IN else _amount(text)


def _tables(text: str) -> int | None:
    return None if text == ALL else _positive(text)


def _progress(text: str) -> int | None:
    return None if text == NONE else _positive(text)


def _length(text: str) -> Length:
    if text.isdigit():
        return Length(rounds=_positive(text))
    if (ms := milliseconds(text)) == 0:
        raise Unwritable(text)
    return Length(ms=ms)


def _hands(text: str) -> Length:
    return Length() if text == UNTIL_ONE else _length(text)


def _every(text: str) -> Length:
    return Length() if text == NONE else _length(text)


def _span(text: str) -> Span:
    least, most = map(_positive, text.split("-"))
    if least > most:
        raise Unwritable(text)
    return Span(least, most)


def _limits(text: str) -> Level:
    low, high = map(_positive_amount, text.split("-"))
    if low > high:
        raise Unwritable(text)
    return Level(low, high)


def _blinds(text: str) -> Level:
    blinds = tuple(map(_positive_amount, text.split(",")))
    if blinds != tuple(sorted(blinds)):
        raise Unwritable(text)
    return Level(blinds[0], blinds[-1], blinds)


def _portion(text: str) -> Portion:
    return Portion(part=_part(text)) if text.endswith("%") else Portion(amount=_amount(text))


def _part(text: str) -> int:
    if (part := millionths(matched("[^%]+%", text))) > WHOLE:
        raise Unwritable(text)
    return part


def _pool(text: str) -> Portion:
    return Portion(part=WHOLE) if text == BUY_INS else _portion(text)


def _shares(text: str) -> tuple[Portion, ...]:
    shares = tuple(map(_portion, text.split(",")))
    if sum(share.part for share in shares) > WHOLE:
        raise Unwritable(text)
    return shares


def _penalties(text: str) -> tuple[str, ...]:
    kinds = () if text == NONE else tuple(matched("warning|chips", each) for each in text.split(","))
    return tuple(dict.fromkeys(kinds))


def _statement(text: str) -> str:
    if not text.strip():
        raise Unwritable(text)
    return text


def _moment(text: str) -> int | None:
    return None if text == START else milliseconds(text)


# ---- writing


def _written(value: int | None, otherwise: str) -> str:
    return otherwise if value is None else str(value)


def _written_price(price: int | None) -> str:
    return BUY_IN if price is None else short(price)


def _written_length(length: Length, otherwise: str) -> str:
    if length.ms:
        return written_duration(length.ms)
    return str(length.rounds) if length.rounds else otherwise


def _written_portion(portion: Portion) -> str:
    return short(portion.amount) if portion.amount else percent(portion.part)


def _written_pool(portion: Portion) -> str:
    return BUY_INS if portion.part == WHOLE else _written_portion(portion)


def _written_limits(levels: tuple[Level, ...]) -> str:
    return "/".join(f"{short(level.low)}-{short(level.high)}" for level in levels)


def _written_blinds(levels: tuple[Level, ...]) -> str:
    return "/".join(",".join(map(short, level.blinds or (level.low, level.high))) for level in levels)


AMOUNT: Final = Form('an amount of dollars, such as "10" or "2.50"', _amount, short)
POSITIVE_AMOUNT: Final = Form('an amount of dollars above nothing, such as "1000"', _positive_amount, short)
PRICE: Final = Form(f'an amount of dollars, or "{BUY_IN}"', _price, _written_price)
COUNT: Final = Form("a whole number, 0 or more", _count, str)
POSITIVE: Final = Form("a whole number, 1 or more", _positive, str)
TABLES: Final = Form(f'a whole number, 1 or more, or "{ALL}"', _tables, lambda tables: _written(tables, ALL))
PROGRESS: Final = Form(f'a whole number, 1 or more, or "{NONE}"', _progress, lambda progress: _written(progress, NONE))
HANDS: Final = Form(
    f'a number of rounds, a time such as "30m", or "{UNTIL_ONE}"',
    _hands,
    lambda length: _written_length(length, UNTIL_ONE),
)
EVERY: Final = Form(
    f'a number of rounds, a time such as "15m", or "{NONE}"', _every, lambda length: _written_length(length, NONE)
)
SPAN: Final = Form(
    'two whole numbers, the least and the most, such as "2-60"', _span, lambda span: f"{span.least}-{span.most}"
)
LIMITS: Final = Form(
    'the least and the most wager of each level, such as "10-500/25-500"',
    lambda text: tuple(map(_limits, text.split("/"))),
    _written_limits,
    longest=_LIST,
)
BLINDS: Final = Form(
    'the blinds of each level, such as "5,10/10,20"',
    lambda text: tuple(map(_blinds, text.split("/"))),
    _written_blinds,
    longest=_LIST,
)
POOL: Final = Form(f'an amount of dollars, a percentage, or "{BUY_INS}"', _pool, _written_pool)
SHARES: Final = Form(
    'amounts of dollars or percentages that come to no more than 100%, such as "60%,30%,10%"',
    _shares,
    lambda shares: ",".join(map(_written_portion, shares)),
    longest=_LIST,
)
PART: Final = Form('a percentage, such as "50%"', _part, percent)
PENALTIES: Final = Form('"warning", "chips" or both with a comma', _penalties, lambda kinds: ",".join(kinds) or NONE)
STATEMENT: Final = Form("a sentence", _statement, str, longest=_STATEMENT)
FROM_NOW: Final = Form('a time from now, such as "2h"', milliseconds, written_duration)
FROM_NOW_OR_START: Final = Form(  # milliseconds from now; None: whenever it starts
    f'a time from now, such as "2h", or "{START}"', _moment, lambda ms: START if ms is None else written_duration(ms)
)
