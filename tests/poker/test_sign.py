"""The sign of a poker table: everything that the document wants to be read there, in plain words (6.1.1)."""

from __future__ import annotations

import doctest

import pytest

from controller.poker.hand.course import HOLE
from controller.poker.money import side_wagers
from controller.poker.room import notice_board
from controller.poker.room.notice_board import Wait, announcement, lines, sign, wait
from controller.table.state import Notice, Round
from controller.table.view import sign_text
from tests.table.telling import Telling

MINUTE = 60_000_000


def table(**options: str) -> Telling:
    t = Telling("holdem", **options)
    t.role("area-manager")
    return t


def said(label: str, **options: str) -> str | None:
    return dict(sign(table(**options).table)).get(label)


def test_a_plain_table_says_no_more_than_it_has() -> None:
    assert sign(table().table) == [
        ("Game", "Holdem"),
        ("No limit", "from $10"),
        ("2 blinds", "$5 / $10"),
        ("Commission", "none"),
        ("Flop Chase", "$5 to $500, pays 7 to 1"),
    ]


def test_every_game_has_a_name() -> None:
    assert set(notice_board.NAMES) == set(HOLE)


def test_flop_chase_pays_what_it_says() -> None:
    assert f"pays {side_wagers.ODDS.to} to 1" in (said("Flop Chase") or "")


@pytest.mark.parametrize(
    ("options", "label", "value"),
    [
        ({"limit": "no-limit", "min": "10"}, "No limit", "from $10"),
        ({"limit": "pot", "blinds": "10,20"}, "Pot limit", "from $20"),
        ({"limit": "half-pot"}, "Half pot limit", "from $10"),
        ({"limit": "fixed"}, "Fixed limit", "$10 / $20"),
        ({"limit": "spread", "bets": "2.50,1000", "blinds": "5"}, "Spread limit", "$2.50 to $1,000"),
        ({"blinds": "10"}, "1 blind", "$10"),
        ({"blinds": "5,5,10"}, "3 blinds", "$5 / $5 / $10"),
        ({"straddle": "on"}, "Straddle", "$20"),
        ({"over_blinds": "on"}, "Over-blinds", "each twice the blind before it"),
        ({"buy_in": "1500"}, "Buy-in", "from $1,500"),
        ({"rake": "5%", "cap": "10"}, "Commission", "5% of the pot, cap $10"),
        ({"rake": "2.5%"}, "Commission", "2.5% of the pot, no cap"),
        ({"rake_method": "per-hand", "rake": "3"}, "Commission", "$3 a hand"),
        ({"rake_method": "per-hand", "rake": "2:3,5:5"}, "Commission", "$3 a hand, $5 from 5 players"),
        ({"rake_method": "per-person", "rake": "1.50"}, "Commission", "$1.50 a player each hand"),
        ({"rake_method": "per-person", "rake": "4:2"}, "Commission", "$2 a player each hand, from 4 players"),
        ({"rake_method": "time", "rake": "6"}, "Time charge", "$6 a player each hour"),
        ({"rake_method": "time", "rake": "0%"}, "Time charge", "none"),
        ({"act_time": "1m30s"}, "Time to act", "1 minute 30 seconds"),
        ({"act_time": "30s", "extra_time": "30s"}, "More time", "30 seconds free"),
        ({"act_time": "30s", "extra_time": "1m", "extra_fee": "5"}, "More time", "1 minute for $5"),
        ({"act_time": "30s", "extra_time": "1m", "extra_times": "1"}, "More time", "1 minute free, once a hand"),
        ({"act_time": "30s", "extra_time": "1m", "extra_times": "4"}, "More time", "1 minute free, 4 times a hand"),
        ({"extra_time": "1m"}, "More time", None),  # nothing to extend
        ({"min": "2", "max": "100"}, "Flop Chase", "$2 to $100, pays 7 to 1"),
        ({"bonus": "royal-flush:1000,full-house:5"}, "Cash bonus", "royal flush $1,000, full house $5"),
    ],
)
def test_what_is_in_force(options: dict[str, str], label: str, value: str | None) -> None:
    assert said(label, **options) == value


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ({"min": "10"}, "Minimum $10"),
        ({"max": "1000", "chip": "5"}, "Maximum $1,000, smallest chip $5"),
        ({"limit": "pot", "buy-in": "2000"}, "Pot limit from $10, buy-in from $2,000"),
        ({"limit": "fixed", "bets": "20,40"}, "Fixed limit $20 / $40"),
        ({"rake-method": "time", "rake": "6"}, "Time charge $6 a player each hour"),
        ({"bonus": "none", "buy-in": "none"}, "No buy-in, no cash bonus"),
        ({"rake": "3"}, "Rake 3"),  # of which kind is not said: as it was keyed
        ({"blinds": "x"}, "Blinds x"),
        ({"straddle": "off"}, "Straddle off"),  # as it is already
    ],
)
def test_what_is_announced(what: dict[str, str], text: str) -> None:
    t = table(buy_in="100", bonus="royal-flush:1000").table
    assert announcement(t, Notice(what, 0, 0)) == text


