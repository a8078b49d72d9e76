"""The picture of the felt and the story beside it, in the words that people read."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import drivers.codes  # noqa: F401 - what the codes of devices mean
from controller.table.effects import Defective, Prompted, RoundEnded, RulingMade
from controller.table.facts import (
    AnyFact,
    CardOut,
    Chips,
    DeviceCleared,
    DeviceFault,
    DeviceLost,
    DeviceReady,
    Hold,
    Key,
    Pushed,
    Spot,
)
from controller.table.state import Prompt, Ruled
from controller.views.console import console
from controller.views.felt import Area, Felt, felt
from controller.views.felt_story import Sentence, story
from tests.table.telling import Telling


def picture(t: Telling, stopped: str = "") -> Felt:
    return felt(t.table, t.game, stopped)


def area(t: Telling, place: str) -> Area:
    return next(each for each in picture(t).areas if each.place == place)


def told(t: Telling, fact: AnyFact) -> list[Sentence]:
    before = t.table
    effects = t.tell(fact)
    return story(fact, t.table, t.game, effects, before)


def texts(said: list[Sentence]) -> list[str]:
    return [each.text for each in said]


def caribbean() -> Telling:
    t = Telling("caribbean-stud", jackpot="nsw")
    t.bet(1, ante=10)
    t.bet(2, ante=10)
    t.key("no-more-bets")
    t.draw("5h 9d Ks 6h 9c Kd 7h 2d Qs 8h 3c Jc 9h 4c 2s")
    return t


def test_chips_cards_and_lamps_of_an_area() -> None:
    t = caribbean()
    shown = picture(t)
    assert (shown.title, shown.number, shown.phase) == ("Caribbean Stud", 1, "deciding")
    assert shown.spots == [("ante", "ante"), ("bet", "bet"), ("jackpot", "jackpot")]
    assert shown.limits == [("Minimum", "$10"), ("Maximum", "$500")]
    assert shown.meter == "$100,000"
    first = area(t, "1")
    assert first.lamps == ["decide"]
    assert first.hand is not None and first.hand.words == "5 cards face down"
    assert [(wager.label, wager.amount, wager.result) for wager in first.bettors[0].wagers] == [("ante", "$10", "open")]
    assert area(t, "3").bettors == []
    assert not shown.gates["bets"].open
    assert shown.waiting[0].text.startswith("Area 1 decides")
    assert shown.waiting[0].rule


def test_a_settlement_says_hand_amount_odds_and_rule() -> None:
    t = caribbean()
    t.bet(1, bet=20)
    t.key("fold 2")
    t.key("settle")
    first, second, shown = area(t, "1"), area(t, "2"), picture(t)
    assert first.hand is not None and first.hand.name == "straight flush to the nine"
    assert [wager.text for wager in first.bettors[0].wagers] == [
        "ante $10 wins $10, pays 1 to 1",
        "bet $20 wins $1,000, straight flush pays 50 to 1, table 1",
    ]
    assert all(wager.rule for wager in first.bettors[0].wagers)
    assert (first.bettors[0].net, first.bettors[0].won) == ("+$1,010", 101_000)
    assert second.hand is not None and second.hand.cards == ["??"] * 5
    assert (second.bettors[0].decided, second.bettors[0].folded, second.bettors[0].net) == ("folds", True, "-$10")
    assert shown.dealer is not None
    assert (shown.dealer.name, shown.dealer.verdict) == ("pair of kings, queen kicker", "qualifies")
    assert shown.dealer.rule


def test_the_story_of_a_round() -> None:
    t = Telling("caribbean-stud")
    assert texts(told(t, Chips(1, (Spot("ante", 1, 1000),)))) == ["Round 1 opens."]
    assert texts(told(t, Key("no-more-bets"))) == ["No more bets."]
    for card in ["5h", "Ks", "6h", "Kd", "7h", "Qs", "8h", "Jc", "9h", "2s"]:
        assert told(t, CardOut(card)) == []
    assert texts(told(t, Chips(1, (Spot("bet", 1, 2000),)))) == ["Area 1 puts $20 on bet."]
    settled = told(t, Key("settle"))
    assert texts(settled) == [
        "Dealer: pair of kings, queen kicker, qualifies.",
        "Area 1: straight flush to the nine, wins $1,010.",
    ]
    assert settled[1].parts[1][0] == "bet $20 wins $1,000, straight flush pays 50 to 1, table 1"
    assert settled[1].parts[1][1]
    assert texts(told(t, Key("settle")))[0].startswith("Refused: ")


def test_faults_are_told_in_words_and_what_a_device_adds_is_not() -> None:
    t = Telling("casino-war")
    assert texts(told(t, DeviceReady("shoe"))) == []  # it was never lost
    assert texts(told(t, DeviceLost("sensor.3", "link.silent", "/dev/ttyUSB0 is silent"))) == [
        "The bet sensor of area 3 cannot be reached."
    ]
    assert texts(told(t, DeviceFault("shoe", "shoe.jam", "Kh"))) == ["A card is jammed in the shoe."]
    assert texts(told(t, DeviceFault("shoe", "shoe.of-its-own", "Kh"))) == ["Something is wrong with the shoe."]
    shown = picture(t).troubles
    assert [each.severity for each in shown] == ["fault", "fault", "fault"]
    assert shown[0].place == "3"
    assert "cable" in shown[0].step
    assert not any(word in str(shown) for word in ("Kh", "ttyUSB0", "link.silent", "shoe.jam"))
    assert texts(told(t, DeviceReady("sensor.3"))) == ["The bet sensor of area 3 is back."]
    assert texts(told(t, DeviceCleared("shoe", "shoe.jam"))) == ["The shoe is in order again."]


def test_players_read_no_commands_and_the_console_has_them() -> None:
    t = Telling("casino-war")
    t.tell(DeviceFault("shoe", "shoe.jam", ""))
    (shown,), (matter,) = picture(t).troubles, console(t.table, t.game).matters
    assert shown.step == "Clear the jam at the shoe; if the fault stays, call the technician."
    assert "`felt device NAME reset`" in matter.steps[0]


def test_a_hold_and_what_frees_the_table() -> None:
    t = Telling("casino-war")
    said = told(t, Hold("journal.behind", "its memory has events that the journal does not", "shoe"))
    assert texts(said) == ["The table is held: the shoe: its memory has events that the journal does not."]
    shown = picture(t)
    assert shown.phase == "held"
    assert [each.severity for each in shown.troubles] == ["held"]
    assert "resume" in shown.waiting[0].text
    assert "journal.behind" not in str(shown)


def test_out_of_service() -> None:
    t = caribbean()
    shown = picture(t, "Nothing can be recorded.")
    assert not shown.open
    assert shown.phase == "out of service"
    assert shown.waiting == []
    assert not any(gate.open for gate in shown.gates.values())
    assert shown.troubles[0].severity == "stopped"
    assert all(each.lamps == [] for each in shown.areas)


def test_poker_shows_stakes_bets_pots_and_who_won() -> None:
    t = Telling("holdem")
    t.do(*(f"seat {seat} stack=500" for seat in (1, 2, 3)))
    t.do("checked", "shuffled", "cut", "act 1 post 5", "act 2 post 10")
    t.do("read 1 Ah", "read 2 Kd", "read 3 2c", "read 1 As", "read 2 Kc", "read 3 7d")
    assert picture(t).spots == []
    first = area(t, "1")
    assert first.seat is not None and (first.seat.stack, first.seat.bet) == ("$495", "$5")
    assert first.hand is not None and first.hand.cards == ["??", "??"]
    t.do("act 3 fold", "act 1 call", "act 2 check", "burn", "read board 3h 4h 5s")
    shown = picture(t)
    assert [pot.amount for pot in shown.pots] == ["$20"]
    assert shown.board is not None and shown.board.cards == ["3h", "4h", "5s"]
    t.do("act 1 bet 20", "act 2 fold")
    assert area(t, "2").seat.state == "folded"  # type: ignore[union-attr]
    if t.table.round is not None and not t.table.round.outcome:
        assert "Seat 1 wins" in " ".join(texts(told(t, Key("settle"))))
    assert picture(t).pots[0].text.startswith("seat 1 wins")


def test_chips_that_are_pushed_forward_and_acts_are_told() -> None:
    t = Telling("holdem", gates="manual")
    t.do(*(f"seat {seat} stack=500" for seat in (1, 2, 3)))
    t.do("checked", "shuffled", "cut")
    assert texts(told(t, Key("act", ("1", "post", "5"))))[-1] == "Seat 1 posts $5."
    t.do("act 2 post 10", "read 1 Ah", "read 2 Kd", "read 3 2c", "read 1 As", "read 2 Kc", "read 3 7d")
    assert texts(told(t, Pushed(3, (2500, 500))))[0] == "Seat 3 pushes $30 forward."
    badly = story(Key("act", ("1", "raise", "a lot")), t.table, t.game, [], t.table)
    assert texts(badly) == ["Seat 1 raises to."]


def test_chips_that_a_sensor_reads_again_are_told_once() -> None:
    t = caribbean()
    both = Chips(1, (Spot("ante", 1, 1000), Spot("bet", 1, 2000)))
    assert texts(told(t, both)) == ["Area 1 puts $20 on bet."]  # the ante lay there before the cards
    assert texts(told(t, both)) == []


def test_a_spot_that_was_cleared_is_no_decision() -> None:
    t = caribbean()
    assert texts(story(Chips(1, (Spot("bet", 1, 0),)), t.table, t.game, [], t.table)) == []


def test_the_commission_of_the_house_is_told() -> None:
    t = Telling("holdem", rake="10%")
    t.do(*(f"seat {seat} stack=500" for seat in (1, 2, 3)), "checked", "shuffled", "cut")
    t.do("act 1 post 5", "act 2 post 10", "read 1 Ah", "read 2 Kd", "read 3 2c", "read 1 As", "read 2 Kc", "read 3 7d")
    t.do("act 3 fold", "act 1 raise 30", "act 2 call", "burn", "read board 3h 4h 5s", "act 1 bet 20", "act 2 fold")
    settled = told(t, Key("settle"))
    assert [(each.text, each.parts) for each in settled if each.kind == "settled"] == [
        ("Seat 1 wins $54.", [("pot $60", "")])
    ]
    assert settled[-1].text == "The house takes $6 commission."


def test_a_mistake_of_the_table_is_told_without_its_details() -> None:
    t = caribbean()
    (said,) = story(Key("settle"), t.table, t.game, [Defective("card", "house.py:1 KeyError")], t.table)
    assert said.kind == "fault" and "house.py" not in said.text


def test_the_end_of_a_round_that_lies_there_no_more() -> None:
    t = Telling("casino-war")
    said = story(Key("void"), t.table, t.game, [RoundEnded(1, "void", "9.1")], t.table)
    assert [(each.text, each.rule) for each in said] == [("The round is void: all wagers go back.", "9.1")]


def test_a_round_whose_books_cannot_be_read_shows_only_that_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    t = caribbean()
    t.tell(Hold("device.gap", "events are missing", "shoe"))
    t.role("supervisor")
    t.key("void")

    def broken(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(type(t.game), "settled", broken)
    shown = picture(t)
    assert (shown.outcome, shown.dealer, [each.bettors for each in shown.areas if each.bettors]) == ("void", None, [])


def test_what_two_people_are_told_stands_on_the_felt_once() -> None:
    t = Telling("caribbean-stud")
    for area in (1, 2):
        t.bet(area, ante=10)
    t.do("no-more-bets", "draw 2c 3c Ac 2d 3d Kd 2h 3h 4h 5c 6c 9c 9h 8s", "looked", "short 2", "role supervisor")
    before = t.table
    effects = t.tell(Key("void", ("2",)))
    told = texts(story(Key("void", ("2",)), t.table, t.game, effects, before))
    assert len([text for text in told if "That hand is void" in text]) == 1


def test_a_prompt_to_two_people_and_a_ruling_of_its_own() -> None:
    t = caribbean()
    once = Prompt(1, 1, "dealer", "count the cards", "13.2.3")
    ruled = RulingMade(1, Ruled(1, "continue", "13.5", "the round goes on"))
    told = story(
        Key("settle"), t.table, t.game, [Prompted(once), Prompted(replace(once, role="supervisor")), ruled], t.table
    )
    assert texts(told) == ["Count the cards.", "The round goes on."]
