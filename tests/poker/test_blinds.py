"""The button and the blinds from hand to hand, while people come, go and stay away."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.poker.hand.course import clockwise
from controller.poker.room.blinds import Plan, eligible, owes, plan, seats_after
from controller.poker.state import Room
from controller.poker.words import Owing

BLINDS = {1: [1000], 2: [500, 1000], 3: [250, 500, 1000]}


class Night:
    """A table whose hands are played one after the other."""

    def __init__(self, seats: int, players: str, blinds: int = 2, button: str = "") -> None:
        self.seats, self.blinds = seats, BLINDS[blinds]
        self.room = Room(button=button)
        self.hand = Plan("", {}, [], [], [])
        for seat in players.split():
            self.room.stakes[seat] = 50000

    @property
    def able(self) -> list[str]:
        return [seat for seat in self.room.stakes if not self.room.buttons.get(seat)]

    def come(self, seat: str) -> None:
        self.room.stakes[seat] = 50000
        if self.room.blinds:
            self.room.owing[seat] = Owing.NEWCOMER

    def go(self, seat: str) -> None:
        del self.room.stakes[seat]
        self.room.owing.pop(seat, None)
        self.room.buttons.pop(seat, None)

    def away(self, seat: str) -> None:
        self.room.buttons[seat] = ["absent"]

    def back(self, seat: str) -> None:
        del self.room.buttons[seat]

    def next(self) -> Plan:
        self.hand = plan(self.room, self.seats, self.room.stakes, self.blinds, self.able)
        self.room.button, self.room.blinds = self.hand.button, self.hand.seats
        for seat in self.hand.passed:
            self.room.owing[seat] = Owing.AVOIDED
        if self.hand.seats:
            self.room.owing.pop(self.hand.seats[-1], None)
        return self.hand

    def told(self) -> str:
        """Such as "3: 5 10" for the seats of button and posts."""
        hand = self.next()
        return f"{hand.button}: {' '.join(hand.posts)}"


def night(*told: str, seats: int = 9, players: str, blinds: int = 2, button: str = "") -> None:
    """A story: "go 3" happens between hands; "3: 5 1" is the next hand's button and who posts."""
    table = Night(seats, players, blinds, button)
    for line in told:
        word, _, seat = line.partition(" ")
        if word.endswith(":"):
            assert table.told() == line, told
        else:
            getattr(table, word)(seat)


def test_the_order_of_seats_is_clockwise() -> None:
    assert seats_after(3, "1") == ["2", "3", "1"]
    assert clockwise(["1", "4", "9"], "4") == ["9", "1", "4"]


@pytest.mark.parametrize(
    ("blinds", "hands"),
    [
        (1, ("5: 1", "1: 3", "3: 5", "5: 1")),
        (2, ("5: 1 3", "1: 3 5", "3: 5 1", "5: 1 3")),
        (3, ("5: 1 3 5", "1: 3 5 1", "3: 5 1 3", "5: 1 3 5")),
    ],
)
def test_button_and_blinds_go_around(blinds: int, hands: tuple[str, ...]) -> None:
    night(*hands, players="1 3 5", blinds=blinds)


def test_the_first_button_can_be_chosen() -> None:
    night("3: 5 1", "5: 1 3", players="1 3 5", button="3")
    night("4: 5 1", "5: 1 3", players="1 3 5", button="4")


def test_of_two_players_the_button_posts_the_second_blind() -> None:
    night("5: 1 5", "1: 5 1", "5: 1 5", players="1 5")


def test_two_players_post_the_two_larger_ones_of_three_blinds() -> None:
    table = Night(9, "1 5", blinds=3)
    assert table.next().posts == {"1": 500, "5": 1000}
    assert table.next().posts == {"5": 500, "1": 1000}


@pytest.mark.parametrize(
    ("gone", "then"),
    [
        ("1", ("2: 3 2", "3: 2 3")),  # the button has left
        ("2", ("2: 3 1", "3: 1 3")),  # the small blind has left: its seat has a dead button
        ("3", ("2: 1", "3: 1 2", "1: 2 1")),  # the next small blind has left: none, then a dead button (8.9.6)
    ],
)
def test_from_three_players_to_two(gone: str, then: tuple[str, ...]) -> None:
    night("1: 2 3", f"go {gone}", *then, players="1 2 3", button="1")


