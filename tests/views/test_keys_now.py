"""Only keys that may be pressed now are lit: at every step the rules are asked whether they would take them."""

from __future__ import annotations

import pytest

from controller.games import step
from controller.rules import Role
from controller.table.effects import Refused
from controller.table.facts import Badge, CardsOut, DeviceFault, Hold, Key
from controller.views.keys_now import KeyNow, keys_now
from tests.table.telling import Telling

PLAIN = ("no-more-bets", "settle", "open-table")  # keys that come alone, and carry the game on


def now(t: Telling, role: Role = "dealer") -> dict[str, KeyNow]:
    return {each.key: each for each in keys_now(t.table, t.game, role)}


def due(t: Telling, role: Role = "dealer") -> list[str]:
    found = [each for each in keys_now(t.table, t.game, role) if each.due]
    return [words for each in found for words in (each.presses or (each.key,))]


def refused(t: Telling, words: str) -> bool:
    key, *args = words.split()
    _, effects = step(t.table, t.seq + 1, t.at, Key(key, tuple(args)))
    return any(isinstance(effect, Refused) for effect in effects)


def agree(t: Telling) -> Telling:
    """What is due would be taken, and a key that plays and is not lit would not."""
    for words in due(t):
        assert not refused(t, words), words
    for key in PLAIN:
        assert (key in now(t)) is not refused(t, key), key
    return t


def test_a_round_of_three_card_poker() -> None:
    t = Telling("three-card-poker")
    assert due(agree(t)) == []
    t.bet(1, ante=10)
    assert due(agree(t)) == ["no-more-bets"]
    t.bet(2, **{"ante": 10, "pair-plus": 5})
    t.key("no-more-bets")
    assert due(agree(t)) == []
    assert {"exposed", "short"} <= now(t).keys()
    t.draw("Kh 9d Qs 5d 9c 3d 2c 2h 7s")
    assert due(agree(t)) == ["fold 1", "fold 2", "fold 2 ante"]
    t.bet(1, ante=10, play=10)
    t.key("fold 2")
    assert due(agree(t)) == ["settle"]
    t.key("settle")
    assert due(agree(t)) == []


def test_words_of_wagers_that_are_not_taken_do_not_come_with_a_key() -> None:
    for options in ({}, {"jackpot": "nsw"}):
        t = Telling("caribbean-stud", **options)
        assert ("close-jackpot" in now(t, "casino-manager")["notice"].forms[0]) is bool(options)
    t.bet(1, ante=10)
    t.do("no-more-bets", "draw 5h 9d 6h 9c 7h 2d 8h 3c 9h 4c")
    assert now(t)["fold"].forms == ("fold AREA",)


def test_a_round_of_casino_war_with_a_tie() -> None:
    t = Telling("casino-war")
    t.bet(1, war=10)
    t.key("no-more-bets")
    agree(t)
    t.draw("9h 9d")
    assert due(agree(t)) == ["surrender 1"]


def test_what_a_role_may_not_press_is_not_lit() -> None:
    t = Telling("casino-war")
    t.bet(1, war=10)
    assert now(t, "supervisor").keys() - now(t, "dealer").keys() == {"invalidate", "marker", "replaced"}
    assert now(t, "inspector").keys() == now(t, "technician").keys() == {"leave", "seat"}  # whoever keys it in
    t.tell(Badge("supervisor"))
    assert now(t, t.table.role)["marker"].says == "the player there has limits of their own"


def test_a_held_table_waits_for_the_supervisor_alone() -> None:
    t = Telling("casino-war")
    t.bet(1, war=10)
    t.tell(Hold("device.gap", "events are missing", "shoe"))
    assert due(t, "dealer") == [] and "no-more-bets" not in now(t)
    assert due(t, "supervisor") == ["resume", "void"]


def test_cards_that_must_be_seen_to_and_a_closed_table() -> None:
    t = Telling("three-card-poker", gates="manual")
    assert due(agree(t)) == ["checked"]
    t.key("checked")
    assert due(agree(t)) == ["shuffled"]
    t.key("shuffled")
    assert due(agree(t)) == ["cut"]
    t.table.open = False
    assert due(t) == ["open-table"]


def test_a_question_lights_its_answers() -> None:
    t = Telling("three-card-poker")
    for area in (1, 2):
        t.bet(area, ante=10)
    t.key("no-more-bets")
    t.draw("2h 3h 4h 5h 6h 7h 8h 9h Th")
    t.key("short 2")
    assert t.table.talk is not None
    asked = {word for question in t.table.talk.open for word in question.words}
    assert asked <= {each.key for each in keys_now(t.table, t.game, "supervisor") if each.due}
    assert "settle" not in now(t, "supervisor")


def test_a_stuck_key_is_dark() -> None:
    t = Telling("casino-war")
    t.bet(1, war=10)
    assert "no-more-bets" in now(t)
    t.tell(DeviceFault("console", "console.stuck-key", "no-more-bets"))
    assert "no-more-bets" not in now(t)


def test_a_turn_of_poker() -> None:
    t = Telling("holdem", seats="2")
    t.key("seat 1-2 stack=100")
    t.key("act 1 post 5")
    assert due(t) == ["act 2"]


def test_a_hold_between_rounds_is_freed_by_resume_alone() -> None:
    t = Telling("casino-war")
    t.tell(Hold("device.gap", "events are missing", "shoe"))
    assert due(t, "supervisor") == ["resume"]
    t = Telling("casino-war")
    t.bet(1, war=10)
    t.tell(Hold("device.gap", "events are missing", "shoe"))
    assert due(t, "supervisor") == ["resume", "void"]


def test_cards_that_left_together_ask_for_their_order() -> None:
    t = Telling("three-card-poker")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.tell(CardsOut(("7d", "7c")))
    assert due(t) == ["order known", "order unknown"]


def test_a_hand_of_poker_that_is_over_is_settled() -> None:
    t = Telling("holdem")
    t.do("seat 1-3 stack=500", "checked", "shuffled", "cut", "act 1 post 5", "act 2 post 10")
    t.do("read 1 Ah", "read 2 Kd", "read 3 2c", "read 1 As", "read 2 Kc", "read 3 7d", "act 3 fold", "act 1 fold")
    assert due(agree(t)) == ["settle"]


def test_a_round_in_which_nothing_is_waited_for_is_ended_by_settle(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Telling("casino-war")
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh 2d")
    monkeypatch.setattr(type(t.game), "waiting", lambda rules, table: ())  # as a game from elsewhere may say it
    assert due(t) == ["settle"]
