"""What the prize pool comes to and who gets how much of it, to the cent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import msgspec

from controller.tournament.values import WHOLE, Portion


class Payments(msgspec.Struct, frozen=True):
    """What somebody has paid into a tournament, in cents, without the fee; `refunded` went back from it."""

    buy_in: int = 0
    rebuys: int = 0
    add_ons: int = 0
    refunded: int = 0

    @property
    def stays(self) -> int:
        """What the pool is computed from."""
        return self.buy_in + self.rebuys + self.add_ons - self.refunded


class Prizewinner(msgspec.Struct, frozen=True):
    """Somebody who has a place."""

    name: str
    place: int
    entered: int  # who entered first has the lowest number
    passed_over: bool = False  # an employee: the next in place stands in their stead
    bank: int = 0  # paid besides where the terms say cash


class PrizeList(msgspec.Struct, frozen=True):
    """What each of them gets, and what of the pool nobody gets."""

    won: dict[str, int]
    left: int


def pool(of: Portion, payments: Sequence[Payments]) -> int:
    """Returns the prize pool.

    >>> pool(Portion(part=1_000_000), [Payments(100_00), Payments(100_00, rebuys=50_00)])
    25000
    """
    return of.of(sum(each.stays for each in payments))


def refund(part: int, paid: int) -> int:
    """Returns how much of some money goes back to who withdraws too late for the whole.

    >>> refund(500_000, 110_01)
    5500
    """
    return paid * part // WHOLE


def prizes(amount: int, shares: Sequence[Portion], winners: Sequence[Prizewinner], cash: bool = False) -> PrizeList:
    """Returns who gets how much of a pool: equal places divide theirs, odd cents go to who entered first.

    `cash`: everybody gets the bank besides.  A share for which nobody has a place is left.
    """
    parts = divided(amount, shares)
    eligible = sorted((each for each in winners if not each.passed_over), key=lambda each: (each.place, each.entered))
    won = dict.fromkeys([each.name for each in winners], 0)
    first = 0
    for _, equals in groupby(eligible, key=lambda each: each.place):
        group = list(equals)
        for winner, cents in zip(group, split(sum(parts[first : first + len(group)]), len(group)), strict=True):
            won[winner.name] = cents
        first += len(group)
    left = amount - sum(won.values())
    banks = {each.name: each.bank for each in eligible} if cash else {}
    return PrizeList(_added(won, banks), left)


def divided(amount: int, shares: Sequence[Portion]) -> list[int]:
    """Returns each share in cents, never more than the pool has; cents that percentages lose go to the first ones.

    >>> divided(100, [Portion(part=333_400), Portion(part=333_300), Portion(part=333_300)])
    [34, 33, 33]
    """
    parts: list[int] = []
    for share in shares:
        parts.append(min(share.of(amount), amount - sum(parts)))
    lost = sum(_fractions(amount, shares)) // WHOLE
    for nth in _percentages(shares, min(lost, amount - sum(parts))):
        parts[nth] += 1
    return parts


def _fractions(amount: int, shares: Sequence[Portion]) -> Iterator[int]:
    """Yields what each share has less than it should, in millionths of a cent."""
    return (amount * share.part % WHOLE for share in shares)


def _percentages(shares: Sequence[Portion], number: int) -> list[int]:
    """Returns the first so many of the shares that are percentages."""
    return [nth for nth, share in enumerate(shares) if share.part][:number]


def split(amount: int, number: int) -> list[int]:
    """Returns an amount in equal parts; the first ones have the odd cents.

    >>> split(101, 2)
    [51, 50]
    """
    each, odd = divmod(amount, number)
    return [each + (nth < odd) for nth in range(number)]


def _added(won: Mapping[str, int], banks: Mapping[str, int]) -> dict[str, int]:
    return {name: cents + banks.get(name, 0) for name, cents in won.items()}
