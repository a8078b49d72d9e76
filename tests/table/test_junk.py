"""What the script parser would never let through: the table itself refuses it, or names a fault, and goes on."""

from __future__ import annotations

import pytest

from controller.games import defaults, step
from controller.table.effects import Defective, Refused
from controller.table.facts import (
    AnyFact,
    Badge,
    CardOut,
    CardRead,
    CardsOut,
    Chips,
    DeviceCleared,
    DeviceFault,
    DeviceLost,
    DeviceReady,
    HouseChanged,
    Key,
    Pushed,
    Spot,
    Started,
    UnknownChip,
)
from controller.table.state import Table, encode
from tests.table.telling import Telling, outcome


def why(t: Telling, words: str) -> str:
    name, *args = words.split(" ")
    return next((e.why for e in t.tell(Key(name, tuple(args))) if isinstance(e, Refused)), "")


def goes_on(t: Telling, facts: list[AnyFact]) -> None:
    for fact in facts:
        t.tell(fact)
        encode(t.table)


@pytest.mark.parametrize(
    ("game", "setting"),
    [
        ("casino-war", "players-per-area=two"),
        ("casino-war", "players-per-area=off"),
        ("casino-war", "players-per-area=²"),
        ("casino-war", "chip=0"),
        ("casino-war", "burn=maybe"),
        ("casino-war", "min=" + "9" * 5000),
        ("three-card-poker", "pair-plus=Z"),
        ("three-card-poker", "ante-bonus=9"),
        ("caribbean-stud", "jackpot-cost=none"),
        ("caribbean-stud", "method=C"),
        ("ultimate-texas-holdem-nsw", "river=0%"),
        ("ultimate-texas-holdem-vic", "preflop=x"),
        ("wsop-bonus-holdem", "jackpot-cost=none"),
        ("holdem", "rake-method=x"),
        ("holdem", "rake=x"),
        ("holdem", "blinds=5,x"),
        ("holdem", "act-time=soon"),
        ("holdem", "chip=0"),
    ],
)
@pytest.mark.parametrize("key", ["set", "notice"])
def test_a_value_that_the_option_cannot_have_is_refused_with_a_reason(key: str, game: str, setting: str) -> None:
    t = Telling(game)
    t.role("casino-manager")
    before = dict(t.table.options)
    assert why(t, f"{key} {setting}")
    assert t.table.options == before and not t.table.notices


def test_a_rake_method_that_does_not_exist_does_not_break_the_drop() -> None:
    t = Telling("holdem")
    t.role("casino-manager")
    t.key("seat 1-3 stack=500")
    t.key("agree majority")
    t.key("set rake-method=x")
    assert why(t, "drop")


@pytest.mark.parametrize(
    ("game", "option", "value"),
    [
        ("wsop-bonus-holdem", "ante-pays", "pair"),
        ("ultimate-texas-holdem-nsw", "preflop", "x"),
        ("caribbean-stud", "approved-min", "x"),
        ("casino-war", "min", "x"),
        ("casino-war", "seats", "many"),
        ("holdem", "rake-method", "x"),
        ("holdem", "seats", "0"),
    ],
)
def test_a_table_does_not_start_with_such_a_value(game: str, option: str, value: str) -> None:
    table, effects = step(Table(), 1, 0, Started(game, {**defaults(game), option: value}))
    assert not table.game
    refused = next(e for e in effects if isinstance(e, Refused))
    assert option in refused.why or refused.why.startswith("this game has")


def test_a_game_that_does_not_exist_and_a_table_that_never_began() -> None:
    table, effects = step(Table(), 1, 0, Started("whist", {}))
    assert not table.game and isinstance(effects[0], Refused)
    table, effects = step(table, 2, 0, CardOut("Kh"))
    assert [e.why for e in effects if isinstance(e, Refused)] == ["no game has begun at this table"]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("holdem", "seat 1 stack=99999999999999999999"),
        ("holdem", "seat 2 add=99999999999999999999"),
        ("holdem", "act 2 raise 99999999999999999999"),
        ("holdem", "stray 3.9"),
        ("holdem", "exposed 3.2"),
        ("casino-war", "short 1 0"),
        ("casino-war", "exposed 0"),
        ("casino-war", "short 1 99999"),
        ("casino-war", "marker 1 min=1.234"),
        ("casino-war", "fold "),
        ("caribbean-stud", "close-jackpot North=x"),
        ("caribbean-stud", "close-jackpot ="),
    ],
)
def test_words_that_do_not_fit_the_key_are_refused_reports_too(game: str, words: str) -> None:
    t = Telling(game)
    t.role("casino-manager")
    if game == "holdem":
        t.key("seat 2-4 stack=500")
    before = encode(t.table)
    assert why(t, words)
    after = t.table
    after.now = 0
    assert encode(after) == before


