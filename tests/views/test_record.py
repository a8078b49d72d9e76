"""The record of a round: what lay there, when it was dealt and turned, who decided, what went wrong, how it ended."""

from __future__ import annotations

import msgspec
import pytest

from controller.games import defaults
from controller.table.facts import (
    Amend,
    Badge,
    CardOut,
    ClockStepped,
    DeviceCleared,
    DeviceFault,
    DeviceLost,
    Hold,
    Key,
    SignedIn,
    Snapped,
    Started,
    Tick,
    TournamentSeat,
    TournamentTold,
    Turned,
)
from controller.table.state import Line
from controller.views import record as form
from controller.views import record_text
from controller.views.presenter import presenter
from controller.views.record import RoundRecord, Who
from controller.views.recorder import LaterLines, renewed, summary
from controller.views.round_notes import RoundNotes
from tests.table.telling import Telling
from tests.views.following import Following


def cards(record: RoundRecord) -> dict[str, list[str]]:
    return {hand.place: [card.card for card in hand.cards] for hand in record.hands}


def three_cards(**options: str) -> Following:
    """Area 1 folds, area 2 plays and is compared with the dealer."""
    t = Following("three-card-poker", **options)
    t.bet(1, ante=10)
    t.bet(2, ante=10, pair_plus=5)
    t.key("no-more-bets")
    t.draw("2c Kh 4s 3d Qh 5s 4h Jh 9s")
    t.key("fold 1")
    t.bet(2, play=10)
    return t


def test_a_round_against_the_house() -> None:
    t = three_cards()
    t.key("settle")
    record = t.last
    assert (record.number, record.game, record.title, record.outcome) == (
        1,
        "three-card-poker",
        "Three Card Poker",
        "settled",
    )
    assert (record.opened.seq, record.ended and record.ended.seq, record.last) == (2, 16, 16)
    assert record.lasted == 14_000
    assert cards(record) == {"dealer": ["4s", "5s", "9s"], "1": ["??", "??", "??"], "2": ["Kh", "Qh", "Jh"]}
    own, folded = record.hands[2], record.hands[1]
    assert own.name == "straight flush to the king"
    assert [(c.dealt.seq, c.turned and c.turned.seq) for c in own.cards] == [(6, 16), (9, 16), (12, 16)]
    assert [(c.dealt.seq, c.turned) for c in folded.cards] == [(5, None), (8, None), (11, None)]
    assert [(d.place, d.in_words, d.at.seq) for d in record.decisions] == [("1", "folds", 14), ("2", "plays", 15)]
    assert [(w.place, w.spot, w.amount, w.at.seq) for w in record.wagers] == [
        ("1", "ante", "10.00", 2),
        ("2", "ante", "10.00", 3),
        ("2", "pair-plus", "5.00", 3),
        ("2", "play", "10.00", 15),
    ]
    paid = {(p.place, p.spot): (p.result, p.net, p.pays) for p in record.settlement}
    assert paid["1", "ante"] == ("lose", "-10.00", "")
    assert paid["2", "pair-plus"][:2] == ("win", "200.00")
    assert paid["2", "pair-plus"][2] == "straight flush pays 40 to 1, table A"
    assert record.irregular == ()
    assert record.places == ("1", "2")
    assert summary(record).staked == "45.00"


def test_a_running_round_shows_what_is_turned_so_far() -> None:
    t = three_cards()
    running = t.recorder.running()
    assert running is not None and running.outcome == "open" and running.ended is None
    assert cards(running) == {"dealer": ["4s", "5s", "9s"], "1": ["??"] * 3, "2": ["??"] * 3}
    known = [step.text for step in running.steps if " of " in step.text]
    assert known == [f"{card} of spades left the shoe" for card in ("four", "five", "nine")]
    t.key("settle")
    assert t.recorder.running() is None


def test_steps_tell_each_fact_and_what_the_table_then_waited_for() -> None:
    t = three_cards()
    t.tell(Tick())
    t.tell(Snapped(1, b"x"))
    t.key("settle")
    texts = [step.text for step in t.last.steps]
    assert texts[:4] == [
        "area 1: 10 on ante",
        "area 2: 10 on ante, 5 on pair-plus",
        "key no-more-bets",
        "a card left the shoe",
    ]
    assert texts[4:6] == ["king of hearts left the shoe", "four of spades left the shoe"]
    assert "time passed" not in texts
    assert not any("snapshot" in text for text in texts)
    assert t.last.steps[2].waits[0].text.startswith("deal a card to area 1")
    assert t.last.steps[-1].settled[0].text.startswith("area 1: ante 10.00 lose")


