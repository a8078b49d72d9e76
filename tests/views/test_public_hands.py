"""Which cards are public: what the rules turned or compared, from then on; never what was folded or misdealt."""

from __future__ import annotations

from controller.games import find
from controller.views.cards import public_hands
from tests.table.telling import Telling


def cards(t: Telling, place: str) -> str:
    return " ".join(public_hands(t.table, find(t.table.game))[place])


def three_card(*bets: dict[str, int]) -> Telling:
    t = Telling("three-card-poker")
    for area, spots in enumerate(bets, 1):
        t.bet(area, **spots)
    t.key("no-more-bets")
    return t


def test_hands_compared_at_settlement_are_public_from_then_on_and_folded_ones_are_not() -> None:
    t = three_card({"ante": 10}, {"ante": 10})
    t.draw("Kh 9d Qs 5d 9c 3d 2c 2h 7s")
    t.bet(1, play=10)
    assert cards(t, "1") == cards(t, "2") == cards(t, "dealer") == "?? ?? ??"
    t.key("fold 2")
    assert cards(t, "dealer") == "Qs 3d 7s"  # 7.5.4: turned when everybody has decided
    assert cards(t, "1") == "?? ?? ??"
    t.key("settle")
    assert cards(t, "1") == "Kh 5d 2c"
    assert cards(t, "2") == "?? ?? ??"
    t.key("invalidate disturbance")  # refused to a dealer
    t.role("area-manager")
    t.key("invalidate disturbance")
    assert cards(t, "1") == "Kh 5d 2c"


def test_a_hand_kept_for_pair_plus_is_compared_though_its_ante_was_folded() -> None:
    t = three_card({"ante": 10, "pair-plus": 5}, {"ante": 10, "pair-plus": 5})
    t.draw("Kh 9d Qs 5d 9c 3d 2c 2h 7s")
    t.key("fold 1 ante")
    t.key("fold 2")
    t.key("settle")
    assert cards(t, "1") == "Kh 5d 2c"
    assert cards(t, "2") == "?? ?? ??"


def test_a_misdeal_turns_nothing() -> None:
    t = three_card({"ante": 10}, {"ante": 10})
    t.draw("Kh 9d Qs 5d 9c 3d 2c 2h 7s")
    t.key("exposed dealer")
    assert t.table.round is not None and t.table.round.outcome == "misdeal"
    assert cards(t, "dealer") == cards(t, "1") == "?? ?? ??"


def test_chips_that_were_refused_do_not_turn_the_dealers_hand() -> None:
    t = three_card({"ante": 10})
    t.draw("Kh Qs 5d 3d 2c 7s")
    t.bet(1, play=7)
    assert t.refusals()
    assert cards(t, "dealer") == "?? ?? ??"
    t.key("settle")  # 9.12: what is found there is settled
    assert cards(t, "dealer") == "Qs 3d 7s"


def test_a_forfeited_hand_goes_to_the_rack_unseen() -> None:
    t = Telling("wsop-bonus-holdem")
    for _ in range(2):  # 11.10: the second time the first wagers are forfeited
        t.bet(1, ante=10)
        t.bet(2, ante=10)
        t.key("no-more-bets")
        t.draw("Kh 9d Qs 5d")
        t.key("unable 1")
        t.bet(2, flop=20)
        t.draw("2c 3c 4c")
        t.key("check 2")
        t.draw("Jd")
        t.key("check 2")
        t.draw("Jh As Ad")
        t.key("settle")
    assert [line.result for line in t.felt.round.lines if line.place == "1"] == ["lose"]
    assert cards(t, "1") == "?? ??"
    assert cards(t, "2") == "9d 5d"


def test_the_streets_of_mississippi_stay_turned_when_everybody_has_folded() -> None:
    t = Telling("mississippi-stud")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("Kh 9d 2c 3c 4c")
    t.bet(1, third=10)
    assert cards(t, "community") == "2c ?? ??"
    t.bet(1, fourth=10)
    t.key("fold 1")
    t.key("settle")
    assert cards(t, "community") == "2c 3c ??"
    assert cards(t, "1") == "?? ??"


def test_a_board_that_a_machine_dealt_face_down_stays_so_after_a_misdeal() -> None:
    t = Telling("ultimate-texas-holdem-nsw", shoe="csm", announce="key")
    t.bet(1, ante=10, blind=10)
    t.key("no-more-bets")
    t.draw("2c 3c 4c 5c 6c Kd 9h 7s 8s")
    t.key("exposed 1")
    assert t.table.round is not None and t.table.round.outcome == "misdeal"
    assert cards(t, "community") == "?? ?? ?? ?? ??"


def test_a_folded_hand_that_wins_a_jackpot_is_shown() -> None:
    t = Telling("caribbean-stud", jackpot="nsw", method="B")
    for area in (1, 2):
        t.bet(area, ante=10, jackpot=5)
    t.key("no-more-bets")
    t.draw("Kh 9d 2s Kd 5d 3s Ks 2d 4s Kc 7d 6s 2h 8h 9s")
    t.key("fold 1")
    t.key("fold 2")
    t.key("settle")
    assert t.line("1", "jackpot").result == "win"  # type: ignore[union-attr]
    assert cards(t, "1") == "Kh Kd Ks Kc 2h"
    assert cards(t, "2") == "?? ?? ?? ?? ??"
