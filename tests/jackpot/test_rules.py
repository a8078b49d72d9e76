"""What a prize meter pays, against the approved documents."""

from __future__ import annotations

from fractions import Fraction

import pytest

from controller.hands.categories import Category as C
from controller.house.games.poker_minors import NswOptions
from controller.jackpot.rules import (
    Award,
    Jurisdiction,
    Terms,
    impossible,
    inexact,
    misprints,
    rounded_up,
    settle,
    surplus,
)
from controller.jackpot.tables import NSW_RATES, NSW_STRAIGHT_FLUSHES, VIC_RATES

NSW = Terms("nsw", 1, 20_000, 500)
VIC = Terms("vic", 1, 10_000, 500)
DOLLAR = 10_000


def awarded(terms: Terms, meter: int, royals: int, straights: int) -> Award:
    hands = [(f"R{n}", C.ROYAL_FLUSH) for n in range(royals)] + [(f"S{n}", C.STRAIGHT_FLUSH) for n in range(straights)]
    return settle(terms, meter, hands)


def test_an_increment_is_exact() -> None:
    assert NSW.increment == 28_610  # 5 x 57.22 %
    assert VIC.increment == 17_030


@pytest.mark.parametrize(("value", "dollars"), [(0, 0), (1, 1), (9_999, 1), (10_000, 1), (10_001, 2)])
def test_rounding_goes_up_and_leaves_whole_dollars_alone(value: int, dollars: int) -> None:
    assert rounded_up(value) == dollars


@pytest.mark.parametrize("royals", range(1, 5))
@pytest.mark.parametrize("straights", range(4))
def test_nsw_royals_share_the_pot(royals: int, straights: int) -> None:
    """12.5: the house adds a reset value for every royal after the first; the shares are the pot, to the cent."""
    award = awarded(NSW, 1_499_957_220, royals, straights)
    pot = Fraction(149_996 + 100_000 * (royals - 1))
    assert award.house == 100_000_00 * (royals - 1)
    for prize in award.prizes:
        share = pot * (10 if prize.hand == "royal flush" else 1) / (10 * royals + straights)
        assert 0 <= Fraction(prize.cents, 100) - share < Fraction(1, 100)
    assert award.after == NSW.seed


@pytest.mark.parametrize("count", range(1, 8))
def test_nsw_straight_flushes_take_their_part_of_the_meter_only(count: int) -> None:
    award = awarded(NSW, 1_234_567_891, 0, count)
    of_meter, of_reset = NSW_STRAIGHT_FLUSHES[count]
    each = Fraction(123_457 * of_meter, 100_000) + Fraction(100_000 * of_reset, 100_000)
    assert all(0 <= Fraction(p.cents, 100) - each < Fraction(1, 100) for p in award.prizes)
    taken = Fraction(123_457 * of_meter * count, 100_000) * DOLLAR
    assert 0 <= award.after - (1_234_567_891 - taken) < 1  # never more than the prizes took
    assert len({p.cents for p in award.prizes}) == 1


def test_nsw_does_not_fill_the_meter_up_after_a_straight_flush() -> None:
    assert awarded(NSW, NSW.seed, 0, 1).after == NSW.seed - NSW.seed // 10


def test_victoria_fills_the_meter_up_to_its_seed() -> None:
    assert awarded(VIC, VIC.seed, 0, 1).after == VIC.seed
    assert awarded(VIC, 2 * VIC.seed, 0, 1).after == 2 * VIC.seed - 2 * VIC.seed // 10
    assert awarded(VIC, 9 * VIC.seed, 1, 0).after == VIC.seed


def test_victoria_uses_the_printed_percentages() -> None:
    award = awarded(VIC, 1_000_000_000, 1, 1)
    assert [p.cents for p in award.prizes] == [90_909_00, 9_091_00]
    assert [p.rule for p in award.prizes] == ["10.3.1(a)", "10.3.1(b)"]
    award = awarded(VIC, 1_000_000_000, 0, 2)
    assert [p.cents for p in award.prizes] == [9_750_00, 9_750_00]
    assert award.after == 810_000_000
    assert award.house == 500_00


@pytest.mark.parametrize(("royals", "straights"), [(2, 0), (1, 2), (0, 3), (3, 3)])
def test_more_flushes_than_one_flop_can_give_are_paid_by_the_formula_and_noticed(royals: int, straights: int) -> None:
    hands = [("1", C.ROYAL_FLUSH)] * royals + [("2", C.STRAIGHT_FLUSH)] * straights
    assert impossible(VIC, hands)
    award = settle(VIC, 1_000_000_000, hands)
    assert len(award.prizes) == len(hands)
    assert award.after >= VIC.seed
    if royals:
        assert sum(p.cents for p in award.prizes) - 100_000_00 in range(len(hands) + 1)


@pytest.mark.parametrize("hands", [["R"], ["S"], ["R", "S"], ["S", "S"]])
def test_what_one_flop_can_give_is_not_noticed(hands: list[str]) -> None:
    kinds = {"R": C.ROYAL_FLUSH, "S": C.STRAIGHT_FLUSH}
    assert not impossible(VIC, [("1", kinds[h]) for h in hands])
    assert not impossible(NSW, [("1", C.ROYAL_FLUSH)] * 4)


@pytest.mark.parametrize(("kind", "rates"), [("nsw", NSW_RATES), ("vic", VIC_RATES)])
def test_only_printed_pairs_exist(kind: Jurisdiction, rates: dict[int, tuple[int, ...]]) -> None:
    for reset, row in rates.items():
        for option, rate in enumerate(row, 1):
            assert not list(misprints(kind, option, 100 * reset, 100 * rate))
            assert not list(misprints(kind, option, 100 * reset, None))
            assert list(misprints(kind, option, 100 * reset, 100 * rate + 100))
        assert list(misprints(kind, len(row) + 1, 100 * reset, None))
        assert list(misprints(kind, 0, 100 * reset, None))
        assert list(misprints(kind, 1, 100 * reset + 100, None))
        assert list(misprints(kind, 1, 100 * reset + 50, None))


@pytest.mark.parametrize("kind", ["nsw", "vic"])
def test_what_is_not_printed_hides_nothing_else(kind: Jurisdiction) -> None:
    assert [what for what, _ in misprints(kind, 9, 7_00, 1_050_000)] == ["option", "reset", "rate"]
    [(what, why)] = misprints(kind, 9, 20_000_00 if kind == "nsw" else 10_000_00, None)
    assert (what, why) == ("option", f"there are options 1 to {6 if kind == 'nsw' else 2}")


def test_an_increment_of_another_option_may_be_meant() -> None:
    printed = NSW_RATES[20_000][3]
    assert [what for what, _ in misprints("nsw", 9, 20_000_00, 100 * printed)] == ["option"]


def test_what_a_closed_system_hands_on() -> None:
    assert surplus(NSW, NSW.seed + 1) == 1
    assert surplus(NSW, NSW.seed - 1) == 0


def test_a_table_in_no_system_has_no_terms() -> None:
    assert NswOptions(jackpot="nsw").terms == NSW
    assert NswOptions(jackpot="nsw", jackpot_group=None).terms is None
    assert NswOptions(jackpot=None).terms is None


def test_a_cost_whose_increment_the_meter_cannot_record() -> None:
    assert inexact(Terms("nsw", 1, 20_000, 25))
    assert not inexact(Terms("nsw", 1, 20_000, 250))
