"""Crown Poker in scripts: what is done at readers, sensors and console reaches the table, and is told right."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.script import parse
from controller.script.play import Played, play
from controller.script.report import to_json, to_text
from tests.poker.there import hand_at

OPEN = """table holdem rake=10%
seat 1-3 stack=500
act 1 post 5
act 2 post 10
"""
DEALT = OPEN + "draw Kh 9c As 7d 9d Ad\n"
SHOWDOWN = (
    DEALT
    + """act 3 raise 30
act 1 fold
act 2 call
key burn
draw 2c 5h Jd
chips 2 25+5
act 3 call
key burn
draw 3s
act 2 check
act 3 check
key burn
draw 9h
act 2 check
act 3 check
key settle
"""
)


def played(script: str) -> Played:
    (run,) = parse(script, "crown.felt").runs
    return play("crown.felt", run)


def told(script: str) -> Any:
    return json.loads(to_json(played(script)))


@pytest.mark.parametrize(
    ("script", "holds", "fails"),
    [
        (OPEN, "bet 2 10", "bet 2 5"),
        (OPEN, "stack 2 490", "stack 2 500"),
        (OPEN, "pot 15", "pot 10"),
        (DEALT, "hand 2 ?? ??", "hand 2 9c 9d"),
        (DEALT + "act 3 raise 30\n", "pot 45", "pot 30"),
        (DEALT + "act 1 raise 30\n", "bet 1 30", "bet 1 5"),  # out of turn: the chips lie in front
        (DEALT + "act 1 raise 30\n", "stack 1 470", "stack 1 495"),
        (SHOWDOWN, "community 2c 5h Jd 3s 9h", "community none"),
        (SHOWDOWN, "hand 2 9d 9c", "hand 2 ?? ??"),
        (SHOWDOWN, "hand 1 ?? ??", "hand 1 Kh 7d"),  # folded: never shown
        (SHOWDOWN, "hand 1 none", "hand 2 none"),
        (DEALT + "key misdeal\n", "hand 1 none", "hand 1 Kh 7d"),
        (SHOWDOWN, "burns 3", "burns 2"),
        (SHOWDOWN, "won 2 113", "won 2 125"),
        (SHOWDOWN, "net 2 53", "net 2 113"),
        (SHOWDOWN, "net 1 -5", "net 1 0"),
        (SHOWDOWN, "rake 12", "rake 12.50"),
        (SHOWDOWN, "drop 12", "slide 12"),
        (SHOWDOWN, "pot 0", "pot 125"),
        (SHOWDOWN, "stack 2 553", "stack 2 500"),
        (SHOWDOWN + "act 2 post 5\n", "won 2 113", "won 2 0"),  # still of the last hand
        (OPEN + "key list W1\nkey list W2\n", "list W1 W2", "list W2 W1"),
        (OPEN + "key list W1\n", "list 4 W1", "list 4 W2"),
    ],
)
def test_only_what_is_so_holds(script: str, holds: str, fails: str) -> None:
    for words, failures in ((holds, 0), (fails, 1)):
        assert len(played(f"{script}expect {words}\n").failed) == failures, words


def test_the_json_of_a_hand() -> None:
    out = told(SHOWDOWN)
    (hand,) = out["rounds"]
    assert hand["outcome"] == "settled"
    assert hand["hands"] == {
        "1": ["??", "??"],
        "2": ["9c", "9d"],
        "3": ["As", "Ad"],
        "community": ["2c", "5h", "Jd", "3s", "9h"],
    }
    assert [(pot["amount"], sorted(pot["eligible"]), pot["won"]) for pot in hand["pots"]] == [
        ("125.00", ["2", "3"], {"2": "113.00"})
    ]
    assert hand["rake"] == "12.00"
    assert hand["returned"] == {}
    assert hand["net"] == {"1": "-5.00", "2": "53.00", "3": "-60.00"}
    assert hand["burns"] == {"count": 3, "cards": []}
    (end,) = out["end"]
    assert (end["slide"], end["drop"], end["list"]) == ("0.00", "12.00", [])


def test_a_hand_that_runs_shows_no_card_and_no_result() -> None:
    out = told(DEALT)
    (hand,) = out["rounds"]
    assert hand["outcome"] == "open"
    assert "hands" not in hand
    assert hand["net"] == {}
    assert "Kh" not in json.dumps(out["rounds"])


def test_the_story_of_a_hand() -> None:
    story = "\n".join(to_text(played(SHOWDOWN)))
    for line in (
        "hand 1: settled",
        "button 3: 1 posts 5, 2 posts 10",
        "seat 2   9c 9d         +53.00",
        "seat 1   ?? ??         -5.00",
        "before the flop: 3 raises to 30, 1 folds, 2 calls 30",
        "flop 2c 5h Jd: 2 bets 30, 3 calls 30",
        "river 9h: 2 checks, 3 checks",
        "main pot 125.00 (2 3): 2 wins 113.00, rake 12.00",
    ):
        assert line in story


def test_what_nobody_called_goes_back() -> None:
    script = DEALT + "act 3 raise 100\nact 1 fold\nact 2 fold\nkey settle\n"
    (hand,) = told(script)["rounds"]
    assert hand["net"] == {"1": "-5.00", "2": "-10.00", "3": "15.00"}
    assert "3" in hand["returned"]


# ---- deeds


def test_a_stake_grows_and_a_word_goes_with_its_chips() -> None:
    script = DEALT.replace("500\n", "500\nseat 2 add=50.50\nexpect stack 2 550.50\n")
    assert not played(script + "chips 3 100 say raise\nexpect bet 3 100\nchips 2 5+5\nexpect accepted\n").failed


def test_cards_go_where_the_table_expects_them() -> None:
    script = DEALT + "act 3 fold\nact 1 call\nact 2 check\nkey burn\ndraw 2c 5h Jd\nact 1 check\nact 2 check\n"
    last = played(script + "key burn\ndraw 7d+7c\n").tables[""]
    assert hand_at(last).board == ["2c", "5h", "Jd", "7d"]  # 9.13: the first one was due
    assert hand_at(last).cards == {"1": ["Kh", "7d"], "2": ["9c", "9d"], "3": ["As", "Ad"]}


def test_a_discard() -> None:
    script = DEALT.replace("holdem", "pineapple").replace("Ad", "Ad 2h 3h 4h") + "act 3 fold\nact 1 call\nact 2 check\n"
    script += "discard 1 Kh\nexpect accepted\ndiscard 2 As\nexpect refused\n"
    assert not played(script).failed


def test_a_seat_that_the_table_has_not() -> None:
    assert not played("table holdem seats=3\nchips 7 10\nexpect refused by 4.1\n").failed


def test_the_cutting_card_and_cards_without_a_seat_are_no_trouble() -> None:
    assert not played("table holdem\ndraw cut\nexpect accepted\ndraw Kh\nexpect accepted\n").failed


# ---- readers in trouble


def test_a_dark_reader_notices_cards_that_it_cannot_read() -> None:
    script = OPEN + "fault reader.2 dark\nexpect prompt dealer 2\ndraw Kh 9c As 7d 9d Ad\n"
    table = played(script).tables[""]
    assert hand_at(table).cards["2"] == ["??", "??"]
    assert table.faults == {"reader.2": {"reader.dark": ""}}


def test_a_reader_misreads_the_next_card() -> None:
    table = played(OPEN + "fault reader.2 misread 4c\ndraw Kh 9c As 7d 9d Ad\n").tables[""]
    assert hand_at(table).cards["2"] == ["4c", "9d"]


@pytest.mark.parametrize("fault", ["split", "drop", "corrupt", "duplicate", "babble", "power", "delay 50ms"])
def test_trouble_on_the_wire_of_a_reader_changes_nothing(fault: str) -> None:
    before, after = SHOWDOWN.split("draw 2c", 1)
    assert told(f"{before}fault reader.board {fault}\ndraw 2c{after}")["rounds"] == told(SHOWDOWN)["rounds"]


@pytest.mark.parametrize("fault", ["unplug", "hang"])
def test_a_lost_board_reader_says_later_what_was_laid(fault: str) -> None:
    before, after = SHOWDOWN.split("draw 2c 5h Jd\n", 1)
    script = f"{before}fault reader.board {fault}\ndraw 2c 5h Jd\nfault reader.board clear\n{after}"
    assert told(script)["rounds"] == told(SHOWDOWN)["rounds"]


@pytest.mark.parametrize("lost", ["2", "3", "1 2", "3 2", "1 2 3"])
@pytest.mark.parametrize("fault", ["unplug", "hang"])
def test_cards_of_a_lost_reader_take_their_place_when_it_is_back(fault: str, lost: str) -> None:
    before, after = SHOWDOWN.split("draw Kh 9c As 7d 9d Ad\n", 1)
    down = "".join(f"fault reader.{seat} {fault}\n" for seat in lost.split())
    back = "".join(f"fault reader.{seat} clear\n" for seat in lost.split())
    deal = "draw Kh\ndraw 9c As 7d 9d Ad\nexpect gate deal shut\n"
    out = told(before + down + deal + back + "expect no prompt dealer by 9.1.1\n" + after)
    assert out["ok"], out["failed"]
    assert out["rounds"] == told(SHOWDOWN)["rounds"]


def test_a_reader_that_comes_back_without_a_card_holds_nobody_up() -> None:
    script = OPEN + "draw Kh\nfault reader.2 unplug\nfault reader.2 clear\nexpect gate deal open\ndraw 9c\n"
    table = played(script).tables[""]
    assert (hand_at(table).cards["2"], hand_at(table).later) == (["9c"], [])


def test_blinds_with_a_word_open_the_hand() -> None:
    script = "table holdem\nseat 1-3 stack=500\nchips 1 5 say post\nexpect accepted\nchips 2 10 say post\n"
    assert not played(script + "expect accepted\nexpect bet 2 10\nexpect pot 15\n").failed


# ---- hands that play themselves


@pytest.mark.parametrize("game", ["holdem", "pineapple", "crazy-pineapple-hi-lo", "omaha"])
def test_plain_hands(game: str) -> None:
    out = told(f"table {game}\nseat 1-6 stack=500\nplay 7\nexpect round 7 settled\nexpect lamp button 1\n")
    assert out["ok"], out["failed"]
    assert [hand["net"][seat] for hand, seat in zip(out["rounds"], "2345612", strict=True)] == ["5.00"] * 7


def test_plain_hands_at_some_seats() -> None:
    script = "table holdem\nseat 1-6 stack=500\nplay 2 1-4\nexpect hand 5 none\nexpect lamp dealt-out 5 off\n"
    assert not played(script).failed


def test_plain_hands_with_stakes_that_run_out() -> None:
    out = told("table holdem\nseat 1-2 stack=10\nseat 3 stack=500\nplay 4\nexpect round 4 settled\n")
    assert out["ok"], out["failed"]


@pytest.mark.parametrize("script", ["table holdem\n", "table holdem\nseat 4 stack=500\n", DEALT])
def test_plain_hands_need_players_and_an_end_of_the_hand_before(script: str) -> None:
    assert not played(script + "play 1\nexpect refused\n").failed