def test_without_a_small_blind_when_its_player_leaves() -> None:
    night("9: 1 2", "go 2", "1: 3", "2: 3 4", "3: 4 5", players="1 2 3 4 5 9")


def test_who_is_next_for_the_big_blind_leaves() -> None:
    night("9: 1 2", "go 3", "1: 2 4", "2: 4 5", players="1 2 3 4 5 9")


def test_an_absent_player_is_passed_by_and_owes() -> None:
    table = Night(9, "1 2 3 4")
    table.next()
    table.away("3")
    hand = table.next()
    assert (hand.button, list(hand.posts), hand.passed) == ("1", ["2", "4"], ["3"])
    assert owes(table.room, "3") is Owing.AVOIDED
    table.back("3")
    for told in ("2: 4 1", "4: 1 2", "1: 2 3", "2: 3 4"):
        assert table.told() == told
    assert owes(table.room, "3") is None


def test_the_small_blind_is_missed_too() -> None:
    table = Night(9, "1 2 3 4")
    table.next()
    table.away("2")
    hand = table.next()
    assert (hand.button, list(hand.posts), hand.seats, hand.passed) == ("1", ["3"], ["2", "3"], ["2"])


def test_a_newcomer_is_reached_by_the_big_blind_but_owes_no_small_one() -> None:
    table = Night(9, "1 3 5")
    table.next()
    table.come("4")
    assert table.told() == "1: 3 4"
    assert owes(table.room, "4") is None
    table.go("4")
    table.come("4")  # at the seat of the next small blind
    assert table.told() == "3: 5"
    assert owes(table.room, "4") is Owing.NEWCOMER


@pytest.mark.parametrize(("seat", "then"), [("2", ("5: 1 2", "1: 2 5")), ("7", ("5: 1 5", "1: 5 7", "5: 7 1"))])
def test_from_two_players_to_three(seat: str, then: tuple[str, ...]) -> None:
    night("5: 1 5", "1: 5 1", f"come {seat}", *then, players="1 5")


def test_a_third_player_without_debts_ends_the_double_part_of_the_button() -> None:
    table = Night(9, "1 3", button="1")
    assert table.told() == "1: 3 1"
    table.come("5")
    del table.room.owing["5"]  # moved there by the house
    for told in ("5: 1 3", "1: 3 5", "3: 5 1"):
        assert table.told() == told


def test_blinds_stay_in_order_when_they_jump_over_the_button() -> None:
    night("5: 1 3", "away 5", "away 1", "come 2", "2: 3 2", players="1 3 5", button="5")


def test_one_player_and_one_who_owes() -> None:
    table = Night(9, "1 3 5")
    table.next()
    table.go("1")
    table.go("3")
    table.come("3")
    hand = table.next()
    assert (hand.button, hand.posts) == ("5", {"5": 1000})
    assert hand.dealt == ["3", "5"]
    table.room.owing.clear()  # it was posted
    assert table.told() == "3: 5 3"


def test_the_number_of_blinds_changes() -> None:
    table = Night(9, "1 2 3 4 5")
    assert table.told() == "5: 1 2"
    table.blinds = BLINDS[3]
    assert table.told() == "5: 1 2 3"
    table.blinds = BLINDS[1]
    assert table.told() == "3: 4"


def test_a_short_stake_posts_what_there_is() -> None:
    table = Night(9, "1 2 3")
    table.room.stakes["2"] = 300
    assert table.next().posts == {"1": 500, "2": 300}


def test_nobody_there() -> None:
    table = Night(9, "1")
    table.away("1")
    assert table.next() == Plan("", {}, [], [], [])


# ---- who gets cards


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, None),
        ({"buttons": {"2": ["absent"]}}, "1.1"),
        ({"buttons": {"2": ["walking"]}}, "1.1"),
        ({"buttons": {"2": ["dealt-out"]}}, "1.1"),
        ({"buttons": {"2": ["missed-blind"]}}, "8.9.3"),
        ({"owing": {"2": Owing.NEWCOMER}}, "8.10"),
        ({"owing": {"2": Owing.FAR_MOVE}}, "8.9.5"),
        ({"stakes": {"2": 0}}, "6.3"),
    ],
)
def test_why_somebody_gets_no_cards(change: dict[str, dict[str, object]], why: str | None) -> None:
    room = Room(**{"stakes": {"2": 100}, **change})  # type: ignore[arg-type]
    assert eligible(room, "2", "9", (), ()) == why
    assert eligible(room, "2", "9", (), ("2",)) is None  # the big blind was posted, all-in perhaps


