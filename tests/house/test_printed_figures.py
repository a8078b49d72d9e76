"""The odds, prizes and rates of every game are the figures that its document prints."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from controller.hands.categories import Category, ThreeCategory
from controller.house.games import caribbean_stud, casino_war, mississippi_stud, three_card_poker, ultimate, wsop_bonus
from controller.jackpot import tables
from controller.money import Odds
from controller.poker.money import side_wagers

HANDS = {
    "royal flush": Category.ROYAL_FLUSH,
    "straight flush": Category.STRAIGHT_FLUSH,
    "four of a kind": Category.FOUR_OF_A_KIND,
    "full house": Category.FULL_HOUSE,
    "flush": Category.FLUSH,
    "straight": Category.STRAIGHT,
    "three of a kind": Category.THREE_OF_A_KIND,
    "two pair": Category.TWO_PAIR,
    "pair": Category.PAIR,
    "high card": Category.HIGH_CARD,
}
# Each as it is printed: hand, then what is paid to 1 or 2.
ODDS: list[tuple[str, Mapping[Category, Odds], str]] = [
    (
        "002, Table 1: Bet of Caribbean Stud",
        caribbean_stud.BET,
        "high card 1:1, pair 1:1, two pair 2:1, three of a kind 3:1, straight 4:1, flush 5:1, full house 7:1, "
        "four of a kind 20:1, straight flush 50:1, royal flush 250:1",
    ),
    (
        "002, Table 2: Mississippi Stud",
        mississippi_stud.ODDS,
        "royal flush 500:1, straight flush 100:1, four of a kind 40:1, full house 10:1, flush 6:1, straight 4:1, "
        "three of a kind 3:1, two pair 2:1, pair 1:1",
    ),
    (
        "002, Table 3, and 003, Table 9: Blind of Ultimate",
        ultimate.BLIND,
        "royal flush 500:1, straight flush 50:1, four of a kind 10:1, full house 3:1, flush 3:2, straight 1:1",
    ),
    (
        "002, Table 4, and 003, Table 10: Trips of Ultimate",
        ultimate.TRIPS,
        "royal flush 50:1, straight flush 40:1, four of a kind 30:1, full house 8:1, flush 7:1, straight 4:1, "
        "three of a kind 3:1",
    ),
]
SMALL_HANDS = {  # of three cards
    "straight flush": ThreeCategory.STRAIGHT_FLUSH,
    "three of a kind": ThreeCategory.THREE_OF_A_KIND,
    "straight": ThreeCategory.STRAIGHT,
    "flush": ThreeCategory.FLUSH,
    "pair": ThreeCategory.PAIR,
}


def printed(text: str) -> dict[Category, Odds]:
    rows = [row.rsplit(" ", 1) for row in text.split(", ")]
    return {HANDS[hand]: Odds(*map(int, odds.split(":"))) for hand, odds in rows}


@pytest.mark.parametrize(("table", "ours", "theirs"), ODDS, ids=[table for table, _, _ in ODDS])
def test_odds_are_those_of_the_table(table: str, ours: Mapping[Category, Odds], theirs: str) -> None:
    assert dict(ours) == printed(theirs)


def columns(names: str, rows: str) -> dict[str, dict[object, Odds]]:
    """Reads a table: a line for each hand, its odds to 1 under the names of the pay tables."""
    out: dict[str, dict[object, Odds]] = {name: {} for name in names}
    for line in rows.strip().splitlines():
        hand, _, odds = line.strip().partition(": ")
        for name, to in zip(names, odds.split(), strict=True):
            out[name][SMALL_HANDS[hand]] = Odds(int(to))
    return out


def test_three_card_poker_has_the_pay_tables_of_its_table_1() -> None:
    assert (
        columns(
            "ABC",
            """straight flush: 5 5 4
           three of a kind: 4 3 3
           straight: 1 1 1""",
        )
        == three_card_poker.ANTE_BONUS
    )
    assert (
        columns(
            "ABCDEF",
            """straight flush: 40 40 40 40 35 35
           three of a kind: 30 25 30 30 25 33
           straight: 6 6 5 6 6 6
           flush: 4 4 4 3 4 4
           pair: 1 1 1 1 1 1""",
        )
        == three_card_poker.PAIR_PLUS
    )


def test_what_pays_the_same_for_every_hand() -> None:
    even = (three_card_poker.EVEN, ultimate.EVEN, wsop_bonus.EVEN, caribbean_stud.ANTE)
    assert set(even) == {Odds(1)}
    assert {"war": Odds(1), "go-to-war": Odds(1), "tie": Odds(10)} == casino_war.ODDS  # 004, Table 1
    assert Odds(7) == side_wagers.ODDS  # 000 10.2.2: red and black


# ---- Jackpots


def rates(options: int, text: str) -> dict[int, tuple[int, ...]]:
    """Reads lines of a seed and its increment rates in percent."""
    out = {}
    for line in text.strip().splitlines():
        seed, *percent = line.split()
        out[int(seed)] = tuple(int(each.replace(".", "")) for each in percent)
        assert len(percent) == options
    return out


def test_seeds_and_increments_are_those_of_table_6_and_of_tables_2_and_3() -> None:
    assert (
        rates(
            6,
            """20000 57.22 49.97 40.76 51.33 48.01 41.68
           40000 54.14 46.89 37.68 48.26 44.93 38.61
           50000 52.60 45.35 36.14 46.72 43.39 37.07
           60000 51.06 43.81 34.60 45.18 41.85 35.53
           80000 47.98 40.74 31.52 42.10 38.78 32.45
           100000 44.90 37.66 28.44 39.02 35.70 29.37""",
        )
        == tables.NSW_RATES
    )
    assert (
        rates(
            2,
            """10000 34.06 31.02
           20000 32.51 29.47
           30000 30.94 27.90
           40000 29.36 26.32
           50000 27.76 24.70
           60000 26.12 23.02
           75000 23.50 20.28""",
        )
        == tables.VIC_RATES
    )


def test_prizes_beside_the_meter_are_those_of_table_5_and_of_tables_4_and_5() -> None:
    assert tables.NSW_PRIZES == {
        Category.FOUR_OF_A_KIND: (300, 400, 500, 300, 400, 500),
        Category.FULL_HOUSE: (80, 100, 120, 80, 100, 100),
        Category.FLUSH: (50, 60, 80, 40, 50, 50),
        Category.STRAIGHT: (0, 0, 0, 20, 10, 20),
    }
    assert tables.VIC_PRIZES == {
        Category.FOUR_OF_A_KIND: (500, 600),
        Category.FULL_HOUSE: (150, 100),
        Category.FLUSH: (100, 60),
        Category.STRAIGHT: (0, 40),
    }


def test_shares_of_several_straight_flushes_are_those_of_table_7_and_of_tables_6_to_8() -> None:
    of_meter = ("10.000", "9.500", "9.033", "8.598", "8.190", "7.809", "7.453")
    of_reset = ("0.000", "0.500", "0.967", "1.403", "1.810", "2.191", "2.547")
    shares = {n: (_thousandths(a), _thousandths(b)) for n, (a, b) in enumerate(zip(of_meter, of_reset, strict=True), 1)}
    assert shares == tables.NSW_STRAIGHT_FLUSHES
    assert {n: shares[n] for n in (1, 2)} == tables.VIC_STRAIGHT_FLUSHES
    assert (_thousandths("90.909"), _thousandths("9.091")) == tables.VIC_ROYAL_WITH_STRAIGHT


def _thousandths(percent: str) -> int:
    return int(percent.replace(".", ""))
