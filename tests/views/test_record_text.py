"""A round on record in lines of a terminal: in a list, whole, step by step."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.table.facts import Badge, Hold, SignedIn
from controller.views import record_text, round_notes
from controller.views.record import RoundRecord
from controller.views.recorder import summary
from tests.views.following import SECOND, Following


def war(*cards: str) -> Following:
    t = Following("casino-war")
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw(" ".join(cards or ("Kh", "2d")))
    return t


def stepped(record: RoundRecord) -> str:
    return "\n".join(line for n, step in enumerate(record.steps, 1) for line in record_text.step(step, n, 9))


def test_a_list_of_rounds() -> None:
    t = war()
    t.key("settle")
    rows = list(record_text.rows([summary(t.last)]))
    assert rows[0] == record_text.HEADING
    assert rows[1] == ("1", "70-01-01 00:00:01", "4.0 s", "settled", "1", "10", "+10", "")
    crowded = replace(summary(t.last), places=tuple("1234567"), irregular=("ruling", "correction", "fault"))
    assert list(record_text.rows([crowded]))[1][4::3] == ("1 2 3 4..", "ruling corre..")


def test_what_players_staked_and_won_between_each_other() -> None:
    t = Following("holdem", seats="3", rake="10%")
    t.do("seat 1-3 stack=500", "act 1 post 5", "act 2 post 10")
    t.do("read 1 Ah", "read 2 Kh", "read 3 2c", "read 1 Ad", "read 2 Kd", "read 3 7d")
    t.do("act 3 fold", "act 1 raise 30", "act 2 call", "burn", "read board 3s 4s 9c", "act 1 bet 50", "act 2 fold")
    t.do("settle")
    row = list(record_text.rows([summary(t.last)]))[1]
    assert (row[4], row[5], row[6]) == ("1 2 3", "60", "-6")  # the house has its commission of it
    text = "\n".join(record_text.lines(t.last))
    assert "house    commission 6.00" in text
    assert "back     50.00 to seat 1" in text


def test_a_round_that_ended_on_another_day() -> None:
    t = war()
    t.at += 86_400 * SECOND
    t.key("settle")
    assert "  opened 1970-01-01 00:00:01 UTC, ended 1970-01-02 00:00:05, lasted" in "\n".join(record_text.lines(t.last))


def test_a_running_round_and_a_burned_card() -> None:
    t = Following("casino-war", burn="on")
    t.draw("7s")
    t.bet(1, war=10)
    t.key("no-more-bets")
    running = t.recorder.running()
    assert running is not None
    first, opened, *others = record_text.lines(running)
    assert first == "round 1: Casino War, is running"
    assert "ended" not in opened
    assert "  burned   ??" in others


def test_a_prize_of_the_meter() -> None:
    t = Following("caribbean-stud", jackpot="nsw")
    t.bet(1, ante=10, jackpot=5)
    t.key("no-more-bets")
    t.draw("Ah 2c Kh 3d Qh 4s Jh 6c Th 9d")
    t.bet(1, bet=20)
    t.key("settle")
    lines = list(record_text.lines(t.last))
    assert "  meter    100000.0000 before, 100000.0000 after" in lines
    assert "           area 1 wins 100003.00 with a royal flush (12.2.1)" in lines


def test_steps_tell_refusals_rulings_prompts_and_settlement() -> None:
    t = war()
    t.key("surrender 1")
    t.tell(Badge("supervisor", "Ann"))
    t.key("settle")
    text = stepped(t.last)
    assert "refused: " in text
    assert "settled: area 1: war 10.00 win +10.00 (5.7.1)" in text
    assert "[supervisor Ann]" in text
    t = war("Kh")
    t.tell(Hold("device.gap", "events are missing", "shoe"))
    t.role("supervisor")
    t.key("void")
    text = stepped(t.last)
    assert "tells supervisor: " in text
    assert "ruled: void: device.gap: the round is void" in text
    assert "-> " in text


def test_somebody_who_signs_in_is_named() -> None:
    t = war()
    t.tell(SignedIn("Bo", "9", "supervisor", "socket", 1000))
    t.key("settle")
    assert "[supervisor Bo, account 1000]" in stepped(t.last)


def test_steps_beyond_the_most_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_notes, "MOST_STEPS", 3)
    t = war()
    t.key("settle")
    assert (len(t.last.steps), t.last.left_out) == (3, 2)
    assert t.last.last == t.seq and t.last.outcome == "settled"
