"""What Jackpot wagers win on average: against all hands, against chance, and settled by the meter's own rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cards import DECK
from controller.hands import best
from controller.hands.categories import Category
from controller.jackpot import expected
from controller.jackpot.returns import HANDS, WAYS
from controller.jackpot.rules import METER_HANDS, Terms, settle

NSW = Terms("nsw", 1, 20_000, 500)
VIC = Terms("vic", 2, 10_000, 500)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("wagers", [1, 2, 3, 7])
def test_chances_add_up(wagers: int, shared: bool) -> None:
    chances = expected.together(wagers, shared)
    assert sum(chances.values()) == 1
    assert all(chance > 0 for chance in chances.values())
    assert sum(r * chance for (r, _), chance in chances.items()) == Fraction(4 * wagers, HANDS)
    assert sum(s * chance for (_, s), chance in chances.items()) == Fraction(36 * wagers, HANDS)


def test_one_wager_by_hand() -> None:
    meter = 150_000_0000
    fixed = 624 * 300 + 3744 * 80 + 5108 * 50
    of_meter = 4 * 150_000_00 + 36 * 15_000_00
    assert expected.prizes(NSW, meter, 1, False) == Fraction(fixed * 500 + of_meter, HANDS)
    assert expected.prizes(NSW, meter, 1, True) == expected.prizes(NSW, meter, 1, False)


def test_how_many_can_come_together() -> None:
    alone, shared = expected.together(7, False), expected.together(7, True)
    assert max(r + s for r, s in alone) == 7  # two of one suit, in four suits
    assert (4, 3) in alone and (0, 7) in alone
    assert set(shared) == {(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)}  # as Tables 6 to 8 of 003 have it


def test_two_hands_that_share_a_board_against_all_of_them() -> None:
    """All boards of one suit, and all pairs of hole cards of it: nothing else makes straight flushes."""
    suit = [card for card in DECK if card.endswith("h")]
    came: dict[tuple[int, int], int] = {}
    for board in combinations(suit, 3):
        holes = [set(hole) for hole in combinations([card for card in suit if card not in board], 2)]
        flush = [(hole, best([*board, *hole]).category) for hole in holes]
        makes = [(hole, category) for hole, category in flush if category in METER_HANDS]
        for one, two in combinations(makes, 2):
            if not one[0] & two[0]:
                kinds = [one[1], two[1]]
                which = kinds.count(Category.ROYAL_FLUSH), kinds.count(Category.STRAIGHT_FLUSH)
                came[which] = came.get(which, 0) + 1
    deals = 22_100 * 1176 * 1081
    chances = expected.together(2, True)
    assert {which: Fraction(2 * 4 * count, deals) for which, count in came.items()} == {
        which: chance for which, chance in chances.items() if sum(which) == 2
    }


@given(
    st.sampled_from([NSW, VIC]),
    st.integers(10_000_0000, 900_000_0000),
    st.integers(1, 7),
    st.booleans(),
)
def test_it_is_the_mean_of_what_is_settled(terms: Terms, meter: int, wagers: int, shared: bool) -> None:
    meter = max(meter, terms.seed)
    total = Fraction(0)
    for (r, s), chance in expected.together(wagers, shared).items():
        if r or s:
            hands = [("a", Category.ROYAL_FLUSH)] * r + [("b", Category.STRAIGHT_FLUSH)] * s
            total += chance * sum(prize.cents for prize in settle(terms, meter, hands).prizes)
    for hand, ways in WAYS.items():
        total += Fraction(0 if hand in METER_HANDS else wagers * ways * terms.fixed(hand), HANDS)
    assert expected.prizes(terms, meter, wagers, shared) == total