def test_a_newcomer_at_the_button_gets_no_cards_even_after_posting() -> None:
    room = Room(stakes={"2": 100}, owing={"2": Owing.NEWCOMER})
    assert eligible(room, "2", "2", (), ("2",)) == "8.10"
    assert eligible(room, "2", "2", ("2",), ("2",)) is None  # of two players the button has the big blind


def test_a_blind_that_is_due_must_be_posted() -> None:
    room = Room(stakes={"2": 100})
    assert eligible(room, "2", "1", ("2",), ()) == "8.9.3"
    assert eligible(room, "2", "1", ("2",), ("2",)) is None


# ---- any night


@given(st.integers(1, 3), st.sets(st.integers(1, 11), min_size=2), st.integers(1, 30))
def test_each_pays_each_blind_once_an_orbit(blinds: int, players: set[int], start: int) -> None:
    names = [str(n) for n in sorted(players)]
    table = Night(11, " ".join(names), blinds)
    for _ in range(start):
        table.next()
    paid = [(seat, amount) for _ in names for seat, amount in table.next().posts.items()]
    expected = BLINDS[blinds][-min(blinds, len(names)) :]
    assert sorted(paid) == sorted((seat, amount) for seat in names for amount in expected)


EVENTS = st.lists(st.tuples(st.sampled_from(["come", "go", "away", "back", "pay"]), st.integers(1, 11)), max_size=4)


@given(st.integers(1, 3), st.sets(st.integers(1, 11), min_size=2), st.lists(EVENTS, max_size=25))
def test_any_night_keeps_the_blinds_in_order(
    blinds: int, players: set[int], hands: list[list[tuple[str, int]]]
) -> None:
    table = Night(11, " ".join(map(str, sorted(players))), blinds)
    for events in hands:
        for event, n in events:
            _happen(table, event, str(n))
        last = table.hand.seats[-1:]
        owing = {seat for seat in table.able if owes(table.room, seat)}
        hand = table.next()
        if not table.able:
            assert hand.posts == {}
            table.hand = Plan("", {}, last, [], [])
            table.room.blinds = last
            continue
        big = hand.seats[-1]
        if last:  # the last blind goes to the next player, never back and past nobody
            assert big == next(seat for seat in seats_after(11, last[0]) if seat in table.able)
        assert big in hand.posts
        around = seats_after(11, hand.button)
        assert [seat for seat in around if seat in hand.seats] == hand.seats  # from its left, each in turn
        assert set(hand.posts) <= set(table.able) & set(hand.seats)
        assert not (set(hand.posts) - {big}) & owing
        paying = len(set(table.able) - owing | {big})
        assert len(hand.seats) <= min(blinds, paying)
        assert hand.button not in hand.posts or paying <= blinds
        assert not set(hand.passed) & set(table.able)
        due = dict(zip(hand.seats, BLINDS[blinds][-len(hand.seats) :], strict=True))
        assert all(due[seat] == amount for seat, amount in hand.posts.items())


def _happen(table: Night, event: str, seat: str) -> None:
    there = seat in table.room.stakes
    gone = bool(table.room.buttons.get(seat))
    if event == "come" and not there:
        table.come(seat)
    elif event == "go" and there:
        table.go(seat)
    elif event == "away" and there and not gone:
        table.away(seat)
    elif event == "back" and gone:
        table.back(seat)
    elif event == "pay" and there and not gone:
        table.room.owing.pop(seat, None)


@given(st.sets(st.integers(1, 11), min_size=3), st.lists(st.integers(0, 30), max_size=60))
def test_who_stays_pays_small_after_big_whoever_leaves(players: set[int], leaving: list[int]) -> None:
    table = Night(11, " ".join(map(str, sorted(players))))
    paid: dict[str, list[int]] = {}
    for n in leaving:
        if str(n) in table.room.stakes and len(table.room.stakes) > 2:
            table.go(str(n))
        for seat, amount in table.next().posts.items():
            paid.setdefault(seat, []).append(amount)
    for amounts in paid.values():
        assert all(a != b for a, b in pairwise(amounts))
