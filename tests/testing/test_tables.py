"""The fixtures floor, table and devices: scripts' verbs in Python, in dollars, with typed results."""

from __future__ import annotations

from decimal import Decimal

import pytest

from controller.testing import ScriptedDevices, ScriptedFloor, ScriptedTable, ScriptError, token


@pytest.mark.table("three-card-poker", min=5, pair_plus="A")
def test_a_round_in_dollars(table: ScriptedTable) -> None:
    assert table.bet(1, ante=10, pair_plus=5).accepted
    table.key("no-more-bets")
    table.draw("Kh", "Qs", "5d 3d", "2c", "2h")
    table.bet(1, play=10)
    table.key("settle")
    table.expect(1, "ante", "win", 10, by="5.6.1")
    table.expect("1 play win 10")
    assert table.round.outcome == "settled" and table.rounds == (table.round,)
    ante = table.round.wager(1, "ante")
    assert (ante.stake, ante.result, ante.net) == (Decimal(10), "win", Decimal("10.00"))
    assert table.round.wager(1, "pair-plus").net == -5
    assert table.round.hands["1"] == ("Kh", "5d", "2c")
    assert table.round.dealer is not None and table.round.dealer.qualifies
    with pytest.raises(LookupError, match="no wager on ante of area 2"):
        table.round.wager(2, "ante")


@pytest.mark.table("casino-war")
def test_an_expectation_that_does_not_hold_says_what_is_there(table: ScriptedTable) -> None:
    table.bet(1, war=10)
    table.key("no-more-bets")
    table.draw("Kh 2c")
    table.key("settle")
    with pytest.raises(AssertionError) as caught:
        table.expect(1, "war", "lose", -10, by="5.7")
    first, second, *story = str(caught.value).splitlines()
    assert first == "expect 1 war lose -10 by 5.7"
    assert second.startswith("  NOT SO: win by 5.7.1")
    assert any("bet 1 war=10" in line for line in story) and any("pays 1 to 1" in line for line in story)


@pytest.mark.table("casino-war")
def test_a_refusal_has_reason_and_rule_and_fails_nothing(table: ScriptedTable) -> None:
    answer = table.key("settle")
    assert not answer.accepted
    assert answer.refusals[0].what == "key settle" and answer.refusals[0].why and answer.refusals[0].rule
    table.expect("refused")


@pytest.mark.table("casino-war")
def test_a_word_that_does_not_exist_is_told_with_what_does(table: ScriptedTable) -> None:
    with pytest.raises(ScriptError, match='unknown spot "wra" \\(did you mean "war"'):
        table.bet(1, wra=5)
    table.bet(1, war=5)  # and it goes on
    table.expect("accepted")


@pytest.mark.table("casino-war", seats=3)
def test_devices_fail_and_show(table: ScriptedTable, devices: ScriptedDevices) -> None:
    assert {"shoe", "console", "lamps", "sensor.3"} <= set(devices) and len(devices) == len(set(devices))
    table.bet(2, war=10)
    assert devices["sensor.2"].shows["lying"] == {"war": 1000}
    devices["shoe"].fault("jam")
    assert devices["shoe"].faults == ["jam"]
    devices["shoe"].clear()
    assert devices["shoe"].faults == []
    with pytest.raises(KeyError, match=r"sensor\.9; there are"):
        devices["sensor.9"]


def test_several_tables_on_one_floor(floor: ScriptedFloor) -> None:
    north = floor.table("caribbean-stud", "North", method="B", jackpot="nsw", jackpot_group="Harbour")
    south = floor.table("mississippi-stud", "South", method="B", jackpot="nsw", jackpot_group="Harbour")
    north.meter(50000)
    north.bet(1, ante=10, jackpot=5)
    north.key("no-more-bets")
    south.expect("meter", "50002.861")
    assert south.shows.meter == Decimal("50002.8610") == north.shows.meter
    assert north.round.outcome == "open" and south.rounds == ()
    floor.wait("20m")
    assert "North: bet 1 ante=10 jackpot=5" in floor.story()


@pytest.mark.table("holdem", blinds="5,10")
def test_crown_poker(table: ScriptedTable) -> None:
    table.seat("1-3", stack=500)
    table.act(1, "post", 5)
    table.act(2, "post", 10)
    table.draw("As Kd 2h Ac Kh 2s")
    table.act(3, "fold")
    table.chips(1, 25, 5, say="raise")
    table.act(2, "fold")
    table.key("settle")
    assert table.round.net == {"1": 10, "2": -10, "3": 0}
    assert table.round.pots[0].won == {"1": 15}
    assert table.round.hands["2"] == ("??", "??")


@pytest.mark.table("casino-war")
def test_tokens_seats_roles_and_plain_rounds(table: ScriptedTable) -> None:
    table.seat("1-2")
    table.play(2)
    table.role("supervisor")
    assert table.bet(1, war=token(10)).refusals[0].what == "bet 1 war=token:10"
    table.leave(2)
    assert [each.outcome for each in table.rounds] == ["settled", "settled"]
    assert table.shows.open and table.shows.gates["bets"].open and table.shows.lamps["bets"] == "on"


@pytest.mark.table("three-card-poker")
def test_no_card_is_told_before_the_round_is_over(table: ScriptedTable) -> None:
    table.bet(1, ante=10)
    table.key("no-more-bets")
    table.draw("Kh Qs 5d 3d 2c 2h")
    assert table.round.hands == {} and table.round.dealer is None
    assert "Kh" not in repr(table.shows) + repr({name: device.shows for name, device in table.devices.items()})
    table.key("fold", 1)
    table.key("settle")
    assert table.round.hands["1"] == ("Kh", "5d", "2c")


@pytest.mark.parametrize("table", ["casino-war", "three-card-poker min=10"], indirect=True)
def test_the_game_may_be_a_parameter(table: ScriptedTable) -> None:
    assert table.shows.sign["min"] in ("5", "10")
