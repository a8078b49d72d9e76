"""What the limit sign of a game against the house says, as a device shows it and as a page."""

from __future__ import annotations

import pytest

from controller.games import find
from controller.service.outputs import time_of_day
from controller.table.board import WIDTH
from controller.table.facts import ClockStepped, HouseChanged
from controller.table.view import sign_text
from controller.views.pages import limits
from controller.views.sign_lines import sign_lines
from tests.table.telling import Telling

MINUTE = 60_000_000
GAMES: tuple[tuple[str, dict[str, str]], ...] = (
    ("casino-war", {"unit": "5", "limits_per": "player"}),
    ("casino-war", {"limits_per": "area"}),
    ("three-card-poker", {"ante_bonus": "B"}),
    ("caribbean-stud", {"jackpot": "nsw", "max_payout": "10000"}),
    ("mississippi-stud", {}),
    ("ultimate-texas-holdem-nsw", {"jackpot": "nsw", "method": "B"}),
    ("ultimate-texas-holdem-vic", {}),
    ("wsop-bonus-holdem", {"jackpot": "vic", "ante_pays": "straight"}),
)


def shown(t: Telling, now: int = 0) -> list[str]:
    return sign_lines(t.table, t.game, now, lambda moment: f"minute {moment // MINUTE}")


def announced(t: Telling, now: int = 0) -> list[str]:
    """What is announced: behind game and limits, so that a sign that takes little shows it."""
    return shown(t, now)[2 : 2 + len(t.table.notices)]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_device_shows_what_the_page_shows(game: str, options: dict[str, str]) -> None:
    """002 5.1, 7.1: variation and limits; every row beside them."""
    t = Telling(game, **options)
    lines, page = sign_text(t.table, t.game), limits(t.table, find(game), 0)
    assert lines[0].startswith(page["game"])
    assert all(len(line) <= WIDTH for line in lines)
    said = " ".join(line.strip() for line in lines)
    for label, value in (*page["small"], *page["large"]):
        assert value in said and (label in said or label in ("Minimum", "Maximum"))


@pytest.mark.parametrize(
    ("game", "options", "row"),
    [
        ("casino-war", {"unit": "5"}, ("Above the minimum", "in units of $5")),
        ("casino-war", {"limits_per": "player"}, ("Maximum", "for each player")),
        ("casino-war", {"limits_per": "area"}, ("Maximum", "for each betting area")),
        ("casino-war", {"method": "B"}, ("Go to War", "method B")),
        (
            "three-card-poker",
            {"ante_bonus": "B"},
            ("Ante Bonus B", "straight flush 5 to 1, three of a kind 3 to 1, straight 1 to 1"),
        ),
        ("ultimate-texas-holdem-vic", {}, ("Play", "3 or 4 times the Ante, 2 after the Flop, 1 after the River")),
        ("wsop-bonus-holdem", {"ante_pays": "straight"}, ("Ante pays", "from a straight")),
        ("caribbean-stud", {"max_payout": "10000"}, ("Maximum payout", "$10,000")),
        (
            "caribbean-stud",
            {"jackpot": "nsw", "jackpot_option": "4"},
            (
                "Jackpot $5",
                "royal flush 100%, straight flush 10%, four of a kind $1,500, full house $400, flush $200, "
                "straight $100",
            ),
        ),
        ("caribbean-stud", {"jackpot": "nsw"}, ("Jackpot, method A", "a folded hand loses it")),
    ],
)
def test_what_is_in_force(game: str, options: dict[str, str], row: tuple[str, str]) -> None:
    t = Telling(game, **options)
    assert row in limits(t.table, t.game, 0)["small"]


def test_nothing_is_said_of_what_the_table_does_not_have() -> None:
    assert limits(Telling("mississippi-stud").table, find("mississippi-stud"), 0)["small"] == []
    war = Telling("casino-war", unit="none")
    assert [label for label, _ in limits(war.table, war.game, 0)["small"]] == ["Tie", "Go to War"]


def test_the_time_of_a_higher_minimum_stands_on_the_sign() -> None:
    """Section 66(2): the new minimum and the proposed time of change."""
    t = Telling("casino-war")
    t.role("area-manager")
    t.at = 5 * MINUTE
    t.key("notice min=25")
    t.key("notice max=1000")
    assert shown(t, t.table.now) == [
        "Casino War",
        "$5 to $500",
        "soon: Maximum $1,000",
        "from minute 25: Minimum $25",
        "Tie: 10 to 1",
        "Go to War: method A",
    ]
    assert announced(t, 25 * MINUTE) == ["soon: Minimum $25", "soon: Maximum $1,000"]
    t.tell(ClockStepped(0, 60 * MINUTE))
    assert announced(t, t.table.now)[-1] == "from minute 85: Minimum $25"  # by the clock that people look at now


