"""Money is integer cents, odds are exact: nothing here is ever a float."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

_DOLLARS = re.compile(r"(-?)(\d+)(?:\.(\d{1,2}))?\Z")


class MoneyError(ValueError):
    """The error of a text that is not an amount of dollars."""


def cents(text: str) -> int:
    """Returns the cents of a text in dollars with at most two decimals.

    >>> cents("10"), cents("2.5"), cents("0.05")
    (1000, 250, 5)
    """
    match = _DOLLARS.match(text)
    if match is None:
        raise MoneyError(f"{text!r} is not an amount of dollars such as 10 or 2.50")
    sign, whole, part = match.groups()
    value = int(whole) * 100 + int((part or "0").ljust(2, "0"))
    return -value if sign else value


def dollars(amount: int) -> str:
    """Returns an amount with two decimals, as in every report.

    >>> dollars(1000), dollars(-250)
    ('10.00', '-2.50')
    """
    sign, amount = ("-", -amount) if amount < 0 else ("", amount)
    return f"{sign}{amount // 100}.{amount % 100:02}"


def dollars_each(amounts: Mapping[str, int]) -> dict[str, str]:
    """Returns amounts by place, each as `dollars` writes it."""
    return {place: dollars(amount) for place, amount in amounts.items()}


def short(amount: int) -> str:
    """Returns an amount as on a sign: no decimals where there are no cents.

    >>> short(2500), short(250)
    ('25', '2.50')
    """
    return dollars(amount).removesuffix(".00")


def on_sign(amount: int) -> str:
    """Returns an amount as players read it: thousands in groups, cents only where there are some.

    >>> on_sign(100000), on_sign(250)
    ('$1,000', '$2.50')
    """
    whole, point, rest = short(amount).partition(".")
    return f"${int(whole):,}{point}{rest}"


def decimals(number: Fraction, places: int = 12) -> str:
    """Returns a number rounded to so many places, never through a float.

    >>> decimals(Fraction(-1, 3), 4), decimals(Fraction(58, 311)), decimals(Fraction(-1, 10**6), 4)
    ('-0.3333', '0.186495176849', '0.0000')
    """
    scaled = round(number * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    return f"{'-' if scaled < 0 else ''}{whole}.{rest:0{places}}"


def up_to_chip(amount: int, chip: int) -> int:
    """Returns the next amount that can be paid in chips.

    >>> up_to_chip(1250, 500), up_to_chip(1500, 500)
    (1500, 1500)
    """
    return -(-amount // chip) * chip


class Odds(NamedTuple):
    """What a winning wager is paid: `to` for each `one` of the stake."""

    to: int
    one: int = 1

    def pay(self, stake: int, chip: int) -> int:
        """Returns the payment, rounded up to what chips can pay.

        >>> Odds(3, 2).pay(500, 100)
        800
        """
        return up_to_chip(-(-stake * self.to // self.one), chip)
