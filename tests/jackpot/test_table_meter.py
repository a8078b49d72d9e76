"""What only a table without devices can show: corrections, and other tables in between."""

from __future__ import annotations

import pytest

from controller.house.games.poker_minors import NswOptions
from controller.house.games.victoria import VictoriaOptions
from controller.poker.options import CrownOptions
from controller.table.effects import LinesSettled, MeterChanged, MeterMoved
from controller.table.facts import Amend, Chips, HouseChanged, MeterIs, Spot
from controller.table.jackpot.system import announced_of_jackpot
from controller.table.options import jackpot_options
from tests.table.telling import Telling

SEED, INCREMENT = 1_000_000_000, 28_610


def a_game() -> Telling:
    t = Telling("caribbean-stud", jackpot="nsw", shoe="csm")
    t.role("casino-manager")
    t.bet(1, ante=10, jackpot=5)
    t.bet(2, ante=10)
    t.bet(2, jackpot=5)
    t.key("no-more-bets")
    return t


def struck(t: Telling) -> Amend:
    wager = Chips(2, (Spot("jackpot", 1, 500),))
    return Amend(next(seq for seq, _, fact in t.facts if fact == wager), None)


def test_a_wager_that_was_never_made_leaves_the_meter() -> None:
    t = a_game()
    assert t.table.jackpot.meter == SEED + 2 * INCREMENT
    effects = t.tell(struck(t))
    assert effects == [MeterChanged(SEED + INCREMENT)]
    assert t.table.jackpot.registered == ["1"]


def test_what_another_table_added_meanwhile_stays() -> None:
    t = a_game()
    t.tell(MeterIs(SEED + 5 * INCREMENT))
    t.tell(struck(t))
    assert t.table.jackpot.meter == SEED + 4 * INCREMENT


def test_a_correction_that_changes_no_wager_says_nothing() -> None:
    t = a_game()
    t.draw("2c")
    seq = t.facts[-1][0]
    assert t.tell(Amend(seq, None)) == []


def test_a_prize_confirmed_in_the_next_round_is_named_by_its_own() -> None:
    t = a_game()
    t.draw("Ah Kh Qh Jh Th 2c 4d 7h 9s Jd 3c 5c 8d 9c Kd")
    t.bet(1, bet=20)
    t.bet(2, bet=20)
    t.key("settle")
    t.bet(1, ante=10)
    (settled,) = [e for e in t.key("confirm-jackpot") if isinstance(e, LinesSettled)]
    assert settled.round == 1
    assert [(x.place, x.prize) for x in settled.lines] == [("1", 100_006_00)]
    settlements = [(e.round, e.settlement) for e in t.effects if isinstance(e, LinesSettled)]
    assert len(settlements) == len(set(settlements))
    assert t.table.round is not None and not t.table.round.lines


def test_a_closed_system_hands_everything_on() -> None:
    t = Telling("caribbean-stud", jackpot="nsw", jackpot_group="G1")
    t.role("area-manager")
    t.tell(MeterIs(SEED + 12_345))
    t.tell(HouseChanged("jackpot:G2", "nsw 1 20000 5 A caribbean-stud"))
    t.key("notice close-jackpot")
    t.at = 20 * 60 * 1_000_000
    moved = [e for e in t.key("close-jackpot G2") if isinstance(e, MeterMoved)]
    assert moved == [MeterMoved("G2", 12_345)]
    assert t.table.jackpot.meter == SEED
    assert t.table.jackpot.closed


def test_other_tables_of_a_closed_system_are_closed_too() -> None:
    t = Telling("caribbean-stud", jackpot="nsw", jackpot_group="G1")
    t.tell(HouseChanged("jackpot:G2", "closed"))
    assert not t.table.jackpot.closed
    t.tell(HouseChanged("jackpot:G1", "closed"))
    assert t.table.jackpot.closed


def test_a_raised_seed_fills_the_meter_up_in_victoria() -> None:
    t = Telling("wsop-bonus-holdem", jackpot="vic")
    t.tell(HouseChanged("jackpot-reset", "20000"))
    assert t.table.jackpot.meter == SEED


def test_a_wager_takes_back_what_it_added_whatever_the_option_is_now() -> None:
    t = a_game()
    t.draw("2c")
    t.key("exposed 1")
    t.tell(HouseChanged("jackpot-option", "2"))  # at another table
    t.key("leave 1")
    assert t.table.jackpot.meter == SEED + INCREMENT
    t.bet(2, ante=10)
    t.key("no-more-bets")
    assert t.table.jackpot.meter == SEED + 24_985  # registered again, by what is printed now


def test_what_a_sign_says_about_the_jackpot() -> None:
    t = Telling("caribbean-stud", jackpot="nsw", jackpot_group="G1")
    t.role("area-manager")
    t.key("notice close-table")
    t.key("notice close-jackpot")
    t.key("notice min=20 jackpot-cost=10")
    t.key("notice min=20")
    t.key("notice close-jackpot")  # on the sign already
    assert [n.closing for n in t.table.notices] == ["table", "jackpot", "", ""]
    said = [announced_of_jackpot(t.table, n) for n in t.table.notices]
    assert said == [[], ["close-jackpot"], ["jackpot-cost"], []]


def test_a_closing_stays_on_the_sign_when_options_change() -> None:
    t = Telling("caribbean-stud", jackpot="nsw")
    t.role("area-manager")
    t.key("notice close-table")
    t.key("notice max=1000")
    t.key("set max=1000")
    assert [n.closing for n in t.table.notices] == ["table"]


def test_the_options_of_the_jackpot_are_those_of_its_struct() -> None:
    own = {"jackpot", "jackpot-option", "jackpot-reset", "jackpot-cost", "jackpot-rate", "jackpot-group"}
    assert jackpot_options(NswOptions) == jackpot_options(VictoriaOptions) == own
    assert not jackpot_options(CrownOptions)


@pytest.mark.parametrize(
    ("game", "jackpot", "rule", "document"),
    [("caribbean-stud", "vic", "11.2.1", "002"), ("wsop-bonus-holdem", "nsw", "9.1.1", "003")],
)
def test_a_game_offers_the_jackpot_of_its_own_document(game: str, jackpot: str, rule: str, document: str) -> None:
    (refused,) = Telling(game, jackpot=jackpot).refusals()
    assert (refused.rule, refused.why) == (rule, f"this game's Jackpot is that of document {document}")
