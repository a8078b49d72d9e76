"""A prompt vanishes with its cause, and a cause has one; what was shown since the round opened is kept apart."""

from __future__ import annotations

import pytest

from controller.table.effects import AnyEffect, Refused
from controller.table.facts import (
    CardOut,
    CardsOut,
    Chips,
    DeviceCleared,
    DeviceFault,
    DeviceLost,
    DeviceReady,
    Spot,
    UnknownChip,
)
from tests.service.kept import ROYAL
from tests.table.telling import Telling


def live(t: Telling) -> list[str]:
    return [p.text for p in t.table.live]


def refused(effects: list[AnyEffect]) -> list[str]:
    return [effect.why for effect in effects if isinstance(effect, Refused)]


def shown(t: Telling) -> list[str]:
    return [p.text for p in t.table.prompts]


def test_a_fault_is_told_while_it_lasts_through_rounds_and_once() -> None:
    t = Telling("casino-war")
    t.tell(DeviceFault("display", "display.dark"))
    t.bet(1, war=10)
    assert live(t) == ["display: display.dark"]  # also in the next round
    for _ in range(3):
        t.tell(DeviceFault("display", "display.dark", "again"))
    assert live(t) == ["display: display.dark again"]
    t.tell(DeviceLost("sensor.2", "serial.lost", "unplugged"))
    t.tell(DeviceCleared("display", "display.dark"))
    assert live(t) == ["sensor.2 cannot be reached: unplugged"]
    t.tell(DeviceReady("sensor.2"))
    assert live(t) == []
    assert "sensor.2 cannot be reached: unplugged" in shown(t)


def test_a_question_is_shown_until_it_is_answered() -> None:
    t = Telling("three-card-poker")
    t.bet(1, ante=10)
    t.bet(2, ante=10)
    t.key("no-more-bets")
    t.draw("Kh 9d Qs 5d 9c 3d 2c 2h")
    t.key("announced")
    t.key("short 2")
    asked = [p for p in t.table.live if p.role == "supervisor"]
    assert [p.offers for p in asked] == [("count",)]
    t.key("count 52")
    assert not [p for p in t.table.live if "count" in p.offers]
    offers = [p.place for p in t.table.live if "retract" in p.offers]
    assert offers == ["1"]
    t.key("keep 1")
    assert not [p for p in t.table.live if "retract" in p.offers]
    before = len(t.table.prompts)
    t.bet(1, play=10)
    t.draw("4h")
    assert len(t.table.prompts) >= before  # what was shown stays on the list of this round


def test_a_wager_that_was_put_right_is_not_told_of_any_more() -> None:
    t = Telling("casino-war")
    t.bet(1, war=1000)
    t.bet(2, war=2)
    assert len(live(t)) == 2
    t.bet(1, war=500)
    assert [p.place for p in t.table.live] == ["2"]
    t.tell(UnknownChip(3, "war"))
    assert [p.place for p in t.table.live] == ["2", "3"]
    t.bet(3, war=10)
    t.key("no-more-bets")
    assert [p.place for p in t.table.live] == ["2"]
    t.draw("Kh")
    assert live(t) == []  # cards are out: wagers stand


def test_what_a_round_said_goes_with_it_and_the_last_word_stays_until_the_next_one() -> None:
    t = Telling("three-card-poker")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("Kh Qs 5d 3d 2c 7s")
    t.key("unable 1")
    assert t.table.round is not None and t.table.round.outcome == "void"
    assert "the hand is void" in live(t)
    t.bet(1, ante=10)
    assert live(t) == []


def test_an_unread_card_and_cards_that_left_together() -> None:
    t = Telling("three-card-poker")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("?? Qs 5d 3d")
    assert {p.role for p in t.table.live} == {"dealer", "supervisor"}
    t.role("supervisor")
    t.tell(CardsOut(("2c", "7s")))
    assert [p.offers for p in t.table.live if "order" in p.offers] == [("order",)]
    t.key("order known")
    assert not [p for p in t.table.live if "order" in p.offers]
    t.key("reconstruct 1=Kh")
    assert not [p for p in t.table.live if "read" in p.text]


def test_a_shuffle_that_was_done_is_not_asked_for() -> None:
    t = Telling("casino-war", gates="manual")
    t.key("checked")
    t.key("shuffled")
    t.bet(1, war=10)
    t.key("cut 60")
    t.key("no-more-bets")
    t.draw("Kh 9d")
    t.key("settle")
    t.role("supervisor")
    t.key("count 311")
    assert [p.offers for p in t.table.live if "replaced" in p.offers] == [("replaced",)]
    t.bet(1, war=10)
    assert [p.offers for p in t.table.live if "replaced" in p.offers] == [("replaced",)]
    t.key("replaced")
    assert not [p for p in t.table.live if "replaced" in p.offers]
    assert t.tell(CardOut("2c"))


def test_chips_of_a_settled_wager_are_taken_without_a_refusal() -> None:
    t = Telling("casino-war")
    t.bet(1, war=10)
    t.bet(2, war=10)
    t.key("no-more-bets")
    t.draw("2h 9d 9c")
    t.key("settle")  # area 1 has lost; area 2 still decides
    assert not refused(t.tell(Chips(1, (Spot("war", 1, 0),))))
    assert refused(t.tell(Chips(2, (Spot("war", 1, 0),)))) == ["betting is closed: the wager stands"]
    assert refused(t.tell(Chips(2, (Spot("war", 1, 2000),)))) == ["betting is closed: hand the chips back"]


def test_a_doubt_about_prizes_is_told_until_they_are_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.house.jackpot.impossible", lambda system, flushes: True)
    t = Telling("caribbean-stud", jackpot="nsw")
    t.bet(1, ante=10, jackpot=5)
    t.key("no-more-bets")
    t.draw(ROYAL)
    t.bet(1, bet=20)
    t.key("settle")
    doubt = "so many flushes cannot share one Flop: check the cards before paying"
    assert doubt in live(t)
    t.role("casino-manager")
    assert doubt in live(t)
    t.key("confirm-jackpot")
    assert doubt not in live(t)


@pytest.mark.parametrize(
    ("game", "wager", "cards", "same", "other"),
    [
        ("three-card-poker", {"ante": 10}, "Kh 9d Qs 5d 9c 3d", "1=Kh,Qs,9c", "1=Kh,Qs,8c"),
        ("wsop-bonus-holdem", {"ante": 10}, "Ah Ad", "1=Ah,Ad", "1=Ah,Ac"),
    ],
)
def test_hands_that_are_rebuilt_as_they_were_need_nobody(
    game: str, wager: dict[str, int], cards: str, same: str, other: str
) -> None:
    t = Telling(game)
    t.bet(1, **wager)
    t.key("no-more-bets")
    t.draw(cards)
    t.role("supervisor")
    before = live(t)
    t.key(f"reconstruct {same}")
    assert live(t) == before and shown(t)[-1] == "the cards were named"  # it is said, once
    t.key(f"reconstruct {other}")
    assert live(t) == [*before, "the cards were named"]  # the dealer has to know