def test_what_the_rules_refuse_is_in_it_with_the_reason() -> None:
    t = three_cards()
    t.key("fold 2")
    refused = t.recorder.running()
    assert refused is not None
    refused_step = refused.steps[-1].refused
    assert refused_step is not None and refused_step.rule


def test_who_gave_a_ruling() -> None:
    t = Following("casino-war")
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh")
    t.tell(Badge("supervisor", "Ann"))
    t.tell(Hold("device.gap", "events are missing", "shoe"))
    t.key("void")
    record = t.last
    assert record.outcome == "void"
    assert set(record.irregular) == {"void", "ruling", "hold"}
    assert [(r.ruling, r.by) for r in record.rulings] == [("void", Who("supervisor", "Ann"))]
    (held,) = record.troubles
    assert (held.kind, held.code, held.device, held.since.seq) == ("hold", "device.gap", "shoe", 6)
    assert held.until is not None and held.until.seq == 7
    assert "[supervisor Ann]" in "\n".join(record_text.lines(record))


def test_a_deed_that_was_done_elsewhere_names_its_person_and_account() -> None:
    t = Following("casino-war")
    t.bet(1, war=10)
    t.tell(Key("no-more-bets", (), 1000))
    t.tell(Key("taken", ("1",), person="Bo", role="supervisor", place="page"))
    t.tell(Amend(2, None, person="Ann", role="supervisor", account=1000, login="ann"))
    record = t.last  # the fact that opened it is struck out
    assert record.outcome == "forgotten"
    assert [step.by for step in record.steps[1:3]] == [Who("dealer", "", 1000), Who("supervisor", "Bo")]
    assert record.corrections[0].by == Who("supervisor", "Ann", 1000, "ann")
    assert record.corrections[0].was == "area 1: 10 on war"


def test_devices_that_fail_in_a_round_and_before_it() -> None:
    t = Following("casino-war")
    t.tell(DeviceFault("lamps", "lamp.broken", "lamp 3"))
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh")
    t.tell(DeviceFault("shoe", "shoe.jam"))
    t.tell(DeviceCleared("shoe", "shoe.jam"))
    t.draw("2d")
    t.tell(DeviceLost("sensor.1", "serial.lost", "it was unplugged"))
    t.key("settle")
    told = [(x.device, x.code, x.since.seq, x.until and x.until.seq) for x in t.last.troubles]
    assert told == [("lamps", "lamp.broken", 3, None), ("shoe", "shoe.jam", 6, 7), ("sensor.1", "lost", 9, None)]
    assert t.last.irregular == ("fault",)
    text = " ".join(" ".join(record_text.lines(t.last)).split())
    assert "a card is jammed in the shoe (shoe.jam), until " in text
    assert "the bet sensor of area 1 cannot be reached (serial.lost)" in text
    assert "something is wrong with the lamps: lamp 3 (lamp.broken)" in text


def test_a_correction_tells_what_was_and_what_is() -> None:
    t = Following("casino-war")
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh")
    t.tell(Amend(t.seq, CardOut("2d"), "Ann", 1000, "ann"))
    t.draw("9s")
    t.key("settle")
    record = t.last
    (made,) = record.corrections
    assert (made.target, made.was, made.now) == (4, "king of hearts left the shoe", "two of diamonds left the shoe")
    assert made.by == Who(name="Ann", account=1000, login="ann")
    assert made.changes["hands"] == {"before": {"1": ["Kh"]}, "after": {"1": ["2d"]}}
    assert cards(record) == {"dealer": ["9s"], "1": ["2d"]}
    assert record.hands[1].cards[0].dealt.seq == 4
    assert record.irregular == ("correction",)


