"""Takes and pays, one spot at a time: what the sensors read beside what must lie there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.table.takes import NO_TAKES, PATIENCE, Take, Takes, bonus, cleared, over, read, settled, tried

AT = ("1", "ante")
LOST, WON, PUSH = Take(1, 1000, 0, 1000), Take(1, 1000, 2000, 1000), Take(1, 1000, 1000, 1000)
PART = Take(1, 1000, 200, 1000)  # a surplus goes back


def course(take: Take, *readings: int) -> tuple[Takes, bool]:
    """Reads a spot until it is free."""
    takes, free = settled(NO_TAKES, AT, take, take.lay), False
    for amount in readings:
        assert not free, "it was free before the last reading"
        takes, free = read(takes, AT, amount)
    return takes, free


def mistakes(takes: Takes) -> list[tuple[str, int]]:
    return [(each.what, each.by) for each in takes.wrong]


@pytest.mark.parametrize(
    ("take", "readings"),
    [
        (LOST, (0,)),
        (LOST, (500, 0)),
        (WON, (2000, 0)),
        (WON, (1500, 2000, 0)),
        (WON, (2500, 2000, 0)),  # put right before anybody has lifted it
        (WON, (2000, 1000)),  # the player leaves the stake
        (PUSH, (0,)),
        (PUSH, (400,)),
        (PART, (200, 0)),
    ],
)
def test_what_is_taken_and_paid_rightly_frees_the_spot(take: Take, readings: tuple[int, ...]) -> None:
    takes, free = course(take, *readings)
    assert free and takes == NO_TAKES


@pytest.mark.parametrize(
    ("take", "readings", "expected"),
    [
        (WON, (0,), [("under", 1000)]),
        (WON, (1500, 0), [("under", 500)]),
        (WON, (2500, 0), [("over", 500)]),
        (WON, (2500, 1000), [("over", 500)]),
        (PUSH, (1500, 0), [("over", 500)]),
        (LOST, (3000, 0), [("added", 2000)]),
        (LOST, (3000, 3500, 0), [("added", 2500)]),  # once for each spot, as it was last
    ],
)
def test_mistakes_are_kept_with_their_amount(
    take: Take, readings: tuple[int, ...], expected: list[tuple[str, int]]
) -> None:
    takes, free = course(take, *readings)
    assert free and not takes.waiting
    assert mistakes(takes) == expected


def test_a_bonus_is_paid_on_a_spot_whose_wager_is_lost() -> None:
    takes = bonus(settled(NO_TAKES, AT, LOST, 1000), AT, 4000)
    assert takes.waiting[AT].want == 4000
    takes, free = read(takes, AT, 0)
    assert not free
    takes, free = read(takes, AT, 4000)
    assert not free and not takes.unfinished
    assert read(takes, AT, 0) == (NO_TAKES, True)
    takes, _ = read(bonus(settled(NO_TAKES, AT, LOST, 1000), AT, 4000), AT, 0)
    takes, free = read(takes, AT, 3000)
    takes, free = read(takes, AT, 0)
    assert free and mistakes(takes) == [("under", 1000)]
    assert bonus(NO_TAKES, AT, 4000) is NO_TAKES


def test_chips_that_came_late_or_were_removed_are_found_when_the_wager_is_settled() -> None:
    assert mistakes(settled(NO_TAKES, AT, WON, 400)) == [("late", 600)]
    assert mistakes(settled(NO_TAKES, AT, WON, 1500)) == [("removed", 500)]


def test_when_the_next_betting_closes_all_is_judged_as_it_lies() -> None:
    takes = NO_TAKES
    for n, take in enumerate((LOST, WON, PUSH, Take(1, 1000, 500, 800), Take(2, 1000, 0, 1000)), 1):
        takes = settled(takes, (str(n), "ante"), take, 1000)
    after = over(takes, 2)
    assert {each.at[0]: (each.what, each.by) for each in after.wrong} == {
        "1": ("untaken", 1000),
        "2": ("under", 1000),
        "4": ("over", 300),
    }
    assert list(after.waiting) == [("5", "ante")]  # of the round that runs
    assert {each.at[0] for each in over(takes, 2, frozenset({1, 2})).wrong} == {"4"}
    assert over(NO_TAKES, 2) is NO_TAKES


def test_wagers_that_are_held_for_long_make_a_mistake_of_what_waits() -> None:
    takes = settled(settled(NO_TAKES, AT, LOST, 1000), ("2", "ante"), PUSH, 1000)
    assert tried(takes, PATIENCE - 1) == takes
    assert mistakes(tried(takes, PATIENCE)) == [("untaken", 1000)]
    assert cleared(tried(takes, PATIENCE), held=True) == NO_TAKES
    assert cleared(tried(takes, PATIENCE), held=False) == takes


AMOUNTS = st.integers(0, 8).map(lambda chips: 500 * chips)


@given(AMOUNTS, AMOUNTS, st.booleans(), st.lists(AMOUNTS, max_size=8))
def test_whatever_is_read_a_mistake_is_told_only_where_there_was_one(
    lay: int, want: int, pays: bool, readings: list[int]
) -> None:
    """What is lifted when just the right amount lay there is no mistake, and what is lifted otherwise always is one."""
    takes = settled(NO_TAKES, AT, Take(1, lay, want, lay, bonus=pays), lay)
    before = lay
    for amount in readings:
        if AT not in takes.waiting:
            break
        takes, free = read(takes, AT, amount)
        assert free == (AT not in takes.waiting)
        if free and amount < want:
            assert bool(takes.wrong) == (before != want)
        before = amount
    assert over(takes, 2).waiting == {}
