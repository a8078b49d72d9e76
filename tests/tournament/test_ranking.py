"""Places: by bank, by when somebody went out, by the bank before that round; equal ones share a place."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from controller.tournament.ranking import Contestant, State, ahead, places

STATES: st.SearchStrategy[State] = st.sampled_from(("in", "out", "retired", "disqualified", "withdrawn"))
SMALL = st.integers(0, 4)


@st.composite
def standings(draw: st.DrawFn) -> list[Contestant]:
    rows = draw(st.lists(st.tuples(STATES, SMALL, SMALL, SMALL), max_size=12))
    return [Contestant(f"p{nth}", state, bank, out, before) for nth, (state, bank, out, before) in enumerate(rows)]


def test_those_who_are_in_stand_before_all_others_by_bank() -> None:
    assert places(
        [
            Contestant("Ann", "out", out_at=9, bank_before=900),
            Contestant("Bob", "in", 100),
            Contestant("Cem", "in", 300),
            Contestant("Dee", "retired", out_at=4, bank_before=50),
        ]
    ) == {"Cem": 1, "Bob": 2, "Ann": 3, "Dee": 4}


def test_in_one_round_the_bank_before_it_decides() -> None:
    out = [Contestant("Ann", "out", out_at=9, bank_before=200), Contestant("Bob", "out", out_at=9, bank_before=300)]
    assert places(out) == {"Bob": 1, "Ann": 2}


def test_equal_places_leave_the_next_ones_out() -> None:
    equal = [Contestant("Bob", "out", out_at=9, bank_before=300), Contestant("Cem", "out", out_at=9, bank_before=300)]
    assert places([Contestant("Ann", "in", 1), *equal, Contestant("Dee", "out", out_at=2)]) == {
        "Ann": 1,
        "Bob": 2,
        "Cem": 2,
        "Dee": 4,
    }


def test_who_is_disqualified_or_withdrew_has_no_place() -> None:
    rest = [Contestant("Bob", "disqualified", 900), Contestant("Cem", "withdrawn", 900)]
    assert places([*rest, Contestant("Ann", "in", 1)]) == {"Ann": 1}


def test_at_the_edge_all_equals_go_on() -> None:
    everybody = [
        Contestant("Ann", "in", 3),
        Contestant("Bob", "in", 2),
        Contestant("Cem", "in", 2),
        Contestant("Dee", "in", 1),
    ]
    assert ahead(everybody, 1) == ("Ann",)
    assert ahead(everybody, 2) == ("Ann", "Bob", "Cem")


@given(standings())
def test_a_place_says_how_many_are_before(everybody: list[Contestant]) -> None:
    placed = places(everybody)
    assert set(placed) == {each.name for each in everybody if each.state in ("in", "out", "retired")}
    for place in placed.values():
        assert place == 1 + sum(other < place for other in placed.values())


@given(standings(), st.randoms())
def test_the_order_in_which_people_are_told_decides_nothing(everybody: list[Contestant], chance: Random) -> None:
    mixed = list(everybody)
    chance.shuffle(mixed)
    assert places(mixed) == places(everybody)


@given(standings())
def test_more_bank_and_later_out_never_make_a_place_worse(everybody: list[Contestant]) -> None:
    placed = places(everybody)
    for one in everybody:
        for other in everybody:
            if one.state == other.state == "in" and one.bank > other.bank:
                assert placed[one.name] < placed[other.name]
            if one.state == other.state == "out" and one.out_at > other.out_at:
                assert placed[one.name] < placed[other.name]
