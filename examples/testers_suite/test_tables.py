"""What no script says: our auditors' wish, at every table of the house, with the fixtures of feltd's pytest plugin."""

from __future__ import annotations

import pytest

from controller.testing import ScriptedDevices, ScriptedTable

OUR_TABLES = ["casino-war min=10", "three-card-poker min=5 seats=5", "ultimate-texas-holdem-nsw"]


@pytest.mark.parametrize("table", OUR_TABLES, indirect=True)
def test_every_payment_names_its_rule(table: ScriptedTable) -> None:
    table.play(5, "1-4")
    assert [wager for played in table.rounds for wager in played.wagers if not wager.rule] == []


@pytest.mark.table("casino-war", min=10)
def test_a_jammed_shoe_holds_the_round_and_costs_nobody_a_cent(table: ScriptedTable, devices: ScriptedDevices) -> None:
    table.bet(1, war=20)
    table.key("no-more-bets")
    table.draw("Kh")
    devices["shoe"].fault("jam")
    table.expect("gate deal shut")
    devices["shoe"].clear()
    table.draw("2c")
    table.key("settle")
    assert table.round.wager(1, "war").net == 20
