"""Seats, stakes, buttons and moves, key by key."""

from __future__ import annotations

import pytest

from controller.poker.document import CROWN_POKER
from controller.poker.room import blinds, lists
from controller.poker.words import Owing
from controller.table.documents import Power
from controller.table.state import clone
from tests.poker.floor import floor

# ---- seats and stakes


def test_people_sit_down_with_their_stakes() -> None:
    f = floor("seat 1-3 stack=500", "seat 7 stack=20.50 player=Nine")
    assert f.t.seats == {"1": "S1", "2": "S2", "3": "S3", "7": "Nine"}
    assert f.room.stakes == {"1": 50000, "2": 50000, "3": 50000, "7": 2050}
    assert f.room.owing == {}


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("seat 10 stack=500", "4.1"),
        ("seat 0 stack=500", "4.1"),
        ("seat 1 stack=500", "8.1"),
        ("seat 2 stack=500 player=A", "8.1"),
        ("seat 2 stack=99", "6.3"),
        ("seat 2", "6.3"),
        ("seat 1 take=501", "6.11"),
        ("seat 2 add=10", "6.11"),
        ("seat 2 stack=500 player=Out", "13.2.2"),
    ],
)
def test_seats_that_are_not_given(line: str, rule: str) -> None:
    f = floor("seat 1 stack=500 player=A", "seat 3 stack=500 player=Out", buy_in="100")
    f.t.people["Out"].excluded = True
    f.press("leave 3")
    before = clone(f.t)
    assert f.refused(line) == rule
    assert f.t == before


@pytest.mark.parametrize(("game", "most"), [("holdem", 11), ("omaha", 10), ("omaha-hi-lo", 10), ("pineapple", 11)])
def test_a_game_has_so_many_seats_at_most(game: str, most: int) -> None:
    f = floor(f"seat 1-{most} stack=100", game=game, seats=str(most))
    assert f.refused(f"seat {most + 1} stack=100") == "4.1"


def test_one_of_several_seats_is_taken_and_nobody_sits_down() -> None:
    f = floor("seat 2 stack=100")
    assert f.refused("seat 1-3 stack=100") == "8.1"
    assert list(f.t.seats) == ["2"]


def test_chips_are_added_between_hands_and_by_who_has_folded() -> None:
    f = floor("seat 1-4 stack=100", "seat 1 add=50")
    assert f.room.stakes["1"] == 15000
    hand = f.deal()
    assert f.refused("seat 3 add=50") == "6.11"
    hand.out.append("3")
    f.press("seat 3 add=50")
    assert hand.betting is not None
    assert f.room.stakes["3"] == hand.betting.stacks["3"] == hand.began["3"] == 15000
    assert f.refused("seat 3 take=50") == "6.11"


def test_who_lost_everything_buys_in_again() -> None:
    f = floor("seat 1-2 stack=100", buy_in="100")
    f.room.stakes["1"] = 0
    assert f.refused("seat 1 add=99") == "6.3"
    f.press_all("seat 1 add=100", "seat 2 add=5")
    assert f.room.stakes == {"1": 10000, "2": 10500}
    f.t.people["S1"].excluded = True
    assert f.refused("seat 1 add=100") == "13.2.2"


def test_whoever_leaves_takes_the_stake_and_the_seat_is_reserved() -> None:
    f = floor("seat 1-3 stack=100", "list S2 9", "absent 2", "leave 2", "leave 2", "leave 8")
    assert f.t.seats == {"1": "S1", "3": "S3"}
    assert "S2" not in f.t.people
    assert f.room.stakes == {"1": 10000, "3": 10000}
    assert f.room.buttons == {"2": ["reserved"]}
    assert lists.first_for(f.t, "9") == []
    f.press("seat 2 stack=100")
    assert f.room.buttons == {}


def test_a_seat_is_not_given_again_while_its_hand_runs() -> None:
    f = floor("seat 1-4 stack=100")
    f.deal().out.append("3")
    f.press("leave 3")
    assert f.refused("seat 3 stack=100") == "8.3"
    f.over()
    f.press("seat 3 stack=100")


def test_when_everybody_has_left_the_game_begins_anew() -> None:
    f = floor("seat 1-3 stack=100", button="2").hand().press_all("leave 1", "leave 2", "leave 3")
    assert (f.room.blinds, f.room.button) == ([], "2")
    assert f.press_all("seat 4-5 stack=100").room.owing == {}
    f.deal()
    f.press_all("leave 4", "leave 5").over()
    assert f.room.blinds == []


