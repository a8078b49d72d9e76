"""What a game waits for while a wrong number of cards is talked about: the ruling, its rule and its role."""

from __future__ import annotations

from controller.table.requests import Press
from tests.table.telling import Telling


def test_three_card_poker_waits_for_a_misdeal_by_the_supervisor() -> None:
    t = Telling("three-card-poker", announce="key")
    t.do("bet 1 ante=10", "bet 2 ante=10", "no-more-bets", "draw 2h 3h 4h 2c 3c 4c 2d 3d")
    t.do("announced", "bet 1 play=10", "bet 2 play=10", "short 2")
    assert t.game.waiting(t.table) == (Press("9.4", "misdeal", "supervisor"),)


def test_ultimate_in_victoria_waits_for_a_misdeal_by_the_area_manager() -> None:
    t = Telling("ultimate-texas-holdem-vic")
    t.do("bet 1 ante=10 blind=10", "no-more-bets", "draw Ah 7h Ad 2d", "bet 1 play=40")
    t.do("draw Ks 9h 4c 3s 8d", "draw 6h", "short 1")
    assert t.game.waiting(t.table) == (Press("11.2", "misdeal", "area-manager"),)
