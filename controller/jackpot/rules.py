"""What a prize meter holds and what it pays: exact, in ten-thousandths of a dollar.

A meter rises with every Jackpot wager that is registered and falls only by what a royal or a straight flush wins of it.
The fixed prizes ("300 for 1") are the house's and never touch it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import Final, Literal, TypeAlias, TypeGuard, get_args

import msgspec

from controller.hands.categories import Category
from controller.jackpot.tables import (
    NSW_PRIZES,
    NSW_RATES,
    NSW_STRAIGHT_FLUSHES,
    VIC_PRIZES,
    VIC_RATES,
    VIC_ROYAL_WITH_STRAIGHT,
    VIC_STRAIGHT_FLUSHES,
)

DOLLAR = 10_000  # ten-thousandths
CENT = 100
ROYAL, STRAIGHT = "royal flush", "straight flush"  # as prizes name them
METER_HANDS = (Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH)
Jurisdiction: TypeAlias = Literal["nsw", "vic"]  # whose document a Jackpot is offered by
Printed: TypeAlias = Literal["option", "reset", "rate"]  # what the documents print together

JURISDICTIONS: Final[tuple[Jurisdiction, ...]] = get_args(Jurisdiction)


def is_jurisdiction(word: str) -> TypeGuard[Jurisdiction]:
    """Tells whether one of the documents with Jackpots is called so."""
    return word in JURISDICTIONS


class Terms(msgspec.Struct, frozen=True):
    """How a prize meter system is set up; all its tables share these."""

    kind: Jurisdiction
    option: int
    reset: int  # "for 1"
    cost: int  # of a Jackpot wager, in cents

    @property
    def rate(self) -> int:
        """Hundredths of a percent of each wager that go to the meter."""
        return (NSW_RATES if self.kind == "nsw" else VIC_RATES)[self.reset][self.option - 1]

    @property
    def increment(self) -> int:
        """What one wager adds to the meter."""
        return self.cost * CENT * self.rate // 10_000

    @property
    def seed(self) -> int:
        """What the meter starts with and is reset to."""
        return self.reset * self.cost * CENT

    def fixed(self, category: Category) -> int:
        """Returns the prize outside the meter, in cents, stake included; 0 when there is none."""
        table = NSW_PRIZES if self.kind == "nsw" else VIC_PRIZES
        return table.get(category, (0,) * 6)[self.option - 1] * self.cost


def misprints(kind: Jurisdiction, option: int, reset: int, rate: int | None) -> Iterator[tuple[Printed, str]]:
    """Yields what of these is not in the approved tables, or not together, and why.

    `reset` is in cents (for 1), `rate` in millionths of a wager; None: whichever rate is printed.
    """
    rates = NSW_RATES if kind == "nsw" else VIC_RATES
    options = range(1, 7 if kind == "nsw" else 3)
    resets: Collection[int] = rates
    if option in options:
        options = range(option, option + 1)
    else:
        yield "option", f"there are options 1 to {options[-1]}"
    if reset % CENT == 0 and reset // CENT in rates:
        resets = (reset // CENT,)
    else:
        yield "reset", f"the reset value is one of {', '.join(str(r) for r in rates)} (for 1)"
    printed = [rates[each][number - 1] for each in resets for number in options]
    if rate is None or rate in [100 * each for each in printed]:
        return
    if len(printed) == 1:
        yield "rate", f"the increment of option {option} with reset {reset // CENT} is {printed[0] / 100:.2f}%"
    else:  # the one that is meant is not known
        yield "rate", "no such increment is printed"


def inexact(terms: Terms) -> bool:
    """Tells whether the meter could not record an increment exactly."""
    return terms.cost <= 0 or bool(terms.cost * CENT * terms.rate % 10_000)


class Prize(msgspec.Struct, frozen=True):
    """What one hand wins of the meter; cents, stake included."""

    place: str
    hand: str
    cents: int
    rule: str


class Award(msgspec.Struct, frozen=True):
    """The royal and straight flushes of one round, as the prize meter system settles them."""

    at: int  # the meter when the outcome was recorded
    rounded: int  # dollars
    prizes: tuple[Prize, ...]
    house: int  # cents that the house adds
    after: int


def rounded_up(meter: int) -> int:
    """Returns the meter in whole dollars, rounded up (002 12.1; 003 10.2.1); a whole amount stays as it is.

    >>> rounded_up(1499957220), rounded_up(1500000000)
    (149996, 150000)
    """
    return -(-meter // DOLLAR)


def settle(terms: Terms, meter: int, hands: list[tuple[str, Category]]) -> Award:
    """Returns the prizes of all royal and straight flushes of a round.

    They are simultaneous (002 12.3.2; 003 10.2.3).
    """
    royals = [place for place, hand in hands if hand is Category.ROYAL_FLUSH]
    straights = [place for place, hand in hands if hand is Category.STRAIGHT_FLUSH]
    if terms.kind == "nsw":
        return _nsw(terms, meter, royals, straights)
    return _vic(terms, meter, royals, straights)


def _nsw(terms: Terms, meter: int, royals: list[str], straights: list[str]) -> Award:
    dollars, r, s = rounded_up(meter), len(royals), len(straights)
    if royals:  # 12.5: shares of the pot, to which the house adds a reset value for each royal after the first
        house = (r - 1) * terms.seed
        pot = Fraction(dollars * DOLLAR + house)
        rule = "12.5.1" if r + s > 1 else "12.2.1"
        prizes = [_prize(p, ROYAL, pot * 10 / (10 * r + s), rule) for p in royals]
        prizes += [_prize(p, STRAIGHT, pot / (10 * r + s), "12.5.2") for p in straights]
        return Award(meter, dollars, tuple(prizes), house // CENT, terms.seed)  # 11.4, 12.4
    of_meter, of_reset = NSW_STRAIGHT_FLUSHES[s]  # 12.6; the reset value's part is the house's
    share = Fraction(dollars * DOLLAR * of_meter, 100_000)
    house_part = Fraction(terms.seed * of_reset, 100_000)
    rule = "12.6" if s > 1 else "12.2.1"
    prizes = [_prize(p, STRAIGHT, share + house_part, rule) for p in straights]
    return Award(meter, dollars, tuple(prizes), _cents(house_part * s), meter - int(share * s))


def _vic(terms: Terms, meter: int, royals: list[str], straights: list[str]) -> Award:
    dollars, r, s = rounded_up(meter), len(royals), len(straights)
    j = dollars * DOLLAR
    if royals:
        parts = VIC_ROYAL_WITH_STRAIGHT if (r, s) == (1, 1) else _parts(r, s)
        high, low = (Fraction(part) * j / 100_000 for part in parts)
        if straights:  # 10.3.1
            prizes = [_prize(p, ROYAL, high, "10.3.1(a)") for p in royals]
            prizes += [_prize(p, STRAIGHT, low, "10.3.1(b)") for p in straights]
        else:
            prizes = [_prize(p, ROYAL, high, "10.1.1") for p in royals]
        return Award(meter, dollars, tuple(prizes), 0, max(meter - j, terms.seed))  # 9.4.1
    of_meter, of_reset = VIC_STRAIGHT_FLUSHES.get(s) or _straights(s)
    share, extra = j * Fraction(of_meter) / 100_000, terms.seed * Fraction(of_reset) / 100_000
    rule = "10.3.2" if s > 1 else "10.1.1"
    prizes = [_prize(p, STRAIGHT, share + extra, rule) for p in straights]
    after = max(meter - _of_meter(dollars, s), terms.seed)  # 9.4.1
    return Award(meter, dollars, tuple(prizes), _cents(extra * s), after)


def resets(kind: Jurisdiction, award: Award) -> bool:
    """Tells whether the meter began anew with these prizes: all that was in it left with them.

    002 11.4, 12.4; 003 9.4.1.
    """
    if any(prize.hand == ROYAL for prize in award.prizes):
        return True
    taken = _of_meter(award.rounded, len(award.prizes)) if kind == "vic" else award.at - award.after
    return award.after > award.at - taken


def given_back(terms: Terms, meter: int, ticks: int) -> int:
    """Returns what a returned wager takes out of the meter: never so much that it leaves less than the reset value."""
    if meter < terms.seed:  # a straight flush took more than there was above it: 003 9.3 knows no such meter
        return ticks if terms.kind == "nsw" else 0
    return min(ticks, meter - terms.seed)


def impossible(terms: Terms, hands: list[tuple[str, Category]]) -> bool:
    """Tells whether so many flushes at once mean wrong cards: in Victoria the hands share a Flop (Tables 6 to 8)."""
    kinds = [hand for _, hand in hands]
    r, s = kinds.count(Category.ROYAL_FLUSH), kinds.count(Category.STRAIGHT_FLUSH)
    return terms.kind == "vic" and (r, s) not in ((1, 0), (0, 1), (1, 1), (0, 2))


def _of_meter(dollars: int, straights: int) -> int:
    """Returns what straight flushes without a royal take out of a Victorian meter (003 10.1.1, Table 8)."""
    of_meter, _ = VIC_STRAIGHT_FLUSHES.get(straights) or _straights(straights)
    return int(dollars * DOLLAR * Fraction(of_meter) / 100_000 * straights)


def _parts(r: int, s: int) -> tuple[Fraction, Fraction]:
    """Returns the parts of each royal and each straight flush, by the formula under Tables 6 and 7."""
    return Fraction(1_000_000, 10 * r + s), Fraction(100_000, 10 * r + s)


def _straights(s: int) -> tuple[Fraction, Fraction]:
    """Returns the parts of each straight flush, by the formula under Table 8.

    Each takes a tenth of what the one before left, and they share.
    """
    of_meter = (1 - Fraction(9, 10) ** s) / s * 100_000
    return of_meter, 10_000 - of_meter


def _prize(place: str, hand: str, amount: Fraction, rule: str) -> Prize:
    return Prize(place, hand, _cents(amount), rule)


def _cents(amount: Fraction) -> int:
    """Returns an amount in cents, rounded up: a fraction of a cent is paid as a cent."""
    return -(-amount.numerator // (amount.denominator * CENT))


def surplus(terms: Terms, meter: int) -> int:
    """Returns what the meter holds above its seed, which a system that is closed hands on to others."""
    return max(0, meter - terms.seed)