def test_a_seat_without_a_name_is_somebody_new() -> None:
    f = floor("seat 1-3 stack=100", "move 3 7", "seat 3 stack=50")
    assert f.t.seats == {"1": "S1", "2": "S2", "7": "S3", "3": "S3_2"}
    f.press_all("pick-up 2", "seat 2 stack=30", "back S2", "leave 2", "seat 2")
    assert f.t.seats["2"] == "S2"
    assert f.room.stakes["2"] == 10000


# ---- newcomers


def test_a_newcomer_waits_for_the_big_blind_or_posts_it() -> None:
    f = floor("seat 1,2,3,6 stack=100").hand().press_all("seat 5 stack=100")
    assert blinds.no_cards(f.t, "5") == "8.10"
    assert blinds.why_owing(f.t, "5") is Owing.NEWCOMER
    hand = f.post()
    assert blinds.dealt_now(f.t, hand) == ["2", "3", "6", "1"]
    hand.posted["5"] = 1000
    assert blinds.dealt_now(f.t, hand) == ["2", "3", "5", "6", "1"]


def test_after_a_misdeal_the_posted_blind_is_owed_again() -> None:
    f = floor("seat 1,2,3,6 stack=100").hand().press_all("seat 5 stack=100")
    f.post().posted["5"] = 1000
    f.room.owing.pop("5")
    f.over("misdeal")
    assert f.room.owing == {"5": Owing.NEWCOMER}


def test_the_big_blind_reaches_a_newcomer() -> None:
    f = floor("seat 1,2,6 stack=100").hand().press_all("seat 4 stack=100")
    assert blinds.next_hand(f.t).posts == {"2": 500, "4": 1000}
    assert blinds.no_cards(f.t, "4") is None
    hand = f.post()
    del hand.posted["4"]
    f.room.owing["4"] = Owing.NEWCOMER
    assert blinds.no_cards(f.t, "4") == "8.9.3"
    assert blinds.expected(f.t) == ["1", "2", "4", "6"]


def test_a_newcomer_is_not_dealt_to_at_the_button_unless_moved_by_the_house() -> None:
    f = floor("seat 1-5 stack=100").hand().press_all("leave 1", "seat 1 stack=100")
    hand = f.post()
    assert hand.button == "1"
    assert blinds.never_at_button(f.t, hand, "1")
    hand.posted["1"] = 1000
    assert blinds.no_cards(f.t, "1") == "8.10"
    assert f.refused("moved 9") == "8.10"
    f.press_all("moved 1", "moved 1")
    assert not blinds.never_at_button(f.t, hand, "1")
    assert blinds.no_cards(f.t, "1") is None
    assert CROWN_POKER.powers.moved == Power("supervisor", "8.10")


def test_why_there_are_no_cards() -> None:
    f = floor("seat 1-4 stack=100", "walking 2")
    f.t.people["S3"].excluded = True
    f.room.stakes["4"] = 0
    assert [blinds.no_cards(f.t, seat) for seat in "12345"] == [None, "1.1", "13.2.2", "6.3", "8.3"]
    assert blinds.able(f.t) == ["1"]


# ---- buttons


@pytest.mark.parametrize("name", ["absent", "walking", "dealt-out", "missed-blind"])
def test_buttons_lie_in_front_of_players(name: str) -> None:
    f = floor("seat 1-3 stack=100", f"{name} 2", f"{name} 2")
    assert f.room.buttons == {"2": [name]}
    assert blinds.no_cards(f.t, "2") == ("8.9.3" if name == "missed-blind" else "1.1")
    assert f.refused(f"{name} 5") == "1.1"
    assert f.refused(f"{name} 10") == "4.1"
    assert f.press_all(f"{name} 2 off", f"{name} 2 off").room.buttons == {}
    assert blinds.no_cards(f.t, "2") is None


def test_a_reserved_button_lies_at_a_vacant_seat() -> None:
    f = floor("seat 1 stack=100", "reserved 2")
    assert f.room.buttons == {"2": ["reserved"]}
    assert f.refused("reserved 1") == "8.3"
    assert f.press_all("reserved 2 off").room.buttons == {}


def test_dealt_out_is_for_one_hand() -> None:
    f = floor("seat 1-4 stack=100", "dealt-out 3", "absent 4")
    assert f.deal().dealt == ["1", "2"]
    assert f.refused("dealt-out 1") == "1.1"
    f.over()
    assert f.room.buttons == {"4": ["absent"]}


