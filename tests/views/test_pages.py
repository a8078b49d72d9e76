"""The limit sign and the jackpot page: what is in force, what is announced, and how long that takes."""

from __future__ import annotations

import pytest

from controller.games import find
from controller.table.state import Table
from controller.views.meter_face import MeterFace, MeterStyle, next_frame
from controller.views.pages import jackpot, limits, out_of_service
from tests.table.telling import Telling

MINUTE = 60_000_000


def test_the_sign_of_a_table_without_a_game() -> None:
    assert limits(Table(), None, 0) == {"game": "", "open": False, "large": [], "small": [], "notices": []}


def test_a_notice_counts_down() -> None:
    t = Telling("caribbean-stud")
    t.role("casino-manager")
    t.key("notice min=20 max=200")
    sign = limits(t.table, find("caribbean-stud"), 5 * MINUTE)
    assert sign["large"] == [("Minimum", "$10"), ("Maximum", "$500")]
    assert sign["notices"] == [{"text": "Minimum $20, Maximum $200", "seconds": 15 * 60}]
    assert limits(t.table, find("caribbean-stud"), 30 * MINUTE)["notices"][0]["seconds"] == 0


@pytest.mark.parametrize("game", ["casino-war", "three-card-poker"])
def test_a_table_that_closes_says_when(game: str) -> None:
    t = Telling(game)
    t.role("casino-manager")
    t.key("notice close-table")
    (notice,) = limits(t.table, find(game), 0)["notices"]
    assert notice["text"] == "Table closes" and {"rounds", "seconds"} & set(notice)


def test_rounds_until_it_closes_are_those_that_are_over() -> None:
    t = Telling("casino-war")
    t.role("casino-manager")
    t.key("notice close-table")
    left = [limits(t.table, find("casino-war"), 0)["notices"][0].get("rounds")]
    t.role("dealer")
    t.bet(1, war=10)
    t.key("no-more-bets")
    left.append(limits(t.table, find("casino-war"), 0)["notices"][0].get("rounds"))
    t.draw("Kh 5c")
    t.key("settle")
    left.append(limits(t.table, find("casino-war"), 0)["notices"][0].get("rounds"))
    assert left[0] is not None and left == [left[0], left[0], left[0] - 1]


def test_the_sign_of_a_poker_table_and_what_it_waits_for() -> None:
    t = Telling("holdem")
    t.role("casino-manager")
    t.key("notice blinds=10,20")
    sign = limits(t.table, find("holdem"), 0)
    assert sign["large"][1][0] and sign["notices"][0]["text"]
    assert {"hands", "seconds"} & set(sign["notices"][0])


def test_nothing_can_be_recorded() -> None:
    t = Telling("casino-war")
    sign = out_of_service(limits(t.table, find("casino-war"), 0))
    assert (sign["open"], sign["large"], sign["notices"][0]["text"]) == (False, [], "Out of service")


def test_the_jackpot_page() -> None:
    """002 11.2.1(j), 003 9.1.1(l): the meter on displays of the house."""
    running = jackpot(MeterFace(offer="running", amount=1_000_028_610), 0, MeterStyle())
    assert (running["cents"], running["wins"], running["confirmed"], running["fault"]) == (10_000_286, [], True, False)
    assert jackpot(MeterFace(), 0, MeterStyle())["cents"] is None


def test_what_was_announced_during_a_hand_waits_for_hands() -> None:
    t = Telling("holdem", button="6")
    t.key("seat 1-3 stack=500")
    t.key("act 1 post 5")
    t.role("casino-manager")
    t.key("notice close-table")
    (notice,) = limits(t.table, find("holdem"), 0)["notices"]
    assert notice["text"] and "hands" in notice


def test_a_meter_that_rolls_wants_to_be_shown_again_soon() -> None:
    face = MeterFace(offer="running", amount=200, start=100, since=0, until=1_000_000)
    soon = next_frame(face, 0, MeterStyle())
    assert soon is not None and 0 < soon <= face.until
    assert next_frame(face, 0, MeterStyle(), still=True) is None
