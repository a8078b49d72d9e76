"""Moments of any table that seldom come: devices, holds, corrections, and words that cannot be read."""

from __future__ import annotations

import msgspec
import pytest

from controller.games import house_game, restored
from controller.house.games.casino_war import CasinoWarOptions
from controller.money import MoneyError, Odds, cents
from controller.poker.options import CrownOptions
from controller.poker.state import Hand, Room
from controller.table import deck, state
from controller.table import facts as f
from controller.table.options import Chosen, OptionProblem, Options, demanded, read_one
from controller.table.play import Play
from controller.table.state import Line, Table, round_runs
from controller.table.step import Step
from controller.table.telling import in_odds
from controller.table.values import MONEY, Unwritable
from tests.table.telling import Telling

GAP = f.Hold("device.gap", "an event is missing", "shoe")


def test_a_link_that_is_encrypted_and_plain_again() -> None:
    t = Telling()
    t.tell(f.LinkSealed("shoe", "S1"))
    assert t.table.encrypted == {"shoe": "S1"}
    t.tell(f.LinkSealed("shoe", "S1", False))
    assert t.table.encrypted == {}


def test_missing_events_are_accounted_for_with_and_without_a_hold() -> None:
    t = Telling()
    t.tell(f.Missed("shoe", 1, 7))
    assert t.table.accounted == {"shoe": (1, 7)} and not t.table.holds
    t.tell(f.Missed("shoe", 1, 9, "device.gap", "two are missing"))
    assert t.table.accounted == {"shoe": (1, 9)} and t.table.holds


def test_a_hold_that_is_known_is_told_once() -> None:
    t = Telling()
    assert t.do(GAP) and t.do(GAP) == []


def test_a_device_that_is_lost_is_told_once() -> None:
    t = Telling()
    gone = f.DeviceLost("shoe", "link.lost", "cable")
    assert t.do(gone) and t.do(gone) == []


def test_chips_that_come_while_the_table_is_held_are_kept_together() -> None:
    t = Telling("three-card-poker")
    t.do("bet 1 ante=10", GAP, "bet 1 ante=20", "bet 1 pair-plus=5", "bet 2 ante=10")
    assert len(t.table.kept) == 2
    poker = Telling("holdem", button="6")
    poker.do("seat 1-3 stack=500", "act 1 post 5", GAP, "push 2 5", "push 2 5", "push 3 10")
    assert len(poker.table.kept) == 2


def test_a_step_of_the_clock_is_not_corrected() -> None:
    t = Telling()
    t.do("bet 1 war=10", f.ClockStepped(0, 1_000_000))
    said = t.do(f.Amend(t.seq, f.Key("settle"), "supervisor 3"))
    assert any("a step of the machine's clock is not corrected" in text for text in said), said


def test_a_game_without_a_shoe_of_its_own_is_shuffled_in_mid_round() -> None:
    t = Telling()
    t.do("bet 1 war=10", "no-more-bets", "draw Kh", f.DeviceFault("shuffler", "shuffler.jam"))
    deck.shuffled(Step(t.table, t.game, t.seq + 1), ())
    assert t.table.deck.seen == {}  # any card may come again
    assert round_runs(t.table)


@pytest.mark.parametrize("options", [CasinoWarOptions(), CrownOptions()])
def test_odds_that_did_not_give_this_payment_are_not_told(options: Options) -> None:
    line = Line("1", "war", 10_00, "win", 20_00, "5.7.1")
    assert in_odds(line, Odds(2), Chosen(options), "straight") == "straight pays 2 to 1"
    assert in_odds(line, Odds(2), Chosen(options), "straight", "B") == "straight pays 2 to 1, table B"
    assert in_odds(line, Odds(3), Chosen(options), "straight") == ""


# ---- what cannot be read


def test_a_record_whose_fields_make_no_sense_holds_the_table() -> None:
    record = msgspec.msgpack.encode({"fact": "key", "key": 5})
    with pytest.raises(msgspec.DecodeError):
        f.exact(record)
    hold = f.decode(record)
    assert isinstance(hold, f.Hold) and hold.code == f.UNREADABLE and '"key"' in hold.text
    with pytest.raises(msgspec.DecodeError):
        f.decode(msgspec.msgpack.encode({"fact": "FromTheFuture"}))


def test_no_amount() -> None:
    with pytest.raises(MoneyError):
        cents("ten")


def test_poker_is_no_house_game() -> None:
    with pytest.raises(KeyError):
        house_game("holdem")


def test_a_snapshot_of_a_table_that_never_began() -> None:
    assert restored(state.encode(Table())).game == ""


def test_options_of_which_nobody_has_said_what_they_are() -> None:
    kept = Chosen.kept({"min": "x"})
    with pytest.raises(LookupError):
        _ = kept.typed
    with pytest.raises(Unwritable):
        kept.read_as(CasinoWarOptions)
    with pytest.raises(TypeError):
        Chosen(CasinoWarOptions()).of(CrownOptions)
    with pytest.raises(Unwritable):
        demanded(CasinoWarOptions(), {"min": "x"})


def test_what_a_game_keeps_is_read_as_what_it_is() -> None:
    assert Play(Room()).read(Hand) is None
    another = msgspec.defstruct("Room", [])
    with pytest.raises(TypeError, match="another Room"):
        Play(Room()).read(another)


@pytest.mark.parametrize(
    ("option", "text"), [("preflop", ",".join("1" * 11)), ("jackpot-group", "x" * 101), ("jackpot-group", "\t")]
)
def test_values_that_nobody_could_show(option: str, text: str) -> None:
    problem = read_one(house_game("ultimate-texas-holdem-nsw").options, option, text)
    assert isinstance(problem, OptionProblem) and not problem.bound
    assert "must be" in problem.text


@pytest.mark.parametrize("setting", ["bets=" + ",".join("1" * 11), "jackpot-group=" + "x" * 101, "min=" + "9" * 500])
def test_values_that_are_too_long_are_refused(setting: str) -> None:
    t = Telling("holdem")
    assert all(text.startswith("refused: ") for text in t.do("role casino-manager", f"set {setting}"))


def test_a_value_of_an_option_has_an_end() -> None:
    with pytest.raises(Unwritable, match="must be"):
        MONEY.read("1" * 5000)
