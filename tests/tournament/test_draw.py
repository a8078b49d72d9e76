"""Seats: by entry or by lot, balanced tables, broken ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.tournament.draw import (
    Break,
    Draw,
    Move,
    TableSeat,
    broken,
    by_lot,
    fewest,
    free_place,
    seated,
    unbalanced,
)

TWO = {"T1": range(1, 4), "T2": range(1, 4)}
TABLES = st.dictionaries(st.sampled_from(("T1", "T2", "T3", "T4")), st.integers(1, 9), min_size=1)
PEOPLE = st.lists(st.text("abcdef", min_size=1, max_size=3), max_size=40, unique=True)


def test_by_order_of_entry_at_the_emptiest_table() -> None:
    assert seated(["Ann", "Bob", "Cem"], TWO).seats == {
        "Ann": TableSeat("T1", 1),
        "Bob": TableSeat("T2", 1),
        "Cem": TableSeat("T1", 2),
    }


def test_places_that_were_given_stay() -> None:
    drawn = seated(["Bob", "Cem"], TWO, [TableSeat("T1", 1), TableSeat("T2", 2), TableSeat("T2", 3)])
    assert drawn.seats == {"Bob": TableSeat("T1", 2), "Cem": TableSeat("T1", 3)}


def test_for_whom_there_is_no_place() -> None:
    assert seated(["Ann", "Bob"], {"T1": [4]}) == Draw({"Ann": TableSeat("T1", 4)}, ("Bob",))


def test_a_lot_can_be_drawn_again() -> None:
    people = [f"p{nth}" for nth in range(20)]
    assert by_lot(people, "seed") == by_lot(reversed(people), "seed")
    assert by_lot(people, "seed") != by_lot(people, "another")
    assert sorted(by_lot(people, "seed")) == sorted(people)


def test_as_few_tables_as_hold_them() -> None:
    tables = {"T1": range(5), "T2": range(7), "T3": range(7)}
    assert fewest(tables, 7) == ("T2",)
    assert fewest(tables, 8) == ("T2", "T3")
    assert fewest(tables, 15) == ("T1", "T2", "T3")
    assert fewest(tables, 99) == ("T1", "T2", "T3")
    assert fewest(tables, 0) == ()


def test_when_the_desk_is_prompted() -> None:
    tables = {"T1": range(1, 8), "T2": range(1, 8), "T3": range(1, 8)}
    assert unbalanced(tables, {"T1": 6, "T2": 5, "T3": 4}) == (Move("T1", "T3"),)
    assert unbalanced(tables, {"T1": 5, "T2": 5, "T3": 5}) == ()
    assert unbalanced(tables, {"T1": 5, "T2": 5, "T3": 4}) == (Break("T3"),)
    assert unbalanced(tables, {"T1": 4, "T2": 4}) == ()
    assert unbalanced(tables, {"T1": 3, "T2": 3}) == (Break("T2"),)
    assert unbalanced(tables, {"T1": 3, "T2": 1}) == (Break("T2"), Move("T1", "T2"))
    assert unbalanced(tables, {"T1": 2}) == ()
    assert unbalanced(tables, {}) == ()


def test_the_people_of_a_broken_table_go_lowest_place_first() -> None:
    tables = {**TWO, "T3": range(1, 4)}
    people = {
        "Ann": TableSeat("T1", 1),
        "Bob": TableSeat("T3", 3),
        "Cem": TableSeat("T3", 1),
        "Dee": TableSeat("T2", 2),
    }
    assert broken(people, tables, "T3").seats == {"Cem": TableSeat("T1", 2), "Bob": TableSeat("T2", 1)}


def test_the_lowest_free_place() -> None:
    assert free_place([TableSeat("T1", 1), TableSeat("T2", 2)], [1, 2], "T1") == 2
    assert free_place([TableSeat("T1", 1)], [1], "T1") is None


@given(PEOPLE, TABLES)
def test_nobody_shares_a_place_and_tables_differ_by_one_where_there_is_room(
    people: list[str], sizes: dict[str, int]
) -> None:
    tables = {name: range(1, size + 1) for name, size in sizes.items()}
    drawn = seated(people, tables)
    assert len(set(drawn.seats.values())) == len(drawn.seats)
    assert {*drawn.seats, *drawn.standing} == set(people)
    assert len(drawn.standing) == max(0, len(people) - sum(sizes.values()))
    counts = {name: sum(seat.table == name for seat in drawn.seats.values()) for name in tables}
    room = [counts[name] for name in tables if counts[name] < sizes[name]]
    assert all(count <= min(room, default=99) + 1 for count in counts.values())


@given(PEOPLE, TABLES)
def test_breaking_a_table_moves_its_people_alone(people: list[str], sizes: dict[str, int]) -> None:
    tables = {name: range(1, size + 1) for name, size in sizes.items()}
    before = seated(people, tables).seats
    gone = next(iter(tables))
    after = broken(before, tables, gone)
    leaving = {name for name, seat in before.items() if seat.table == gone}
    assert {*after.seats, *after.standing} == leaving
    taken = [*after.seats.values(), *(seat for name, seat in before.items() if name not in leaving)]
    assert len(set(taken)) == len(taken)