def test_whoever_has_posted_is_in_the_hand() -> None:
    f = floor("seat 1-4 stack=100")
    hand = f.post()
    assert f.refused("dealt-out 1") == "1.1"
    f.press_all("walking 1", "dealt-out 3")
    assert blinds.dealt_now(f.t, hand) == ["1", "2", "4"]


def test_a_missed_blind_is_not_taken_back_before_it_is_posted() -> None:
    f = floor("seat 1-4 stack=100").hand().press_all("absent 3").hand()
    assert f.room.buttons == {"3": ["absent", "missed-blind"]}
    f.press("absent 3 off")
    assert f.refused("missed-blind 3 off") == "8.9.3"
    hand = f.post()
    assert blinds.no_cards(f.t, "3") == "8.9.3"
    hand.posted["3"] = 1000
    f.press("missed-blind 3 off")
    assert blinds.no_cards(f.t, "3") is None
    assert (f.room.buttons, f.room.owing) == ({}, {})


# ---- moves


def test_a_player_moves_with_everything() -> None:
    f = floor("seat 1,2,5 stack=100", "seat 3 stack=70 player=Mover").hand()
    f.press_all("walking 3", "missed-blind 3", "list Mover 4", "reserved 4", "move 3 4")
    assert f.t.seats["4"] == "Mover"
    assert "3" not in f.t.seats
    assert f.room.stakes == {"1": 10000, "2": 10000, "5": 10000, "4": 7000}
    assert f.room.buttons == {"4": ["walking", "missed-blind"]}
    assert f.room.wishes == {}


@pytest.mark.parametrize(
    ("line", "rule"), [("move 9 8", "8.9.5"), ("move 1 2", "8.9.5"), ("move 1 10", "4.1"), ("move 1 1", "8.9.5")]
)
def test_moves_that_are_refused(line: str, rule: str) -> None:
    assert floor("seat 1-3 stack=100").refused(line) == rule


def test_nobody_moves_out_of_a_hand_or_into_one() -> None:
    f = floor("seat 1-4 stack=100", "absent 4")
    hand = f.deal()
    assert f.refused("move 1 9") == "8.9.5"
    hand.out.append("1")
    f.press("leave 1")
    assert f.refused("move 4 1") == "8.9.5"
    f.press("move 4 5")


@pytest.mark.parametrize(
    ("move", "owes"),
    [
        ("move 1 4", ""),  # over 2 and 3
        ("move 1 6", "8.9.5"),  # over 2, 3 and 5
        ("move 5 4", ""),  # towards the blinds
        ("move 7 4", ""),
        ("move 7 8", ""),
        ("move 7 9", ""),
    ],
)
def test_who_moves_far_owes_a_blind(move: str, owes: str) -> None:
    f = floor("seat 1,2,3,5,7 stack=100").hand().press_all(move)
    owing = f.room.owing.get(move.split()[2])
    assert (owing.rule if owing is not None else "") == owes
    assert bool(f.told) == bool(owes)


def test_around_the_dealer_it_may_be_as_far() -> None:
    f = floor("seat 1-3,5-9 stack=100").hand().press_all("move 9 4")  # over 1, 2 and 3, or over 5 to 8
    assert f.room.owing == {"4": Owing.FAR_MOVE}
    f = floor("seat 1-3,5-9 stack=100").hand().press_all("leave 3", "move 9 3")
    assert f.room.owing == {}


def test_absent_players_are_no_live_seats() -> None:
    f = floor("seat 1-5 stack=100").hand().press_all("absent 2", "absent 3", "move 1 6")
    assert f.room.owing == {}


def test_before_the_first_hand_seats_are_free_to_choose() -> None:
    assert floor("seat 1-5 stack=100", "move 1 9").room.owing == {}


@pytest.mark.parametrize(("first", "hands", "owes"), [("9", 6, None), ("4", 2, Owing.FAR_MOVE)])
def test_who_has_paid_blinds_may_move_to_the_button(first: str, hands: int, owes: Owing | None) -> None:
    f = floor("seat 1-9 stack=100", button=first)
    for _ in range(hands):
        f.hand()
    f.press("leave 6")
    assert blinds.next_hand(f.t).button == "6"
    f.press("move 2 6")  # over 3, 4 and 5
    assert f.room.owing.get("6") is owes


def test_players_agree() -> None:
    assert floor("seat 1-3 stack=100", "agree majority").room.agreed == "majority"
    assert floor("seat 1-3 stack=100", "agree all").room.agreed == "all"