def test_a_closing_is_announced_and_waits_for_hands() -> None:
    t, closing = table().table, Notice({}, 0, 0, "table")
    assert announcement(t, closing) == "Table closes"
    assert wait(t, closing, MINUTE) == Wait(hands=3)


@pytest.mark.parametrize(
    ("what", "left"),
    [
        ({"buy-in": "200"}, Wait(hands=3)),
        ({"min": "2"}, Wait(hands=3)),
        ({"min": "10"}, Wait(time=19 * MINUTE)),
        ({"min": "10", "limit": "pot"}, Wait(3, 19 * MINUTE)),
        ({"rake": "4%", "cap": "5"}, Wait()),
    ],
)
def test_what_a_change_waits_for(what: dict[str, str], left: Wait) -> None:
    assert wait(table().table, Notice(what, 0, 0), MINUTE) == left


@pytest.mark.parametrize(
    ("number", "running", "left"), [(7, True, 3), (8, True, 3), (8, False, 2), (10, False, 0), (20, True, 0)]
)
def test_hands_that_began_after_the_notice(number: int, running: bool, left: int) -> None:
    t = table().table
    t.number, t.round = number, Round(number, 1, outcome="" if running else "settled")
    assert wait(t, Notice({"limit": "pot"}, 0, 7), 0).hands == left


def test_the_lines_of_a_device_are_short_and_name_what_comes() -> None:
    t = table(rake="5%", cap="10", bonus="royal-flush:1000,straight-flush:200,four-of-a-kind:50")
    t.key("notice limit=pot buy-in=200")
    t.key("notice min=10")
    assert sign_text(t.table, t.game) == [
        "Holdem",
        "No limit from $10",
        "2 blinds $5 / $10",
        "Commission 5% of the pot, cap $10",
        "Flop Chase $5 to $500, pays 7 to 1",
        "Cash bonus royal flush $1,000,",
        "  straight flush $200, four of a",
        "  kind $50",
        "soon: Pot limit from $10, buy-in",
        "  from $200, in 3 hands",
        "soon: Minimum $10",
    ]
    t.table.number = 2
    assert "  from $200, in 1 hand" in lines(t.table)
    t.table.open = False
    assert lines(t.table)[0] == "Holdem closed"
    assert not any("Commission" in line for line in lines(t.table))


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("min=abc", "6.10"),
        ("min=none", "6.10"),
        ("bets=10", "6.10"),
        ("blinds=x", "6.10"),
        ("limit=sky", "6.10"),
        ("bonus=royal-flush", "6.10"),
        ("act-time=long", "6.10"),
        ("rake=3", "7.2.1"),
    ],
)
def test_what_no_sign_could_say_is_not_set(change: str, rule: str) -> None:
    t = table()
    t.key("agree all")
    before = sign(t.table)
    t.key(f"set {change}")
    assert [no.rule for no in t.refusals()] == [rule]
    assert sign(t.table) == before


@pytest.mark.parametrize("change", ["min=abc", "min=none", "buy-in=much"])
def test_an_amount_that_is_none_is_not_announced(change: str) -> None:
    t = table()
    t.key(f"notice {change}")
    assert [no.rule for no in t.refusals()] == ["6.10"]
    assert t.table.notices == []


def test_examples() -> None:
    assert doctest.testmod(notice_board).failed == 0
