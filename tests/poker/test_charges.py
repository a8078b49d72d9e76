"""Fees by the hour and per person: who pays, who verifies, when they are dropped."""

from __future__ import annotations

import pytest

from controller.poker.money import charges
from controller.table.options import Chosen, demanded
from tests.poker.floor import MINUTE, floor


def test_the_hourly_charge_is_collected_verified_and_dropped() -> None:
    f = floor("seat 1-3 stack=100", "absent 2", rake_method="time", rake="7")
    assert f.refused("drop") == "7.2.2(e)"
    assert f.refused("confirm-charge") == "7.2.2(e)"
    f.press("collect")
    assert f.room.stakes == {"1": 9300, "2": 9300, "3": 9300}
    assert (f.room.slide, f.room.dropped) == (2100, 0)
    assert [(p.role, p.rule, p.offers) for p in f.told] == [("supervisor", "7.2.2(e)", ("confirm-charge",))]
    assert f.refused("drop") == "7.2.2(e)"
    f.press("confirm-charge")
    assert f.refused("confirm-charge") == "7.2.2(e)"
    f.press("drop")
    assert (f.room.slide, f.room.dropped) == (0, 2100)
    f.t.now += 60 * MINUTE - 1
    assert f.refused("collect") == "7.2.2(b)"
    f.t.now += 1
    f.deal()
    assert f.refused("collect") == "6.11"
    f.over()
    f.press("collect")
    assert f.room.slide == 2100


def test_the_dealer_is_told_once_an_hour() -> None:
    f = floor(rake_method="time", rake="7")

    def reminders() -> int:
        f.t.prompts = []
        charges.hourly(f.scene())
        return len(f.t.prompts)

    assert reminders() == 0  # nobody is there
    f.press("seat 1-2 stack=100")
    assert [reminders(), reminders()] == [1, 0]  # in advance
    f.press("collect")
    f.t.now += 60 * MINUTE - 1
    assert reminders() == 0
    f.t.now += 1
    assert [reminders(), reminders()] == [1, 0]
    f.t.options = Chosen(demanded(f.t.options.typed, {"rake-method": "percent", "rake": "0%"}))
    f.room.reminded = False
    assert reminders() == 0


def test_the_fee_per_person_is_dropped_before_each_hand() -> None:
    f = floor("seat 1-4 stack=100", "absent 4", rake_method="per-person", rake="2:1,4:2")
    assert charges.fee_due(f.t) == "7.2.4(b)"
    f.post()
    f.press("collect")
    assert f.room.stakes == {"1": 9900, "2": 9900, "3": 9900, "4": 10000}
    assert (f.room.slide, f.room.dropped) == (0, 300)
    assert charges.fee_due(f.t) is None
    assert f.refused("collect") == "7.2.4(b)"
    f.over("misdeal")
    assert charges.fee_due(f.t) is None
    f.hand()
    assert charges.fee_due(f.t) == "7.2.4(b)"
    f.press("absent 4 off")
    f.deal()
    assert f.refused("collect") == "7.2.4(b)"


def test_who_cannot_pay_the_fee() -> None:
    f = floor("seat 1 stack=100", "seat 2 stack=1", rake_method="time", rake="5", blinds="1,2")
    f.press("collect")
    assert f.room.stakes == {"1": 9500, "2": 100}
    assert [(p.rule, p.place) for p in f.told if p.role == "dealer"] == [("7.2.2(a)", "2")]


@pytest.mark.parametrize(
    ("method", "rake", "rule"),
    [("percent", "5%", "7.2"), ("per-hand", "3", "7.2"), ("time", "0%", "7.4"), ("per-person", "0", "7.4")],
)
def test_no_fee_where_the_sign_has_none(method: str, rake: str, rule: str) -> None:
    f = floor("seat 1-2 stack=100", rake_method=method, rake=rake)
    assert f.refused("collect") == rule
    assert charges.fee_due(f.t) is None


def test_there_is_nobody_to_pay() -> None:
    assert floor(rake_method="time", rake="5").refused("collect") == "7.2.2(a)"


def test_commission_from_the_pot_is_dropped_after_the_hand() -> None:
    f = floor("seat 1-3 stack=100", rake="5%")
    f.deal()
    f.room.slide = 500
    assert f.refused("drop") == "7.2.1(b)"
    f.over()
    f.press("drop")
    assert (f.room.slide, f.room.dropped) == (0, 500)