@pytest.mark.parametrize("game", ["casino-war", "three-card-poker", "wsop-bonus-holdem", "caribbean-stud"])
def test_a_report_of_an_area_that_cannot_be_is_followed(game: str) -> None:
    t = Telling(game)
    t.bet(1, **{("war" if game == "casino-war" else "ante"): 10})
    t.key("no-more-bets")
    for words in ("stray 3.9", "short 3.9 1", "excess 3.9", "stray 99", "exposed 99"):
        t.key(words)
    t.draw("Kh 2c 3c 4c 5c 6c")
    for words in ("stray 3.9", "short 3.9 1", "excess 3.9 shown", "taken 3.9 Kh", "viewed 3.9 1"):
        t.key(words)
    assert not any(isinstance(effect, Defective) for effect in t.effects)
    assert t.table.round is not None and sum(t.table.round.wagers.values()) == 10_00
    assert {line.place for line in t.table.round.lines} <= {"1", "1.1"}  # money moves only where there is some


def test_excess_shown_after_one_card_in_wsop() -> None:
    t = Telling("wsop-bonus-holdem")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("Kh")
    t.key("excess 1 shown")
    t.draw("2c 3c 4c")
    assert t.table.round is not None


@pytest.mark.parametrize("cards", ["Kh Kh 5c 6c 7c 8c 9d Td Jd", "Kh 5c 6c Kh 7c 8c 9d Td Jd"])
def test_both_fold_and_keep_pair_plus_while_a_card_was_seen_twice(cards: str) -> None:
    t = Telling("three-card-poker")
    for area in (1, 2):
        t.bet(area, ante=10, pair_plus=5)
    t.key("no-more-bets")
    t.draw(cards)
    for words in ("fold 1 ante", "fold 2 ante", "settle"):
        t.key(words)
    assert t.table.round is not None and not t.table.round.outcome
    t.role("supervisor")
    t.key("reconstruct 1=Kh,2s,9d 2=Ks,3s,Td")
    t.role("dealer")
    assert why(t, "settle") == ""
    assert outcome(t.table) == "settled"


# ---- readings


def dealt(t: Telling, cards: str) -> None:
    for words in ("act 1 post 5", "act 2 post 10"):
        t.key(words)
    for n, card in enumerate(cards.split()):
        t.tell(CardRead(str(n % 3 + 1), card))


def fault(t: Telling, device: str) -> dict[str, str]:
    return t.table.faults.get(device, {})


@pytest.mark.parametrize("amount", [2**63, 10**40, -1000])
def test_chips_that_cannot_be_are_a_fault_until_the_sensor_reads_sensibly_again(amount: int) -> None:
    t = Telling()
    t.tell(Chips(2, (Spot("war", 1, amount),)))
    assert "war" in fault(t, "sensor.2")["sensor.chips"]
    assert t.table.round is None
    t.bet(2, war=10)
    assert not t.table.faults
    assert t.table.round is not None and t.table.round.wagers == {("2", "war"): 1000}


def test_nine_may_bet_on_one_area_and_no_tenth() -> None:
    t = Telling()
    t.tell(Chips(1, (Spot("war", 9, 1000),)))
    assert not t.table.faults
    for nobody in (10, 0):
        t.tell(Chips(1, (Spot("war", nobody, 1000),)))
        assert fault(t, "sensor.1")["sensor.chips"] == f"impossible chips on war: there is no bettor {nobody}"
        t.tell(Chips(1, (Spot("war", nobody, 0),)))


def test_an_unknown_spot_at_a_poker_table_is_a_fault_and_the_hand_is_settled() -> None:
    t = Telling("holdem")
    t.key("seat 1-3 stack=500")
    t.tell(Chips(1, (Spot("x", 1, 1000),)))
    assert "'x'" in fault(t, "sensor.1")["sensor.chips"]
    dealt(t, "Kh 9d 2c Ks 9c 2d")
    t.key("act 3 fold")
    t.key("act 1 fold")
    assert why(t, "settle") == ""
    assert t.table.round is not None and t.table.round.outcome == "settled"


def test_the_spots_that_a_table_has_are_read_beside_one_that_it_does_not_have() -> None:
    t = Telling()
    t.tell(Chips(1, (Spot("foo", 1, 500), Spot("war", 1, 1000), Spot("war", 2, 10**15))))
    assert t.table.round is not None and t.table.round.wagers == {("1", "war"): 1000}
    assert "impossible chips on war" in fault(t, "sensor.1")["sensor.chips"]
    t.tell(Chips(1, (Spot("war", 2, 0),)))
    assert "there is no spot 'foo'" in fault(t, "sensor.1")["sensor.chips"]
    t.tell(Chips(1, (Spot("war", 1, 0), Spot("foo", 1, 0))))
    assert not t.table.faults and not t.table.misread
    assert not t.table.round.wagers


