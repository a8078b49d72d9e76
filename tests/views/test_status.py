"""What everybody may know of a table: rounds against the house and between players, as data and in lines of text."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games import find
from controller.jackpot.rules import Prize
from controller.poker.hand import shown
from controller.table.facts import CardRead, Hold, Key
from controller.table.state import Line, Question, Talk
from controller.views import rounds
from controller.views.changes import difference
from controller.views.round_text import lines
from controller.views.status import status
from controller.views.words import phase
from tests.poker.there import hand_at
from tests.table.telling import Telling


def seen(t: Telling) -> dict[str, Any]:
    return status(t.table, find(t.table.game))


def text(t: Telling, which: str = "last") -> list[str]:
    return list(lines(seen(t)[which]))


def three_card(cards: str, decided: dict[int, int]) -> Telling:
    """Three Card Poker at two areas; areas that are not among the decided fold."""
    t = Telling("three-card-poker")
    for area in (1, 2):
        t.bet(area, ante=10, pair_plus=5)
    t.key("no-more-bets")
    t.draw(cards)
    for area in (1, 2):
        if area in decided:
            t.bet(area, play=decided[area])
        else:
            t.key(f"fold {area}")
    t.key("settle")
    return t


# ---- games against the house


def test_a_table_before_its_first_round() -> None:
    t = Telling("three-card-poker")
    now = seen(t)
    assert (now["current"], now["last"], now["round"]) == (None, None, {"number": 0, "phase": "between rounds"})
    assert now["gates"]["bets"] == {"open": True, "rule": ""}
    assert "room" not in now
    assert (now["in_lines"], now["called"]["bets"]) == ([], "bets")


def test_a_running_round_shows_what_may_be_seen_and_the_one_before_it() -> None:
    t = three_card("Kh Qs 5d 3d 2c 2h 9c 8c 7c", {1: 10})
    settled = seen(t)["last"]
    t.bet(1, ante=10)
    now = seen(t)
    assert now["last"] == settled and now["last"]["number"] == 1
    assert now["current"]["outcome"] == "open" and now["current"]["wagers"][0]["result"] == "open"
    assert text(t, "current") == ["  area 1", "           ante 10"]


def test_the_first_round_of_a_table_has_none_before_it() -> None:
    t = Telling("three-card-poker")
    t.bet(1, ante=10)
    assert seen(t)["last"] is None


def test_a_settled_round_in_lines() -> None:
    t = three_card("Kh Qs 5d 3d 2c 2h 9c 8c 7c", {1: 10})
    view = seen(t)["last"]
    dealer = view["hands"][0]
    assert (dealer["place"], dealer["qualifies"]) == ("dealer", dealer["qualifies"])
    told = text(t)
    assert told[0].startswith("  dealer   ") and "qualif" in told[0]
    assert any(line.startswith("  area 1   ") and "plays" in line for line in told)
    assert any(line.startswith("  area 2   ") and "folds" in line for line in told)
    assert any("pair-plus 5" in line and "-5" in line for line in told)


def test_the_verdict_on_a_dealer_who_does_not_qualify() -> None:
    t = three_card("Kh As Jd 3d 2c 2h 9c 8s 7d", {1: 10, 2: 10})
    (dealer,) = [hand for hand in seen(t)["last"]["hands"] if hand["place"] == "dealer"]
    assert dealer["qualifies"] is False and "does not qualify" in text(t)[0]


def test_community_cards_are_the_board() -> None:
    t = Telling("wsop-bonus-holdem")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("Kh Qs 5d 3d")
    t.bet(1, flop=20)
    t.draw("2c 2h 9c")
    t.key("check 1")
    t.draw("8s")
    t.key("check 1")
    t.draw("7d")
    t.key("settle")
    assert any(line.startswith("  board    ") for line in text(t))


def test_chips_beyond_a_wager_and_players_behind_the_first() -> None:
    t = Telling("casino-war", players_per_area="2")
    t.bet(1, war=10)
    t.bet(1, bettor=2, war=10, tie=5)
    t.key("no-more-bets")
    t.draw("Kh 5c")
    t.key("settle")
    told = text(t)
    assert "  area 1.2" in told or any(line.startswith("  area 1.2") for line in told)
    assert any("war 10 win +10" in line for line in told)


def test_a_surplus_and_a_prize_stand_beside_their_wager() -> None:
    view = {
        "called": {"place": "area", "round": "round", "bets": "bets"},
        "hands": [],
        "wagers": [
            {
                "place": "1", "spot": "ante", "stake": "10.00", "result": "stand-off", "net": "0.00", "rule": "",
                "pays": "",
            },
            {
                "place": "1", "spot": "jackpot", "stake": "5.00", "result": "win", "net": "100.50", "rule": "12.5",
                "pays": "royal flush wins the prize", "surplus": "2.50",
            },
        ],
        "decisions": {"1": ["go-to-war", "left"]},
    }  # fmt: skip
    assert list(lines(view)) == [
        "  area 1   goes to war, bets on left",
        "           ante 10 stand-off 0",
        "           jackpot 5 win +100.50, royal flush wins the prize, 2.50 too much goes back (12.5)",
    ]


def test_a_round_whose_books_cannot_be_read_is_told_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    t = three_card("Kh Qs 5d 3d 2c 2h 9c 8c 7c", {1: 10})

    def broken(*_: object) -> None:
        raise KeyError("Kh")

    monkeypatch.setattr(rounds, "seen", broken)
    assert seen(t)["last"] == {
        "called": {"place": "area", "round": "round", "bets": "bets"},
        "number": 1, "outcome": "settled", "rule": "", "hands": [], "decisions": {}, "wagers": []
    }  # fmt: skip


def test_phases() -> None:
    t = Telling("three-card-poker")
    phases = [seen(t)["round"]["phase"]]
    t.bet(1, ante=10)
    phases.append(seen(t)["round"]["phase"])
    t.key("no-more-bets")
    phases.append(seen(t)["round"]["phase"])
    t.draw("Kh Qs 5d 3d 2c 2h")
    phases.append(seen(t)["round"]["phase"])
    t.bet(1, play=10)
    phases.append(seen(t)["round"]["phase"])
    t.tell(Hold("device.gap", "an event is missing", "shoe"))
    phases.append(seen(t)["round"]["phase"])
    assert phases == ["between rounds", "betting", "dealing", "deciding", "settling", "held"]


# ---- poker


def poker(**options: str) -> Telling:
    t = Telling("holdem", seats="4", button="4", **options)
    t.key("seat 1-3 stack=100")
    return t


def dealt(t: Telling) -> Telling:
    t.key("act 1 post 5")
    t.key("act 2 post 10")
    for seat, card in zip("123123", ["As", "Kd", "7h", "Ad", "Kc", "2s"], strict=True):
        t.tell(CardRead(seat, card))
    return t


def board(t: Telling, *cards: str) -> None:
    t.key("burn")
    for card in cards:
        t.tell(CardRead("board", card))


def test_a_poker_table_between_hands_and_before_the_cards() -> None:
    t = poker()
    assert seen(t)["room"]["hand"] is None
    assert seen(t)["room"]["seats"]["1"]["state"] == ""
    t.key("act 1 post 5")
    room = seen(t)["room"]
    assert (room["hand"]["street"], room["hand"]["turn"]["what"], room["seats"]["1"]["state"]) == ("deal", "post", "")
    assert seen(t)["round"]["phase"] == "deciding"


def test_what_is_played_now_stands_there_in_lines_whatever_it_is() -> None:
    t = Telling("three-card-poker")
    t.bet(1, ante=10)
    assert seen(t)["in_lines"] == ["round 1: open", "  area 1", "           ante 10"]
    t = dealt(poker())
    assert seen(t)["in_lines"][0] == "  hand        before the flop; pot 15.00"
    assert "> seat 3      100.00 behind, 2 cards" in seen(t)["in_lines"]
    assert seen(t)["called"] == {"place": "seat", "round": "hand", "bets": "side bets"}
    t = poker()
    t.do("act 1 post 5", "act 2 post 10")
    t.tell(CardRead("1", "As"))
    assert "  seat 1      95.00 behind, 5.00 in front, 1 card" in seen(t)["in_lines"]


def test_states_of_seats_in_a_hand() -> None:
    t = dealt(poker())
    t.key("seat 4 stack=100")
    t.key("act 3 fold")
    t.key("act 1 all-in")
    room = seen(t)["room"]
    assert {seat: held["state"] for seat, held in room["seats"].items()} == {
        "1": "all-in", "2": "in", "3": "folded", "4": "no cards"
    }  # fmt: skip
    assert room["seats"]["4"]["owes"] == "8.10"
    assert room["hand"]["turn"] == {
        "seat": "2", "what": "act", "offers": ["fold", "call", "all-in"], "amount": "90.00", "raise": None
    }  # fmt: skip


def test_a_hand_that_nobody_folded_is_dead() -> None:
    t = dealt(poker())
    t.key("leave 3")
    assert seen(t)["room"]["seats"].get("3") is None
    hand = hand_at(t.table)
    hand.out.append("2")
    assert seen(t)["room"]["seats"]["2"]["state"] == "dead"


def test_a_showdown_in_lines() -> None:
    t = dealt(poker())
    for words in ("act 3 fold", "act 1 all-in", "act 2 call"):
        t.key(words)
    board(t, "2c", "5h", "Jd")
    board(t, "8d")
    board(t, "9c")
    t.key("settle")
    last = seen(t)["last"]
    assert last["net"] == {"1": "100.00", "2": "-100.00", "3": "0.00"}
    names = {hand["place"]: hand["name"] for hand in last["hands"]}
    assert names["1"] == "pair of aces, jack kicker" and names["community"] == ""
    told = text(t)
    assert told[0].startswith("  board") and any(line.startswith("  seat 1") and "+100" in line for line in told)
    assert any(line.startswith("  pot") and "seat 1 wins" in line for line in told)


def test_what_was_mucked_is_told_as_mucked() -> None:
    t = dealt(poker())
    for words in ("act 3 fold", "act 1 all-in", "act 2 call"):
        t.key(words)
    board(t, "2c", "5h", "Jd")
    board(t, "8d")
    board(t, "9c")
    t.key("act 2 muck")
    assert seen(t)["room"]["seats"]["2"]["state"] == "mucked"


def test_a_low_hand_is_named_beside_the_high_one() -> None:
    name = shown._name("omaha-hi-lo", ["As", "2d", "Kh", "Kc"], ["3c", "4h", "8d", "Jd", "Qd"])
    assert name == "pair of kings, queen kicker; low 8-4-3-2-A"


# ---- corrections


def test_a_correction_tells_what_changes() -> None:
    before, after = dealt(poker()), dealt(poker())
    after.key("act 3 call")
    rules = find("holdem")
    changed = difference(before.table, after.table, rules)
    assert changed["pot"] == {"before": "15.00", "after": "25.00"}
    assert changed["stacks"]["after"]["3"] == "90.00" and "waiting" in changed
    assert difference(before.table, before.table, rules) == {}
    assert "pot" not in difference(poker().table, poker().table, rules)
    war = Telling()
    started = war.table
    war.bet(1, war=10)
    assert difference(started, war.table, find("casino-war"))["wagers"] == {"before": {}, "after": {"1 war": "10.00"}}


# ---- what is seldom


def test_a_running_round_of_which_nothing_was_kept_before_it() -> None:
    t = Telling("casino-war")
    t.bet(1, war=10)
    t.table.opening = b""
    assert seen(t)["last"] is None


def test_a_wager_with_too_many_chips_and_a_prize() -> None:
    t = three_card("Kh Qs 5d 3d 2c 2h 9c 8c 7c", {1: 10})
    r = t.table.round
    assert r is not None
    r.prizes = [Prize("1", "royal flush", 10_000, "12.5.1")]
    line = Line("1", "jackpot", 500, "win", 9_500, "12.5.1", surplus=250, prize=10_000)
    told = rounds._wager(r, line, "")
    assert (told["surplus"], told["prize"], told["pays"]) == ("2.50", "100.00", "royal flush wins the prize")
    r.prizes = []
    assert rounds._wager(r, line, "")["pays"] == ""


def test_a_closed_table_and_one_that_asks() -> None:
    t = Telling("casino-war")
    t.bet(1, war=10)
    t.table.talk = Talk(Key("burn"), 3, [Question("dealer", "was it exposed?", ("yes", "no"), "9.1")])
    assert phase(t.table, t.game) == "question"
    closed = Telling("casino-war")
    closed.role("casino-manager")
    closed.key("close-table")
    assert seen(closed)["round"]["phase"] == "closed"


def test_people_who_wait_for_a_seat_are_on_the_list() -> None:
    t = poker()
    t.key("list Zoe")
    assert "  list        Zoe" in seen(t)["in_lines"]
