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
        takes, free = follow(takes, amount)
    return takes, free


def follow(takes: Takes, amount: int) -> tuple[Takes, bool]:
    """Reads the spot once; it is free when nothing waits there any more."""
    after, _ = read(takes, AT, amount)
    return after, AT not in after.waiting


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
        (WON, (2500, 1000, 2000, 0)),  # taken back whole, and paid anew
        (WON, (2500, 1000, 1500, 2000, 1000)),
        (WON, (1500, 1000, 2000, 0)),
        (WON, (0, 2000, 0)),  # the stake is exchanged
        (WON, (0, 0, 1000, 2000, 1000)),
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
        (WON, (1500, 0), [("under", 500)]),
        (WON, (2500, 0), [("over", 500)]),
        (WON, (2500, 1000, 0), [("over", 500)]),  # lifted in two parts
        (WON, (2500, 1000, 3000, 0), [("over", 1000)]),
        (WON, (2500, 1500), [("over", 500)]),
        (Take(1, 1000, 1000, 1000, bonus=True), (0, 500, 0), [("under", 500)]),
        (Take(1, 1000, 1000, 1000, bonus=True), (0, 0, 1500, 0), [("over", 500)]),
        (Take(1, 1000, 1000, 1000, bonus=True), (2000, 0), [("over", 1000)]),
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


def test_a_winning_stake_that_is_gone_unpaid_waits_until_betting_closes_and_other_chips_are_wagers() -> None:
    takes, free = course(WON, 0)
    assert not free and takes.unfinished == [AT] and not takes.wrong
    assert [read(takes, AT, amount) for amount in (0, 500, 1000, 2500)] == [(takes, n) for n in (0, 500, 1000, 2500)]
    paid, wager = read(takes, AT, 2000)
    assert wager == 0 and not paid.unfinished  # what was thought to be a wager is none
    assert mistakes(over(takes, 2)) == mistakes(tried(takes, PATIENCE)) == [("under", 1000)]


def test_a_bonus_is_paid_on_a_spot_whose_wager_is_lost() -> None:
    takes = bonus(settled(NO_TAKES, AT, LOST, 1000), AT, 4000)
    assert takes.waiting[AT].want == 4000
    takes, free = follow(takes, 0)
    assert not free
    takes, free = follow(takes, 4000)
    assert not free and not takes.unfinished
    assert follow(takes, 0) == (NO_TAKES, True)
    takes, _ = follow(bonus(settled(NO_TAKES, AT, LOST, 1000), AT, 4000), 0)
    takes, free = follow(takes, 3000)
    takes, free = follow(takes, 0)
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


def test_a_lost_ante_that_is_left_there_as_its_own_bonus_and_lifted_is_no_mistake() -> None:
    """To the sensor it is the same as one that was taken without a bonus."""
    takes, free = course(Take(1, 1000, 1000, 1000, bonus=True), 0)
    assert not free and not takes.unfinished
    assert over(takes, 2) == tried(takes, PATIENCE).without(AT) == NO_TAKES
    larger, _ = course(Take(1, 1000, 1500, 1000, bonus=True), 0)
    assert mistakes(over(larger, 2)) == [("under", 1500)] and larger.unfinished == [AT]


def test_a_payment_that_went_back_and_was_not_seen_to_be_lifted_is_judged_when_betting_closes() -> None:
    for readings in ((2500, 1000), (2500, 1000, 2000)):  # the stake is left for the next round; more is added to it
        takes, free = course(WON, *readings)
        assert not free and not takes.wrong
        assert mistakes(over(takes, 2)) == [("over", 500)]


AMOUNTS = st.integers(0, 8).map(lambda chips: 500 * chips)


CHIPS = st.integers(1, 8).map(lambda chips: 500 * chips)


@st.composite
def courses(draw: st.DrawFn) -> tuple[Take, list[int], int]:
    """A wager from its settlement until the spot is empty: what is read, and what goes to the player in all.

    Dealers take in parts, pay in parts, pay wrongly and put that right in both ways, or do not; players lift in one or
    two parts.
    """
    lay, due = draw(CHIPS), draw(st.sampled_from([-1, 0, 1, 2]))
    pays = due < 0 and draw(st.booleans())
    want = draw(CHIPS) if pays else lay + due * lay
    lies, readings = lay, list[int]()
    if pays and draw(st.booleans()) and want != lay:
        readings.append(0)
        lies = 0
    first = draw(st.integers(lay // 500, 24).map(lambda chips: 500 * chips)) if due > 0 else want
    if first > lies and draw(st.booleans()):
        readings.append((lies + first) // 2)
    readings.append(first)
    for again in draw(st.lists(st.sampled_from(["some", "whole"]), max_size=2)) if want > lay else ():
        readings += [lay, want] if again == "whole" else [want]
    lifted = readings[-1]
    if lifted // 2 != want and draw(st.booleans()):  # who lifts just what is too much looks like the dealer
        readings.append(lifted // 2)
    return Take(1, lay, want, lay, bonus=pays), [*readings, 0], lifted


@given(courses())
def test_an_honest_course_is_no_mistake_and_any_other_is_one(course_: tuple[Take, list[int], int]) -> None:
    """Whatever the order of taking and paying: it is judged by what goes to the player."""
    take, readings, lifted = course_
    takes = settled(NO_TAKES, AT, take, take.lay)
    for amount in readings:
        if AT in takes.waiting:
            takes, _ = follow(takes, amount)
    after = over(takes, 2)
    assert bool(after.wrong) == (lifted != take.want), (take, readings, after.wrong)


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
        takes, free = follow(takes, amount)
        if free and amount < want:
            assert bool(takes.wrong) == (before != want)
        before = amount
    assert over(takes, 2).waiting == {}