def test_a_fault_about_a_spot_lasts_until_nothing_lies_there() -> None:
    t = Telling()
    t.tell(Chips(1, (Spot("foo", 1, 0), Spot("bar", 7, 0))))
    assert not t.table.faults, "nothing on a spot that is not there is nothing"
    t.tell(Chips(1, (Spot("foo", 1, 500),)))
    t.tell(UnknownChip(1, "bar"))
    t.bet(1, war=10)
    t.bet(2, war=10)
    assert list(fault(t, "sensor.1")) == ["sensor.chips"] and "sensor.2" not in t.table.faults
    t.tell(Chips(1, (Spot("bar", 1, 0),)))
    assert "'foo'" in fault(t, "sensor.1")["sensor.chips"]
    t.tell(Chips(1, (Spot("foo", 1, 0),)))
    assert not t.table.faults


def test_another_sensor_tells_anew_what_lies_there() -> None:
    t = Telling()
    t.tell(Chips(1, (Spot("foo", 1, 500),)))
    t.tell(DeviceLost("sensor.1", "link.lost"))
    t.tell(DeviceReady("sensor.1"))
    assert not t.table.faults and not t.table.misread


def test_a_sensor_that_invents_spots_does_not_fill_the_table() -> None:
    t = Telling()
    for n in range(200):
        t.tell(Chips(1, (Spot(f"x{n}", 1, 500),)))
    assert len(t.table.misread) == 64 and "'x199'" in fault(t, "sensor.1")["sensor.chips"]


def test_pushed_chips_that_cannot_be_are_a_fault() -> None:
    t = Telling("holdem")
    t.key("seat 1-2 stack=500")
    goes_on(t, [Pushed(1, ()), Pushed(1, (2**62, 2**62)), Pushed(1, (-5,))])
    assert "sensor.chips" in fault(t, "sensor.1")


@pytest.mark.parametrize("game", ["casino-war", "wsop-bonus-holdem"])
def test_a_card_that_does_not_exist_is_one_that_could_not_be_read(game: str) -> None:
    t = Telling(game)
    t.bet(1, **{("war" if game == "casino-war" else "ante"): 10})
    t.key("no-more-bets")
    goes_on(t, [CardOut("1x"), CardsOut(()), CardsOut(("", "Kh")), CardOut("")])
    assert t.felt.hands["1"][0] == "??"
    assert fault(t, "shoe") == {"shoe.cards": "0 cards at once"}


def test_a_reader_that_the_table_does_not_have_is_a_fault() -> None:
    t = Telling("holdem")
    t.key("seat 1-3 stack=500")
    goes_on(t, [CardRead("x", "Kh"), CardRead("99", "Kh"), CardRead("", "Kh")])
    assert {device for device in t.table.faults if device.startswith("reader")} == {"reader.x", "reader.99", "reader."}


def test_bonus_of_a_hand_that_is_not_finished_or_cannot_be() -> None:
    t = Telling("holdem", bonus="flush:50")
    t.key("seat 1-3 stack=500")
    dealt(t, "Kh 9d 2c Kh 9c 2d")
    assert why(t, "bonus 1")
    for words in ("act 3 call", "act 1 call", "act 2 check", "burn"):
        assert why(t, words) == ""
    for card in ("Ks", "Kc", "2d"):
        t.tell(CardRead("board", card))
    assert why(t, "bonus 1") and why(t, "bonus 3")


@pytest.mark.parametrize("role", ["", "emperor", "Dealer"])
def test_a_role_that_does_not_exist_is_not_taken(role: str) -> None:
    t = Telling()
    t.tell(Badge("supervisor", "Anna"))
    effects = t.tell(Badge(role, "Eve"))
    assert [e.why for e in effects if isinstance(e, Refused)] == [f'there is no role "{role}"']
    assert (t.table.role, t.table.name) == ("supervisor", "Anna")


def test_a_fault_without_a_code_is_named() -> None:
    t = Telling()
    t.tell(DeviceFault("shoe", "", "something"))
    assert fault(t, "shoe") == {"device.no-code": "something"}
    t.tell(DeviceCleared("shoe", ""))
    assert not t.table.faults


@pytest.mark.parametrize(
    ("option", "value"),
    [("min", "x"), ("method", "Z"), ("jackpot-reset", "7"), ("jackpot-option", "99"), ("nothing", "1"), ("seats", "0")],
)
def test_what_the_house_cannot_mean_changes_nothing(option: str, value: str) -> None:
    t = Telling("caribbean-stud", jackpot="nsw")
    before = dict(t.table.options)
    t.tell(HouseChanged(option, value))
    assert t.table.options == before
    goes_on(t, [HouseChanged("jackpot:North", "x"), HouseChanged("jackpot-closing:", "soon")])
    t.role("casino-manager")
    t.key("set jackpot-cost=10")
    assert "North" not in t.table.house.systems and not t.table.house.closings