def test_a_correction_of_a_hidden_card_hides_it() -> None:
    t = Following("three-card-poker")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("2c 4s 3d 5s 4h")
    t.tell(Amend(4, CardOut("7c"), "Ann"))
    t.draw("9s")
    t.key("fold 1")
    t.key("settle")
    text = msgspec.json.encode(t.last).decode()
    for card in ("2c", "7c", "3d", "4h"):
        assert f'"{card}"' not in text
    assert "of clubs" not in text
    assert t.last.corrections[0].was == t.last.corrections[0].now == "a card left the shoe"


def test_a_clock_that_is_set_changes_no_length() -> None:
    t = Following("casino-war")
    t.bet(1, war=10)
    t.key("no-more-bets")
    hour = 3600 * 1_000_000
    t.at += hour
    t.tell(ClockStepped(t.at - hour, t.at))
    t.draw("Kh 2d")
    t.key("settle")
    assert t.last.lasted == 5000
    assert [step.at.seq for step in t.last.clock] == [4]
    assert "the clock was set" in "\n".join(record_text.lines(t.last))


def test_another_configuration_forgets_a_round() -> None:
    t = Following("casino-war")
    t.bet(1, war=10)
    t.tell(Started("casino-war", {}))
    assert t.last.steps[-1].text == "the table starts with casino-war"
    assert [(r.number, r.outcome, r.ended and r.ended.seq) for r in t.records] == [(1, "forgotten", 3)]
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh 2d")
    t.key("settle")
    assert [(r.number, r.outcome) for r in t.records] == [(1, "forgotten"), (1, "settled")]


def test_another_game_forgets_a_round_of_the_one_before() -> None:
    t = Following("casino-war")
    t.bet(1, war=10)
    t.tell(Started("holdem", defaults("holdem")))
    assert (t.last.game, t.last.outcome) == ("casino-war", "forgotten")


def test_a_prize_that_is_confirmed_later_renews_the_record() -> None:
    t = Following("caribbean-stud", jackpot="nsw")
    t.bet(1, ante=10, jackpot=5)
    t.key("no-more-bets")
    t.draw("Ah 2c Kh 3d Qh 4s Jh 6c Th 9d")
    t.bet(1, bet=20)
    t.key("settle")
    record = t.last
    assert record.meter is not None and [p.hand for p in record.meter.prizes] == ["royal flush"]
    assert {p.spot: p.result for p in record.settlement}["jackpot"] == "open"
    t.bet(2, ante=10)
    t.role("area-manager")
    t.key("confirm-jackpot")
    (later,) = t.later
    assert later.number == 1
    new = renewed(record, later)
    paid = {p.spot: p for p in new.settlement}["jackpot"]
    assert (paid.result, paid.pays) == ("win", "royal flush wins the prize")
    assert paid.prize and new.last == t.seq
    assert "settled afterwards" in new.steps[-1].text


def test_a_prize_that_is_confirmed_at_once_is_a_new_record_of_the_same_round() -> None:
    t = Following("caribbean-stud", jackpot="nsw")
    t.bet(1, ante=10, jackpot=5)
    t.key("no-more-bets")
    t.draw("Ah 2c Kh 3d Qh 4s Jh 6c Th 9d")
    t.bet(1, bet=20)
    t.key("settle")
    t.role("area-manager")
    t.key("confirm-jackpot")
    first, second = t.records
    assert first.opened == second.opened and second.last > first.last
    assert {p.spot: p.result for p in second.settlement}["jackpot"] == "win"


def test_lines_of_a_wager_that_the_record_does_not_have_are_added() -> None:
    t = three_cards()
    t.key("settle")
    later = LaterLines(1, t.last.opened, (Line("2", "jackpot", 500, "win", 9500, "1.1", prize=10000),))
    assert renewed(t.last, later).settlement[-1].pays == "wins the prize"


