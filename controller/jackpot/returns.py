"""The self-check of the approved figures: what a Jackpot gives back in the long run stays within the printed band.

Options, resets and increments were approved together.  A figure that was changed alone makes a Jackpot that returns too
much or too little, and such a table must not start.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from controller.hands.categories import Category
from controller.jackpot.rules import Terms

HANDS: Final = 2_598_960  # of five cards
WAYS: Final = {
    Category.ROYAL_FLUSH: 4,
    Category.STRAIGHT_FLUSH: 36,
    Category.FOUR_OF_A_KIND: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
}
# In Victoria the band is wider: filling the meter up to its seed after a straight flush (9.4) is not in this sum.
BAND: Final = {
    "nsw": (Fraction("0.8884"), Fraction("0.8886")),
    "vic": (Fraction("0.8812"), Fraction("0.8887")),
}


def returned(terms: Terms) -> Fraction:
    """Returns what comes back of each dollar: the fixed prizes, what goes to the meter, and the reset after a royal."""
    fixed = sum(ways * terms.fixed(hand) for hand, ways in WAYS.items())
    reset = WAYS[Category.ROYAL_FLUSH] * terms.reset
    return Fraction(fixed, HANDS * terms.cost) + Fraction(terms.rate, 10_000) + Fraction(reset, HANDS)


def balanced(terms: Terms) -> bool:
    """Tells whether these prizes, this reset and this increment belong together."""
    least, most = BAND[terms.kind]
    return least <= returned(terms) <= most
