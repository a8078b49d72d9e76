"""Options that no rule forbids and that nobody means."""

from __future__ import annotations

from controller.house.games.caribbean_stud import CaribbeanStud
from controller.house.games.casino_war import CasinoWar
from controller.house.games.wsop_bonus import WsopBonus
from controller.house.options import House


def slips(options: House) -> list[tuple[tuple[str, ...], str]]:
    """Which options slipped, and why."""
    return [(slip.options, slip.cited.text) for slip in options.slips()]


def test_two_decks_of_one_machine_look_different() -> None:
    assert slips(CasinoWar.options(backs=("red", "red"))) == [
        (("backs", "shoe"), "the two decks have backs of different colours")
    ]
    assert slips(CasinoWar.options(backs=("red", "blue"))) == []


def test_terms_of_a_jackpot_that_is_not_offered() -> None:
    text = 'no Jackpot is offered here: add jackpot = "nsw", or remove this'
    assert slips(CaribbeanStud.options(jackpot_cost=10_00, jackpot_group="North")) == [
        (("jackpot-cost", "jackpot"), text),
        (("jackpot-group", "jackpot"), text),
    ]


def test_terms_of_a_jackpot_that_is_offered() -> None:
    assert slips(WsopBonus.options(jackpot="vic", jackpot_cost=10_00, jackpot_group="North")) == []


def test_what_slips_at_every_table_slips_beside_a_jackpot_too() -> None:
    chips = (("chip", "max"), "the smallest chip is above the maximum")
    backs = (("backs", "shoe"), "the two decks have backs of different colours")
    for jackpot in (None, "nsw"):
        options = CaribbeanStud.options(jackpot=jackpot, chip=600_00, max=500_00, backs=("red", "red"))
        assert slips(options) == [chips, backs]