def test_a_closing_says_how_many_rounds_are_left() -> None:
    t = Telling("casino-war")
    t.role("supervisor")
    t.key("notice close-table")
    assert announced(t)[-1] == "soon: Table closes, in 3 rounds"
    minutes = Telling("three-card-poker")
    minutes.role("area-manager")
    minutes.key("notice close-table")
    assert announced(minutes)[-1] == "from minute 20: Table closes"


def test_what_needs_no_time_has_none() -> None:
    t = Telling("three-card-poker")
    t.role("area-manager")
    t.key("notice pair-plus=B")
    assert limits(t.table, t.game, 0)["notices"] == [{"text": "Pair plus B", "played": "round"}]
    assert announced(t)[-1] == "soon: Pair plus B"


def test_another_jackpot_system_and_its_closing_need_time() -> None:
    t = Telling("caribbean-stud", jackpot="nsw")
    t.role("area-manager")
    t.key("notice jackpot-group=G2")
    t.key("notice close-jackpot")
    assert announced(t) == ["from minute 20: Jackpot system G2", "from minute 20: Jackpot closes"]


def test_a_game_that_says_it_in_its_own_order_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Telling("casino-war")
    t.role("area-manager")
    t.key("notice min=25")
    t.key("notice max=900")
    monkeypatch.setattr(type(t.game), "sign", lambda self, table: ["soon"] * len(table.notices) + ["Casino War"])
    assert shown(t) == ["soon", "Casino War", "from minute 20: Minimum $25"]


def test_a_closed_table_says_so() -> None:
    t = Telling("casino-war")
    t.role("supervisor")
    t.key("close-table")
    assert shown(t) == ["Casino War closed"]


def test_the_time_of_day_is_never_too_early() -> None:
    assert len(time_of_day(0)) == 5
    assert time_of_day(1) == time_of_day(MINUTE)
    assert time_of_day(1 << 70) == "later"


def test_the_house_changes_its_method_between_rounds_only() -> None:
    """004 7.4.4(a): a round is dealt by one method from its first card, whatever the floor says meanwhile."""
    t = Telling("casino-war")
    t.bet(1, war=10)
    t.tell(HouseChanged("method", "B"))
    assert t.table.options["method"] == "B"  # no card lies yet
    t.tell(HouseChanged("method", "A"))
    t.draw("Kh Kd")
    t.tell(HouseChanged("method", "B"))
    assert t.table.options["method"] == "A"
    assert "method B: here from the next round on" in t.table.prompts[-1].text
    t.key("surrender 1")
    t.key("settle")
    assert t.table.options["method"] == "B"
    assert t.table.house_next == {}


def test_what_the_house_takes_back_in_mid_round_never_comes() -> None:
    t = Telling("casino-war")
    t.bet(1, war=10)
    t.draw("Kh")
    t.tell(HouseChanged("method", "B"))
    t.tell(HouseChanged("method", "A"))
    t.draw("Qd")
    t.key("settle")
    assert t.table.options["method"] == "A"


def test_what_is_in_force_is_announced_no_more() -> None:
    t = Telling("casino-war")
    t.role("area-manager")
    t.key("notice min=25 max=1000")
    t.key("notice close-table")
    t.key("set max=1000")
    assert [(n.changes, n.closing) for n in t.table.notices] == [({"min": "25"}, ""), ({}, "table")]
    t.at = 20 * MINUTE
    t.key("set min=25")
    assert [(n.changes, n.closing) for n in t.table.notices] == [({}, "table")]


def test_an_announcement_is_taken_down_by_what_is_in_force() -> None:
    t = Telling("casino-war")
    t.role("area-manager")
    t.key("notice min=25 max=1000")
    t.key("notice close-table")
    t.key("notice max=500")
    assert [(n.changes, n.closing) for n in t.table.notices] == [({"min": "25"}, ""), ({}, "table")]
    t.key("notice min=5")
    assert [(n.changes, n.closing) for n in t.table.notices] == [({}, "table")]
    t.key("notice min=5")  # nothing is announced of it: it is announced as ever
    assert [n.changes for n in t.table.notices] == [{}, {"min": "5"}]