def test_a_hand_of_poker() -> None:
    t = Following("holdem", seats="3")
    t.do("seat 1-3 stack=500")
    t.do("act 1 post 5", "act 2 post 10")
    t.do("read 1 Ah", "read 2 Kh", "read 3 2c", "read 1 Ad", "read 2 Kd", "read 3 7d")
    t.do("act 3 fold", "act 1 raise 30", "act 2 call", "burn")
    t.do("read board 3s 4s 9c", "act 1 check", "act 2 check", "burn", "read board Js", "act 1 check", "act 2 check")
    t.do("burn", "read board 8d", "act 1 check", "act 2 check", "settle")
    record = t.last
    assert record.called.round == "hand"
    assert cards(record)["3"] == ["??", "??"]
    assert cards(record)["1"] == ["Ah", "Ad"]
    assert [(d.place, d.in_words) for d in record.decisions][:5] == [
        ("1", "posts 5"),
        ("2", "posts 10"),
        ("3", "folds"),
        ("1", "raises to 30"),
        ("2", "calls, 30 in front"),
    ]
    assert record.shared is not None
    assert [(pot.amount, dict(pot.won)) for pot in record.shared.pots] == [("60.00", {"1": "60.00"})]
    assert dict(record.shared.net) == {"1": "30.00", "2": "-30.00", "3": "0.00"}
    text = "\n".join(record_text.lines(record))
    assert "seat 2 calls, 30 in front" in text


@pytest.mark.parametrize("defect", ["settled", "in_words"])
def test_a_round_whose_books_cannot_be_read_is_told_without_them(defect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    t = three_cards()
    met: list[int] = []
    monkeypatch.setattr(t.recorder, "_on_defect", lambda number, bug: met.append(number))

    def broken(*_: object) -> None:
        raise KeyError("x")

    with monkeypatch.context() as patch:
        patch.setattr(type(t.game), defect, broken)
        running = t.recorder.running()
    assert met == [1]
    assert running is not None and running.wagers == () and running.steps


def test_a_record_is_kept_and_read_back() -> None:
    t = three_cards()
    t.key("settle")
    assert form.decode(form.encode(t.last)) == t.last


def test_no_line_is_longer_than_a_terminal() -> None:
    t = three_cards()
    t.tell(Badge("supervisor", "somebody with a very long name who sits far away and signs all the papers"))
    t.tell(DeviceFault("shoe", "shoe.jam", "a long detail " * 12))
    t.key("settle")
    for line in record_text.lines(t.last):
        assert len(line) < 80, line
    for n, step in enumerate(t.last.steps, 1):
        for line in record_text.step(step, n, len(t.last.steps)):
            assert len(line) < 80, line


def test_what_says_what_is_public_is_no_step() -> None:
    t = three_cards()
    t.tell(Turned(1, 1, ()))
    running = t.recorder.running()
    assert running is not None and not any("public" in step.text for step in running.steps)


def test_a_round_that_cannot_be_followed_is_reported_and_the_next_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Following("casino-war")
    t.bet(1, war=10)
    met: list[int] = []
    monkeypatch.setattr(t.recorder, "_on_defect", lambda number, bug: met.append(number))

    def broken(*_: object) -> None:
        raise KeyError("x")

    with monkeypatch.context() as patch:
        patch.setattr(RoundNotes, "follow", broken)
        t.key("no-more-bets")
    t.draw("Kh 2d")
    t.key("settle")
    assert met == [1] and t.records == [] and t.recorder.running() is None
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh 2d")
    t.key("settle")
    assert [(record.number, record.outcome) for record in t.records] == [(2, "settled")]


def test_nobody_has_decided_anything_before_the_first_round() -> None:
    for game in ("casino-war", "holdem"):
        t = Telling(game)
        assert presenter(t.game).decisions(t.table, t.game) == []


def test_who_dealt() -> None:
    """Whoever is signed in at the console as a dealer when a round opens; a supervisor in between takes none away."""
    t = Following("casino-war")
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("2h Kd")
    t.tell(SignedIn("Ann", "7", "dealer", "console"))
    t.tell(SignedIn("Floor", "8", "supervisor", "console"))
    t.key("settle")
    assert t.last.dealer == "Ann"
    assert "  dealt by Ann" in record_text.lines(t.last)
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("2h Kd")
    t.key("settle")
    assert t.last.dealer == ""


def test_a_round_of_a_tournament_says_so() -> None:
    t = Following("casino-war")
    t.tell(TournamentTold("Cup", 1, least=5_00, most=500_00, seats=(TournamentSeat("1", "Ann", 1000_00),)))
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("2h Kd")
    t.key("settle")
    assert t.last.tournament == "Cup"
    assert "  a round of the tournament Cup" in record_text.lines(t.last)
