"""What Jackpot wagers of one round win on average, exactly: every hand that can come, settled by the meter's own rules.

Each wager is judged on five cards: a hand of its own, or two cards with three that all hands share.  How many royal and
straight flushes come together is counted, since they share the meter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, factorial
from typing import Final, TypeAlias

from controller.hands.categories import Category
from controller.jackpot.returns import HANDS, WAYS
from controller.jackpot.rules import METER_HANDS, Terms, settle

Flushes: TypeAlias = tuple[int, int]  # royal flushes, straight flushes
Cards: TypeAlias = frozenset[tuple[int, int]]  # suit and rank, 0 to 12
DECK: Final = 52
BOARD: Final = 3  # cards that all hands share
HOLE: Final = 2
FIVE: Final = 5
HIGHEST: Final = 8  # the rank from which a royal flush begins: the ten
NONE: Final = Fraction(0)
WHEEL: Final = -1  # an ace below the two


@lru_cache(maxsize=4096)
def prizes(terms: Terms, meter: int, wagers: int, shared: bool) -> Fraction:
    """Returns what so many Jackpot wagers win together on average, in cents, stake included; no hand is folded.

    `meter`: what it holds, in ten-thousandths of a dollar; `shared`: three of the five cards are everybody's.
    """
    fixed = sum(ways * terms.fixed(hand) for hand, ways in WAYS.items() if hand not in METER_HANDS)
    of_meter = (chance * _paid(terms, meter, flushes) for flushes, chance in together(wagers, shared).items())
    return Fraction(wagers * fixed, HANDS) + sum(of_meter, NONE)


def _paid(terms: Terms, meter: int, flushes: Flushes) -> int:
    """Returns what the meter and the house pay for so many flushes in one round, in cents."""
    royals, straights = flushes
    if not royals and not straights:
        return 0
    hands = [Category.ROYAL_FLUSH] * royals + [Category.STRAIGHT_FLUSH] * straights
    award = settle(terms, meter, [(str(n), hand) for n, hand in enumerate(hands)])
    return sum(prize.cents for prize in award.prizes)


@lru_cache(maxsize=64)
def together(wagers: int, shared: bool) -> Mapping[Flushes, Fraction]:
    """Returns how likely it is that exactly so many royal and straight flushes come among so many hands.

    Which hands can lie there together is counted; from that follows, by inclusion and exclusion, how many are alone.
    """
    at_least = {flushes: _expected(flushes, wagers, shared) for flushes in _possible(wagers, shared)}
    return {
        (r, s): sum((_sign(a + b - r - s) * comb(a, r) * comb(b, s) * mean for (a, b), mean in at_least.items()), NONE)
        for r, s in at_least
    }


def _sign(more: int) -> int:
    """Returns the sign of what is counted with so many more flushes."""
    return -1 if more % 2 else 1


def _expected(flushes: Flushes, wagers: int, shared: bool) -> Fraction:
    """Returns the mean number of ways to choose so many royal and so many straight flushes among the hands."""
    royals, straights = flushes
    hands = royals + straights
    choices = comb(wagers, royals) * comb(wagers - royals, straights)
    orders = factorial(royals) * factorial(straights)
    sets = _sets(shared).get(flushes, 0)
    return Fraction(choices * orders * sets, _deals(hands, shared))


def _deals(hands: int, shared: bool) -> int:
    """Returns how many deals of so many hands there are, with what they share."""
    left, each = (DECK - BOARD, HOLE) if shared else (DECK, FIVE)
    deals = comb(DECK, BOARD) if shared else 1
    for n in range(hands):
        deals *= comb(left - n * each, each)
    return deals


def _possible(wagers: int, shared: bool) -> list[Flushes]:
    return [flushes for flushes in _sets(shared) if sum(flushes) <= wagers]


@lru_cache(maxsize=2)
def _sets(shared: bool) -> Mapping[Flushes, int]:
    """Returns how many sets of flushes can lie there at once, by how many are royal and straight."""
    sets: Counter[Flushes] = Counter()
    for made in _boards() if shared else _alone():
        sets[made] += 1
    if shared:
        sets[0, 0] = comb(DECK, BOARD)  # nothing is asked of a deal without any
    return sets


def _straights() -> Iterator[tuple[Cards, bool]]:
    """Yields every straight flush, and whether it is royal."""
    for suit in range(4):
        for low in range(WHEEL, HIGHEST + 1):
            yield frozenset((suit, (low + n) % 13) for n in range(FIVE)), low == HIGHEST


def _alone() -> Iterator[Flushes]:
    """Yields every set of flushes that have no card in common."""
    yield from _disjoint(list(_straights()))


def _boards() -> Iterator[Flushes]:
    """Yields, for every board that straight flushes can be made with, each set of them whose other cards differ."""
    boards: dict[Cards, list[tuple[Cards, bool]]] = {}
    for made, royal in _straights():
        for board in combinations(sorted(made), BOARD):
            boards.setdefault(frozenset(board), []).append((made - frozenset(board), royal))
    for holes in boards.values():
        yield from (made for made in _disjoint(holes) if made != (0, 0))


def _disjoint(hands: list[tuple[Cards, bool]], taken: Cards = frozenset(), made: Flushes = (0, 0)) -> Iterator[Flushes]:
    """Yields every set of hands without a common card, as how many of them are royal and straight."""
    yield made
    royals, straights = made
    for n, (cards, royal) in enumerate(hands):
        if not cards & taken:
            yield from _disjoint(hands[n + 1 :], cards | taken, (royals + royal, straights + (not royal)))
