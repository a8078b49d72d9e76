"""The running round and the last one in the status: wagers, public hands by name, what was paid, at which odds."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games import find
from controller.table.state import Table, clone
from controller.views import round_text, rounds
from tests.api.conftest import Floor
from tests.table.telling import Telling


def told(table: Table) -> list[str]:
    view = rounds.last(table, find(table.game))
    assert view is not None
    return [line.strip() for line in round_text.lines(view)]


def stud(cards: str) -> Telling:
    t = Telling("caribbean-stud")
    for area in (1, 2):
        t.bet(area, ante=40)
    t.key("no-more-bets")
    t.draw(cards)
    t.bet(1, bet=80)
    t.key("fold 2")
    return t


STRAIGHT = "9h 2d As Td 5d Kd Jc 9d 3s Qs 7d 4s Kh 8h Ac"  # area 1: a straight; area 2; the dealer: a pair of aces


def test_a_settled_round_names_compared_hands_and_odds_and_hides_folded_ones() -> None:
    t = stud(STRAIGHT)
    t.key("settle")
    assert told(t.table) == [
        "dealer   As Kd 3s 4s Ac  pair of aces, king kicker; qualifies (8.2)",
        "area 1   9h Td Jc Qs Kh  straight to the king  bets",
        "ante 40 win +40, pays 1 to 1 (8.4.2(a)(ii))",
        "bet 80 win +320, straight pays 4 to 1, table 1 (8.4.4(a))",
        "area 2   5 cards face down  folds",
        "ante 40 lose -40 (8.4.2(b)(i))",
    ]


def test_a_running_round_tells_wagers_and_only_cards_that_were_turned() -> None:
    t = Telling("caribbean-stud")
    t.bet(1, ante=40)
    t.key("no-more-bets")
    t.draw("9h As Td Kd Jc 3s Qs 4s Kh Ac")
    view = rounds.current(t.table, find(t.table.game))
    assert view is not None and view["outcome"] == "open"
    assert {hand["place"]: " ".join(hand["cards"]) for hand in view["hands"]} == {
        "dealer": "?? ?? ?? ?? Ac",
        "1": "?? ?? ?? ?? ??",
    }
    assert [(w["place"], w["spot"], w["stake"], w["result"]) for w in view["wagers"]] == [
        ("1", "ante", "40.00", "open")
    ]
    assert not any(hand["name"] for hand in view["hands"])


def test_the_last_round_is_still_told_when_the_next_one_runs_also_after_a_restart() -> None:
    t = stud(STRAIGHT)
    t.key("settle")
    before = rounds.last(t.table, find(t.table.game))
    t.bet(1, ante=10)
    assert rounds.last(clone(t.table), find(t.table.game)) == before
    current = rounds.current(t.table, find(t.table.game))
    assert current is not None and current["number"] == 2


PAID: list[tuple[str, dict[str, str], list[tuple[str, ...]], str]] = [
    (
        "three-card-poker",
        {},
        [("bet", "ante=10", "pair-plus=5"), ("draw", "4h Qs 5h 3d 6h 2c"), ("bet", "play=10")],
        "ante-bonus 10 win +50, straight flush pays 5 to 1, table A (5.10.2(d)); "
        "pair-plus 5 win +200, straight flush pays 40 to 1, table A (5.7.1)",
    ),
    (
        "mississippi-stud",
        {"max_payout": "250"},
        [
            ("bet", "ante=10"),
            ("draw", "Kh Kd Kc Ks 2c"),
            ("bet", "third=30"),
            ("bet", "fourth=10"),
            ("bet", "fifth=10"),
        ],
        "ante 10 win +250, four of a kind pays 40 to 1, table 2, at most 250 (9.4.3(b))",
    ),
    (
        "ultimate-texas-holdem-nsw",
        {},
        [
            ("bet", "ante=15", "blind=15", "trips=10"),
            ("draw", "Ah 2c 9h 2s"),
            ("bet", "play=60"),
            ("draw", "4h 6h Jh 3c 8c"),
        ],
        "blind 15 win +23, flush pays 3 to 2, table 3 (10.4.3(a)); "
        "trips 10 win +70, flush pays 7 to 1, table 4 (10.4.4(a))",
    ),
]


@pytest.mark.parametrize(("game", "options", "deeds", "wanted"), PAID)
def test_odds_are_those_of_the_pay_table(game: str, options: dict[str, str], deeds: list[Any], wanted: str) -> None:
    t = Telling(game, **options)
    for verb, *words in deeds:
        if verb == "draw":
            t.draw(words[0])
        else:
            t.bet(1, **{spot: int(amount) for spot, amount in (word.split("=") for word in words)})
            if len(t.facts) == 2:
                t.key("no-more-bets")
    t.key("settle")
    lines = told(t.table)
    for part in wanted.split("; "):
        assert part in lines


def test_odds_that_were_changed_since_are_not_told() -> None:
    t = Telling("three-card-poker")
    t.bet(1, pair_plus=5)
    t.key("no-more-bets")
    t.draw("4h Qs 4c 3d 4d 2c")
    t.key("settle")
    assert "pair-plus 5 win +150, three of a kind pays 30 to 1, table A (5.7.1)" in told(t.table)
    t.role("area-manager")
    t.key("leave 1")
    t.key("set pair-plus=B")
    assert "pair-plus 5 win +150 (5.7.1)" in told(t.table)


async def test_the_status_has_both_rounds(floor: Floor) -> None:
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    await floor.draw("Kh", "9d")
    await floor.press("settle")
    await floor.bet(2, 2000)
    status = await floor.get("/status")
    assert status["last"]["wagers"] == [
        {
            "place": "1",
            "spot": "war",
            "stake": "10.00",
            "result": "win",
            "net": "10.00",
            "rule": "5.7.1",
            "pays": "pays 1 to 1",
        }
    ]
    assert [(w["place"], w["stake"], w["result"]) for w in status["current"]["wagers"]] == [("2", "20.00", "open")]


def test_a_round_whose_books_cannot_be_read_does_not_stop_the_status() -> None:
    t = stud(STRAIGHT)
    t.key("settle")
    table = clone(t.table)
    assert table.round is not None
    table.round.wagers["nobody", "ante"] = 1
    table.round.outcome = "void"
    assert rounds.last(table, find(table.game)) == {
        "called": {"place": "area", "round": "round", "bets": "bets"},
        "number": 1,
        "outcome": "void",
        "rule": "",
        "hands": [],
        "decisions": {},
        "wagers": [],
    }
