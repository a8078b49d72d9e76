"""What a prize meter holds and what it pays: exact, in ten-thousandths of a dollar.

A meter rises with every Jackpot wager that is registered and falls only by what a royal or a straight flush wins of it.
The fixed prizes ("300 for 1") are the house's and never touch it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

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
from controller.money import cents

DOLLAR = 10_000  # ten-thousandths
CENT = 100
METER_HANDS = (Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH)


class Terms(msgspec.Struct, frozen=True):
    """How a prize meter system is set up; all its tables share these."""

    kind: str  # nsw, vic
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
        """The prize outside the meter, in cents, stake included; 0 when there is none."""
        table = NSW_PRIZES if self.kind == "nsw" else VIC_PRIZES
        return table.get(category, (0,) * 6)[self.option - 1] * self.cost


def terms_of(options: Mapping[str, str]) -> Terms | None:
    """The terms that a table's options give; None when no Jackpot is offered."""
    if options.get("jackpot", "none") == "none":
        return None
    cost = cents(options["jackpot-cost"])
    return Terms(options["jackpot"], int(options["jackpot-option"]), int(options["jackpot-reset"]), cost)


def misprint(kind: str, option: int, reset: int, rate: str | None) -> tuple[str, str] | None:
    """Why this pair is not in the approved tables (what, rule); None when it is."""
    rates, rule = (NSW_RATES, "11.2.1(e)") if kind == "nsw" else (VIC_RATES, "9.3")
    options = 6 if kind == "nsw" else 2
    if not 1 <= option <= options:
        return f"there are options 1 to {options}", rule
    if reset not in rates:
        return f"the reset value is one of {', '.join(str(r) for r in rates)} (for 1)", rule
    printed = rates[reset][option - 1]
    if rate is not None and Fraction(rate.rstrip("%")) * 100 != printed:
        return f"the increment of option {option} with reset {reset} is {printed / 100:.2f}%", rule
    return None


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
    """Whole dollars; a whole amount stays as it is.

    >>> rounded_up(1499957220), rounded_up(1500000000)
    (149996, 150000)
    """
    return -(-meter // DOLLAR)


def settle(terms: Terms, meter: int, hands: list[tuple[str, Category]]) -> Award:
    """All royal and straight flushes of a round are simultaneous."""
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
        several = r + s > 1
        prizes = [_prize(p, "royal flush", pot * 10 / (10 * r + s), "12.5.1" if several else "12.2.1") for p in royals]
        prizes += [_prize(p, "straight flush", pot / (10 * r + s), "12.5.2") for p in straights]
        return Award(meter, dollars, tuple(prizes), house // CENT, terms.seed)  # 11.4, 12.4
    of_meter, of_reset = NSW_STRAIGHT_FLUSHES[s]  # 12.6; the reset value's part is the house's
    mine = Fraction(dollars * DOLLAR * of_meter, 100_000)
    house_part = Fraction(terms.seed * of_reset, 100_000)
    rule = "12.6" if s > 1 else "12.2.1"
    prizes = [_prize(p, "straight flush", mine + house_part, rule) for p in straights]
    return Award(meter, dollars, tuple(prizes), _cents(house_part * s), meter - int(mine * s))


def _vic(terms: Terms, meter: int, royals: list[str], straights: list[str]) -> Award:
    dollars, r, s = rounded_up(meter), len(royals), len(straights)
    j = dollars * DOLLAR
    house = 0
    if r == 1 and s == 1:  # 10.3.1
        shares = [Fraction(j * part, 100_000) for part in VIC_ROYAL_WITH_STRAIGHT]
        prizes = [
            _prize(royals[0], "royal flush", shares[0], "10.3.1(a)"),
            _prize(straights[0], "straight flush", shares[1], "10.3.1(b)"),
        ]
        taken = sum(p.cents for p in prizes) * CENT
    elif r == 1 and s == 0:
        prizes = [_prize(royals[0], "royal flush", Fraction(j), "10.1.1")]
        taken = j
    elif r == 0 and s in VIC_STRAIGHT_FLUSHES:  # 10.3.2
        of_meter, of_reset = VIC_STRAIGHT_FLUSHES[s]
        mine, extra = Fraction(j * of_meter, 100_000), Fraction(terms.seed * of_reset, 100_000)
        prizes = [_prize(p, "straight flush", mine + extra, "10.3.2" if s > 1 else "10.1.1") for p in straights]
        house, taken = _cents(extra * s), int(mine * s)
    else:
        raise ValueError(f"{r} royal and {s} straight flushes cannot share one flop")
    return Award(meter, dollars, tuple(prizes), house, max(meter - taken, terms.seed))  # 9.4.1


def _prize(place: str, hand: str, amount: Fraction, rule: str) -> Prize:
    return Prize(place, hand, _cents(amount), rule)


def _cents(amount: Fraction) -> int:
    """A fraction of a cent is paid as a cent."""
    return -(-amount.numerator // (amount.denominator * CENT))


def surplus(terms: Terms, meter: int) -> int:
    """What a system that is closed hands on to others."""
    return max(0, meter - terms.seed)
