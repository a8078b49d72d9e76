"""The odds follow the game: another pay table or another rule gives another edge, without a line changed here."""

from __future__ import annotations

import pytest

from controller.hands.categories import ThreeCategory
from controller.hands.hand import ThreeCardHand
from controller.house.games import casino_war, three_card_poker
from controller.house.games.casino_war import CasinoWar
from controller.house.layout import Layout
from controller.house.state import SURRENDER
from controller.house.wagers import stand_off
from controller.money import Odds, decimals
from controller.odds.edges import edge
from controller.odds.rounds import Rounds, Unplayable
from controller.table.state import Line


def test_a_pay_table_of_casino_war(monkeypatch: pytest.MonkeyPatch) -> None:
    before = edge("casino-war", "tie")
    monkeypatch.setitem(casino_war.ODDS, "tie", Odds(11))
    assert before - edge("casino-war", "tie") == (before - 1) / -11  # one unit more for each tie


def test_a_settlement_of_casino_war(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a tie in the war pays the second wager alone, the published edge is 2.88 %."""
    wars = CasinoWar.wars

    def stingy(self: CasinoWar, f: Layout, place: str) -> list[Line]:
        lines = wars(self, f, place)
        tied = [line for line in lines if line.rule == "5.7.3"]
        return [stand_off(place, "war", self.stake(f, place, "war"), "-"), lines[1]] if tied else lines

    monkeypatch.setattr(CasinoWar, "wars", stingy)
    assert decimals(100 * edge("casino-war", "war"), 2) == "2.88"


def test_a_pay_table_of_three_card_poker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(three_card_poker.PAIR_PLUS["A"], ThreeCategory.FLUSH, Odds(3))
    assert edge("three-card-poker", "pair-plus") == edge("three-card-poker", "pair-plus", {"pair-plus": "D"})


def test_who_qualifies_at_three_card_poker(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = edge("three-card-poker", "ante")
    monkeypatch.setattr(three_card_poker, "QUEEN_HIGH", ThreeCardHand.of(ThreeCategory.HIGH_CARD, "J"))
    assert edge("three-card-poker", "ante") != usual


def test_chips_and_maximum_payouts_count() -> None:
    """Half of 5.00 is not payable in chips of 1.00: the player gets 3.00 back and may like it."""
    assert edge("casino-war", "war", stake=1_00) < edge("casino-war", "war")
    deal = {"1": ["Ah", "Kh"], "community": ["Qh", "Jh", "Th"]}
    capped = Rounds("mississippi-stud", {"max-payout": "1000"}).settle(["ante"], deal, [1, 1, 1])
    assert set(capped.net.values()) == {1000_00}


def test_decisions_that_the_game_does_not_offer() -> None:
    rounds, deal = Rounds("three-card-poker"), {"1": ["Kh", "Qd", "2c"], "dealer": ["9h", "8h", "3c"]}
    with pytest.raises(Unplayable):
        rounds.settle(["ante"], deal, [2])
    with pytest.raises(Unplayable):
        rounds.settle(["ante"], deal, [SURRENDER])
    with pytest.raises(Unplayable):
        rounds.settle(["ante"], deal, [1, 1])
    with pytest.raises(Unplayable):
        rounds.settle(["ante"], deal)
    with pytest.raises(Unplayable):
        rounds.decisions(["pair-plus"], deal)
