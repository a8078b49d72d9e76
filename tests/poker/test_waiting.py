"""The waiting list, the draw for a contested seat, and players who were picked up."""

from __future__ import annotations

import pytest

from controller.poker.document import CROWN_POKER
from controller.poker.room import lists, players
from controller.table.documents import Power
from tests.poker.floor import MINUTE, floor


def test_the_list_is_in_the_order_of_asking() -> None:
    f = floor("seat 1-2 stack=100", "list A", "list B 1", "list A", "list S1 2")
    assert f.room.waiting == ["A", "B"]
    assert f.refused("list S1") == "8.1"
    assert f.refused("list S1 1") == "8.1"
    assert f.refused("list C 10") == "4.1"
    f.t.people["S2"].excluded = True
    assert f.refused("list S2 5") == "13.2.2"
    f.press("seat 5 stack=100 player=A")
    assert f.room.waiting == ["B"]


def test_a_seated_player_comes_first_for_a_vacated_seat() -> None:
    f = floor("seat 1-3 stack=100", "list A 3", "list B", "list S1 3", "leave 3")
    assert lists.first_for(f.t, "3") == ["S1", "A", "B"]
    assert f.refused("seat 3 stack=100 player=A") == "8.1.2"
    assert f.refused("move 2 3") == "8.1.1"
    f.press("move 1 3")
    assert lists.first_for(f.t, "1") == ["A", "B"]


def test_a_stranger_does_not_take_the_seat_somebody_waits_for() -> None:
    f = floor("seat 1-3 stack=100", "list A 5")
    assert f.refused("seat 5 stack=100 player=B") == "8.1.1"
    f.press("seat 5 stack=100 player=A")
    assert (f.room.waiting, f.room.wishes) == ([], {})


@pytest.mark.parametrize(
    ("cards", "order"),
    [("Kh Ac 2d", "B A C"), ("Ks Kh 2d", "A B C"), ("Kc Kd Kh", "C B A"), ("?? Th 9s 9h", "A B C")],
)
def test_cards_are_drawn_for_a_contested_seat(cards: str, order: str) -> None:
    f = floor("seat 1 stack=100", "list A 5", "list B 5")
    assert [(p.role, p.rule, p.place) for p in f.told] == [("dealer", "8.1.1", "5")]
    f.press("list C 5")
    assert f.refused("seat 5 stack=100 player=A") == "8.1.1"
    for card in cards.split():
        assert players.drawing(f.scene())
        players.card_for_seat(f.scene(), card)
    assert not players.drawing(f.scene())
    names = order.split()
    assert lists.first_for(f.t, "5") == names
    f.press("list D 5")  # too late for the draw
    assert lists.first_for(f.t, "5") == [*names, "D"]
    assert f.refused(f"seat 5 stack=100 player={names[1]}") == "8.1.1"
    f.press(f"seat 5 stack=100 player={names[0]}")


def test_who_asks_while_the_draw_is_under_way_comes_after_it() -> None:
    f = floor("list A 5", "list B 5")
    players.card_for_seat(f.scene(), "2c")
    f.press("list C 5")
    players.card_for_seat(f.scene(), "3c")
    assert lists.first_for(f.t, "5") == ["B", "A", "C"]


def test_a_seat_wanted_by_several_is_drawn_for_when_it_is_vacant_and_the_hand_over() -> None:
    f = floor("seat 1-4 stack=100", "list S1 3", "list S2 3", "list A 3")
    assert not players.drawing(f.scene())
    f.deal().out.append("3")
    f.press("leave 3")
    assert not players.drawing(f.scene())
    f.over()
    assert [p.rule for p in f.told] == ["8.1.1"]
    assert f.room.drawing == {"3": ["S1", "S2"]}
    players.card_for_seat(f.scene(), "2c")
    f.press("leave 1")  # one of the two is gone: no draw is needed any more
    assert (f.room.drawing, f.room.drawn) == ({}, {})
    f.press("move 2 3")


# ---- picked up


@pytest.mark.parametrize(("minutes", "order"), [(20, "S2 A"), (20.01, "A S2")])
def test_a_player_who_was_picked_up_comes_back(minutes: float, order: str) -> None:
    f = floor("seat 1-3 stack=100", "list A", "absent 2", "pick-up 2", buy_in="100")
    assert CROWN_POKER.powers.pick_up == Power("area-manager", "8.11")
    assert list(f.t.seats) == ["1", "3"]
    assert f.room.buttons == {"2": ["reserved"]}
    assert f.room.secured == {"S2": 10000}
    f.room.secured["S2"] = 4000  # less than a buy-in, but it was at the table
    f.t.now += int(minutes * MINUTE)
    f.press("back S2")
    assert " ".join(f.room.waiting) == order
    f.press("seat 7 player=S2")
    assert f.room.stakes["7"] == 4000
    assert (f.room.secured, f.room.picked) == ({}, {})


def test_picking_up_is_refused() -> None:
    f = floor("seat 1-3 stack=100")
    assert f.refused("pick-up 5") == "8.11"
    assert f.refused("back S5") == "8.12"
    f.deal()
    assert f.refused("pick-up 1") == "8.11"
    f.over()
    f.t.people["S1"].excluded = True
    f.press("pick-up 1")


def test_an_excluded_player_does_not_come_back() -> None:
    f = floor("seat 1-3 stack=100", "seat 4 stack=100 player=Out")
    f.t.people["Out"].excluded = True
    f.press("pick-up 4")
    assert f.refused("back Out") == "13.2.2"
